/**
 * Parses a pasted configuration of MCP servers: JSON with comments, TOML, YAML, or a shell command. Rejects
 * the whole configuration if one server is invalid, with a sentence for each that quotes no values.
 */
import type { ParseError } from 'jsonc-parser'
import { isObject } from '../../packages/kit/is-object.ts'
import { Refused } from '../persona/refusals.ts'
import { configurationForms, type NamedEntry } from './configuration-forms.ts'
import type { McpEntry } from './mcp-entry.ts'
import { EntryFault, readEntry, reference } from './pasted-entry.ts'
import { isCommandLine, readCommandLines } from './server-command-line.ts'
import { asServerName, isServerName } from './server-name.ts'

/** A value that VS Code asks the user for when it starts a server. */
export interface ConfigurationInput {
  readonly id: string
  readonly description: string
  readonly secret: boolean
  /** The environment variable of the daemon that is used if no value is given. */
  readonly variable: string
}

export interface ReadConfiguration {
  /** By valid name. */
  readonly servers: Readonly<Record<string, McpEntry>>
  readonly inputs: readonly ConfigurationInput[]
  /** Names of disabled servers. */
  readonly disabled: readonly string[]
}

/** Max UTF-16 units of a configuration. */
export const maxConfigurationLength = 256 * 1024

/** `given`: text or parsed JSON. `values`: input values by id. Throws Refused with tool_server_invalid. */
export const readConfiguration = async (
  input: unknown,
  values: Readonly<Record<string, string>> = {},
): Promise<ReadConfiguration> => {
  const content = typeof input === 'string' ? await readText(input) : { value: input }
  const namedEntries = 'entries' in content ? content.entries : findEntries(content.value)
  const inputs = 'value' in content ? readInputs(content.value) : new Map<string, ConfigurationInput>()
  const configurationInputs = new Map<string, ConfigurationInput>()
  const servers: Record<string, McpEntry> = {}
  const disabledNames: string[] = []
  const faults: string[] = []
  for (const { name: writtenName, entry } of namedEntries) {
    const name = asServerName(writtenName)
    try {
      if (!isServerName(name)) throw new EntryFault('Its name needs a letter or digit.')
      if (Object.hasOwn(servers, name)) throw new EntryFault(`Another server has the name ${name}, too.`)
      const secrets: string[] = []
      const filledEntry = mapTexts(entry, (text) =>
        filledText(text, { inputs, values, configurationInputs, secrets }),
      )
      const serverEntry = readEntry(filledEntry)
      if (serverEntry.disabled) disabledNames.push(writtenName)
      else
        servers[name] =
          secrets.length === 0
            ? serverEntry
            : { ...serverEntry, secret_values: [...(serverEntry.secret_values ?? []), ...secrets] }
    } catch (error) {
      if (!(error instanceof EntryFault)) throw error
      faults.push(namedEntries.length === 1 ? error.message : `${writtenName.slice(0, 64)}: ${error.message}`)
    }
  }
  if (faults.length > 0) throw invalid(faults.join(' '))
  return { servers, inputs: [...configurationInputs.values()], disabled: disabledNames }
}

const noServers =
  'There is no server in this. Paste the configuration of an app, for example {"mcpServers": {"name": {"command": "npx", "args": ["…"]}}}.'

const invalid = (reason: string): Refused => new Refused({ code: 'tool_server_invalid', reason })

const findEntries = (value: unknown): readonly NamedEntry[] => {
  for (const { find } of configurationForms) {
    const entries = find(value)
    if (entries !== null) return entries
  }
  throw invalid(noServers)
}

type ReadText = { readonly value: unknown } | { readonly entries: readonly NamedEntry[] }

const readText = async (pastedText: string): Promise<ReadText> => {
  const text = pastedText
    .replace(/^\uFEFF/, '')
    .trim()
    .replace(/^```[\w-]*\r?\n([\s\S]*?)\r?\n```$/, '$1')
    .trim()
  if (text.length > maxConfigurationLength)
    throw invalid('This is longer than 256 KB: paste only the part with the servers.')
  if (/^(?:\{|\/[/*]|\[\s*[[{"\]])/.test(text)) return { value: await readJson(text) }
  // Many web pages show only the inside of the object.
  if (/^"[^"\n]*"\s*:/.test(text)) return { value: await readJson(`{${text}\n}`) }
  try {
    if (isCommandLine(text)) return { entries: readCommandLines(text) }
  } catch (error) {
    if (error instanceof EntryFault) throw invalid(error.message)
    throw error
  }
  if (text.split('\n').some((line) => /^\[\[?[\w."'-]+\]/.test(line.trim())))
    return { value: await readToml(text) }
  return { value: await readYaml(text) }
}

const readJson = async (text: string): Promise<unknown> => {
  const { parse } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) throw invalid(`This is no valid JSON: look at line ${lineAt(text, first.offset)}.`)
  return value
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const readToml = async (text: string): Promise<unknown> => {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw invalid(`This is no valid TOML: look at line ${error.line}.`)
  }
}

const readYaml = async (text: string): Promise<unknown> => {
  const { parse, YAMLParseError } = await import('yaml')
  try {
    return parse(text, { logLevel: 'error', maxAliasCount: 20 })
  } catch (error) {
    if (error instanceof YAMLParseError && error.linePos)
      throw invalid(`This is no valid YAML: look at line ${error.linePos[0].line}.`)
    throw invalid(noServers)
  }
}

/** Returns the `inputs` of VS Code, by id. */
const readInputs = (value: unknown): ReadonlyMap<string, ConfigurationInput> => {
  const outer = isObject(value) ? value : {}
  const inputs = outer.inputs ?? (isObject(outer.mcp) ? outer.mcp.inputs : undefined)
  const knownInputs = new Map<string, ConfigurationInput>()
  for (const input of Array.isArray(inputs) ? (inputs as readonly unknown[]) : []) {
    if (!isObject(input) || typeof input.id !== 'string') continue
    const description = typeof input.description === 'string' ? input.description.slice(0, 200) : input.id
    knownInputs.set(input.id, inputFor(input.id, description, input.password === true))
  }
  return knownInputs
}

const inputFor = (id: string, description = id, secret = true): ConfigurationInput => ({
  id,
  description,
  secret,
  variable: id
    .replace(/\W+/g, '_')
    .replace(/^(?=\d)/, '_')
    .toUpperCase(),
})

interface Filling {
  readonly inputs: ReadonlyMap<string, ConfigurationInput>
  readonly values: Readonly<Record<string, string>>
  /** Output: the inputs that the servers use. */
  readonly configurationInputs: Map<string, ConfigurationInput>
  /** Output: values given for secret inputs. */
  readonly secrets: string[]
}

/**
 * Converts the variables of editors to the daemon's syntax: `${input:x}`, `${{ secrets.X }}`, `${userHome}`.
 */
const filledText = (text: string, { inputs, values, configurationInputs, secrets }: Filling): string =>
  text
    .replace(/\$\{\{\s*(?:secrets|inputs|env)\.([\w.-]{1,100})\s*\}\}/g, (_, name: string) =>
      reference(name.replace(/\W/g, '_')),
    )
    .replace(/\$\{userHome\}/g, () => reference('HOME'))
    .replace(/\$\{(workspaceFolder(?:Basename)?|file|cwd)\}/g, (_, name: string) => {
      throw new EntryFault(`It names ${name}, a folder of an editor: write the path.`)
    })
    .replace(/\$\{input:([\w.-]{1,100})\}/g, (_, id: string) => {
      const input = inputs.get(id) ?? inputFor(id)
      configurationInputs.set(id, input)
      const value = Object.hasOwn(values, id) ? (values[id] ?? '') : ''
      if (value === '') return reference(input.variable)
      if (input.secret) secrets.push(value)
      return value
    })

/** Returns the value with `change` applied to all texts in it, but not to keys. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
