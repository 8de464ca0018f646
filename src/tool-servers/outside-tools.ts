/**
 * Converts the tools of a persona's MCP servers to tools that the model may call. Their results count as
 * information only, never as instructions.
 */
import { hash as hashOf } from 'node:crypto'
import type { Media, PersonaId } from '../../facts/fact-values.ts'
import type { CallResult, ToolDefinition, ToolServers } from '../../packages/mcp-client/server-config.ts'
import { plainLine, ServerTrouble } from '../../packages/mcp-client/trouble.ts'
import { choiceAt, type DeclaredServer, getStanding } from '../../projections/declared-servers.ts'
import type { Persona } from '../../projections/persona.ts'
import { withoutTokens } from '../mind/prompt/marked-data.ts'
import { foreignNote } from '../mind/tools/foreign-note.ts'
import { lookAtFile } from '../mind/tools/look-again.ts'
import { extensions } from '../mind/tools/made-file.ts'
import {
  createFailure,
  getSize,
  maxOutputBytes,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '../mind/tools/tool.ts'
import type { Effect } from '../persona/rules/tools.ts'
import { plainSchema } from './plain-schema.ts'
import type { ServerRefs } from './server-refs.ts'

interface Deps {
  readonly servers: Pick<ToolServers, 'listed' | 'call'>
  readonly refs: ServerRefs
}

/** Max ms that a turn waits for a server whose tools are unknown. */
const patience = 15_000

/**
 * Returns the enabled tools of all servers. Never rejects: if a server fails, returns its last known tools.
 */
export const outsideTools = async ({ self }: Persona, { servers, refs }: Deps): Promise<readonly Tool[]> => {
  const { id } = self
  const listings = await Promise.all(
    Object.entries(self.servers).map(async ([name, server]) => {
      const ref = refs.of(id, name, server.server)
      const { tools } = await servers.listed(id, ref, patience)
      return enabledTools(tools, server).map((definition) => ({ name, ref, definition }))
    }),
  )
  const all = listings.flat()
  const names = uniqueNames(all.map(({ name, definition }) => [name, definition.name]))
  return all.map(({ name, ref, definition }, n) =>
    toTool({ id, server: name, ref, definition, called: names[n] ?? '' }, servers),
  )
}

/** A tool named `__proto__` is skipped, because an object cannot hold the user's choice under that key. */
const enabledTools = (tools: readonly ToolDefinition[], server: DeclaredServer) =>
  tools.filter(
    ({ name, hash }) => name !== '__proto__' && getStanding(choiceAt(server, name), hash) !== 'off',
  )

/** The characters and the length that all providers accept in a tool name. */
const maxNameLength = 64
const joinName = (server: string, tool: string): string => `${server}__${tool}`.replace(/[^\w-]/g, '_')

/** A name that is too long or not unique ends with a part of its hash. */
const uniqueNames = (pairs: readonly (readonly [server: string, tool: string])[]): string[] => {
  const plain = pairs.map(([server, tool]) => joinName(server, tool))
  return pairs.map(([server, tool], n) => {
    const name = plain[n] ?? ''
    const isAlone = plain.every((otherName, m) => m === n || otherName !== name)
    if (isAlone && name.length <= maxNameLength) return name
    const mark = hashOf('sha256', `${server}\0${tool}`).slice(0, 8)
    return `${name.slice(0, maxNameLength - mark.length - 1)}_${mark}`
  })
}

interface Place {
  readonly id: PersonaId
  readonly server: string
  readonly ref: ReturnType<ServerRefs['of']>
  readonly definition: ToolDefinition
  readonly called: string
}

const toTool = ({ id, server, ref, definition, called }: Place, servers: Pick<ToolServers, 'call'>): Tool => {
  const { name, description, parameters, hash } = definition
  const fullDescription = `[tool ${name} of the server ${server}] ${description}`
  return {
    spec: {
      name: called,
      // One line, so that it cannot start a section of the prompt.
      description: withoutTokens(plainLine(fullDescription, maxDescriptionLength - 1)),
      parameters: plainSchema(parameters),
    },
    acts: true,
    lasting: false,
    permission: { server, tool: name, definition: hash },
    run: async (input, context) => {
      try {
        const result = await servers.call(id, ref, name, input, context.signal, hash)
        return await toResult(result, { server, tool: name }, context)
      } catch (error) {
        if (error instanceof ServerTrouble) return createFailure(describeTrouble(error))
        throw error
      }
    },
  }
}

/** A refusal is an answer. Any other failure after sending leaves the outcome unknown. */
const describeTrouble = ({ message, kind, sent }: ServerTrouble): string =>
  sent && kind !== 'refused' ? `${message}\nIt is unknown whether it happened.` : message

/** In UTF-16 units. */
const maxDescriptionLength = 1024

interface Origin {
  readonly server: string
  readonly tool: string
}

const toResult = async (
  { ok, content, structured, cut }: CallResult,
  origin: Origin,
  context: ToolContext,
): Promise<ToolResult> => {
  const text = content
    .flatMap((block) => {
      if (block.type === 'text') return block.text
      return block.type === 'link' ? `[link ${block.name}: ${block.uri}]\n${block.text ?? ''}` : []
    })
    .join('\n\n')
  const files = await keepFiles(content, origin, context)
  const body = {
    origin,
    note: foreignNote,
    ...(ok ? {} : { failed: true }),
    ...(files.files.length > 0 && { files: files.files }),
    ...(structured !== undefined && text === '' ? { structured } : {}),
  }
  const output = fitToFact(body, text, cut)
  return { ok, output, effect: files.effect, calls: files.calls }
}

/** Cuts the result until it fits into a fact, and says so. */
const fitToFact = (body: object, text: string, isCutOff: boolean): unknown => {
  const fullOutput = {
    ...body,
    ...(text !== '' && { text }),
    ...(isCutOff && { cut: 'More came than is shown.' }),
  }
  const maxBytes = maxOutputBytes - 1024
  if (getSize(fullOutput) <= maxBytes) return fullOutput
  const { structured: _, ...rest } = body as { structured?: unknown }
  const bodyText = text || JSON.stringify((body as { structured?: unknown }).structured ?? '')
  let length = bodyText.length
  let output = {}
  do {
    length = Math.floor(length * 0.8)
    output = { ...rest, text: bodyText.slice(0, length).toWellFormed(), cut: 'More came than is shown.' }
  } while (getSize(output) > maxBytes)
  return output
}

type StoredFiles = {
  readonly files: readonly object[]
  readonly effect: readonly Effect[]
  readonly calls: NonNullable<ToolResult['calls']>
}

/** Pictures that are described immediately. The model can ask about the others. */
const maxSeenPictures = 2

/**
 * Stores the returned files like any file of the persona, shows them in the talk, and describes the first
 * pictures.
 */
const keepFiles = async (
  content: CallResult['content'],
  { server, tool }: Origin,
  context: ToolContext,
): Promise<StoredFiles> => {
  const files: { files: object[]; effect: Effect[]; calls: NonNullable<ToolResult['calls']>[number][] } = {
    files: [],
    effect: [],
    calls: [],
  }
  for (const block of content) {
    if (block.type !== 'file') continue
    const extension = extensions[block.mime] ?? extensionIn(block.name)
    const file = await context.files.storeFile(block.bytes, extension)
    const media: Media = {
      ...file,
      name: block.name || `${tool}.${extension}`,
      mime: block.mime,
      caption: `${server}: ${tool}`,
      voice: false,
    }
    files.effect.push({ type: 'Say', content: '', media })
    const description = files.calls.length < maxSeenPictures ? await seenIn(media, context) : null
    files.files.push({ file: file.filename, ...(description && { seen: description.words }) })
    if (description) files.calls.push(...description.calls)
  }
  return files
}

const extensionIn = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin'

const seenIn = async (media: Media, context: ToolContext) => {
  if (!media.mime.startsWith('image/')) return null
  const { ok, output, calls = [] } = await lookAtFile({ media, seq: context.turn }, 'What is in it?', context)
  return ok ? { words: (output as { seen: unknown }).seen, calls } : null
}
