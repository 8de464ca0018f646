/**
 * What the person has told of themselves in a talk that is over, heard once more with the rules it talks by.
 */
import { yieldNow } from '../kit/flow/yielding.ts'
import type { KnownStatement, TalkLine, Utterance } from '../models/prompt-data.ts'
import type { Fact } from './fact-forms.ts'
import { replacedBy, same } from './person-facts.ts'
import { asClause } from './pronouns.ts'
import type { Reply } from './reply.ts'
import { heardIn, type Situation, saidByThem } from './situation.ts'
import { languageOf, longestHeard, replyTo } from './understand.ts'

export interface RetoldFact extends KnownStatement {
  /** The statement it takes the place of, where that was named. */
  readonly of?: string
  /** The lines of the person that it comes from. */
  readonly sources: readonly number[]
  /** It has said that it keeps it: what became of it since is not to be undone. */
  readonly kept: boolean
}

export interface Retold {
  readonly told: readonly RetoldFact[]
  /** What they took back in the same talk. */
  readonly gone: readonly string[]
  /** The last words that were more than a courtesy, in a language it understands. */
  readonly last: TalkLine | undefined
  readonly languages: readonly string[]
}

interface Knowing {
  readonly known: readonly KnownStatement[]
  /** Its own. */
  readonly name: string
}

/** A long talk is gone through with pauses, in which others have their turn and the signal comes through. */
export const retell = async (
  lines: readonly TalkLine[],
  { known, name }: Knowing,
  signal: AbortSignal,
): Promise<Retold> => {
  const notes = takeNotes()
  const languages = new Set<string>()
  let talk: readonly Utterance[] = []
  let last: TalkLine | undefined

  for (const [n, line] of lines.entries()) {
    if (n % 16 === 15) await yieldNow(signal)
    talk = [...talk, asUtterance(line)].slice(-mostBefore)
    if (line.by !== 'person' || line.words === '') continue
    const spoken = talk.flatMap((one) => (one.by === 'persona' && one.words ? [one.words] : []))
    const then = { ...bare, name, now: line.time ?? undefined, talk, spoken, heard: heardIn(talk.slice(-1)) }
    const { facts, forgotten, courtesy } = hear(line.words, then, notes.told, known)
    for (const text of forgotten) notes.strike(text)
    for (const fact of facts)
      if (line.alone || !allowing.has(fact.document))
        notes.put(fact, line.seq, saysToKeep(answerTo(lines, n), fact))
    const language = languageOf(line.words)
    if (language) languages.add(language)
    else if (!courtesy) last = line
  }
  return { told: notes.told, gone: notes.gone(), last, languages: [...languages] }
}

/** Of the talk before a message, as far as its rules look back. */
const mostBefore = 16

const asUtterance = ({ by, words }: TalkLine): Utterance =>
  by === 'persona' || by === 'other' ? { by: 'persona', words, files: [], calls: [] } : saidByThem(words)

/** Whatever it could do then, so that what asked for something else is not taken for a fact. */
const bare = {
  ...{ passedOn: false, plans: [], laterPlans: 0, carried: '', results: [], files: [], nextCall: 1 },
  tools: new Set(
    'remember recall plan cancel_plan check_calendar draw speak ask_teacher look_again read_document check_health'.split(
      ' ',
    ),
  ),
} as const satisfies Partial<Situation>

/** Words with a file beside them say nothing of what it may and how it should be. */
const allowing: ReadonlySet<string> = new Set(['permissions', 'persona-trait'])

/** `of`: the statement it takes the place of, where that was named. */
type News = Fact & { readonly of?: string }

interface Heard {
  readonly facts: readonly News[]
  readonly forgotten: readonly string[]
  readonly courtesy: boolean
}

const hear = (
  words: string,
  then: Omit<Situation, 'statements'>,
  told: readonly KnownStatement[],
  known: readonly KnownStatement[],
): Heard => {
  const replies = replyTo(words, { ...then, statements: told })
  const facts = factsIn(replies, told)
  const courtesy = words.length > longestHeard || replies.every(({ light }) => light)
  if (!mayMeanKnown.test(words)) return { facts, forgotten: [], courtesy }
  // "No, it is Porto" may put right what it knew before this talk, and "forget my dog" may mean that.
  const all = [...known, ...told]
  const again = replyTo(words, { ...then, statements: all })
  const changed = factsIn(again, all, 'revise').filter(
    ({ text }) => !facts.some((fact) => same(fact.text, text)),
  )
  const ids = wishesIn(again, 'forget').map(({ id }) => id)
  // What was revised because a part of it is to be forgotten is told nowhere as it was.
  const lessened = forgets.test(words) ? wishesIn(again, 'revise').map(({ id }) => id) : []
  return {
    facts: [...facts, ...changed],
    forgotten: all.filter(({ id }) => ids.includes(id) || lessened.includes(id)).map(({ text }) => text),
    courtesy,
  }
}

const forgets = /\b(?:forget|erase|wipe|delete|remove|drop|unlearn)\b/i
const mayMeanKnown =
  /\b(?:no|nope|nah|not|actually|sorry|wait|correction|wrong|oops|mean|meant|it's|it is|forget|erase|wipe|delete|remove|drop|unlearn|stop|don't|yes)\b/i

const wishesIn = (replies: readonly Reply[], ...ops: readonly string[]) =>
  replies.flatMap(({ wishes }) =>
    wishes.flatMap(({ name, input }) =>
      name === 'remember' && ops.includes(String(input.op)) ? [input] : [],
    ),
  )

const factsIn = (
  replies: readonly Reply[],
  statements: readonly KnownStatement[],
  ...ops: readonly string[]
): readonly News[] =>
  wishesIn(replies, ...(ops.length > 0 ? ops : ['keep', 'revise'])).flatMap(
    ({ id, document: into, text }) => {
      const document = into ?? statements.find((statement) => statement.id === id)?.document
      return typeof document === 'string' && typeof text === 'string'
        ? [{ document, text, ...(typeof id === 'string' ? { of: id } : {}) }]
        : []
    },
  )

/** The words of its own that came next, whoever spoke before it once more. */
const answerTo = (lines: readonly TalkLine[], n: number): string => {
  const begin = lines.findIndex(({ by }, at) => at > n && by === 'persona')
  if (begin < 0) return ''
  const end = lines.findIndex(({ by }, at) => at > begin && by !== 'persona')
  return lines
    .slice(begin, end < 0 ? undefined : end)
    .map(({ words }) => words)
    .join('\n')
}

const saysToKeep = (answer: string, { document, text }: Fact): boolean =>
  answer.includes('That I know already.') ||
  (/\b(?:I will remember that|I have put it right)\b/.test(answer) &&
    answer.replaceAll(', that you', ', you').includes(asClause(text, document).replace(/\.$/, '')))

/** The lines that one statement names at most. */
const mostSources = 10

/** What was told, each thing once, as it was said last. */
const takeNotes = () => {
  const told: RetoldFact[] = []
  const struck: string[] = []
  return {
    told,
    gone: () => struck.filter((text) => !told.some((one) => same(one.text, text))),
    put: (fact: News, seq: number, kept: boolean) => {
      const id = told.find((one) => one.id === fact.of)?.id ?? replacedBy(fact, told)?.id
      const at = told.findIndex((one) => one.id === id)
      const before = told[at]
      if (before && same(before.text, fact.text) && !kept) return
      const sources = [...(before?.sources.filter((source) => source !== seq) ?? []), seq].slice(-mostSources)
      if (before) told.splice(at, 1, { ...before, ...fact, sources, kept })
      else told.push({ id: `told ${told.length + struck.length}`, ...fact, sources, kept })
    },
    strike: (text: string) => {
      const at = told.findIndex((one) => same(one.text, text))
      if (at >= 0) told.splice(at, 1)
      struck.push(text)
    },
  }
}
