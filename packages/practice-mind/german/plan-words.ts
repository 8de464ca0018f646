/** German words about plans: reminders, appointments, cancelling and moving. */
import type { Words } from '../english/english-words.ts'
import { everywhere, re, toExpression } from './expression.ts'
import { elsewhereEvent, guessPart, listPattern, readAppointment, readReminder } from './read-plans.ts'

export const plans: Words['plans'] = {
  readReminder,
  readAppointment,
  guessPart,
  elsewhere: elsewhereEvent,
  listPattern,
  cannotPlan: 'Ich kann hier nichts planen und darum nicht versprechen, dich zu erinnern.',
  noClock: 'Ich sehe hier keine Uhr und weiß darum nicht, wann das ist.',
  noCalendar: 'Ich kann deinen Kalender hier nicht sehen.',
  knowsOnlyClock: 'Ich kenne nur die Uhr und erfahre nicht, was anderswo geschieht.',
  trimTitle: (content) =>
    content
      .replace(/^[\s:,–—-]+/, '')
      .replace(re`^(?:daran|dran|dass)[,:]? `, '')
      .replace(/(?<![\s.,!])[\s.,!]+$/, '')
      .replace(re`,? (?:bitte|danke)$`, ''),
  earlierMessage: re`^(?:das|es|daran|dran|dies)?$`,
  cancels: re`\b(?:lösche?|streiche?|sag|storniere?)\b.*`,
  whenQuestion: re`^(?:wann|um wie viel uhr|um wieviel uhr|an welchem tag)\b`,
  ranges: {
    today: re`\bheute\b`,
    afterTomorrow: re`\bübermorgen\b`,
    tomorrow: re`\bmorgen\b`,
    thisWeek: re`\bdiese woche\b`,
    nextWeek: re`\bnächste woche\b`,
  },
  none: 'Es ist nichts geplant.',
  listHead: 'Das ist geplant:',
}

const planNouns = '(?:erinnerung(?:en)?|wecker|pläne?|termine?|\\p{L}*treffen|eintrag|einträge|kalender)'
const appointment = '\\p{L}*(?:termin|treffen)s?'

export const cancel: Words['cancel'] = {
  pattern: toExpression(
    `^(?:bitte )?(?:streiche?n?|lösche?n?|entferne?|storniere?|cancel|cancle|stopp)\\b(?<what>.*?)(?: bitte)?$|^(?:bitte )?(?:sag|sage)\\b (?:bitte )?(?<forgotten>.+?) ab(?: bitte)?$|^ich brauche (?<unneeded>.*\\b(?:${planNouns}|${appointment})\\b.*?) nicht(?: mehr)?$|^(?:bitte )?(?:erinnere? mich nicht(?: mehr)?|vergiss (?=.*\\b${planNouns}\\b))(?<rest>.*)$`,
  ),
  planNoun: toExpression(`\\b(?:${planNouns}|${appointment})\\b`),
  removeFillers: (target) =>
    target.replace(
      toExpression(
        `\\b(?:den|die|das|dem|der|mein(?:e[nmrs]?)?|diese[nmrs]?|es|ihn|sie|an|von|für|zu[mr]?|daran|bitte|${planNouns})\\b`,
        'giu',
      ),
      ' ',
    ),
  meansAll: re`\b(?:alle[nrs]?|jede[nrs]?|beide[sn]?|sämtliche)\b`,
  onlyPlans: re`\bstornier\w*|\bsage? .* ab\b`,
  reminders: re`\b(?:erinnerung(?:en)?|wecker)\b`,
  appointments: toExpression(`\\b(?:termine|${appointment})\\b`),
  nouns: {
    reminder: ['Erinnerung', 'Erinnerungen'],
    schedule: ['Termin', 'Termine'],
    any: ['Plan', 'Pläne'],
  },
  cannotCancel: 'Ich kann hier nichts absagen.',
  nothingToCancel: 'Es ist nichts geplant, was ich streichen könnte.',
  noneOfKind: (visible, later) =>
    `Unter den nächsten ${visible} Plänen ist so etwas nicht, und die ${later} späteren sehe ich nicht.`,
  notFound: 'Das finde ich nicht unter deinen Plänen.',
  whichOne: (texts) => `Was davon: ${texts}?`,
}

export const moving: Words['moving'] = {
  pattern: re`^(?:bitte )?(?:verschiebe?|verlege?|ändere?|mach)\b(?<what>.*?)\b(?:auf|zu)\b (?<when>.+?)\??$|^(?:nein|doch|lieber|besser|moment|ach nein|sorry)\b,? ?(?:lieber |doch |besser |erst )*(?<instead>.+?)$`,
  request: re`^(?:bitte )?(?:verschiebe?|verlege?|ändere?)\b`,
  spokeOfPlan: re`\b(?:erinnere dich|kalender|verschoben|ist geplant)\b`,
  nothing: 'Es ist nichts geplant, was ich verschieben könnte.',
}

export const followUp: Words['followUp'] = {
  nameQuestion: 'Wie soll ich dich nennen?',
  otherNameQuestion: re`\b(?:wie (?:soll|darf|kann) ich dich nennen|wie heißt du|wie ist dein name|wer bist du)\b`,
  myNameIs: 'ich heiße',
  nameStart: re`^(?:(?:hi|hallo|hey)[,!]? )?(?:ich bin (?:der |die )?|ich heiße |einfach |nenn mich )(?=\p{L}+[.!]?$)`,
  dropsQuestion: re`^(?:egal|schon gut|vergiss es|nein\b|nichts|nee\b|doch nicht|was|wer|wo|(?:hallo|hi)[\s!.]*$)`,
  choice: /(?!)/,
  notAName: re`^(?:danke|bitte|ja|jo|klar|nein|nee|gern|gerne|ok|okay|gut|super|toll|schön|vielleicht|später|warum|wieso|wie|wann|hallo|hey|hi|moin|tschüss|gute|guten|egal|nichts|alles|du|ich|es|das|der|die|erzähl|sag|hilfe|stopp|nie|nicht|erinnere?|merk|vergiss|lösche?|streiche?|verschiebe?|plane?|zeig|mal|sprich|lies|frag|nenn mich|sei|mein|meine|wir|er|sie|kannst|könntest|würdest|ist|bist|hast|geht|keine|weiß|rate)\b`,
  fillers: everywhere(
    re`^(?:(?:bitte|vielleicht|sagen wir|wie wäre es mit|dann|ich denke|besser|lieber|ok|okay|ja|einfach|ich meine|am besten)\b,?\s*)+|(?<!\s)\s*(?:,\s*)?\b(?:bitte|dann|wäre gut|wäre super|passt|passt gut|oder so)$`,
  ),
  bareHour: re`^(?:\d{1,2}|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)$`,
  bareRequest: re`^(?:bitte )?erinnere? mich(?: dann| nochmal| bitte)*$`,
  taskPrefix: re`^(?:an|daran|dran)\b,? ?\S`,
  taskWords: re`^(?:bitte )?(?:erinnere? mich )?(?:daran|dran|an|dass)\b,? `,
  task: re`^(?:bitte )?(?:erinnere? mich )?(?:an|daran|dran|dass)\b,? \S|^\S.* (?:\S+zu\S+|zu \S+)en$`,
  emptyAnswer: re`^(?:ja|jo|klar|ok|okay|gut|genau|wirklich|hm+|vielleicht|immer|nie|irgendwas|etwas|das|es)$`,
  sentenceStart: re`^(?:(?:ich|du|wir|er|sie|es|wer|alles|nichts|niemand|jeder) \S|(?:der|die|das|diese[rs]?|mein|meine|dein|deine) .*\b(?:ist|sind|war|waren|hat|haben|hatte|wird|kann|muss|soll|heißt|wohnt)\b)`,
  commandStart: re`^(?:bitte )?(?:sei|nenn mich|sag|zeig|vergiss|lösche?|streiche?|stopp|verschiebe?|merk|lass|nie|warte|hilf)\b`,
  remindMe: 'erinnere mich',
  addTask: (request, task) => `${request}daran: ${task}`,
  isTimeFirst: true,
  request: (kind, content, time) =>
    kind === 'schedule' ? `termin: ${content} ${time}` : `erinnere mich ${time} daran: ${content}`,
  timeOfMove: re`^(.*\b(?:auf|zu)) .*$`,
  datePrefix: re`^(?:ich meine |am |den )+`,
  first: re`^(?:den |das )?erste[nrs]?$`,
  second: re`^(?:den |das )?zweite[nrs]?$`,
  ambiguousDate: /(?!)/,
}

export const reminder: Words['reminder'] = {
  due: (name, content) => `Es ist so weit${name}: ${content}`,
  late: (name, time, content) =>
    `Das kommt leider zu spät${name}, entschuldige. Geplant war es für ${time.replace(/^am /, '')}: ${content}`,
}
