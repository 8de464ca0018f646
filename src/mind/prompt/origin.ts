/**
 * Tracks whose words a prompt contains. Text that is neither the daemon's nor the user's own has an origin.
 * Tool answers count as words of others unless their row in `toolOrigins` says otherwise.
 */
import type { Via } from '../../../facts/fact-values.ts'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import { webServer } from '../../../projections/declared-servers.ts'
import { parseInput } from './lenient-json.ts'
import { findName, formerTools } from './tool-names.ts'

/**
 * The place of others' words in a prompt. `brought`: the user sent them in this turn (during consolidation:
 * together with their own words). `result`: a tool returned them in this turn. `earlier`: from earlier talk,
 * or derived from it. `standing`: part of every prompt, such as tool descriptions.
 */
type Place = 'brought' | 'result' | 'earlier' | 'standing'

export interface OthersWords {
  readonly text: string
  readonly via: Via
  readonly place: Place
}

/**
 * Whose words the answers of the built-in tools contain. `own`: only the daemon's or the user's. `marked`:
 * each item with words of others is marked. `page`: others', unless the daemon explains why it has none. A
 * tool without a row does not compile.
 */
export const toolOrigins = {
  remember: 'own',
  instruction: 'own',
  notify: 'own',
  recall: 'marked',
  // Its list contains plans with words of others.
  plan: 'marked',
  read_document: 'others',
  look_again: 'others',
  read_page: 'page',
  search_web: 'page',
  use_skill: 'others',
  // Their answers can quote an error of an organ or a provider.
  ask_teacher: 'others',
  draw: 'others',
  speak: 'others',
  // Titles and notes of events, and mails.
  read_calendars: 'others',
  check_mail: 'others',
  open_mail: 'others',
  check_health: 'others',
  find_tools: 'others',
  use_tool: 'others',
} as const satisfies Record<string, 'own' | 'marked' | 'page' | 'others'>
export type OwnTool = keyof typeof toolOrigins

const isOwnTool = (name: string): name is OwnTool => Object.hasOwn(toolOrigins, name)
const ownNames = Object.keys(toolOrigins)
const formerNames = Object.keys(formerTools)

/** Returns the present name of a built-in tool that a call means; else undefined. */
const toOwnTool = (calledName: string): OwnTool | undefined => {
  const name = findName(calledName, ownNames) ?? formerTools[findName(calledName, formerNames) ?? '']?.tool
  return name !== undefined && isOwnTool(name) ? name : undefined
}

/** Returns true for a tool of a server, and for the tool whose description lists those. */
const isOfServer = ({ name }: ToolSpec): boolean => [undefined, 'find_tools'].includes(toOwnTool(name))

export const othersInSpecs = (specs: readonly ToolSpec[]): readonly OthersWords[] =>
  specs.filter(isOfServer).map((spec) => ({
    text: JSON.stringify(spec),
    via: { from: 'tool', by: spec.name },
    place: 'standing',
  }))

interface ToolAnswer {
  readonly name: string
  readonly input: unknown
  readonly output: unknown
}

export const othersInAnswer = ({ name: calledName, input, output }: ToolAnswer): readonly OthersWords[] => {
  const ownTool = toOwnTool(calledName)
  const name = ownTool ?? calledName
  const kind = ownTool ? toolOrigins[ownTool] : 'others'
  if (kind === 'own' || (kind === 'page' && getField(output, 'origin') === undefined)) return []
  if (kind === 'marked') return markedItems(output)
  return [
    {
      text: JSON.stringify(output) ?? '',
      via: viaOfAnswer(name, parseInput(input), output),
      place: 'result',
    },
  ]
}

const viaOfAnswer = (name: string, input: unknown, output: unknown): Via => {
  const origin = getField(output, 'origin')
  if (getField(origin, 'server') === webServer) return via('page', getField(origin, 'tool'))
  if (name === 'use_skill') return via('skill', getField(origin, 'skill') ?? getField(input, 'name'))
  if (name === 'ask_teacher') return via('teacher', null)
  if (name === 'read_page') return via('page', getField(input, 'url'))
  if (name === 'read_document' || name === 'look_again') return via('file', getField(input, 'file'))
  return via('tool', getField(origin, 'tool') ?? name)
}

/** Max stored characters of a name. */
const maxNameLength = 100

export const via = (from: Via['from'], author: unknown): Via => ({
  from,
  by: typeof author === 'string' && author !== '' ? author.slice(0, maxNameLength).toWellFormed() : null,
})

/** Returns all nested objects that are marked as words of others. */
const markedItems = (value: unknown): readonly OthersWords[] => {
  if (Array.isArray(value)) return value.flatMap(markedItems)
  if (typeof value !== 'object' || value === null) return []
  if (isMarked(value)) return [{ text: JSON.stringify(value), via: via('talk', null), place: 'earlier' }]
  return Object.values(value).flatMap(markedItems)
}

const rolesOfOthers: ReadonlySet<unknown> = new Set(['others', 'file', 'elsewhere'])

const isMarked = (item: object): boolean =>
  ('others' in item && item.others === true) ||
  ('via' in item && item.via !== null) ||
  'file' in item ||
  ('role' in item && rolesOfOthers.has(item.role))

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
