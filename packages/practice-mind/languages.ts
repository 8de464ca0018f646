/** Detects languages other than English by their script or their most common words. */

/** The language, the letters that only this language uses, and all letters of its script. */
type Script = readonly [string, RegExp, RegExp?]

const scripts: readonly Script[] = [
  [
    'Japanese',
    /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
    /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  ],
  ['Chinese', /\p{Script=Han}/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['Ukrainian', /[іїєґ]/giu, /\p{Script=Cyrillic}/gu],
  ['Russian', /\p{Script=Cyrillic}/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Hindi', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
]

const commonWords: Readonly<Record<string, string>> = {
  German:
    'ich du er wir ihr sie der die das den dem und oder aber nicht ist bin bist sind war habe hast hat heißt heiße heisse wie geht dir mir mich dich mein meine dein ein eine einen mit für auf von zu wo wer was kannst du gern gerne bitte danke guten tag morgen abend hallo tschüss wohne heute morgen erinnere witz erzähl schön sehr auch noch',
  French:
    "je tu il elle nous vous le la les un une des et ou mais ne pas est suis es sont ai as avez mon ma mes ton ta comment ça va bonjour bonsoir salut merci s'il plaît te plaît qui que quoi où pour avec dans sur j'ai j'habite m'appelle appelle c'est très aussi demain rappelle oui",
  Spanish:
    'yo tú él ella nosotros el la los las un una y o pero no es soy eres son estoy estás tengo tienes mi mis tu cómo qué dónde quién cuándo hola buenos buenas días tardes noches gracias por favor adiós me llamo vivo en con para muy también mañana recuérdame sí',
  Italian:
    'io tu lui lei noi il lo la gli un una e o ma non è sono sei ho hai mi chiamo come stai ciao buongiorno buonasera grazie per favore dove chi che cosa quando con molto anche domani sì abito vivo',
  Portuguese:
    'eu você ele ela nós o a os as um uma e ou mas não é sou és são estou tenho meu minha como vai olá oi bom dia boa noite obrigado obrigada por favor onde quem quando com para muito também amanhã moro chamo',
  Dutch:
    'ik jij je hij zij wij de het een en of maar niet is ben bent zijn heb hebt mijn jouw hoe gaat hallo goedemorgen dank bedankt alsjeblieft waar wie wat wanneer met voor heel ook morgen woon heet',
  Polish:
    'ja ty on ona my jest jestem nie tak i lub ale mam masz mój moja jak się masz cześć dzień dobry dziękuję proszę gdzie kto co kiedy jutro bardzo też',
  Turkish:
    'ben sen o biz ve veya ama değil evet hayır merhaba nasılsın teşekkürler lütfen nerede kim ne zaman yarın çok adım bir',
  Swedish:
    'jag du han hon vi och eller men inte är har min mitt din hur mår hej tack snälla var vem vad när med för mycket också imorgon heter bor',
}

const english =
  'i you he she it we they the a an and or but not is am are was were be have has had do does did my your his her our their what where when who why how can could will would should please thanks thank hello hi hey to of in on at for with about this that there here me him them us remind tomorrow today name live like love know tell say said speak yes no'
const vocabulary = new Map(
  Object.entries(commonWords).map(([language, words]) => [language, new Set(words.split(' '))]),
)
const englishWords = new Set(english.split(' '))

/** Greetings that are enough to detect a language. */
const greetings: Readonly<Record<string, string>> = {
  hallo: 'German',
  danke: 'German',
  tschüss: 'German',
  servus: 'German',
  moin: 'German',
  bonjour: 'French',
  bonsoir: 'French',
  salut: 'French',
  merci: 'French',
  hola: 'Spanish',
  gracias: 'Spanish',
  adiós: 'Spanish',
  buongiorno: 'Italian',
  grazie: 'Italian',
  olá: 'Portuguese',
  obrigado: 'Portuguese',
  obrigada: 'Portuguese',
  bedankt: 'Dutch',
  cześć: 'Polish',
  dziękuję: 'Polish',
  merhaba: 'Turkish',
  tack: 'Swedish',
  konnichiwa: 'Japanese',
  arigato: 'Japanese',
  privet: 'Russian',
  spasibo: 'Russian',
  nihao: 'Chinese',
}

/**
 * Returns undefined for English and for text that is not recognized. A single name or word in another script
 * does not make a sentence foreign.
 */
export const foreignLanguage = (text: string): string | undefined => byScript(text) ?? byWords(text)

const count = (text: string, script: RegExp) => text.match(script)?.length ?? 0

const byScript = (text: string): string | undefined => {
  const letters = count(text, /\p{L}/gu)
  const isMainScript = ([, script, alphabet = script]: Script) =>
    count(text, script) > 0 && count(text, alphabet) * 2 > letters
  return scripts.find(isMainScript)?.[0]
}

const byWords = (text: string): string | undefined => {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}']+/gu) ?? []
  const [first = '', ...rest] = words
  const language = Object.hasOwn(greetings, first) ? greetings[first] : undefined
  if (words.length <= 3 && language && !rest.some((word) => englishWords.has(word))) return language

  const englishCount = words.filter((word) => englishWords.has(word)).length
  if (/[¿¡]/.test(text) && englishCount === 0) return 'Spanish'
  const [bestLanguage, hits] = [...vocabulary]
    .map(
      ([language, vocabularyWords]) =>
        [language, words.filter((word) => vocabularyWords.has(word)).length] as const,
    )
    .reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const)
  // In a short sentence one word is enough if the sentence has letters that English lacks.
  if (
    words.length <= 4 &&
    hits > 0 &&
    englishCount === 0 &&
    /\p{L}/u.test(words.join('').replace(/[a-z']/g, ''))
  )
    return bestLanguage
  return hits >= 2 && hits > englishCount && hits * 3 >= words.length ? bestLanguage : undefined
}
