/**
 * Converts the user's sentences into statements about the user, and statements into sentences to the user: I
 * live → They live → you live.
 */
import { lowerFirst, sentence } from '../reply.ts'
import { capital } from '../wall-clock.ts'
import { months, weekdays } from './say-when.ts'

/** Uses "they" for the user, because the verbs then need no change. */
export const aboutThem = (clause: string): string => {
  const text = expand(clause)
    .replace(/\b(?:i|we) (?:am|are)\b/gi, 'they are')
    .replace(/\b(?:i|we) (?:was|were)\b/gi, 'they were')
    .replace(/\b(?:i|we)\b/gi, 'they')
    .replace(/\b(?:my|our)\b/gi, 'their')
    .replace(/\b(?:mine|ours)\b/gi, 'theirs')
    .replace(/\b(?:myself|ourselves)\b/gi, 'themselves')
    .replace(/\b(?:me|us)\b/gi, 'them')
  return sentence(text)
}

/** Repeats the user's own words to the user: "call my mum" → "call your mum". */
export const toThem = (text: string): string =>
  expand(text)
    .replace(/\bi am\b/gi, 'you are')
    .replace(/\bi was\b/gi, 'you were')
    .replace(/\bmyself\b/gi, 'yourself')
    .replace(/\bmine\b/gi, 'yours')
    .replace(/\bmy\b/gi, 'your')
    .replace(/\b(?:i|me)\b/gi, 'you')

/**
 * Converts a statement into a clause that follows "that": "you live in Lisbon". Quotes statements in an
 * unknown form.
 */
export const asClause = (statement: string, document = 'person'): string => {
  const text = statement.trim().replace(/\.$/, '')
  if (document === 'persona-trait') return `you want me to ${lowerFirst(toSecondPerson(text))}`
  const [, negation, allowedAction] = /^(Not a|A)llowed: (.+)$/.exec(text) ?? []
  if (allowedAction) return `I may ${negation === 'Not a' ? 'not ' : ''}${toSecondPerson(allowedAction)}`
  if (/^They\b/.test(text)) return toSecondPerson(text).replace(/^They/, 'you')
  if (/^Their\b/.test(text))
    return `your${text.slice(5).replace(/\bthem(selves)?\b/g, (_, self) => (self ? 'yourself' : 'you'))}`
  if (/^On their [\p{L} -]{1,35}: /u.test(text)) return `on your ${text.slice('On their '.length)}`
  if (/^(?:The|An?|There|This|That) (?!person\b|user\b)/.test(text)) return lowerFirst(text)
  return `“${text}”`
}

/** After a plural noun, "they" and "their" may refer to that noun and stay unchanged. */
const toSecondPerson = (text: string): string => {
  const words: Readonly<Record<string, string>> = {
    their: 'your',
    theirs: 'yours',
    themselves: 'yourself',
    they: 'you',
    them: 'you',
  }
  return text.replace(/(?<!^)\b(their|theirs|themselves|they|them)\b/g, (word, _, index: number) =>
    /\w[a-rt-z]s\b/.test(
      text.slice(0, index).replace(/\b(?:is|was|has|does|as|yes|this|always|sometimes)\b/g, ''),
    )
      ? word
      : (words[word] ?? word),
  )
}

/** Lowercases the first word of a statement unless it may be a name. */
export const lowerSubject = (statement: string): string =>
  /^(?:They|Their|The)\b/.test(statement) ? lowerFirst(statement) : statement

const expand = (text: string): string =>
  text
    .replace(/\b(i)'m\b/gi, '$1 am')
    .replace(/\b(we)'re\b/gi, '$1 are')
    .replace(/\b(i|we)'ve\b/gi, '$1 have')
    .replace(/\b(i|we)'d\b/gi, '$1 would')
    .replace(/\b(i|we)'ll\b/gi, '$1 will')
    .replace(/\b(\w+)'s (?=(?:called|named)\b)/gi, '$1 is ')

const languageNames =
  'english|german|french|spanish|italian|portuguese|dutch|danish|swedish|norwegian|finnish|polish|czech|russian|ukrainian|greek|turkish|arabic|hebrew|hindi|chinese|japanese|korean|latin'

const namedWords = new RegExp(
  `\\b(?:${[...months.filter((month) => !['march', 'may'].includes(month)), ...weekdays].join('|')}|${languageNames})s?\\b`,
  'g',
)

/**
 * Capitalizes months, weekdays and languages that were typed in lowercase. Capitalizes "may" and "march" only
 * next to a number.
 */
export const withCapitals = (text: string): string =>
  text
    .replace(namedWords, capital)
    .replace(
      /\b(\d{1,2}(?:st|nd|rd|th)?(?: of)?) (may|march)\b/g,
      (_, day, month) => `${day} ${capital(month)}`,
    )
    .replace(/\b(?:may|march)(?= \d{1,2}\b)/g, capital)

/** Capitalizes a name that was typed in lowercase. */
export const asName = (text: string): string =>
  text === text.toLowerCase()
    ? text.replace(
        /(^|[\s-])(?!(?:de|van|von|der|da|la|of|the|upon|am|an)\b)(\p{Ll})/gu,
        (_, prefix, letter) => prefix + letter.toUpperCase(),
      )
    : text
