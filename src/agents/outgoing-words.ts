/**
 * Decides whether a request to the web needs an approval although its host or provider is always allowed. A
 * model that follows instructions in text of others could send private data in an address or a query.
 */
import { carriesWords, isWrittenIn } from '../../packages/web-reading/seen-address.ts'
import { searchServer } from '../../projections/declared-servers.ts'
import type { Provenance } from '../mind/memory/provenance.ts'
import { createWordIndex } from '../mind/memory/word-match.ts'
import { parseInput } from '../mind/prompt/lenient-json.ts'
import { isDateWord } from '../mind/prompt/named-times.ts'
import type { TurnStep } from '../mind/prompt/talk-items.ts'
import type { Outgoing } from '../mind/tools/tool.ts'

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
 * Returns true if the address occurs in a message or in a result from outside (a page, a search, a tool
 * server). A result of a call that contained the address itself does not count.
 */
const isWrittenBefore = (address: URL, { messages, steps }: EarlierWords): boolean =>
  messages.some((text) => isWrittenIn(address, text)) ||
  listOutsideResults(steps).some(
    ({ input, output }) =>
      !isWrittenIn(address, JSON.stringify(input)) && isWrittenIn(address, JSON.stringify(output)),
  )

/** Returns true if a search in the talk found exactly this address. */
export const isFound = (address: URL, { steps }: EarlierWords): boolean =>
  listOutsideResults(steps).some(
    ({ output, origin }) =>
      getField(origin, 'server') === searchServer &&
      listUrls(getField(output, 'results')).includes(address.href),
  )

/**
 * Words of a query that need not be the user's: common words, weekdays and months. More of them could encode
 * something in their order.
 */
const maxOtherWords = 3

/**
 * Returns true if the user wrote the words of a query in this turn, or said yes to a question with them.
 * Numbers must be the user's, except for a year.
 */
const isOfUser = (query: string, { said, offers = [] }: Provenance): boolean => {
  const ownTexts = [...said.map(({ words }) => words), ...offers.slice(-1)]
  const ownWords = new Set(ownTexts.flatMap(listWords))
  const index = createWordIndex(ownTexts)
  const otherWords = listWords(query).filter((word) => !ownWords.has(word) && !index.has(word))
  return otherWords.length <= maxOtherWords && otherWords.every((word) => isYear(word) || isHarmless(word))
}

const listWords = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

const isYear = (word: string): boolean => /^20[0-9]{2}$/.test(word)

const isHarmless = (word: string): boolean =>
  shortWords.has(word) || (!/^\p{N}/u.test(word) && isDateWord(word))

/** Words that queries add to the words of a question. */
const shortWords: ReadonlySet<string> = new Set(
  `the a an of in on at for to and or is are what when where who how why der die das ein eine von in im am an auf
  fur für und oder ist sind was wann wo wer wie warum le la les de du des et el los las y`
    .split(/\s+/)
    .filter(Boolean),
)

/** Results of pages, searches and tool servers, with the inputs of their calls. */
const listOutsideResults = (steps: EarlierWords['steps']) =>
  steps.flatMap(({ answer, results }) =>
    results.flatMap(({ call, output }) => {
      const origin = getField(output, 'origin')
      const input = answer.calls.find(({ id }) => id === call)?.input ?? null
      return origin === undefined ? [] : [{ input: parseInput(input), output, origin }]
    }),
  )

const listUrls = (items: unknown): readonly string[] =>
  Array.isArray(items)
    ? items.flatMap((item) => {
        const url = getField(item, 'url')
        return typeof url === 'string' ? [url] : []
      })
    : []

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
