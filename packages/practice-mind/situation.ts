/** The input of a rule: the prompt's data and values derived from it. */
import type { FileNote, QuestionData, TurnData, Utterance } from '../models/prompt-data.ts'
import { chooseLanguage, type Language } from './languages.ts'
import type { Wall } from './wall-clock.ts'

export interface Result {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** Undefined if the result was not an object. */
  readonly output: Readonly<Record<string, unknown>> | undefined
}

/** A message or event that the persona must answer. */
export type Heard = Extract<Utterance, { by: 'person' | 'calendar' | 'quiet' }>

type ToolNames = Pick<ReadonlySet<string>, 'has'>

export interface Situation extends Omit<TurnData, 'kind' | 'now'> {
  /** The language of the message that is answered; without one, of the conversation. */
  readonly language: Language
  /** Undefined if the prompt does not say the time. */
  readonly now: Wall | undefined
  /** Names of tools; for a tool with operations also `<name> <op>`. */
  readonly tools: ToolNames
  /** The persona's messages, oldest first. */
  readonly spoken: readonly string[]
  /** Results of the calls in the persona's last message. */
  readonly results: readonly Result[]
  readonly heard: readonly Heard[]
  /** Files that came with the new messages. */
  readonly files: readonly FileNote[]
  /** A new message contains third-party text. */
  readonly passedOn: boolean
  /** The lowest call number that is free in this conversation. */
  readonly nextCall: number
}

export const getSituation = (data: TurnData | QuestionData, tools: ToolNames): Situation => {
  const turn = data.kind === 'turn' ? data : { ...emptyTurn, talk: [saidByThem(data.words)] }
  const { talk } = turn
  const last = talk.findLastIndex(({ by }) => by === 'persona')
  const newUtterances = talk.slice(last + 1)
  const lastAnswer = talk[last]
  const personUtterances = newUtterances.flatMap((utterance) =>
    utterance.by === 'person' ? [utterance] : [],
  )
  const calls = talk.flatMap((utterance) => (utterance.by === 'persona' ? utterance.calls : []))
  return {
    ...turn,
    language: languageOfTalk(talk, turn.carried),
    tools,
    spoken: talk.flatMap((utterance) =>
      utterance.by === 'persona' && wordsIn(utterance) ? [utterance.words] : [],
    ),
    results:
      lastAnswer?.by === 'persona'
        ? lastAnswer.calls.map(({ id, name, input }) => ({
            name,
            input: toRecord(input) ?? {},
            output: getOutput(id, newUtterances),
          }))
        : [],
    heard: listReceived(newUtterances),
    files: personUtterances.flatMap(({ files }) => files),
    passedOn: personUtterances.some(({ passedOn }) => passedOn),
    nextCall: Math.max(0, ...calls.map(({ id }) => Number(/^call-(\d+)$/.exec(id)?.[1] ?? 0))) + 1,
  }
}

/**
 * Each message of the user is in its own language, or in that of the messages before it. The first one may
 * answer a greeting that the character brought along.
 */
export const languageOfTalk = (talk: readonly Utterance[], carriedContext: string): Language => {
  const first = talk.findIndex(({ by }) => by === 'person')
  return talk.reduce<Language>(
    (language, utterance, index) => {
      if (utterance.by === 'persona' && index < first) return chooseLanguage(utterance.words, language)
      if (utterance.by === 'person') return chooseLanguage(utterance.words, language)
      if (utterance.by === 'calendar')
        return chooseLanguage(utterance.due.map(({ content }) => content).join(' '), language)
      return utterance.by === 'quiet' ? utterance.language : language
    },
    chooseLanguage(carriedContext, 'en'),
  )
}

const emptyTurn = {
  name: 'your persona',
  statements: [],
  plans: [],
  laterPlans: 0,
  carried: '',
  now: undefined,
} as const

/** Excludes the user's messages without text. */
export const listReceived = (utterances: readonly Utterance[]): readonly Heard[] =>
  utterances.flatMap((utterance) =>
    utterance.by === 'calendar' ||
    utterance.by === 'quiet' ||
    (utterance.by === 'person' && wordsIn(utterance))
      ? [utterance]
      : [],
  )

/** Creates a message of the user without files. */
export const saidByThem = (words: string): Utterance => ({ by: 'person', words, files: [], passedOn: false })

/** Returns the index of the last message or due reminder, even if the persona has answered it. */
export const findLastReceived = (talk: Situation['talk']): number =>
  talk.findLastIndex(({ by }) => by === 'person' || by === 'calendar')

export const wordsIn = (utterance: Utterance | undefined): string =>
  utterance && 'words' in utterance ? utterance.words.trim() : ''

const getOutput = (call: string, utterances: readonly Utterance[]) =>
  toRecord(
    utterances.flatMap((utterance) =>
      utterance.by === 'tool' && utterance.call === call ? [utterance.output] : [],
    )[0],
  )

export const toRecord = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
