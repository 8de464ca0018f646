/** Splits the user's message into clauses with one meaning each. */
import { fixSpelling, type SpellingWords } from './spelling.ts'

export type Replacement = readonly [RegExp, string]

export interface ClauseWords {
  /** Typing shortcuts, so that the rules need only one spelling. */
  readonly spellings: readonly Replacement[]
  /** Synonyms of the words that the rules match. Each is applied at most once per clause, in this order. */
  readonly wordings: readonly Replacement[]
  readonly correction: SpellingWords
  readonly sentences: RegExp
  readonly leadingFillers: RegExp
  readonly greeting: RegExp
  /** Separates clauses of a request to plan. */
  readonly beforeCommand: RegExp
  readonly beforeStart: RegExp
  readonly asksForTime: RegExp
  /** Alternatives of words before the persona's name, which is then only an address. */
  readonly beforeName: string
  /** The end of a text after which the persona's name is content. */
  readonly introducesName: RegExp
}

/** Max UTF-16 units per message and per clause. The rest of the message is stored but not interpreted. */
const maxMessageUnits = 20_000
const maxClauseUnits = 1000

/**
 * Removes the persona's name from the start or end of a sentence, since it is only an address. Keeps question
 * marks, which distinguish questions from statements.
 */
export const splitClauses = (text: string, name: string, words: ClauseWords): readonly string[] =>
  (normalizeSpelling(text.slice(0, maxMessageUnits), words).match(words.sentences) ?? [])
    .map((sentence) =>
      sentence
        .trim()
        .replace(/(?<![.!?])[.!]*\?[.!?]*$/, '?')
        .replace(/(?<![.!])[.!]+$/, ''),
    )
    .flatMap((sentence) =>
      cutSentence(fixSpelling(removeAddress(sentence, name, words), words.correction), words),
    )
    .map((clause) =>
      replaceAll(
        fixSpelling(clause.replace(words.leadingFillers, '').trim(), words.correction),
        words.wordings,
      ),
    )
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, 40)
    .map((clause) => clause.slice(0, maxClauseUnits))

export const replaceAll = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((result, [form, replacement]) => result.replace(form, replacement), text)

const normalizeSpelling = (text: string, { spellings }: ClauseWords): string =>
  replaceAll(
    text
      .normalize('NFC')
      .replace(/[’‘`´]/g, "'")
      .replace(/[“”„]/g, '"')
      .replace(/[ \t]+/g, ' ')
      .trim(),
    spellings,
  )

const cutSentence = (sentence: string, words: ClauseWords): readonly string[] => {
  const hello = words.greeting.exec(sentence)?.[0] ?? ''
  const rest = sentence.slice(hello.length)
  if (hello && rest) return [hello.replace(/(?<![\s,.!–-])[\s,.!–-]+$/, ''), ...cutSentence(rest, words)]
  return sentence.split(words.asksForTime.test(sentence) ? words.beforeCommand : words.beforeStart)
}

const removeAddress = (
  sentence: string,
  name: string,
  { beforeName, introducesName }: ClauseWords,
): string => {
  const namePattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return (
    sentence
      .replace(
        // Linear: letters of a name, at the beginning.
        new RegExp(`^((?:${beforeName})?,?) ?${namePattern}(?=[,:!?]|$)[,:]?\\s*`, 'i'),
        '$1 ',
      )
      // Linear: letters of a name, which repeat nothing.
      .replace(new RegExp(`,? ${namePattern}(\\??)$`, 'i'), (match, mark: string, index: number) =>
        introducesName.test(sentence.slice(0, index)) ? match : mark,
      )
      .trim()
  )
}
