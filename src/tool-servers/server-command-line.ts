/**
 * Parses servers from shell lines: the program with variables before it, an address, or the command with
 * which an app adds a server (`claude mcp add`, `codex mcp add`, `gemini mcp add`, `code --add-mcp`).
 */
import { isObject } from '../../packages/kit/is-object.ts'
import type { NamedEntry } from './configuration-forms.ts'
import { EntryFault, reference } from './pasted-entry.ts'
import { nameFor, runners } from './server-name.ts'

/** Checks if a text starts like a shell command. */
export const isCommandLine = (text: string): boolean => {
  const line = text.replace(/^\s*(?:[$>%] )?\s*/, '')
  if (/^https?:\/\/\S+\s*$/.test(line)) return true
  let rest = line.replace(/^(?:export|env) /, '')
  for (let match: RegExpExecArray | null = assignment.exec(rest); match; match = assignment.exec(rest))
    rest = rest.slice(match[0].length)
  const [word = ''] = rest.split(/\s/, 1)
  const [, wordAfter = ''] = /^\S+[ \t]+(\S+)/.exec(rest) ?? []
  return (
    (runners.has(word) && wordAfter !== '' && !/^[:=]/.test(wordAfter)) ||
    /^[\w-]+ (?:mcp add|--add-mcp)/.test(line)
  )
}

const assignment = /^[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*)[ \t]+/

/** Parses one server per line. Throws EntryFault. */
export const readCommandLines = (text: string): readonly NamedEntry[] =>
  text
    .replace(/[\\^`]\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^[$>%] /, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => readWords(splitWords(line)))

const readWords = (all: readonly string[]): NamedEntry => {
  const env: Record<string, string> = {}
  let first = all[0] === 'env' || all[0] === 'export' ? 1 : 0
  for (; ; first++) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(all[first] ?? '') ?? []
    if (name === undefined || value === undefined) break
    env[name] = value
  }
  const words = all.slice(first)
  const [app = '', verb, action] = words
  if (verb === '--add-mcp') return fromJson(words[2] ?? '')
  if (verb === 'mcp' && action === 'add-json') return fromJson(words.at(-1) ?? '', words.at(-2))
  if (verb === 'mcp' && action === 'add') return readAdd(words.slice(3))
  if (/^https?:\/\//.test(app)) return toNamed({ url: app })
  const [command, ...args] = words
  if (command === undefined) throw new EntryFault('The line names no program.')
  return toNamed({ command, args, ...(Object.keys(env).length > 0 && { env }) })
}

const toNamed = (entry: object): NamedEntry => ({ name: nameFor(entry), entry })

const fromJson = (text: string, name?: string): NamedEntry => {
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    throw new EntryFault('The JSON in the line cannot be read: put it in single quotes.')
  }
  return { name: name ?? nameFor(entry), entry: isObject(entry) ? entry : null }
}

/** Parses the words after `mcp add`: options, the name, then an address or a program with arguments. */
const readAdd = (words: readonly string[]): NamedEntry => {
  const env: Record<string, string> = {}
  const headers: Record<string, string> = {}
  const rest: string[] = []
  let url: string | undefined
  let transport: string | undefined
  let variable: string | undefined
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? ''
    if (word === '--') {
      rest.push(...words.slice(n + 1))
      break
    }
    // Options after the program belong to the program.
    if (!word.startsWith('-') || (rest.length > 1 && !ownOptions.test(word))) {
      rest.push(word)
      continue
    }
    const [option = '', inline] = word.startsWith('--') ? splitOnce(word, '=') : [word]
    if (switches.has(option)) continue
    const next = () => inline ?? words[++n] ?? ''
    if (option === '-e' || option === '--env')
      do Object.assign(env, pair(next(), '=', option))
      while (inline === undefined && /^[A-Za-z_]\w*=/.test(words[n + 1] ?? ''))
    else if (option === '-H' || option === '--header') Object.assign(headers, pair(next(), ':', option))
    else if (option === '-t' || option === '--transport') transport = next()
    else if (option === '--url') url = next()
    else if (option === '--bearer-token-env-var') variable = next()
    else if (optionsWithValue.has(option)) next()
    else
      throw new EntryFault(`The option ${option.slice(0, 40)} is not known here: declare the server as JSON.`)
  }
  const [name = '', first, ...args] = rest
  const address = url ?? (first !== undefined && /^https?:\/\//.test(first) ? first : undefined)
  const auth = variable === undefined ? {} : { bearer_token_env_var: variable }
  const entry =
    address === undefined
      ? { ...(transport && { type: transport }), command: first, args, env }
      : { ...(transport && { type: transport }), url: address, headers, ...auth }
  return { name, entry }
}

const ownOptions = /^(?:-e|--env|-H|--header|-t|--transport|-s|--scope)(?:=|$)/
const switches = new Set(['--trust'])
const optionsWithValue = new Set([
  '-s',
  '--scope',
  '--timeout',
  '--description',
  '--include-tools',
  '--exclude-tools',
])

const splitOnce = (text: string, mark: string): [string, string?] => {
  const place = text.indexOf(mark)
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + mark.length)]
}

const pair = (text: string, mark: string, option: string): Readonly<Record<string, string>> => {
  const [name, value] = splitOnce(text, mark)
  if (value === undefined) throw new EntryFault(`After ${option} a name, ${mark} and a value are needed.`)
  return { [name.trim()]: value.trim() }
}

/** Splits a line like a POSIX shell. Variables become references, except in single quotes. */
const splitWords = (line: string): readonly string[] => {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let n = 0; n < line.length; n++) {
    const letter = line[n] ?? ''
    if (quote === '' && /\s/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
      continue
    }
    word ??= ''
    const [, variable] = /^\$([A-Za-z_]\w*)/.exec(line.slice(n, n + 200)) ?? []
    if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter
    else if (letter === '\\' && quote !== "'" && n + 1 < line.length && /[\s"'\\$`]/.test(line[n + 1] ?? ''))
      word += line[++n]
    else if (variable !== undefined && quote !== "'") {
      word += reference(variable)
      n += variable.length
    } else word += letter
  }
  if (quote !== '') throw new EntryFault(`A quote ${quote} is opened and not closed.`)
  return word === null ? words : [...words, word]
}
