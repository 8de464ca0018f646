/** What a rule of the practice mind looks at: what its prompt says as data, and what follows from that. */
import type { FileNote, QuestionData, TurnData, Utterance } from '../models/prompt-data.ts'
import type { Wall } from './wall-clock.ts'

export interface Result {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** Undefined when nothing readable came back. */
  readonly output: Readonly<Record<string, unknown>> | undefined
}

/** What was said to it. */
export type Heard = Extract<Utterance, { by: 'person' | 'calendar' | 'quiet' }>

export interface Situation extends Omit<TurnData, 'kind' | 'now'> {
  /** Undefined when it was not told. */
  readonly now: Wall | undefined
  readonly tools: ReadonlySet<string>
  /** What it has said, oldest first. */
  readonly spoken: readonly string[]
  /** What came since it last spoke or called: results of its calls, then words. */
  readonly results: readonly Result[]
  readonly heard: readonly Heard[]
  /** What came with those words. */
  readonly files: readonly FileNote[]
  /** Words of others came. */
  readonly passedOn: boolean
  /** The number that no call in this talk has yet. */
  readonly nextCall: number
}

export const situationOf = (data: TurnData | QuestionData, tools: ReadonlySet<string>): Situation => {
  const told = data.kind === 'turn' ? data : { ...unknown, talk: [saidByThem(data.words)] }
  const { talk } = told
  const last = talk.findLastIndex(({ by }) => by === 'persona')
  const since = talk.slice(last + 1)
  const asked = talk[last]
  const theirs = since.flatMap((one) => (one.by === 'person' ? [one] : []))
  const calls = talk.flatMap((one) => (one.by === 'persona' ? one.calls : []))
  return {
    ...told,
    tools,
    spoken: talk.flatMap((one) => (one.by === 'persona' && wordsIn(one) ? [one.words] : [])),
    results:
      asked?.by === 'persona'
        ? asked.calls.map(({ id, name, input }) => ({
            name,
            input: toRecord(input) ?? {},
            output: outputOf(id, since),
          }))
        : [],
    heard: heardIn(since),
    files: theirs.flatMap(({ files }) => files),
    passedOn: theirs.some(({ passedOn }) => passedOn),
    nextCall: Math.max(0, ...calls.map(({ id }) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0))) + 1,
  }
}

const unknown = {
  name: 'your persona',
  statements: [],
  plans: [],
  laterPlans: 0,
  carried: '',
  now: undefined,
} as const

/** Without what came with no word of the person's. */
export const heardIn = (since: readonly Utterance[]): readonly Heard[] =>
  since.flatMap((one) =>
    one.by === 'calendar' || one.by === 'quiet' || (one.by === 'person' && wordsIn(one)) ? [one] : [],
  )

/** Words of the person, with nothing beside them. */
export const saidByThem = (words: string): Utterance => ({ by: 'person', words, files: [], passedOn: false })

/** What was heard last, whoever answered it since. */
export const lastHeard = (talk: Situation['talk']): number =>
  talk.findLastIndex(({ by }) => by === 'person' || by === 'calendar')

export const wordsIn = (one: Utterance | undefined): string => (one && 'words' in one ? one.words.trim() : '')

const outputOf = (call: string, since: readonly Utterance[]) =>
  toRecord(since.flatMap((one) => (one.by === 'tool' && one.call === call ? [one.output] : []))[0])

export const toRecord = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
