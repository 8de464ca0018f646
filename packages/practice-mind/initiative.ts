/** Rules for messages that the persona writes by itself: the reasons in a conversation, and the message. */
import type { ConsolidationData, InitiativeData, NotedReason, TalkLine } from '../models/prompt-data.ts'
import { peel as peelEnglish } from './english/peel-times.ts'
import { peel as peelGerman } from './german/peel-times.ts'
import { chooseLanguage, type Language } from './languages.ts'
import { overlap } from './meaning-words.ts'
import type { Moment } from './moment.ts'
import { plusDays, plusMinutes, type Wall } from './wall-clock.ts'
import { isDated, resolve } from './when.ts'
import { wordTables } from './words.ts'

export interface InitiativeOperation {
  readonly op: 'initiative'
  readonly id: string
  readonly kind: string
  /** Local time, `2026-11-24T18:00`. */
  readonly at: Wall
  readonly text: string
  readonly sources: readonly number[]
  readonly yearly: boolean
}
type Operation = InitiativeOperation | { readonly op: 'forget'; readonly id: string; readonly why: string }

interface Patterns {
  /** An event that ends, so that one can ask how it went. Group 1: its name. */
  readonly event: RegExp
  readonly birthday: RegExp
  readonly unfinished: RegExp
  readonly promise: RegExp
  /** Groups: the number, the unit, and what is counted. */
  readonly wish: RegExp
  /** The event is over, or the task is done. */
  readonly over: RegExp
  readonly numbers: Readonly<Record<string, number>>
  readonly reason: Readonly<Record<'follow-up' | 'date' | 'promise' | 'unfinished' | 'wish', string>>
  readonly message: Readonly<Record<string, (quote: string) => string>>
}

const patterns: Readonly<Record<Language, Patterns>> = {
  en: {
    event:
      /\b(interview|exam|test|appointment|presentation|talk|trip|flight|surgery|operation|meeting|match|race|concert|wedding|party|audition|date|dentist|doctor)\b/i,
    birthday: /\bmy birthday is (?:on )?([^.!?]{3,40})/i,
    unfinished: /\bI (?:still (?:have|need) to|have ?n[o']t finished|did ?n[o']t finish)\b/i,
    promise: /\bI(?:'ll| will) (?:ask|tell|write to|get back to) you\b/i,
    wish: /\b(?:tell|remind) me when it(?:'s| is| has) been (an?|one|two|three|four|\d{1,2}) (day|week|month)s? since I (?:last )?([^.!?]{2,60})/i,
    over: /\b(?:went|was|is over|passed|failed|got the|did it|finished|is done)\b/i,
    numbers: { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, day: 1, week: 7, month: 30 },
    reason: {
      'follow-up': 'Ask how it went:',
      date: 'Their birthday:',
      promise: 'Promised:',
      unfinished: 'Left open:',
      wish: 'They asked:',
    },
    message: {
      'follow-up': (quote) => `You told me: “${quote}” How did it go?`,
      date: (quote) => `Today is a special day: “${quote}” All the best to you!`,
      promise: (quote) => `I told you: “${quote}” Here I am.`,
      unfinished: (quote) => `You told me: “${quote}” Did you get to it?`,
      wish: (quote) => `It is time. You asked me: “${quote}”`,
    },
  },
  de: {
    event:
      /(?<![\p{L}])(Vorstellungsgespräch|Bewerbungsgespräch|Prüfung|Klausur|Termin|Arzttermin|Zahnarzt|Arzt|Vortrag|Präsentation|Reise|Flug|OP|Operation|Besprechung|Spiel|Rennen|Konzert|Hochzeit|Feier)(?![\p{L}])/iu,
    birthday:
      /\b(?:mein Geburtstag ist am|ich habe Geburtstag am|ich habe am(?=[^!?\n]{1,40} Geburtstag)) ([^!?\n]{3,40}?)(?: Geburtstag)?[.!?]*$/i,
    unfinished: /\bich (?:muss noch|bin noch nicht fertig|habe \S{1,20} noch nicht)\b/i,
    promise: /\bich (?:frage|schreibe|sage) (?:dich|dir)\b/i,
    wish: /\b(?:sag mir|erinnere mich),? wenn ich (?:seit )?(einer|einem|eine|einen|zwei|drei|vier|\d{1,2}) (Tag|Woche|Monat)(?:en|n|e)?(?: lang)? nicht (?:mehr )?([^.!?]{2,60})/i,
    over: /(?<![\p{L}])(?:lief|war|vorbei|bestanden|geschafft|erledigt|fertig geworden)(?![\p{L}])/iu,
    numbers: {
      ein: 1,
      eine: 1,
      einer: 1,
      einem: 1,
      einen: 1,
      zwei: 2,
      drei: 3,
      vier: 4,
      tag: 1,
      woche: 7,
      monat: 30,
    },
    reason: {
      'follow-up': 'Fragen, wie es war:',
      date: 'Geburtstag:',
      promise: 'Versprochen:',
      unfinished: 'Noch offen:',
      wish: 'Gewünscht:',
    },
    message: {
      'follow-up': (quote) => `Du hast mir erzählt: „${quote}“ Wie war es?`,
      date: (quote) => `Heute ist ein besonderer Tag: „${quote}“ Alles Gute!`,
      promise: (quote) => `Ich habe dir gesagt: „${quote}“ Hier bin ich.`,
      unfinished: (quote) => `Du hast mir erzählt: „${quote}“ Bist du dazu gekommen?`,
      wish: (quote) => `Es ist so weit. Du hast mich gebeten: „${quote}“`,
    },
  },
}

const peels = { en: peelEnglish, de: peelGerman } as const

/**
 * Returns the operations about reasons to write. `lines`: without quotations. `aheadMinutes`: how far the
 * user's clock is ahead of that of the lines.
 */
export const findReasons = (
  lines: readonly TalkLine[],
  noted: NonNullable<ConsolidationData['initiative']>,
  aheadMinutes = 0,
): readonly Operation[] => {
  let language: Language = 'en'
  const operations = lines.flatMap((line): readonly Operation[] => {
    if (line.time === null || line.words === '' || line.by === 'program' || line.by === 'other') return []
    const now = plusMinutes(line.time, aheadMinutes)
    language = chooseLanguage(line.words, language)
    return splitSentences(line.words).flatMap((sentence) =>
      readSentence(sentence, { line, now, language, noted }),
    )
  })
  return operations.slice(0, maxOperations)
}

const maxOperations = 5
const maxSentence = 200

/** A dot after a digit belongs to a date, such as 4. Mai. */
const splitSentences = (text: string): readonly string[] =>
  text
    .split(/(?<=(?<!\d)[.!?])\s+|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence.length < maxSentence)

interface SentenceContext {
  readonly line: TalkLine
  readonly now: Wall
  readonly language: Language
  readonly noted: readonly NotedReason[]
}

const readSentence = (
  sentence: string,
  { line, now, language, noted }: SentenceContext,
): readonly Operation[] => {
  const words = patterns[language]
  const note = (kind: keyof Patterns['reason'], at: Wall, yearly = false): readonly Operation[] => [
    {
      op: 'initiative',
      id: '',
      kind,
      at,
      text: `${words.reason[kind]} “${sentence}”`.slice(0, maxSentence),
      sources: [line.seq],
      yearly,
    },
  ]
  if (line.by === 'persona') {
    const at = words.promise.test(sentence) ? resolveDay(sentence, now, language) : null
    return at ? note('promise', at) : []
  }
  const wish = words.wish.exec(sentence)
  if (wish) return note('wish', plusDays(now, countDays(wish, words)))
  const repeatedWishes = noted.flatMap((reason) => countAgain(reason, sentence, { line, now }))
  if (repeatedWishes.length > 0) return repeatedWishes
  const settledReasons = noted.filter(
    ({ kind, reason }) => kind !== 'wish' && isSettled(reason, sentence, words),
  )
  if (settledReasons.length > 0) return settledReasons.map(({ id }) => ({ op: 'forget', id, why: sentence }))
  const birthday = words.birthday.exec(sentence)?.[1]
  if (birthday) {
    const at = resolveDay(birthday, now, language)
    if (at) return note('date', `${at.slice(0, 10)}T10:00`, true)
  }
  const at = words.event.test(sentence) ? resolveDay(sentence, now, language) : null
  if (at) return note('follow-up', at)
  return words.unfinished.test(sentence) ? note('unfinished', `${plusDays(now, 2).slice(0, 10)}T17:00`) : []
}

const countDays = ([, number = '1', unit = 'day']: RegExpExecArray, { numbers }: Patterns): number =>
  (Number(number) || (numbers[number.toLowerCase()] ?? 1)) * (numbers[unit.toLowerCase()] ?? 1)

/** A wish counts again when the user does again what it counts. */
const countAgain = (
  { id, kind, reason }: NotedReason,
  sentence: string,
  { line, now }: Pick<SentenceContext, 'line' | 'now'>,
): readonly Operation[] => {
  if (kind !== 'wish') return []
  for (const words of Object.values(patterns)) {
    const wish = words.wish.exec(reason)
    if (!wish || overlap(wish[3] ?? '', sentence) === 0) continue
    const at = plusDays(now, countDays(wish, words))
    return [{ op: 'initiative', id, kind, at, text: reason, sources: [line.seq], yearly: false }]
  }
  return []
}

/** The user told that it is over. */
const isSettled = (reason: string, sentence: string, { event, over }: Patterns): boolean => {
  const name = event.exec(reason)?.[1]?.toLowerCase()
  return over.test(sentence) && (name ? sentence.toLowerCase().includes(name) : overlap(reason, sentence) > 1)
}

/** Returns when to ask about something: three hours after its time, or in the evening of its day. */
const resolveDay = (text: string, now: Wall, language: Language): Wall | null => {
  const moment = findMoment(withoutEnd(text), language)
  if (!moment) return null
  const when = resolve(moment, now, wordTables[language].questions)
  if ('ask' in when) return null
  return moment.hour === undefined ? `${when.wall.slice(0, 10)}T18:00` : plusMinutes(when.wall, 180)
}

/** Linear: the lookbehind lets a match begin only at the start of a run. */
const withoutEnd = (text: string): string => text.replace(/(?<![.!?])[.!?]+$/, '')

/** German sentences often have the day in the middle. */
const findMoment = (text: string, language: Language): Moment | undefined => {
  const peelMoment = (part: string, edge: 'both' | 'start'): Moment => {
    const moment: Moment = {}
    peels[language](part, moment, edge)
    return moment
  }
  const starts = [...text.matchAll(/\S+/g)].map(({ index }) => text.slice(index))
  return [peelMoment(text, 'both'), ...starts.map((part) => peelMoment(part, 'start'))].find(isDated)
}

/** Decides whether the persona writes. An empty answer: it does not. */
export const writeByItself = (data: InitiativeData): string => {
  const { why, reason, sources, recent, unwanted } = data
  const lastSource = Math.max(0, ...sources.map(({ seq }) => seq))
  const language = [...sources, ...recent].reduce<Language>(
    (last, { words, by }) => (by === 'person' ? chooseLanguage(words, last) : last),
    'en',
  )
  const words = patterns[language]
  const later = recent.filter(({ by, seq }) => by === 'person' && seq > lastSource)
  if (why !== 'wish' && later.some((line) => mentions(reason, line.words, words))) return 'NOTHING'
  if (unwanted.some((unwantedReason) => overlap(unwantedReason, reason) > 1)) return 'NOTHING'
  const quote = /“([^“”]+)”/.exec(reason)?.[1] ?? reason
  return (words.message[why] ?? ((text: string) => text))(quote)
}

/** The user has spoken of it since. */
const mentions = (reason: string, text: string, { event }: Patterns): boolean => {
  const name = event.exec(reason)?.[1]?.toLowerCase()
  return name ? text.toLowerCase().includes(name) : overlap(reason, text) > 0
}
