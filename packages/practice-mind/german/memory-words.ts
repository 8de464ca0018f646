/** German words about what the practice mind knows: asking, telling, forgetting and looking back. */

import type { Words } from '../english/english-words.ts'
import { promise } from '../reply.ts'
import { capital } from '../wall-clock.ts'
import { asName, isOwnStatement } from './clause-grammar.ts'
import { everywhere, re, toExpression } from './expression.ts'
import { passing, value } from './facts.ts'
import { months } from './say-when.ts'

const tellMe = promise(' Sag es mir, dann merke ich es mir.')

export const answers: Words['answers'] = {
  knowPrefix: re`^(?:weißt|kennst|erinnerst|kannst) du (?:dich )?(?:noch |schon |eigentlich |zufällig )*(?:an )?,? ?`,
  tellPrefix: re`^(?:bitte )?(?:erzähle?|zeige?|sage?) mir (?:nochmal |was |etwas )?(?:über |von )?(?=\S)`,
  questionSubject: re`^(?:mein|unser|der|die|das|was|wo|wann|wer|welche|wie)`,
  aboutPersona: re`\b(?:du|dich|dir|dein(?:e[nmrs]?)?)\b`,
  commonWords: new Set(
    'geht gehen habe haben mache machen mag gern gerne gut gute schlecht neu alt wohnt wohne arbeitet tag uhr datum zeit heute morgen jetzt woche monat jahr ding sache leute person art heißt heiße heißen namens name lieblings viel viele lange oft her da wirklich noch schon gerade genau weißt kennst erinnerst ist sind war gibt'.split(
      ' ',
    ),
  ),
  synonyms: {
    mama: ['mutter', 'mutti'],
    mutter: ['mama', 'mutti'],
    papa: ['vater', 'vati'],
    vater: ['papa'],
    passwort: ['kennwort', 'code', 'pin'],
    kennwort: ['passwort'],
    pin: ['passwort', 'code'],
    wlan: ['wifi', 'internet'],
    wifi: ['wlan'],
    handy: ['handynummer', 'telefonnummer', 'nummer'],
    job: ['arbeit', 'beruf'],
    auto: ['wagen'],
    bruders: ['bruder'],
    hundes: ['hund'],
    hund: ['hundes'],
    partner: ['frau', 'mann', 'freund', 'freundin'],
  },
  outOfScope: re`\b(?:wetter|regnen|regnet|nachrichten|witz|gedicht|geschichte|lied|\d+ ?[-+*/x×÷=:] ?\d+)\b`,
  otherQuestion: re`^(?:kann|könnte|darf|soll|muss|würde|wird|warum|wieso|weshalb|wie)\b`,
  ownedByUser: re`\b(?:mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|ich|mich|mir|wir)\b`,
  about: re`^(?:(?:was|etwas|irgendwas) )?(?:weißt|kennst) du (?:noch |alles |schon )*(?:etwas |was )?(?:über|von) (?<what>[^?]{1,100})\??$`,
  aboutUs: re`\b(?:mich|mir|dich|dir|uns)\b`,
  why: re`^(?:warum|wieso|weshalb)\b`,
  knownAbout: (subject) => `Über ${subject} weiß ich:`,
  uncertain: 'Sicher kann ich das nicht beantworten. Ich weiß aber:',
}

export const knownTexts: Words['known'] = {
  listQuestion: re`^(?:was|was alles) (?:weißt|kennst) du (?:(?:alles|schon|noch|jetzt|denn|eigentlich|so|bisher) )*(?:(?:über|von) mich|(?:über|von) mir)(?: (?:alles|schon|bisher))*\??$|^was hast du dir (?:alles |schon |bisher )*(?:über mich |von mir )?(?:alles )?gemerkt\??$|^weißt du (?:schon )?(?:et)?was (?:über mich|von mir)\??$|^(?:wer bin ich|kennst du mich|beschreib mich|was weißt du(?: alles)?)\??$|^(?:erzähl|sag) mir (?:etwas |was |alles )?(?:über|von) (?:mich|mir)\??$|^zeig mir (?:dein gedächtnis|was du (?:über mich )?weißt).*$`,
  nothing: `Ich weiß noch nichts über dich.${promise(' Erzähl mir etwas, zum Beispiel wie du heißt oder wo du wohnst, dann merke ich es mir.')}`,
  listHead: 'Das weiß ich über dich:',
  questionPrefix: re`^(?:und )?(?:weißt|kennst|erinnerst) du (?:dich )?(?:noch )?(?:an )?,? ?`,
  subjectQuestions: [
    [
      re`\bwie hei(?:ß|ss)e ich\b|\bwie ich hei(?:ß|ss)e\b|\bmein(?:en|em)? namen?\b(?! (?:meine|unser|der|des|von))|\bwie nennst du mich\b|\bwer ich bin\b`,
      ['name', 'called'],
      'Deinen Namen kenne ich noch nicht. Wie soll ich dich nennen?',
    ],
    [
      re`\bwo (?:wohne|lebe) ich\b|\bwo ich (?:wohne|lebe)\b|\bmeine (?:adresse|heimatstadt|stadt)\b|\bmein(?:en)? wohnort\b`,
      ['home'],
      `Ich weiß noch nicht, wo du wohnst.${tellMe}`,
    ],
    [
      re`\bwoher (?:komme|stamme) ich\b|\bwoher ich komme\b`,
      ['origin', 'home'],
      'Ich weiß noch nicht, woher du kommst.',
    ],
    [
      re`\bwie alt (?:bin ich|ich bin)\b|\bmein alter\b`,
      ['age', 'birthday'],
      'Ich weiß noch nicht, wie alt du bist.',
    ],
    [
      re`\bmein(?:en)? geburtstag\b|\bwann (?:habe )?ich geburtstag\b|\bwann ich geburtstag habe\b|\bwann (?:bin|wurde) ich geboren\b`,
      ['birthday', 'ihr geburtstag'],
      `Deinen Geburtstag kenne ich noch nicht.${tellMe}`,
    ],
    [
      re`\bmein(?:en|e)? (?:job|beruf|arbeit)\b|\bwas (?:arbeite ich|bin ich von beruf|mache ich beruflich)\b|\bwo arbeite ich\b|\bals was arbeite ich\b`,
      ['work', 'is a'],
      'Ich weiß noch nicht, was du beruflich machst.',
    ],
  ],
  kinds: [
    [
      re`\bwas (?:mag ich nicht|hasse ich|esse ich nicht|kann ich nicht leiden)\b`,
      re`^(?:hasst|(?:mag|isst|trinkt|verträgt) (?:.* )?(?:nicht|kein(?:e[nmrs]?)?))\b`,
      'Ich weiß noch nicht, was du nicht magst.',
    ],
    [
      re`\bwas (?:mag|liebe) ich\b|\bwas (?:esse|trinke|mache) ich (?:am liebsten|gern|gerne)\b`,
      re`^(?:(?:mag|liebt)\b(?!.* (?:nicht|kein))|.*\bgerne?\b)`,
      'Ich weiß noch nicht, was du magst.',
    ],
    [
      re`\bmeine (?:wünsche|träume|ziele)\b|\bwas (?:wünsche ich mir|möchte ich|will ich)\b`,
      'wishes',
      'Deine Wünsche kenne ich noch nicht.',
    ],
    [
      re`\bmeine (?:sorgen|ängste|probleme)\b|\bwovor habe ich angst\b|\bwas fällt mir schwer\b`,
      'struggles',
      'Ich weiß von nichts, was dir schwerfällt.',
    ],
    [re`\bwas darfst du\b|\bmeine erlaubnis`, 'permissions', 'Du hast mir noch nichts eigens erlaubt.'],
  ],
  synonyms: { geboren: 'geburtstag', job: 'arbeitet', heißt: 'heißt' },
  my: 'mein',
  aboutUser: re`\b(?:mein(?:e[nmrs]?)?|ich|mich|mir)\b`,
  notAboutUser: re`\b(?:du|dein(?:e[nmrs]?)?|dich|soll|sollte|könnte|kann|wird)\b`,
  owner: re`\bmein(?:e[nmrs]?)? ([\p{L}-]+)`,
  unknown: `Das weiß ich noch nicht.${tellMe}`,
}

export const forget: Words['forget'] = {
  pattern: re`^(?:bitte )?(?:vergiss|vergesse|lösche?|streiche?|entferne?|merk dir nicht)\b(?: bitte| wieder){0,3},?\s*(?<what>.*?)(?: (?:wieder|bitte|aus deinem gedächtnis)){0,3}\??$`,
  allOfIt: re`^(?:alles|einfach alles|das alles)(?:,? (?:was du (?:über mich )?(?:weißt|gemerkt hast)|über mich|von mir))?$`,
  confirmationHint: 'Wenn du sicher bist, schreib „Ja, vergiss alles“.',
  wouldBeAll: 'Das wäre alles, was ich über dich weiß.',
  confirms: re`^(?:ja\b.*|(?:bitte )?vergiss (?:einfach )?alles.*)$`,
  declines: re`^(?:nein|nee|nö|lieber nicht|doch nicht|besser nicht)\b`,
  declined: 'Dann behalte ich, was ich weiß.',
  cannot: 'Ich kann hier nichts vergessen.',
  nothingKnown: 'Ich weiß nichts über dich, was ich vergessen könnte.',
  that: re`^(?:das|es|dies)?$`,
  aboutWhat: 'Gut. Wenn ich etwas vergessen soll, sag mir, worum es geht.',
  notFound: 'Dazu weiß ich nichts, also gibt es nichts zu vergessen.',
  lastStatement: re`^(?:das|es|dies|was ich (?:gerade )?(?:gesagt|geschrieben) habe|das letzte|das von eben)?$`,
  conjunction: re`^dass `,
}

export const recall: Words['recall'] = {
  pattern: re`^(?:(?:weißt|erinnerst) du (?:dich )?(?:noch )?(?:daran)?,? ?)?(?:(?:was|wann|wo|wie oft|ob)\b)? ?(?:habe|haben|hatte)? ?(?:ich|wir)?(?: (?:dir|je|jemals|schon mal|schon|mal|eigentlich|noch|gestern|heute|letzte woche|was|etwas|irgendwas|alles|über))*(?: (?:von|zu|zum thema|wegen))? ?(?<what>.*?) ?\b(?:gesagt|erzählt|erwähnt|gesprochen|geredet|geschrieben|berichtet)(?: (?:habe|haben))?\??$`,
  start: re`^(?:was|wann|wo|wie oft|habe|haben|weißt|erinnerst)\b`,
  reported: re`^(?:ich|du) (?:habe|hast|sagte)\b`,
  cannot: 'Ich kann hier nicht zurückblicken und dir darum nicht sagen, was gesagt wurde.',
  articles: re`^(?:über |von )?(?:mein(?:e[nmrs]?)?|der|die|das|den|dem|ein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?)\s+`,
  times: everywhere(re`\b(?:gestern|heute|vorhin|neulich|letzte woche|letzten monat|letztes jahr)\b`),
  aboutWhat: 'Worüber? Nenn mir ein Wort davon, dann suche ich danach.',
}

const verbSynonyms: Readonly<Record<string, string>> = {
  besitzt: 'hat',
  liebt: 'mag',
  lebt: 'wohnt',
  arbeitet: 'ist',
}

export const ended: Words['ended'] = {
  words: re`\bnicht (?:länger|mehr)\b|\bkein(?:e[nmrs]?)? .{0,60}\bmehr\b`,
  isPassing: toExpression(`^ich bin (?:${passing})\\b`),
  start: re`^(?:ich|wir|mein|unser)`,
  removeNegation: (clause) => {
    const bareText = clause
      .replace(re` kein(?<ending>e[nmrs]?)? (?<x>.{1,60}?)(?: mehr)?$`, ' ein$<ending> $<x>')
      .replace(re` nicht(?: mehr| länger)?\b`, '')
    return bareText === clause ? undefined : bareText
  },
  name: /^(?:[Ii]ch heiße|[Mm]ein Name ist) (\p{Lu}[\p{L}' -]*)$/u,
  notKnown: 'Das hatte ich mir nicht gemerkt, es gibt also nichts zu ändern.',
  negation: re`^(?=\p{Lu}).*\b(?:nicht|kein(?:e[nmrs]?)?|nie)\b`,
  getVerb: (text) => {
    if (!isOwnStatement(text)) return undefined
    const verb = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? ''
    return verbSynonyms[verb] ?? verb
  },
  listStatement: re`^((?:Mag|Liebt|Hasst|Spielt|Spricht|Isst|Trinkt|Hat|Sammelt|Ist allergisch gegen|Hat Angst vor|Lernt)(?: gerne?)?) (.+?)\.?$`,
}

const days = everywhere(re`\b(\d{1,2})\. ?(${months.join('|')})\b`)

export const factTexts = {
  knownAlready: 'Das weiß ich schon.',
  cannotKeep: (words: string) => `Verstanden: ${words}. Aber ich kann mir hier nichts merken.`,
  noSuchDay: (day: string) => `Den ${day} gibt es nicht. Welchen Tag meinst du?`,
  listDays: (text: string) =>
    [...text.matchAll(days)].map(([, day, month = '']) => ({
      month: months.indexOf(month.toLowerCase()) + 1,
      day: Number(day),
      text: `${Number(day)}. ${capital(month.toLowerCase())}`,
    })),
  subjects: [
    [re`^heißt\b`, 'name'],
    [re`^möchte .+ genannt werden$`, 'called'],
    [re`^(?:wohnt|lebt) (?:in|bei|am|an|auf|mit|nahe|außerhalb|im|zur)\b`, 'home'],
    [re`^kommt aus\b`, 'origin'],
    [re`^ist \d+ jahre alt\b`, 'age'],
    [re`^hat (?:am|im) .+ geburtstag$`, 'birthday'],
    [re`^arbeitet (?:als|bei|in|für|im)\b`, 'work'],
    [
      re`^ist (?:\p{L}+(?:erin|er|istin|ist|or|eur|ent|ant|mann|frau|kraft|schwester|pfleger|arzt|ärztin|koch|köchin))$`,
      'is a',
    ],
    [
      re`^(?:mag|liebt|hasst|verabscheut)(?: kein(?:e[nmrs]?)?)? (.+?)(?: (?:nicht|mehr|nicht mehr|sehr|gern))?$`,
      'likes *',
    ],
    [
      re`^hat (?:einen?|eine|zwei|drei|vier|fünf|\d+|keine?n?) (?:\p{Ll}+e[nrs]? )?(\p{L}+?)(?: (?:namens|mehr)\b.*|,.*)?$`,
      'has *',
    ],
    [re`^ihre?[nmrs]? (.+?) heißt\b`, 'ihr * name'],
    [re`^ihre?[nmrs]? (.+?) (?:ist|sind|war|hat)\b`, 'ihr *'],
    [re`^(?:nicht )?erlaubt: (.+)$`, 'allowed *'],
  ] as readonly (readonly [RegExp, string])[],
  nameInStatement: re`^(?:heißt|möchte) (.+?)(?: genannt werden)?\.?$`,
  toNameStatement: (name: string) => `Heißt ${name}`,
  correctingStart: re`^(?:es ist|es heißt|nicht|sondern) `,
  correctValue: re`^(?:es ist |es heißt |nicht .{1,80}?,? (?:sondern )|nicht .{1,80}?, )?(?<x>[^,?]+?)(?:, nicht .+)?$`,
  valueInStatement: re`^(.*?\b(ist|sind|in|heißt|am|als|aus|bei)) (.*)$`,
  toValue: (text: string, isLowercase: boolean) => (isLowercase ? value(text) : asName(value(text))),
  noValue: re`^(?:danke|bitte|quatsch|problem|schon gut|gut|ok|okay|schön|toll|schlecht|wahr|falsch|richtig|nicht|alles|nur|zu|sehr|so|echt|ich|mir|mich|du|nichts|nie|das|dies|der|die|ein|eine|wir|er|sie|es|was|warum|wie|kalt|warm|heiß|spät|früh|genug|sorry|sicher|ja|nein|aber|und|wenn|weil|vorbei|fertig|für|über|schwer|leicht|keine?|kann|lass|egal|um|in einer|morgen|heute|übermorgen|mittag|lieber|doch|\d+:\d+)\b`,
  alwaysNeeded: re`\b(?:frau|mann|partner(?:in)?|söhne?|sohn|töchter|tochter|kind(?:er)?|mutter|vater|mama|papa|brüder|bruder|schwestern?|baby|allerg\w*|\p{L}*allergie|diabet\w*|asthma|epilepsie|schwanger|unverträglich\w*|\p{L}*intolerant)\b`,
  denial: re`\b(?:nicht|nie|niemals|kein(?:e[nmrs]?)?|hasst|verabscheut)\b`,
}

export const changes: Words['changes'] = {
  mayMeanKnown: re`\b(?:nein|nee|nicht|kein(?:e[nmrs]?)?|doch|eigentlich|sorry|moment|falsch|meine|meinte|es ist|vergiss|lösche?|streiche?|entferne?|ja|sondern)\b`,
  forgetWords: re`\b(?:vergiss|vergessen|lösche?n?|streiche?n?|entferne?n?)\b`,
}

export const keptWords: Words['keptWords'] = {
  statement: (words) => `Sagte: „${words}“.`,
  quotation: /^Sagte: „(.+)“\.$/,
  told: (words) => `Ich habe mir deine Worte gemerkt: „${words}“.`,
  askAgain: (guess) => `Falls du ${capital(guess)} meintest, sag es mir noch einmal.`,
}

const listName = '(?<name>[\\p{L} -]{0,30}liste)'

export const lists: Words['lists'] = {
  add: toExpression(
    `^(?:bitte )?(?:setze?|schreibe?|pack|tu|notiere?|füge?) (?:bitte )?(?<what>.{1,200}) (?:auf|zu|zur) (?:(?:meine|meiner|die|der|unsere|unserer) )?${listName}(?: hinzu| dazu)?(?: bitte)?\\??$`,
  ),
  remove: toExpression(
    `^(?:bitte )?(?:streiche?|lösche?|nimm|entferne?) (?:bitte )?(?<what>.{1,200}?) (?:von|aus) (?:(?:meiner|der|unserer) )?${listName}(?: bitte)?\\??$`,
  ),
  empty: toExpression(
    `^(?:bitte )?(?:leere?|lösche?|vergiss) (?:meine|die|unsere) ${listName}(?: bitte)?\\??$`,
  ),
  show: toExpression(
    `^(?:was (?:ist|steht|habe ich) (?:alles )?auf|zeig(?:e)?(?: mir)?|lies(?: mir)?) (?:meiner|der|unserer|meine|die|unsere) ${listName}(?: vor)?(?: bitte)?\\??$|^(?:meine )?(?<bare>(?:einkaufs|to-?do-?|pack|wunsch|lese)liste)\\??$`,
  ),
  toName: (name) => capital(name.trim().replace(re`^(?:meiner?|der|die) `, '').toLowerCase()),
  statement: /^Auf ihrer [\p{L} -]{1,35}: /u,
  statementHead: (name) => `Auf ihrer ${name}`,
  contents: (name, items) => `Auf deiner ${name}: ${items}.`,
  unknown: (name) => `Auf deiner ${name} steht noch nichts. Mit „Setz … auf meine ${name}“ fängt sie an.`,
  isEmpty: (name) => `Auf deiner ${name} steht nichts.`,
  notOnList: (name, items) => `Das steht nicht auf deiner ${name}: ${items}.`,
  alreadyOnList: (name) => `Das steht schon auf deiner ${name}.`,
  full: (name, max) =>
    `Deine ${name} ist voll: Mehr als ${max} Zeichen behalte ich nicht. Streich zuerst etwas davon.`,
}

const firstPerson: readonly (readonly [RegExp, string])[] = [
  [re`\bdu bist\b`, 'ich bin'],
  [re`\bdu hast\b`, 'ich habe'],
  [re`\bdu magst\b`, 'ich mag'],
  [re`\bdu liebst\b`, 'ich liebe'],
  [re`\bdu hasst\b`, 'ich hasse'],
  [re`\bdu kannst\b`, 'ich kann'],
  [re`\bdu interessierst dich\b`, 'ich interessiere mich'],
]

export const character: Words['character'] = {
  aboutPersona: re`^(?:du (?:bist|hast|magst|liebst|hasst|kannst|interessierst dich)|dein|ich|mein)`,
  introduction: /^Ich bin\b/,
  toFirstPerson: (text) => {
    const ownText = firstPerson
      .reduce((result, [form, words]) => result.replace(form, words), text)
      .replace(everywhere(re`\bdein(e[nmrs]?)?\b`), (_, ending: string = '') => `mein${ending}`)
      .replace(everywhere(re`\bdich\b`), 'mich')
      .replace(everywhere(re`\bdir\b`), 'mir')
    return capital(/[.!?]$/.test(ownText) ? ownText : `${ownText}.`)
  },
  tasteQuestion: re`^(?:und )?(?:was magst du(?: denn| so| gern| gerne| am liebsten)*|was machst du (?:gern|gerne|am liebsten)|wofür interessierst du dich|was sind deine hobbys|was ist dein hobby)\??$`,
  dislikeQuestion: re`^(?:und )?(?:was magst du (?:gar |überhaupt )?nicht|was hasst du)\??$`,
  tastes: re`\b(?:mag|liebe|lieblings\p{L}*|interessiere)\b`,
  dislikes: re`\b(?:hasse|mag .*\b(?:nicht|kein(?:e[nmrs]?)?))\b`,
  subjectQuestion: re`^(?:und )?(?:magst|liebst|hasst) du (?<what>[^?]{1,60})\??$|^was ist deine? (?=lieblings)(?<favourite>[^?]{1,60})\??$`,
}
