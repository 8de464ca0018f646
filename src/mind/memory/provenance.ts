/** What stands behind a wish to change something: what the user said, and what others did. */
import type { Seq, Via } from '../../../journal/facts/fact-values.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import { viaOf } from '../../../projections/knowledge.ts'
import { isOwnVoice, isQuestion, ownWordsOf } from '../../../projections/message-parts.ts'
import { valuesOf } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import type { Perceived } from '../prompt/heard-files.ts'
import type { OthersWords } from '../prompt/origin.ts'
import type { ToldPart } from '../prompt/prompt-part.ts'
import { acceptedOffers } from './assent.ts'
import { isDateWord } from './named-times.ts'
import { indexOf, type WordIndex, wordsOf } from './word-match.ts'

/** Words of the user in one message; `file`: it came with a file, whose words may be the louder ones. */
export interface Said {
  readonly seq: Seq
  readonly words: string
  readonly file: boolean
}

export interface Provenance {
  /** In the messages of this turn. */
  readonly said: readonly Said[]
  /** Said by the user in the talk before it. */
  readonly before?: readonly Said[]
  /** Words of others in the prompt. */
  readonly others?: readonly OthersWords[]
  /** Questions of the persona to which the user says yes in this turn. */
  readonly offers?: readonly string[]
  /** Names that are known, of the user, the persona and people in statements: they are nobody's words. */
  readonly names?: ReadonlySet<string>
  /** The talk is gone over: nobody can be asked to say it again, so it may be put in other words. */
  readonly afterwards?: boolean
}

/** For a caller that can only look. */
export const noProvenance: Provenance = { said: [] }

/**
 * The user's own words; a voice message of theirs is the user speaking. What a program passes on may be
 * anybody's.
 */
export const saidIn = (entries: readonly Entry[], perceived: Perceived): readonly Said[] =>
  entries.flatMap((entry) => {
    const { seq, event } = entry
    if (event.type !== 'MessageHeard' || event.channel === null) return []
    const speaks = isOwnVoice(event)
    const seen = speaks ? perceived.get(seq) : undefined
    const spoken = seen?.outcome === 'perceived' ? seen.text : ''
    return [{ seq, words: `${ownWordsOf(event)}\n${spoken}`.trim(), file: event.media !== null && !speaks }]
  })

export const wordsIn = (said: readonly Said[]): string => said.map(({ words }) => words).join('\n')

interface Turn {
  readonly heard: readonly Entry[]
  readonly before: readonly Entry[]
  readonly perceived: Perceived
  readonly persona: Persona
  readonly parts: readonly ToldPart[]
}

export const provenanceOf = ({ heard, before, perceived, persona, parts }: Turn): Provenance => {
  const said = saidIn(heard, perceived)
  const words = wordsIn(said).toLowerCase()
  const others = parts.flatMap((part) => part.others.map((one) => asBrought(one, words)))
  return {
    said,
    before: saidIn(before, perceived),
    others,
    offers: acceptedOffers(
      lastWords(before, heard),
      said.map((one) => one.words),
    ),
    names: knownNames(persona),
  }
}

/** A page that the user named is one they brought. */
const asBrought = (one: OthersWords, words: string): OthersWords =>
  one.place === 'result' && one.via.from === 'page' && one.via.by !== null && words.includes(one.via.by)
    ? { ...one, place: 'brought' }
    : one

/** What the persona said last where the user answers. */
const lastWords = (before: readonly Entry[], heard: readonly Entry[]): string | undefined => {
  const first = heard[0]?.event
  if (first?.type !== 'MessageHeard') return undefined
  const here = inboxKey(first.channel)
  const last = before.findLast(
    ({ event }) =>
      (event.type === 'MessageSpoken' && !isQuestion(event) && event.content !== '') ||
      (event.type === 'MessageHeard' && event.channel !== null && inboxKey(event.channel) === here),
  )?.event
  return last?.type === 'MessageSpoken' && inboxKey(last.channel) === here ? last.content : undefined
}

export const knownNames = ({ self, knowledge }: Persona): ReadonlySet<string> => {
  const named = valuesOf(knowledge.statements).flatMap((statement) =>
    viaOf(statement) === null ? (statement.text.match(capitalized) ?? []) : [],
  )
  return new Set([self.name, ...named].flatMap((name) => wordsOf(name)))
}

/** A word that begins with a capital letter; of a script without them, any word. */
const capitalized = /(?<![\p{L}\p{M}])[\p{Lu}\p{Lo}][\p{L}\p{M}]{0,60}/gu

/** The words of a text that others said and the user did not; names, dates and numbers are nobody's. */
export const borrowedWords = (words: readonly string[], provenance: Provenance): readonly string[] => {
  const { others = [] } = provenance
  if (others.length === 0) return []
  const [own, theirs] = [ownIndex(provenance), indexOf(others.map(({ text }) => text))]
  return [...new Set(words)].filter(
    (word) => theirs.has(word) && !own.has(word) && !isNeutral(word, provenance),
  )
}

/** More would not fit into a fact beside its words. */
const mostBorrowed = 1000

/** For words of the persona that are kept. */
export const borrowedIn = (text: string, provenance: Provenance): readonly string[] =>
  (provenance.others ?? []).length === 0
    ? []
    : borrowedWords(wordsOf(text), provenance).slice(0, mostBorrowed)

export const isNeutral = (word: string, { names }: Provenance): boolean =>
  isDateWord(word) || (names?.has(word) ?? false)

export const ownIndex = ({ said, before = [] }: Provenance): WordIndex =>
  indexOf([...before, ...said].map(({ words }) => words))

/** Where most of the words came from; what the user brought counts before all else. */
export const sourceOf = (words: readonly string[], others: readonly OthersWords[]): OthersWords | null => {
  const ranked = others.map((one) => {
    const index = indexOf([one.text])
    const found = words.filter((word) => index.has(word)).length
    return { one, found, rank: found * 2 + (one.place === 'brought' ? 1 : 0) }
  })
  const best = ranked.reduce<(typeof ranked)[0] | null>(
    (most, next) => (next.found > 0 && next.rank > (most?.rank ?? 0) ? next : most),
    null,
  )
  return best?.one ?? null
}

export type Marked = { readonly via: Via | null }
