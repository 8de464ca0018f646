/**
 * Converts the user's sentences into notes about the user, and notes into sentences to the user: Ich wohne →
 * Wohnt → du wohnst. A note has no subject, because German has no pronoun for a person of unknown gender.
 */

import { sentence } from '../reply.ts'
import { capital } from '../wall-clock.ts'
import { everywhere, re } from './expression.ts'
import { months, weekdays } from './say-when.ts'

/** First person, third person and second person. */
const irregularVerbs: readonly (readonly [string, string, string])[] = [
  ['bin', 'ist', 'bist'],
  ['habe', 'hat', 'hast'],
  ['hab', 'hat', 'hast'],
  ['mag', 'mag', 'magst'],
  ['kann', 'kann', 'kannst'],
  ['will', 'will', 'willst'],
  ['muss', 'muss', 'musst'],
  ['darf', 'darf', 'darfst'],
  ['soll', 'soll', 'sollst'],
  ['weiß', 'weiß', 'weißt'],
  ['möchte', 'möchte', 'möchtest'],
  ['würde', 'würde', 'würdest'],
  ['werde', 'wird', 'wirst'],
  ['war', 'war', 'warst'],
  ['hatte', 'hatte', 'hattest'],
  ['wurde', 'wurde', 'wurdest'],
  ['esse', 'isst', 'isst'],
  ['lese', 'liest', 'liest'],
  ['heiße', 'heißt', 'heißt'],
  ['heisse', 'heißt', 'heißt'],
  ['hasse', 'hasst', 'hasst'],
  ['fahre', 'fährt', 'fährst'],
  ['schlafe', 'schläft', 'schläfst'],
  ['laufe', 'läuft', 'läufst'],
  ['spreche', 'spricht', 'sprichst'],
  ['helfe', 'hilft', 'hilfst'],
  ['treffe', 'trifft', 'triffst'],
  ['vergesse', 'vergisst', 'vergisst'],
  ['nehme', 'nimmt', 'nimmst'],
  ['gebe', 'gibt', 'gibst'],
  ['sehe', 'sieht', 'siehst'],
  ['trage', 'trägt', 'trägst'],
  ['vertrage', 'verträgt', 'verträgst'],
  ['halte', 'hält', 'hältst'],
  ['lasse', 'lässt', 'lässt'],
  ['wasche', 'wäscht', 'wäschst'],
  ['backe', 'backt', 'backst'],
  ['reite', 'reitet', 'reitest'],
  ['sammle', 'sammelt', 'sammelst'],
  ['sammel', 'sammelt', 'sammelst'],
  ['wandere', 'wandert', 'wanderst'],
  ['tue', 'tut', 'tust'],
]
const regularStems =
  'wohn leb arbeit komm studier lern spiel koch trink rauch lieb hör mal sing tanz schwimm besitz geh steh bevorzug brauch träum wünsch hoff leid zeichn schreib find bastel näh garten trainier kletter turn jogg reis pfleg betreu unterricht leit fürcht freu interessier'.split(
    ' ',
  )

const toThird = (verb: string): string => {
  const irregular = irregularVerbs.find(([first]) => first === verb)?.[1]
  if (irregular) return irregular
  const stem = verb.replace(/en?$/, '')
  return `${stem}${/(?:[td]|[^lrhaeiouäöü][mn])$/.test(stem) ? 'e' : ''}t`
}

/** The infinitive and the first person plural of a regular verb. */
const toFirst = (verb: string): string =>
  ({ sind: 'bin', haben: 'habe', mögen: 'mag', können: 'kann', wollen: 'will', müssen: 'muss' })[verb] ??
  verb.replace(/n$/, '')

const secondPerson: ReadonlyMap<string, string> = new Map([
  ...regularStems.map((stem): readonly [string, string] => {
    const third = toThird(`${stem}e`)
    return [third, /(?:[sßzx])t$/.test(third) ? third : third.replace(/t$/, 'st')]
  }),
  ...irregularVerbs.map(([, third, second]): readonly [string, string] => [third, second]),
])

/** Returns the third person of a verb in the first person: singular, or plural after "wir". */
const toThirdPerson = (pronoun: string, verb: string): string =>
  toThird(/^wir$/i.test(pronoun) ? toFirst(verb.toLowerCase()) : verb.toLowerCase())

/** Converts words about the speaker into words about a third person. */
const possessivesToThird = (text: string): string =>
  text
    .replace(re2`\bmein(e[nmrs]?)?\b`, (_, ending = '') => `ihr${ending}`)
    .replace(re2`\bunser(e[nmrs]?)?\b`, (_, ending = '') => `ihr${ending}`)
    .replace(re2`\b(?:mich|mir|uns)\b`, 'sich')

const re2 = ({ raw }: TemplateStringsArray): RegExp => everywhere(re({ raw } as TemplateStringsArray))

/** "Seit 2020 wohne ich in Bonn" → "ich wohne seit 2020 in Bonn". */
export const toSubjectFirst = (clause: string): string =>
  clause.replace(
    re`^(?!ich\b|wir\b|mein|unser)(?<before>[^,?]{2,60}?) (?<verb>\p{Ll}+) (?<pronoun>ich|wir)(?<rest> .+)$`,
    (_, opening, verb, pronoun, rest) => `${pronoun} ${verb} ${lowerStart(opening)}${rest}`,
  )

const lowerStart = (text: string): string =>
  /^(?:Am|Seit|Im|In|Jeden|Morgens|Abends|Zum|Zurzeit|Momentan|Gerade|Jetzt|Eigentlich|Meistens|Oft|Manchmal|Gern|Gerne|Mit|Bei|Von|Als|Heute|Leider)\b/.test(
    text,
  )
    ? text.slice(0, 1).toLowerCase() + text.slice(1)
    : text

/** Quotes the sentence if a part of it would need another verb form. */
export const aboutThem = (clause: string): string => {
  const text = toSubjectFirst(clause.trim())
  const {
    pronoun,
    verb,
    rest = '',
  } = re`^(?<pronoun>ich|wir) (?<verb>\p{Ll}+)(?<rest>\b.*)?$`.exec(text)?.groups ?? {}
  if (re`\b(?:ich|wir)\b`.test(pronoun ? rest : text))
    return `Sagte: „${text.replace(/(?<![.!])[.!]+$/, '')}“.`
  if (!pronoun || !verb) return sentence(possessivesToThird(text))
  return sentence(`${toThirdPerson(pronoun, verb)}${possessivesToThird(rest)}`)
}

/** Repeats the user's own words to the user: "meine Mutter anrufen" → "deine Mutter anrufen". */
export const toThem = (text: string): string =>
  text
    .replace(re2`\bmein(e[nmrs]?)?\b`, (word, ending = '') => matchStart(word, `dein${ending}`))
    .replace(re2`\bunser(e[nmrs]?)?\b`, (word, ending = '') =>
      matchStart(word, ending ? `eur${ending}` : 'euer'),
    )
    .replace(re2`\bmich\b`, (word) => matchStart(word, 'dich'))
    .replace(re2`\bmir\b`, (word) => matchStart(word, 'dir'))
    .replace(re2`\buns\b`, 'euch')

const matchStart = (word: string, replacement: string) =>
  word.slice(0, 1) === word.slice(0, 1).toUpperCase() ? capital(replacement) : replacement

/** Returns true for a note that the practice mind wrote in German. */
export const isOwnStatement = (statement: string): boolean =>
  re`^(?:ihr(?:e[nmrs]?)? |auf ihrer |(?:nicht )?erlaubt: |sagte: )`.test(statement) ||
  secondPerson.has(getFirstWord(statement))

const getFirstWord = (statement: string) => /^\p{L}+/u.exec(statement)?.[0].toLowerCase() ?? ''

/** Converts a note into a sentence to the user, without its full stop: "du wohnst in Bonn". */
export const asClause = (statement: string, document = 'person'): string => {
  const text = statement.trim().replace(/\.$/, '')
  if (document === 'persona-trait') return `du wünschst dir von mir: „${text}“`
  const [, negation, allowedAction] = re`^(nicht )?erlaubt: (.+)$`.exec(text) ?? []
  if (allowedAction) return `ich darf ${negation ? 'nicht ' : ''}${toSecondPerson(allowedAction)}`
  const quoted = re`^sagte: (.+)$`.exec(text)?.[1]
  if (quoted) return `du hast gesagt: ${quoted}`
  if (/^Auf ihrer /.test(text)) return text.replace('Auf ihrer', 'auf deiner')
  const possessive = re`^ihr(e[nmrs]?)? (.+)$`.exec(text)
  if (possessive) return `dein${possessive[1] ?? ''} ${(possessive[2] ?? '').replace(re2`\bsich\b`, 'sich')}`
  const verb = getFirstWord(text)
  const second = secondPerson.get(verb)
  if (second) return `du ${second}${toSecondPerson(text.slice(verb.length))}`
  return /^(?:Der|Die|Das|Ein|Eine|Es) /.test(text)
    ? text.slice(0, 1).toLowerCase() + text.slice(1)
    : `„${text}“`
}

const toSecondPerson = (text: string): string =>
  text.replace(re2`\bihr(e[nmrs]?)?\b`, (_, ending = '') => `dein${ending}`).replace(re2`\bsich\b`, 'dich')

const nouns = [...months, ...weekdays]
const languageNames =
  'deutsch englisch französisch spanisch italienisch portugiesisch niederländisch dänisch schwedisch norwegisch finnisch polnisch tschechisch russisch ukrainisch griechisch türkisch arabisch hebräisch chinesisch japanisch koreanisch latein'.split(
    ' ',
  )

/** Capitalizes months, weekdays and languages that were typed in lowercase. */
export const withCapitals = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) =>
    nouns.includes(word) || languageNames.includes(word) ? capital(word) : word,
  )

/** Capitalizes a name that was typed in lowercase. */
export const asName = (text: string): string =>
  text === text.toLowerCase()
    ? text.replace(
        /(^|[\s-])(?!(?:von|van|de|der|da|la|am|an|im|in|zu|ob|bei|und)(?![\p{L}]))(\p{Ll})/gu,
        (_, prefix, letter) => prefix + letter.toUpperCase(),
      )
    : text
