/** Extracts the user's facts from a finished conversation, with the same rules that answer messages. */

import { yieldNow } from '../kit/flow/yielding.ts'
import type { KnownStatement, TalkLine, Utterance } from '../models/prompt-data.ts'
import type { Fact } from './facts.ts'
import { chooseLanguage, foreignLanguage, type Language } from './languages.ts'
import { isSame, replacedBy } from './person-facts.ts'
import type { Reply } from './reply.ts'
import { listReceived, type Situation, saidByThem } from './situation.ts'
import { asClause } from './statement-sentences.ts'
import { maxHeardLength, replyTo } from './understand.ts'
import { type Words, wordTables } from './words.ts'

export interface RetoldFact extends KnownStatement {
  /** Id of the statement that it replaces, if the rules named one. */
  readonly of?: string
  /** Sequence numbers of the user's lines that state the fact. */
  readonly sources: readonly number[]
  /** The persona confirmed that it stored the fact. Later changes to the statement must not be undone. */
  readonly kept: boolean
}

export interface Retold {
  readonly toldFacts: readonly RetoldFact[]
  /** Facts that the user withdrew in the same conversation. */
  readonly goneTexts: readonly string[]
  /** The language of the user's last line in a language that the practice mind speaks. */
  readonly language: Language
  /** The user's last line that was understood and more than a courtesy. */
  readonly last: TalkLine | undefined
  /** Other languages in which the user wrote. */
  readonly languages: readonly string[]
}

interface Knowing {
  readonly known: readonly KnownStatement[]
  /** The persona's name. */
  readonly name: string
}

/**
 * Yields to the event loop every 16 lines, so that a long conversation blocks nothing else and can be
 * aborted.
 */
export const consolidateTalk = async (
  lines: readonly TalkLine[],
  { known, name }: Knowing,
  signal: AbortSignal,
): Promise<Retold> => {
  const notes = createFactList()
  const languages = new Set<string>()
  let language: Language = 'en'
  let talk: readonly Utterance[] = []
  let last: TalkLine | undefined

  for (const [n, line] of lines.entries()) {
    if (n % 16 === 15) await yieldNow(signal)
    talk = [...talk, asUtterance(line)].slice(-maxLines)
    if (line.by !== 'person' || line.words === '') continue
    const spokenLines = talk.flatMap((utterance) =>
      utterance.by === 'persona' && utterance.words ? [utterance.words] : [],
    )
    language = chooseLanguage(line.words, language)
    const words = wordTables[language]
    const situation = {
      ...baseSituation,
      name,
      language,
      now: line.time ?? undefined,
      talk,
      spoken: spokenLines,
      heard: listReceived(talk.slice(-1)),
    }
    const { facts, forgotten, courtesy } = interpretLine(line.words, situation, notes.told, known)
    for (const text of forgotten) notes.strike(text)
    for (const fact of facts)
      if (line.alone || !excludedWithFile.has(fact.document))
        notes.put(fact, line.seq, saysToKeep(answerTo(lines, n), fact, words))
    const foreign = foreignLanguage(line.words)
    if (foreign) languages.add(foreign)
    else if (!courtesy) last = line
  }
  return { toldFacts: notes.told, goneTexts: notes.gone(), last, language, languages: [...languages] }
}

/** Max lines before a message that its rules can use. */
const maxLines = 16

const asUtterance = ({ by, words }: TalkLine): Utterance =>
  by === 'persona' || by === 'other' ? { by: 'persona', words, files: [], calls: [] } : saidByThem(words)

/** Assumes that all tools were available, so that a request for a tool is not mistaken for a fact. */
const baseSituation = {
  passedOn: false,
  plans: [],
  laterPlans: 0,
  carried: '',
  results: [],
  files: [],
  nextCall: 1,
  tools: { has: () => true },
} as const satisfies Partial<Situation>

/** Documents that a message with an attached file does not change. */
const excludedWithFile: ReadonlySet<string> = new Set(['permissions', 'persona-trait'])

/** `of`: id of the statement that it replaces, if the rules named one. */
type News = Fact & { readonly of?: string }

interface Heard {
  readonly facts: readonly News[]
  readonly forgotten: readonly string[]
  readonly courtesy: boolean
}

const interpretLine = (
  words: string,
  situation: Omit<Situation, 'statements'>,
  earlierFacts: readonly KnownStatement[],
  statements: readonly KnownStatement[],
): Heard => {
  const replies = replyTo(words, { ...situation, statements: earlierFacts })
  const facts = factsIn(replies, earlierFacts)
  const courtesy = words.length > maxHeardLength || replies.every(({ light }) => light)
  const { changes } = wordTables[situation.language]
  if (!changes.mayMeanKnown.test(words)) return { facts, forgotten: [], courtesy }
  // "No, it is Porto" and "forget my dog" may refer to statements from before this conversation.
  const all = [...statements, ...earlierFacts]
  const repliesToAll = replyTo(words, { ...situation, statements: all })
  const changedFacts = factsIn(repliesToAll, all, 'revise').filter(
    ({ text }) => !facts.some((fact) => isSame(fact.text, text)),
  )
  const ids = wishesIn(repliesToAll, 'forget').map(({ id }) => id)
  // The old text of a statement must not be repeated after a part of it was forgotten.
  const reducedIds = changes.forgetWords.test(words)
    ? wishesIn(repliesToAll, 'revise').map(({ id }) => id)
    : []
  return {
    facts: [...facts, ...changedFacts],
    forgotten: all.filter(({ id }) => ids.includes(id) || reducedIds.includes(id)).map(({ text }) => text),
    courtesy,
  }
}

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
    ({ id, document: targetDocument, text }) => {
      const document = targetDocument ?? statements.find((statement) => statement.id === id)?.document
      return typeof document === 'string' && typeof text === 'string'
        ? [{ document, text, ...(typeof id === 'string' ? { of: id } : {}) }]
        : []
    },
  )

/** Returns the persona's next messages after line `n`, even if the user wrote again before them. */
const answerTo = (lines: readonly TalkLine[], n: number): string => {
  const beginIndex = lines.findIndex(({ by }, index) => index > n && by === 'persona')
  if (beginIndex < 0) return ''
  const end = lines.findIndex(({ by }, index) => index > beginIndex && by !== 'persona')
  return lines
    .slice(beginIndex, end < 0 ? undefined : end)
    .map(({ words }) => words)
    .join('\n')
}

const saysToKeep = (answer: string, { document, text }: Fact, words: Words): boolean =>
  answer.includes(words.facts.knownAlready) ||
  (words.told.keepsSomething.test(answer) &&
    words.told.plainClauses(answer).includes(asClause(text, words, document).replace(/\.$/, '')))

/** Max source lines per statement. */
const maxSources = 10

/** Collects the facts. The last version of each fact counts. */
const createFactList = () => {
  const facts: RetoldFact[] = []
  const withdrawnTexts: string[] = []
  return {
    told: facts,
    gone: () => withdrawnTexts.filter((text) => !facts.some((fact) => isSame(fact.text, text))),
    put: (fact: News, seq: number, isKept: boolean) => {
      const id = facts.find((item) => item.id === fact.of)?.id ?? replacedBy(fact, facts)?.id
      const index = facts.findIndex((item) => item.id === id)
      const existingFact = facts[index]
      if (existingFact && isSame(existingFact.text, fact.text) && !isKept) return
      const sources = [...(existingFact?.sources.filter((source) => source !== seq) ?? []), seq].slice(
        -maxSources,
      )
      if (existingFact) facts.splice(index, 1, { ...existingFact, ...fact, sources, kept: isKept })
      else facts.push({ id: `told ${facts.length + withdrawnTexts.length}`, ...fact, sources, kept: isKept })
    },
    strike: (text: string) => {
      const index = facts.findIndex((item) => isSame(item.text, text))
      if (index >= 0) facts.splice(index, 1)
      withdrawnTexts.push(text)
    },
  }
}
