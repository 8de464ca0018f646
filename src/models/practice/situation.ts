/** What the practice mind reads out of a prompt: who it is, what it knows, what is planned, what time it is, and what has just been said. */
import type { Message, Prompt } from '../mind.ts'
import { type FileNote, filesIn, withoutOthers, wordsIn } from './files-in-prompt.ts'
import type { Wall } from './wall-clock.ts'

export interface Statement {
  readonly id: string
  readonly document: string
  readonly text: string
}

export interface Plan {
  readonly id: string
  readonly kind: string
  readonly when: Wall
  readonly recurrence: string | null
  readonly content: string
}

export interface Result {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** Undefined when nothing readable came back. */
  readonly output: Readonly<Record<string, unknown>> | undefined
}

export interface Situation {
  readonly name: string
  readonly statements: readonly Statement[]
  readonly plans: readonly Plan[]
  /** How many come after those. */
  readonly laterPlans: number
  /** What it holds in mind of the talk that is no longer before it. */
  readonly carried: string
  /** Undefined when it was not told. */
  readonly now: Wall | undefined
  readonly tools: ReadonlySet<string>
  /** Without words of others. */
  readonly messages: readonly Message[]
  /** What it has said, oldest first. */
  readonly spoken: readonly string[]
  /** What came since it last spoke or called: results of its calls, then words. */
  readonly results: readonly Result[]
  readonly heard: readonly string[]
  /** What came with those words. */
  readonly files: readonly FileNote[]
  /** Words of others came. */
  readonly passedOn: boolean
  /** The number that no call in this talk has yet. */
  readonly nextCall: number
}

export const readSituation = ({ system, messages: all, tools }: Prompt): Situation => {
  const messages = all.map((message) => (message.role === 'user' ? { ...message, content: withoutOthers(message.content) } : message))
  const sections = readSections(system)
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const tail = messages.slice(last + 1)
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  return {
    name: nameIn(system),
    statements: readStatements(first(sections, 'what you know')),
    plans: first(sections, 'your plans').flatMap(readPlan),
    laterPlans: Number(/^\((\d+) later ones\b/m.exec(first(sections, 'your plans').join('\n'))?.[1] ?? 0),
    carried: first(sections, 'what you carry').join('\n').trim(),
    now: /\d{4}-\d\d-\d\dT\d\d:\d\d/.exec((sections.get('now')?.at(-1) ?? []).join('\n'))?.[0],
    tools: new Set(tools.map(({ name }) => name)),
    messages,
    spoken: messages.flatMap((message) => (message.role === 'assistant' && message.content.trim() ? [message.content] : [])),
    results: resultsOf(messages[last], tail),
    heard: tail.flatMap((message) => (message.role === 'user' ? [wordsIn(message.content)].filter(Boolean) : [])),
    files: tail.flatMap((message) => (message.role === 'user' ? filesIn(message.content) : [])),
    passedOn: all.slice(last + 1).some(({ role, content }) => role === 'user' && withoutOthers(content) !== content),
    nextCall: Math.max(0, ...calls.map(({ id }) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0))) + 1,
  }
}

export const nameIn = (system: string): string => /^You are (.+)\.\s*$/m.exec(system)?.[1] ?? 'your persona'

/** The lines of each section, by its title in small letters; a title may come more than once. */
type Sections = ReadonlyMap<string, readonly (readonly string[])[]>

export const readSections = (system: string): Sections => {
  const sections = new Map<string, string[][]>()
  let lines: string[] = []
  for (const line of system.split('\n')) {
    const title = /^# (.+)$/.exec(line)?.[1]?.trim().toLowerCase()
    if (title === undefined) lines.push(line)
    else {
      lines = []
      sections.set(title, [...(sections.get(title) ?? []), lines])
    }
  }
  return sections
}

/** What it knows stands before what it carries: a title within its own words cannot take its place. */
export const first = (sections: Sections, title: string): readonly string[] => sections.get(title)?.[0] ?? []

export const readStatements = (lines: readonly string[]): readonly Statement[] => {
  let document = 'person'
  return lines.flatMap((line) => {
    // A title may go on with where its statements come from.
    document = /^## ([^,]+)/.exec(line)?.[1]?.trimEnd() ?? document
    const [, id, text] = /^- \[([^\]]+)\] (.+)$/.exec(line) ?? []
    return id && text ? [{ id, document, text: text.trim() }] : []
  })
}

const planLine =
  /^- \[([^\]]+)\] (reminder|schedule) (\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d)?(?: \([^)]*\))?(?:, (hourly|daily|weekly|monthly|yearly))?: (.*)$/

const readPlan = (line: string): Plan[] => {
  const [, id, kind, when, recurrence, content] = planLine.exec(line) ?? []
  return id && kind && when ? [{ id, kind, when, recurrence: recurrence ?? null, content: content ?? '' }] : []
}

const resultsOf = (asked: Message | undefined, tail: readonly Message[]): readonly Result[] => {
  if (asked?.role !== 'assistant') return []
  return asked.calls.flatMap(({ id, name, input }) => {
    const answer = tail.find((message) => message.role === 'tool' && message.call === id)
    return [{ name, input: toRecord(input), output: answer && toObject(answer.content) }]
  })
}

const toObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

const toRecord = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {})
