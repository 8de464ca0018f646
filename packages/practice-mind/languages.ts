/** Detects the language of a text by its script or its most common words. */

/** The languages that the practice mind speaks. */
export type Language = 'en' | 'de'

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

/** Words that both languages have are in neither list. */
const spokenWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    `i you he she it we they the a an and or but not is are were be been have has had do does did my your his her our their what where when why who how
    can could would should please thanks thank thx hello hi hey to of on at for with about this that there here me him them us remind tomorrow today live like love
    know tell say said speak yes no i'm i've i'd i'll it's don't can't won't didn't isn't aren't what's that's you're let's im dont cant whats ur u r pls yeah yep nope
    good bad sad happy great nice fine sorry tired bored boring lonely help name called dog cat mum mom dad sister brother wife husband friend job work poem joke weather
    from into out up down off over then than very really just also too some any all more less much many because if every week day night morning evening feel feeling
    think want need make made get got give gave go went come came died passed hate stupid real person human robot forget remember reminder plan plans planned cancel
    everything nothing something never always again now later soon maybe write sing story song how's who's where's weather birthday bye goodbye night`.split(
      /\s+/,
    ),
  ),
  de: new Set(
    `ich du er wir ihr sie der das dem des den und oder aber nicht nich ist bin bist sind seid habe hab hast haben hatte hatten heißt heiße heisse heißen wie geht gehts dir mir
    mich dich sich uns euch mein meine meinen meinem meiner dein deine deinen deinem deiner ein eine einen einem einer kein keine keinen mit für auf von vom zu zum zur bei beim
    nach aus wo wer wann warum wieso weshalb wen wem welche welcher welches kannst kann können willst wollen möchte möchtest magst mag darf darfst muss musst soll sollst sollen
    weißt weiß weisst gern gerne bitte danke dankeschön guten tag morgen übermorgen abend hallo hallöchen tschüss tschüß servus moin grüß gruezi wohne wohnt lebe arbeite heute
    gestern erinnere erinner erinnerung witz erzähl erzähle schön sehr auch noch schon mal doch ja nein nö nee jo jep klar okidoki gut schlecht traurig glücklich müde einsam
    langweilig langweile froh toll prima geil krass stimmt genau echt wirklich vielleicht immer nie niemals wieder jetzt später gleich bald alles nichts etwas was'n jeden
    jede jedes montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember uhr um stunde stunden minuten woche wochen monat jahr
    hund katze mama papa mutter vater schwester bruder frau freund freundin oma opa kind kinder sohn tochter gestorben tot verloren bekommen gedicht wetter schreib schreibe hilfe
    hilf vergiss vergessen merk merke lösch lösche streich streiche termin termine geplant kalender sag sage gesagt über wegen weil dass wenn ob als ins vorbei fühle fühlt
    liebe lieb hasse dumm doof blöd scheiße scheisse scheiss mist arsch halt maul nerv nervst mensch maschine echter echte gibt gibts es lebst
    nacht gute guter gutes leid schade entschuldigung verstehe kenne kennst denkst findest machst macht mach machen spiel spiele such suche netz schlag musik hä häh na krank voll total lustig lass warum hauptstadt deutsch englisch du's`.split(
      /\s+/,
    ),
  ),
}

const vocabulary = new Map(
  Object.entries(commonWords).map(([language, words]) => [language, new Set(words.split(' '))]),
)

/** Greetings that are enough to detect a language. */
const greetings: Readonly<Record<string, string>> = {
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
 * Returns the name of a language that the practice mind does not speak. Returns undefined for English, German
 * and text that is not recognized. A single name or word in another script does not make a sentence foreign.
 */
export const foreignLanguage = (message: string): string | undefined => {
  const text = message.slice(0, maxDetectedUnits)
  return byScript(text) ?? byWords(text)
}

/** Returns the language of the text, or `otherwise` if its words do not show it. */
export const chooseLanguage = (message: string, otherwise: Language): Language => {
  const text = message.slice(0, maxDetectedUnits)
  const words = listWords(text)
  const [english, german] = [countSpoken(words, 'en'), countSpoken(words, 'de')]
  if (english === german) return english === 0 && /[äöüß]/i.test(text) ? 'de' : otherwise
  return german > english ? 'de' : 'en'
}

/** Max UTF-16 units of a message whose language is detected. */
const maxDetectedUnits = 1500

const count = (text: string, script: RegExp) => text.match(script)?.length ?? 0

const countSpoken = (words: readonly string[], language: Language) =>
  words.filter((word) => spokenWords[language].has(word)).length

const listWords = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}']+/gu) ?? []

const byScript = (text: string): string | undefined => {
  const letters = count(text, /\p{L}/gu)
  const isMainScript = ([, script, alphabet = script]: Script) =>
    count(text, script) > 0 && count(text, alphabet) * 2 > letters
  return scripts.find(isMainScript)?.[0]
}

const byWords = (text: string): string | undefined => {
  const words = listWords(text)
  const [first = '', ...rest] = words
  const spokenCount = Math.max(countSpoken(words, 'en'), countSpoken(words, 'de'))
  const isSpoken = (word: string) => spokenWords.en.has(word) || spokenWords.de.has(word)
  const greeting = Object.hasOwn(greetings, first) ? greetings[first] : undefined
  if (words.length <= 3 && greeting && !rest.some(isSpoken)) return greeting

  if (/[¿¡]/.test(text) && spokenCount === 0) return 'Spanish'
  const [bestLanguage, hits] = [...vocabulary]
    .map(
      ([language, vocabularyWords]) =>
        [language, words.filter((word) => vocabularyWords.has(word)).length] as const,
    )
    .reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0] as const)
  // In a short sentence one word is enough if the sentence has letters that English and German lack.
  if (words.length <= 4 && hits > 0 && spokenCount === 0 && /[^a-zäöüß']/.test(words.join('')))
    return bestLanguage
  return hits >= 2 && hits > spokenCount && hits * 3 >= words.length ? bestLanguage : undefined
}
