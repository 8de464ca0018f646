/**
 * Whose words stand in a prompt. All that is neither the daemon's nor the user's own has an origin: answers
 * of tools are words of others unless their row says otherwise.
 */
import type { Via } from '../../../journal/facts/fact-values.ts'
import type { ToolSpec } from '../../../packages/models/mind.ts'
import { webServer } from '../../../projections/declared-servers.ts'

/**
 * Where words of others stand. `brought`: the user sent them in this turn; of talk that is gone over, beside
 * words of their own. `result`: a tool gave them in this turn. `earlier`: they stand in the talk before, or
 * in what was made of it. `standing`: in every prompt, as the description of a tool does.
 */
type Place = 'brought' | 'result' | 'earlier' | 'standing'

export interface OthersWords {
  readonly text: string
  readonly via: Via
  readonly place: Place
}

/**
 * Whose words the answers of the persona's own tools are. `own`: the daemon's or the user's alone. `marked`:
 * each item that holds words of others says so. A tool without a row does not compile.
 */
export const toolAnswers = {
  ...{ remember: 'own', plan: 'own', cancel_plan: 'own', learn_instruction: 'own', notify: 'own' },
  ...{ follow_instruction: 'own', recall: 'marked', check_calendar: 'marked' },
  ...{ read_document: 'others', look_again: 'others', read_page: 'others', use_skill: 'others' },
  // An organ or a provider that failed is quoted in them.
  ...{ ask_teacher: 'others', draw: 'others', speak: 'others', check_health: 'others' },
  find_tools: 'others',
} as const satisfies Record<string, 'own' | 'marked' | 'others'>
export type OwnTool = keyof typeof toolAnswers

const isOwnTool = (name: string): name is OwnTool => Object.hasOwn(toolAnswers, name)

/** A tool of another server, or one whose description names such tools. */
const isOfServer = ({ name }: ToolSpec): boolean => !isOwnTool(name) || name === 'find_tools'

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

export const othersInAnswer = ({ name, input, output }: ToolAnswer): readonly OthersWords[] => {
  const kind = isOwnTool(name) ? toolAnswers[name] : 'others'
  if (kind === 'own') return []
  if (kind === 'marked') return markedItems(output)
  return [{ text: JSON.stringify(output) ?? '', via: viaOfAnswer(name, input, output), place: 'result' }]
}

const viaOfAnswer = (name: string, input: unknown, output: unknown): Via => {
  const origin = fieldOf(output, 'origin')
  if (fieldOf(origin, 'server') === webServer) return via('page', fieldOf(origin, 'tool'))
  if (name === 'use_skill') return via('skill', fieldOf(origin, 'skill') ?? fieldOf(input, 'name'))
  if (name === 'ask_teacher') return via('teacher', null)
  if (name === 'read_page') return via('page', fieldOf(input, 'url'))
  if (name === 'read_document' || name === 'look_again') return via('file', fieldOf(input, 'file'))
  return via('tool', fieldOf(origin, 'tool') ?? name)
}

/** Characters of a name as it is kept. */
const longestName = 100

export const via = (from: Via['from'], by: unknown): Via => ({
  from,
  by: typeof by === 'string' && by !== '' ? by.slice(0, longestName).toWellFormed() : null,
})

/** Items of lists, and what stands beside them, that say that words of others are in them. */
const markedItems = (value: unknown): readonly OthersWords[] => {
  if (Array.isArray(value)) return value.flatMap(markedItems)
  if (typeof value !== 'object' || value === null) return []
  if (isMarked(value)) return [{ text: JSON.stringify(value), via: via('talk', null), place: 'earlier' }]
  return Object.values(value).flatMap(markedItems)
}

/** A summary of a day was made of all that was said on it. */
const rolesOfOthers: ReadonlySet<unknown> = new Set(['others', 'file', 'elsewhere', 'day'])

const isMarked = (item: object): boolean =>
  ('others' in item && item.others === true) ||
  ('via' in item && item.via !== null) ||
  'file' in item ||
  ('role' in item && rolesOfOthers.has(item.role))

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
