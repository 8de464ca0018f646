/** Tracks the provenance of a turn: which words came from the user, and which from others. */
import type { Seq, Via } from '../../../facts/fact-values.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { getVia } from '../../../projections/knowledge.ts'
import { getOwnWords, isByDaemon, isOwnVoice } from '../../../projections/message-parts.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import type { Perceptions } from '../prompt/heard-files.ts'
import { isDateWord } from '../prompt/named-times.ts'
import type { OthersWords } from '../prompt/origin.ts'
import type { ToldPart } from '../prompt/prompt-part.ts'
import { acceptedOffers, type LastWords, type Offers } from './accepted-offers.ts'
import { createWordIndex, splitWords, type WordIndex } from './word-match.ts'

/**
 * The user's words in one message. `file`: the message had a file, which could contain stronger instructions.
 */
export interface OwnMessage {
  readonly seq: Seq
  readonly words: string
  readonly file: boolean
}

export interface Provenance extends Partial<Offers> {
  /** From the messages of this turn. */
  readonly said: readonly OwnMessage[]
  /** The persona's own messages. Only a line about itself may come from them. */
  readonly spoken?: readonly OwnMessage[]
  /** From the user's earlier messages. */
  readonly before?: readonly OwnMessage[]
  /** Words of others in the prompt. */
  readonly others?: readonly OthersWords[]
  /**
   * Known names: the user, the persona, and people in statements. They count as neither the user's nor
   * others' words.
   */
  readonly names?: ReadonlySet<string>
  /**
   * Set during consolidation. The user cannot be asked to repeat a sentence then, so paraphrases are
   * accepted.
   */
  readonly afterwards?: boolean
}

/** For callers that only read. */
export const noProvenance: Provenance = { said: [] }

/**
 * Returns the user's own words, including their voice messages. Text that a program passes on is excluded,
 * because anyone may have written it.
 */
export const saidIn = (entries: readonly Entry[], perceptions: Perceptions): readonly OwnMessage[] =>
  entries.flatMap((entry) => {
    const { seq, event } = entry
    if (event.type !== 'MessageHeard' || event.channel === null) return []
    const speaks = isOwnVoice(event)
    const description = speaks ? perceptions.get(seq) : undefined
    const transcript = description?.outcome === 'perceived' ? description.text : ''
    return [
      { seq, words: `${getOwnWords(event)}\n${transcript}`.trim(), file: event.media !== null && !speaks },
    ]
  })

export const wordsIn = (messages: readonly OwnMessage[]): string =>
  messages.map(({ words }) => words).join('\n')

interface Turn {
  readonly heard: readonly Entry[]
  readonly before: readonly Entry[]
  readonly perceptions: Perceptions
  readonly persona: Persona
  readonly parts: readonly ToldPart[]
}

export const getProvenance = ({ heard: entries, before, perceptions, persona, parts }: Turn): Provenance => {
  const messages = saidIn(entries, perceptions)
  const words = wordsIn(messages).toLowerCase()
  const quotes = parts.flatMap((part) => part.others.map((othersWords) => asBrought(othersWords, words)))
  return {
    said: messages,
    before: saidIn(before, perceptions),
    others: quotes,
    ...acceptedOffers(
      lastWords(before, entries),
      messages.map((message) => message.words),
    ),
    names: knownNames(persona),
  }
}

/** A page counts as brought by the user if the user named its address. */
const asBrought = (othersWords: OthersWords, words: string): OthersWords =>
  othersWords.place === 'result' &&
  othersWords.via.from === 'page' &&
  othersWords.via.by !== null &&
  words.includes(othersWords.via.by)
    ? { ...othersWords, place: 'brought' }
    : othersWords

/** Returns the persona's last message if the user answers it in the same channel. */
const lastWords = (earlierEntries: readonly Entry[], entries: readonly Entry[]): LastWords | undefined => {
  const first = entries[0]?.event
  if (first?.type !== 'MessageHeard') return undefined
  const inbox = inboxKey(first.channel)
  const last = earlierEntries.findLast(
    ({ event }) =>
      (event.type === 'MessageSpoken' && !isByDaemon(event) && event.content !== '') ||
      (event.type === 'MessageHeard' && event.channel !== null && inboxKey(event.channel) === inbox),
  )?.event
  return last?.type === 'MessageSpoken' && inboxKey(last.channel) === inbox
    ? { words: last.content, hasBorrowed: (last.borrowed ?? []).length > 0 }
    : undefined
}

export const knownNames = ({ self, knowledge }: Persona): ReadonlySet<string> => {
  const names = listValues(knowledge.statements).flatMap((statement) =>
    getVia(statement) === null ? (statement.text.match(capitalizedWord) ?? []) : [],
  )
  return new Set([self.name, ...names].flatMap((name) => splitWords(name)))
}

/** A capitalized word. In scripts without case, any word. */
const capitalizedWord = /(?<![\p{L}\p{M}])[\p{Lu}\p{Lo}][\p{L}\p{M}]{0,60}/gu

/** Returns the words that others used and the user did not. Names, dates and numbers are ignored. */
export const borrowedWords = (words: readonly string[], provenance: Provenance): readonly string[] => {
  const { others = [] } = provenance
  if (others.length === 0) return []
  const ownWords = ownIndex(provenance)
  const quoteIndex = createWordIndex(others.map(({ text }) => text))
  return [...new Set(words)].filter(
    (word) => quoteIndex.has(word) && !ownWords.has(word) && !isNeutral(word, provenance),
  )
}

/** Keeps the fact within its size limit. */
const maxBorrowedWords = 1000

/** For stored texts of the persona. */
export const borrowedIn = (text: string, provenance: Provenance): readonly string[] =>
  (provenance.others ?? []).length === 0
    ? []
    : borrowedWords(splitWords(text), provenance).slice(0, maxBorrowedWords)

export const isNeutral = (word: string, { names }: Provenance): boolean =>
  isDateWord(word) || (names?.has(word) ?? false)

export const ownIndex = ({ said, before = [] }: Provenance): WordIndex =>
  createWordIndex([...before, ...said].map(({ words }) => words))

/** Returns the source of most of the words. On a tie, a file that the user sent wins. */
export const findSource = (words: readonly string[], quotes: readonly OthersWords[]): OthersWords | null => {
  const ranks = quotes.map((quote) => {
    const index = createWordIndex([quote.text])
    const foundCount = words.filter((word) => index.has(word)).length
    return { one: quote, found: foundCount, rank: foundCount * 2 + (quote.place === 'brought' ? 1 : 0) }
  })
  const bestMatch = ranks.reduce<(typeof ranks)[0] | null>(
    (highestSoFar, next) => (next.found > 0 && next.rank > (highestSoFar?.rank ?? 0) ? next : highestSoFar),
    null,
  )
  return bestMatch?.one ?? null
}

export type ViaMark = { readonly via: Via | null }
