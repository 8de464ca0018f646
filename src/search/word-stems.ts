/** Stop words and stemming, per language. */
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stopwords as danishWords } from '@orama/stopwords/danish'
import { stopwords as dutchWords } from '@orama/stopwords/dutch'
import { stopwords as englishWords } from '@orama/stopwords/english'
import { stopwords as finnishWords } from '@orama/stopwords/finnish'
import { stopwords as frenchWords } from '@orama/stopwords/french'
import { stopwords as germanWords } from '@orama/stopwords/german'
import { stopwords as hungarianWords } from '@orama/stopwords/hungarian'
import { stopwords as italianWords } from '@orama/stopwords/italian'
import { stopwords as norwegianWords } from '@orama/stopwords/norwegian'
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese'
import { stopwords as romanianWords } from '@orama/stopwords/romanian'
import { stopwords as russianWords } from '@orama/stopwords/russian'
import { stopwords as spanishWords } from '@orama/stopwords/spanish'
import { stopwords as swedishWords } from '@orama/stopwords/swedish'
import { stopwords as turkishWords } from '@orama/stopwords/turkish'
import { wordsIn } from './words.ts'

/** The names are stored in the word index. If two languages match equally, the first wins. */
export const Languages = [
  ...(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'no', 'fi', 'ro', 'ru', 'hu', 'tr'] as const),
] as const
export type Language = (typeof Languages)[number]

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  da: danish,
  no: norwegian,
  fi: finnish,
  ro: romanian,
  ru: russian,
  hu: hungarian,
  tr: turkish,
}

const commonWords: Readonly<Record<Language, readonly string[]>> = {
  // Contractions are one word in the index, and stemming would break them.
  en: [...englishWords, 'get', 'got', "i've", "i'm", "i'd", "i'll", "it's", "don't", "didn't", "doesn't"],
  de: germanWords,
  fr: frenchWords,
  es: spanishWords,
  it: italianWords,
  pt: portugueseWords,
  nl: dutchWords,
  sv: swedishWords,
  da: danishWords,
  no: norwegianWords,
  fi: finnishWords,
  ro: romanianWords,
  ru: russianWords,
  hu: hungarianWords,
  tr: turkishWords,
}

/** Bit set of the languages in which a word is a stop word. */
const languageBits = new Map<string, number>()
for (const [n, language] of Languages.entries())
  for (const word of commonWords[language].flatMap((text) => [...wordsIn(text)]))
    languageBits.set(word.forms[0] ?? '', (languageBits.get(word.forms[0] ?? '') ?? 0) | (1 << n))

/** `word` is normalized. */
export const isCommon = (word: string, languages: readonly Language[] = Languages): boolean => {
  const bits = languageBits.get(word) ?? 0
  return bits !== 0 && languages.some((language) => bits & (1 << Languages.indexOf(language)))
}

/** Words about talk itself, and about its order. Questions about the past contain them, and few answers. */
const ofQuestions: Readonly<Partial<Record<Language, string>>> = {
  en: 'talk talks talked talking say says said saying tell tells told telling speak spoke day last first',
  de: 'reden rede redeten geredet sprechen sprachen gesprochen sage sagen sagst sagte sagtest gesagt erzählen erzählt erzählte tag letzte letzten letzter letztes erste ersten erster erstes',
  fr: 'parler parlé parlions dire dis dit disais raconter raconté jour dernier dernière premier première',
  es: 'hablar hablamos hablado decir dije dijiste dijimos dicho contar conté día último última primero primera',
  it: 'parlare parlato dire detto raccontare raccontato giorno ultimo ultima primo prima',
  pt: 'falar falamos falado dizer disse disseste dito contar contei dia último última primeiro primeira',
  nl: 'praten gepraat zeg zeggen zei gezegd vertellen vertelde verteld dag laatste eerste',
  ru: 'говорить говорил говорила говорили сказать сказал сказала день последний последняя первый первая',
}
const questionWords = new Map(
  Object.entries(ofQuestions).map(([language, words]) => [
    language,
    new Set([...wordsIn(words)].map(({ forms }) => forms[0] ?? '')),
  ]),
)

/** `word` is normalized. */
export const isOfQuestions = (word: string, languages: readonly Language[]): boolean =>
  languages.some((language) => questionWords.get(language)?.has(word))

/** Returns the language with the most stop words among the words, at least two. */
export const detectLanguage = (words: Iterable<string>): Language | undefined => {
  const counts = new Uint16Array(Languages.length)
  for (const word of words) {
    for (let bits = languageBits.get(word) ?? 0; bits !== 0; bits &= bits - 1) {
      const n = 31 - Math.clz32(bits & -bits)
      counts[n] = (counts[n] ?? 0) + 1
    }
  }
  const maxCount = Math.max(...counts)
  return maxCount < 2 ? undefined : Languages[counts.indexOf(maxCount)]
}

/** Cache size per language. Measured: stemming takes up to 0.2 ms. */
const maxStems = 20_000
const stems = new Map<Language, Map<string, string>>()

/** `word` is normalized. */
export const stemWord = (word: string, language: Language): string => {
  const knownStems = stems.get(language) ?? new Map<string, string>()
  stems.set(language, knownStems)
  const stem = knownStems.get(word) ?? stemmers[language](word)
  if (knownStems.size >= maxStems) knownStems.clear()
  knownStems.set(word, stem)
  return stem
}
