/** Everything the practice mind needs to understand and to speak German. */
import type { Words } from '../english/english-words.ts'
import { list } from '../reply.ts'
import { aboutThem, asClause, asName, isOwnStatement, toThem } from './clause-grammar.ts'
import { clauses, isQuestion } from './clauses.ts'
import { re } from './expression.ts'
import { factWords } from './facts.ts'
import {
  answers,
  changes,
  character,
  ended,
  factTexts,
  forget,
  keptWords,
  knownTexts,
  lists,
  recall,
} from './memory-words.ts'
import { peel } from './peel-times.ts'
import { cancel, followUp, moving, plans, reminder } from './plan-words.ts'
import { files, privacy } from './privacy-words.ts'
import { questions } from './questions.ts'
import { sayDay, saySpan, sayWhen } from './say-when.ts'

export const giveMind = 'auf der Seite, mit dem Knopf „Ein echtes Modell laden“ oder unter Einstellungen'
export const standIn =
  'Ich nutze das Übungsmodell: ein paar Regeln, die zu Daimon gehören, kein echtes Sprachmodell.'

/** English names of organs, which tools report, and what the persona lacks. */
const organs: Readonly<Record<string, string>> = {
  Imagination: 'keine Fantasie',
  Mouth: 'keinen Mund',
  Teacher: 'keinen Lehrer',
  Eye: 'kein Auge',
  Ear: 'kein Ohr',
  Researcher: 'keinen Forscher',
}
const organVoices: Readonly<Record<string, string>> = {
  eye: 'Mein Auge',
  ear: 'Mein Ohr',
  researcher: 'Mein Forscher',
  thinking: 'Meine eigene Lektüre',
}

const languageNames: Readonly<Record<string, string>> = {
  Japanese: 'Japanisch',
  Chinese: 'Chinesisch',
  Korean: 'Koreanisch',
  Ukrainian: 'Ukrainisch',
  Russian: 'Russisch',
  Arabic: 'Arabisch',
  Hebrew: 'Hebräisch',
  Greek: 'Griechisch',
  Thai: 'Thai',
  French: 'Französisch',
  Spanish: 'Spanisch',
  Italian: 'Italienisch',
  Portuguese: 'Portugiesisch',
  Dutch: 'Niederländisch',
  Polish: 'Polnisch',
  Turkish: 'Türkisch',
  Swedish: 'Schwedisch',
}

const formatCount = (n: number): string => `${n} ${n === 1 ? 'Nachricht' : 'Nachrichten'}`

export const german: Words = {
  and: 'und',
  or: 'oder',
  at: 'um',
  on: 'am',
  quote: (text) => `„${text}“`,
  requestPrefix: re`^(?:bitte |kannst du |könntest du |würdest du )*`,

  standIn,
  standInWord: 'Platzhalter',
  notice: `Noch ein Wort zu mir: ${standIn} Ein echtes gibst du mir ${giveMind}.`,
  keepsNothing:
    'Von dem, was hier gesagt wird, behalte ich nichts: Sag mir in unserem eigenen Gespräch, was ich mir merken oder woran ich dich erinnern soll.',

  clauses,
  isQuestion,
  peel,
  sayDay,
  sayWhen,
  saySpan,
  aboutThem,
  toThem,
  asName,
  asClause,
  isOwnStatement,

  facts: { ...factWords, ...factTexts },
  ended,
  changes,
  keptWords,
  lists,
  answers,
  known: knownTexts,
  forget,
  recall,
  character,
  plans,
  questions,
  cancel,
  moving,
  followUp,
  reminder,
  privacy,
  files,

  odd: {
    foreign: (language) =>
      `Das sieht nach ${languageNames[language] ?? language} aus. Das spreche ich leider nicht: Ich verstehe nur einfaches Deutsch und Englisch. Ein echtes Modell kann es vielleicht, das gibst du mir ${giveMind}.`,
    long: 'Das ist lang, länger als ich folgen kann. In unserem Gespräch steht es trotzdem.',
    sadSign: /[😢😭😞😔😟🙁☹😿💔😥😓😩😫🥺]/u,
    happySign: /[😀😃😄😁😆😂🤣😊🙂😍🥰😘🎉🥳👍❤🤗😎😉🤩💪]|^\s*[:;]-?[)D]/u,
    sad: [
      'Oh. Das sieht nach keinem guten Moment aus. Was ist passiert?',
      'Das sieht traurig aus. Ich bin da.',
    ],
    happy: ['Das sieht nach guter Laune aus!', 'Das freut mich. Was ist passiert?'],
    sign: [
      'Worte verstehe ich besser als Bilder. Magst du es mir sagen?',
      'Ich bin nicht sicher, was das heißt. Sagst du es mir mit Worten?',
    ],
    noWords: ['Darin sehe ich keine Worte. Was möchtest du sagen?', 'Lass dir Zeit. Ich bin da.'],
    onlyName: ['Ja, ich bin da.', 'Ich höre zu.'],
    passedOn:
      'Danke, ich habe gelesen, was du mir weitergegeben hast. Sag mir mit eigenen Worten, ob ich etwas damit tun soll.',
    nothingHeard: ['Ich bin da.', 'Ja?', 'Ich höre zu.'],
  },

  webSearch: {
    forms: [
      re`^(?:suche?|schaue?|guck|recherchiere?|sieh)(?: mir)?(?: bitte| mal| doch)* (?:im (?:netz|internet|web)|online) (?:nach|über|zu) (?<query>.+)$`,
      re`^(?:suche?|recherchiere?)(?: mir)?(?: bitte| mal| doch)* (?:nach )?(?<query>.+?) (?:im (?:netz|internet|web)|online)$`,
      re`^(?:schlage?|schlag)(?: mir)?(?: bitte| mal| doch)* (?<query>.+?) (?:im (?:netz|internet|web) )?nach$`,
      re`^(?:google|googel|googele)(?: mir)?(?: bitte| mal| doch)* (?:nach )?(?<query>.+)$`,
      re`^(?:im (?:netz|internet|web)|online) (?:nach|über|zu) (?<query>.+?) (?:suchen|schauen|nachsehen)$`,
      re`^(?:nach )?(?<query>.+?) (?:im (?:netz|internet|web)|online) (?:suchen|nachschlagen|nachsehen|googeln)$`,
    ],
    ownTalk: re`\b(?:was (?:ich|wir) (?:gesagt|erzählt|geschrieben)|meine[nm]? (?:pläne?|termine?|erinnerungen|kalender)|unser(?:em|e)? (?:gespräch|chat))\b`,
    cannot:
      'Im Netz suchen kann ich hier nicht: Die Suche ist abgeschaltet, oder dieses Gespräch hat keinen Weg dorthin.',
    found: (query) =>
      `Ich habe im Netz nach „${query}“ gesucht. Ich gebe nur wieder, was auf diesen Seiten steht:`,
    nothing: (query) => `Ich habe im Netz nach „${query}“ gesucht und nichts gefunden.`,
    unavailable:
      'Ich konnte nicht im Netz suchen: Gerade lässt sich kein Suchdienst benutzen. Er ist abgeschaltet, oder seine Grenze für heute ist erreicht.',
    notAllowed:
      'Ich darf nicht im Netz suchen: Du hast es nicht erlaubt. Erlauben kannst du es auf der Seite unter „Werkzeuge“.',
  },

  organs: {
    forms: [
      ['draw', re`^(?:zeichne|male?|skizziere)(?: (?:mir|uns))?(?: bitte)? (.+)$`],
      ['draw', re`^(?:mach|zeig)e?(?: (?:mir|uns))?(?: bitte)? ein (?:bild|foto) (?:von|mit) (.+)$`],
      ['speak', re`^(?:sag|lies)e?(?: bitte)? (.+?) (?:laut|laut vor)$`],
      ['ask', re`^frage? deinen lehrer(?: nach|,)? (.+)$`],
      [
        'look',
        re`^(?:sieh|schau)(?: dir)? (?:es|das|das (?:bild|foto))(?: nochmal| noch einmal)? an(?:[:,]? (.+))?$`,
      ],
      ['listen', re`^hör(?: dir)? (?:es|das|die (?:aufnahme|nachricht))(?: nochmal| noch einmal)? an()$`],
      [
        'read',
        re`^lies (?:mir )?(?:es|das|(?:das dokument|die datei|den text|den brief))(?: nochmal| noch einmal)?(?: vor)?()$`,
      ],
    ],
    that: re`^(?:es|das|dies)$`,
    whatIsInIt: 'Was ist darauf zu sehen?',
    missing: { draw: 'Imagination', speak: 'Mouth', ask_teacher: 'Teacher', look_again: 'Eye' },
    tellMissing: (attempt, organ) =>
      `Ich kann ${attempt.replace(/(?<!\p{L})(\p{L}+)$/u, 'nicht $1')}: Ich habe ${organs[organ] ?? `kein ${organ}`}. Das lässt sich ändern: unter Einstellungen.`,
    tellFile: (name, by, text) => `Danke für „${name}“. ${organVoices[by] ?? `Mein ${by}`} sagt: ${text}`,
  },

  told: {
    niceToMeet: (name) => `Schön, dich kennenzulernen, ${name}!`,
    remembered: (sentences) => `Das merke ich mir: ${toSentences(sentences)}`,
    revised: (sentences) => `Ich habe es berichtigt: ${toSentences(sentences)}`,
    keepsSomething: /Das merke ich mir: |Ich habe es berichtigt: /,
    plainClauses: (answer) =>
      answer
        .replace(/: Du (?=\p{Ll})/gu, ': du ')
        .replace(/: (Dein|Ich|Auf)/g, (match) => match.toLowerCase()),
    forgotten: (count) =>
      count === 1 ? 'Gut, das habe ich vergessen.' : `Gut, diese ${count} Dinge habe ich vergessen.`,
    moved: (time, content) => `Ich habe es verschoben: ${time}, ${content}.`,
    inCalendar: (time, content) => `Das steht in deinem Kalender, ${time}: ${content}.`,
    reminder: (time, content) => `Ich erinnere dich ${time}: ${content}.`,
    partlyCancelled: ({ cancelled, kind, later }) =>
      `Gestrichen: die nächsten ${cancelled} ${kind}. ${later === 1 ? 'Ein späterer Plan bleibt' : `${later} spätere Pläne bleiben`}, wie sie sind.`,
    allCancelled: ({ cancelled, kind }) => `Gut, alle ${cancelled} ${kind} sind gestrichen.`,
    cancelled: (count) => (count === 1 ? 'Gut, das ist gestrichen.' : `Gut, diese ${count} sind gestrichen.`),
    sent: 'Es ist verschickt.',
    drawn: 'Hier ist es, so wie ich es mir vorstelle.',
    spoken: 'Ich habe es laut gesagt.',
    advice: (text) => `Mein Lehrer sagt: ${text}`,
    heardAgain: (text) => `Ich habe noch einmal hingehört: ${text}`,
    seenAgain: (text) => `Ich habe noch einmal hingesehen: ${text}`,
    read: (text) => `Da steht: „${text}“`,
  },
  found: {
    nothing: (query) => `Über „${query}“ finde ich nichts in unserem Gespräch.`,
    unknown: (query) =>
      `Das weiß ich nicht: Ich kenne nur, was du mir erzählst, und über „${query}“ finde ich nichts in unserem Gespräch.`,
    forgotten: (query) =>
      `Über „${query}“ sollte ich etwas vergessen, darum weiß ich es nicht. Was wir geschrieben haben, bleibt in unserem Gespräch.`,
    memories: (sentences) => `Ich erinnere mich: ${sentences}`,
    elsewhere: 'Anderswo hast du darüber gesprochen:',
    messages: 'Du hast gesagt:',
    sometime: 'irgendwann',
    at: (day, time) => `${day}${time ? ` um ${time} Uhr` : ''}`,
  },
  attempts: {
    remember: 'mein Gedächtnis ändern',
    plan: 'das planen',
    'plan cancel': 'das streichen',
    'plan list': 'in deinen Kalender sehen',
    recall: 'zurückblicken',
    search_web: 'im Netz suchen',
    draw: 'das malen',
    speak: 'das laut sagen',
    ask_teacher: 'meinen Lehrer fragen',
    look_again: 'das noch einmal ansehen',
    read_document: 'das lesen',
  },
  failure: {
    use: (tool) => `„${tool}“ benutzen`,
    unknown: (attempt) => `Ich wollte ${attempt} und weiß nicht, ob es geklappt hat.`,
    known: (attempt, reason) => `Ich wollte ${attempt}, aber das ging nicht${reason ? `: ${reason}` : ''}.`,
  },

  day: {
    standInNote: 'Die Person weiß, dass ich ein Platzhalter bin.',
    lastSaid: (words) => `Zuletzt schrieb die Person: „${words}“`,
    andAsked: (question) => `, und ich fragte: „${question}“`,
    wrote: (userCount, personaCount, languages) =>
      `Von der Person kamen ${formatCount(userCount)}${languages ? ` (einige auf ${languages}, das ich nicht verstehe)` : ''}, von mir ${formatCount(personaCount)}.`,
    told: (items, isPart) => `Ich erfuhr${isPart ? ' unter anderem' : ''}: ${items}.`,
    ownSummary:
      /(?:^| )Von der Person kamen (\d+) Nachricht(?:en)?(?: \(einige auf ([^()]+), das ich nicht verstehe\))?, von mir (\d+) Nachricht(?:en)?\.(?: Ich erfuhr(?: unter anderem)?: (.+))?$/s,
    toClause: (statement, document) =>
      document === 'persona-trait' ? `Wunsch an mich: ${statement}` : statement,
  },
}

/** "Du heißt Anna, und du wohnst in Bonn." */
function toSentences(sentences: readonly string[]): string {
  const text = list(
    sentences.map((sentence) => sentence.replace(/[.]$/, '')),
    'und',
  )
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
