/**
 * Decides whether a request to the web needs an approval although its host or provider is always allowed. A
 * model that follows instructions in text of others could send private data in an address or a query.
 */
import { carriesWords, isWrittenIn } from '../../packages/web-reading/seen-address.ts'
import { searchServer } from '../../projections/declared-servers.ts'
import { listValues } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Provenance } from '../mind/memory/provenance.ts'
import { createWordIndex, splitWords, type WordIndex } from '../mind/memory/word-match.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import { isDateWord } from '../mind/prompt/named-times.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import type { Outgoing } from '../mind/tools/tool.ts'
import type { SentMessage } from './open-steps.ts'

/** What the user and others wrote before the call. */
export interface EarlierWords {
  readonly provenance: Provenance
  /** Text of messages: the user's own, and text that they brought. Not the persona's own. */
  readonly messages: readonly string[]
  /** The answers and results of the talk, with this turn. */
  readonly steps: readonly Pick<TurnStep, 'answer' | 'results'>[]
}

export const needsReview = (outgoing: Outgoing, words: EarlierWords): boolean => {
  const { provenance } = words
  const isBesideOthers = (provenance.others ?? []).length > 0
  if ('query' in outgoing) return isBesideOthers && !isOfUser(outgoing.query, provenance)
  const { address } = outgoing
  if (isWrittenBefore(address, words)) return false
  return carriesWords(address) || (isBesideOthers && address.pathname !== '/')
}

/**
 * Returns true if the address occurs in a message, on a page, in the answer of a tool server, or is the
 * address of a search result. A result of a call that contained the address itself does not count.
 */
const isWrittenBefore = (address: URL, { messages, steps }: EarlierWords): boolean =>
  messages.some((text) => isWrittenIn(address, text)) ||
  listOutsideResults(steps).some(
    (result) =>
      !isWrittenIn(address, JSON.stringify(result.input)) &&
      isWrittenIn(address, isSearch(result) ? listUrls(result).join('\n') : JSON.stringify(result.output)),
  )

/** Returns true if a search in the talk found exactly this address. */
export const isFound = (address: URL, { steps }: EarlierWords): boolean =>
  listOutsideResults(steps).some((result) => isSearch(result) && listUrls(result).includes(address.href))

/**
 * Words of a query that need not be the user's: common words, weekdays and months. More of them could encode
 * something in their order, as could signs, repetitions and the case of letters.
 */
const maxOtherWords = 3
const maxSigns = 2

/**
 * Returns true if the user wrote the words of a query in this turn, or said yes to a question with them.
 * Numbers must be the user's, except for a year.
 */
const isOfUser = (query: string, { said, offers = [] }: Provenance): boolean => {
  const ownTexts = [...said.map(({ words }) => words), ...offers.slice(-1)]
  if (ownTexts.some((text) => text.includes(query))) return true
  const ownWords = new Set(ownTexts.flatMap(listWords))
  const index = createWordIndex(ownTexts)
  const words = listWords(query)
  const otherWords = words.filter((word) => !ownWords.has(word) && !isEndingOf(word, index))
  const signs = query.normalize('NFKC').replace(/[\p{L}\p{M}\p{N}\s]/gu, '')
  return (
    new Set(words).size === words.length &&
    /^[-'’".,?]*$/.test(signs) &&
    signs.length <= maxSigns &&
    !/\p{Ll}\p{Lu}/u.test(query) &&
    otherWords.length <= maxOtherWords &&
    otherWords.every((word) => isYear(word) || isHarmless(word))
  )
}

const listWords = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Returns true for another form of a word of the user, such as a plural. Digits must be the same. */
const isEndingOf = (word: string, index: WordIndex): boolean => !/\p{N}/u.test(word) && index.has(word)

const isYear = (word: string): boolean => /^20[0-9]{2}$/.test(word)

const isHarmless = (word: string): boolean =>
  shortWords.has(word) || (!/\p{N}/u.test(word) && isDateWord(word))

/** Words that queries add to the words of a question. */
const shortWords: ReadonlySet<string> = new Set(
  `the a an of in on at for to and or is are what when where who how why der die das ein eine von in im am an auf
  fur für und oder ist sind was wann wo wer wie warum le la les de du des et el los las y`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * Returns true if the input of a server's tool contains words of the memory that the user did not write in
 * this turn, while text of others is in the prompt.
 */
export const carriesMemory = (input: unknown, persona: Persona, { provenance }: EarlierWords): boolean =>
  (provenance.others ?? []).length > 0 &&
  carriesStatement(
    input,
    persona,
    provenance.said.map(({ words }) => words),
  )

/**
 * Returns true if the input of a client's tool contains words of the memory that the client did not send,
 * while results of its tools or files are in the talk. Text of the persona after the user's last message does
 * not count as sent: the user has not seen it.
 */
export const carriesMemoryToClient = (
  input: unknown,
  persona: Persona,
  talk: readonly SentMessage[],
): boolean => {
  const hasOthersWords = talk.some(
    (message) => message.role === 'result' || (message.role === 'user' && message.files.length > 0),
  )
  if (!hasOthersWords) return false
  const lastUserIndex = talk.findLastIndex(({ role }) => role === 'user')
  const sentTexts = talk.flatMap((message, n) => {
    const isUnseen = n > lastUserIndex && (message.role === 'assistant' || message.role === 'calls')
    return isUnseen ? [] : [JSON.stringify(message)]
  })
  return carriesStatement(input, persona, sentTexts)
}

const carriesStatement = (input: unknown, persona: Persona, knownTexts: readonly string[]): boolean => {
  const sentWords = new Set(splitWords(JSON.stringify(input) ?? ''))
  if (sentWords.size === 0) return false
  const knownWords = createWordIndex([...knownTexts, persona.self.name])
  return listValues(persona.knowledge.statements).some((statement) =>
    splitWords(statement.text).some((word) => sentWords.has(word) && !knownWords.has(word)),
  )
}

/** Results of pages, searches and tool servers, with the inputs of their calls. */
const listOutsideResults = (steps: EarlierWords['steps']) =>
  steps.flatMap(({ answer, results }) =>
    results.flatMap(({ call, output }) => {
      const origin = getField(output, 'origin')
      const input = answer.calls.find(({ id }) => id === call)?.input ?? null
      return origin === undefined ? [] : [{ input: parseInput(input), output, origin }]
    }),
  )

type OutsideResult = ReturnType<typeof listOutsideResults>[number]

const isSearch = ({ origin }: OutsideResult): boolean => getField(origin, 'server') === searchServer

/** Returns the addresses of the results of a search. */
const listUrls = ({ output }: OutsideResult): readonly string[] => {
  const items = getField(output, 'results')
  if (!Array.isArray(items)) return []
  return items.map((item) => getField(item, 'url')).filter((url) => typeof url === 'string')
}

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
