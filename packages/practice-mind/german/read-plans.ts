/** Parses German requests to plan, to list and to move plans. */
import type { Moment, PlanRequest } from '../moment.ts'
import { hasTime, isDated, isSaid } from '../when.ts'
import { toSubjectFirst } from './clause-grammar.ts'
import { isQuestion } from './clauses.ts'
import { everywhere, re, toExpression } from './expression.ts'
import { peel } from './peel-times.ts'

const direct = re`^(?:bitte )?(?<before>.{0,60}?)\s?\berinner(?:e|st)? (?:du )?(?:mich|uns)\b(?: bitte| mal| doch| nochmal)*,?\s*(?<rest>.*)$`
const polite = re`^(?:bitte )?(?:kannst|könntest|würdest|willst|magst) du (?:mich|uns)(?: bitte)?(?<rest>\b.*?)\s?\berinnern\b(?<tail>.*)$`
const noun = re`^(?:bitte )?(?:(?:stell|mach|setz|erstell|leg|richte|gib|ich (?:brauche|möchte|will|hätte gern))e?(?: mir)?(?: bitte)? )?(?:eine |neue |die )*erinnerung(?: ein| an)?(?: für| auf)?\b:? ?(?<rest>.*)$`
const alarm = re`^(?:bitte )?(?:weck(?:e)? mich|(?:(?:stell|mach|setz)e?(?: mir)?(?: bitte)? )?(?:einen |den )?wecker)(?: bitte)?(?: auf| für)?\b:? ?(?<rest>.*)$`
const notToForget = re`^lass mich (?:bitte )?nicht vergessen,? (?<rest>.*)$`
const notAsked = re`\b(?:nicht|nie|was|wann|welche|woran|darfst|lösche?|streiche?|vergiss)\b`

export const readReminder = (clause: string): PlanRequest | undefined => {
  const request = clause.replace(/\?$/, '')
  const moment: Moment = {}
  const wake = alarm.exec(request)?.groups
  if (wake) {
    const rest = peel((wake.rest ?? '').replace(/^(?=\d)/, 'um '), moment, 'both')
    return { kind: 'reminder', content: toTask(rest.replace(re`^um `, '')) || 'aufstehen', moment }
  }
  const plain = direct.exec(request)?.groups
  const question = polite.exec(request)?.groups
  const other = noun.exec(request)?.groups ?? notToForget.exec(request)?.groups
  const text = plain
    ? `${plain.before ?? ''} ${plain.rest ?? ''}`
    : question
      ? `${question.rest ?? ''} ${question.tail ?? ''}`
      : other?.rest
  if (text === undefined || notAsked.test(plain?.before ?? '') || re`^(?:nicht|nie)\b`.test(text.trim()))
    return undefined
  if (plain?.before && peel(plain.before, {}, 'both') !== '') return undefined
  return { kind: 'reminder', content: getContent(text, moment), moment }
}

/** "morgen um neun daran, Mama anzurufen": returns the task without the time. */
const getContent = (text: string, moment: Moment): string => {
  const source = text.trim().replace(re`(?:^| )bitte\b`, '').trim()
  for (const { index, 0: joint } of source.matchAll(
    everywhere(re`(?:^|\s)(?:daran|dran|ans?|dass|zu[mr]?|für)(?=[\s,:]|$)[,:]?|[,:](?=\s)`),
  )) {
    const trial: Moment = { ...moment }
    if (peel(source.slice(0, index), trial, 'end') !== '') continue
    Object.assign(moment, trial)
    const tail = source.slice(index + joint.length).trim()
    // "An" may follow "daran", and a time may stand before the task.
    const rest = peel(tail.replace(re`^(?:dass|an) `, ''), moment, 'start', isSaid(trial) ? 'time' : 'all')
    const task = toTask(peelEnd(rest, moment, isSaid(trial)))
    return re`(?:^|\s)an?s?$`.test(joint.trim()) ? removeArticle(task) : task
  }
  return toTask(peel(source, moment, 'both'))
}

/** The time may stand before "zu gießen": "daran, morgen um neun die Blumen zu gießen". */
const peelEnd = (text: string, moment: Moment, hasBegun: boolean): string =>
  peel(text, moment, 'end', hasBegun ? 'time' : 'all')

const separable =
  'ab|an|auf|aus|bei|durch|ein|fest|fort|her|hin|hoch|los|mit|nach|raus|rein|rüber|runter|teil|um|vor|vorbei|weg|weiter|zurück|zusammen|zu|bereit|frei'

/** "Mama anzurufen" and "dass ich Mama anrufe" → "Mama anrufen". */
const toTask = (text: string): string =>
  text
    .trim()
    .replace(re`^(?:dass|daran|dran)[,:]? `, '')
    .replace(re`^(?:ich|wir) (?<x>.+ \p{L}+en) (?:muss|soll|will|müssen|sollen|wollen)$`, '$<x>')
    .replace(re`^ich (?<x>.*?)(?<verb>\p{Ll}+)e$`, '$<x>$<verb>en')
    .replace(re`(?<=^|\s)zu (?=\p{Ll}+(?:en|ern|eln|un|in)$)`, '')
    .replace(toExpression(`\\b(?<prefix>${separable})zu(?=\\p{Ll}+(?:en|ern|eln|un)$)`), '$<prefix>')
    .trim()

const removeArticle = (text: string): string => text.replace(re`^(?:den|die|das|dem|der|einen|eine|ein) `, '')

const occasions =
  '(?:\\p{L}*termin|\\p{L}*treffen|\\p{L}*prüfung|klausur|\\p{L}*gespräch|flug|verabredung|date|meeting|besprechung|\\p{L}*kurs|training|unterricht|konzert|party|\\p{L}*feier|hochzeit|\\p{L}*arzt|friseur|\\p{L}*besuch|vorlesung|abgabe|probe|sitzung|urlaub)'
const havePattern = toExpression(`^(?:ich|wir) (?:habe|haben) (?<what>.*\\b${occasions}\\b.*)$`)
const isPattern = toExpression(
  `^(?:mein|meine|der|die|das|unser|unsere) (?<what>.{0,60}?\\b${occasions}\\b.{0,60}?) (?:ist|beginnt|findet) (?<rest>.+?)(?: statt)?$`,
)
const enterPattern = re`^(?:bitte )?(?:(?:trag|schreib|setz|pack|notier)e? (?:mir )?(?:bitte )?(?<what>.+?)(?: (?:in (?:den|meinen) (?:termin)?kalender(?: ein)?|ein))|(?:plane?|vereinbare?) (?:mir )?(?:bitte )?(?<planned>.+?)(?: ein)?|(?:neuer )?termin:? (?<named>.+))$`

export const readAppointment = (clause: string): PlanRequest | undefined => {
  const moment: Moment = {}
  const text = toSubjectFirst(clause.replace(/\?$/, ''))
  const entry = enterPattern.exec(text)?.groups
  const is = isPattern.exec(text)?.groups
  const event = entry
    ? (entry.what ?? entry.planned ?? entry.named)
    : is
      ? `${is.what} ${is.rest}`
      : isQuestion(clause)
        ? undefined
        : havePattern.exec(text)?.groups?.what
  if (!event) return readNote(clause)
  const content = removeArticle(peel(event, moment, 'both'))
  return (isSaid(moment) || entry) && !re`^(?:ich|es|du|keinen?)\b`.test(content)
    ? { kind: 'schedule', content, moment }
    : undefined
}

/** "Zahnarzt am Donnerstag um drei": a few words with a day and a time that do not form a sentence. */
const readNote = (clause: string): PlanRequest | undefined => {
  const moment: Moment = {}
  const content = clause.length > 100 || isQuestion(clause) ? '' : peel(clause, moment, 'both')
  const isNote =
    content &&
    content.split(' ').length <= 5 &&
    isDated(moment) &&
    hasTime(moment) &&
    moment.minutes === undefined
  return isNote && !moment.unclear && !sentenceWords.test(content)
    ? { kind: 'schedule', content: removeArticle(content), moment }
    : undefined
}
const sentenceWords = re`\b(?:ich|mich|mir|du|wir|uns|er|sie|es|wer|dass|ist|sind|war|bin|habe|hat|haben|hatte|wird|werde|will|würde|kann|muss|soll|nicht|nie|kein|bis|vor|nach|seit|vielleicht|ja|ok|hallo|danke|ging|kam|geboren|gestorben|erinnere?|verschiebe?|lösche?|streiche?|vergiss|merk|was|wann|wo|sag|gib|mach)\b`

/** An event elsewhere, at which nothing can be planned. */
export const elsewhereEvent = re`^(?:wenn|sobald|bevor|nachdem|falls|bis) (?:ich|wir|du|er|sie|es|der|die|das|mein)`

/** Derives the half of the day from the content. */
export const guessPart = (content: string, { hour = 0 }: Moment): Moment => {
  if (hour >= 3 && re`\b(?:aufstehen|aufwachen|frühstück\w*)\b`.test(content)) return { part: 'morning' }
  if (hour >= 5 && re`\b(?:abendessen|party|konzert|theater|kino)\b`.test(content)) return { part: 'evening' }
  return {}
}

const planWords = '(?:geplant|pläne?|kalender|termine?|erinnerungen?|ansteht)'
export const listPattern = toExpression(
  `^(?:was|welche|habe ich|gibt es|ist|sind|zeig(?:e)?(?: mir)?|nenn(?:e)? mir|liste|weißt du)\\b(?!.*\\b(?:über|von|hältst|denkst)\\b).*\\b${planWords}(?: (?:heute|morgen|auf))?\\??$|^(?:und )?was (?:ist|steht) .*\\b(?:geplant|an)\\b.*$|^steht (?:heute|morgen|was|etwas|noch)\\b.* an\\??$|^(?:was )?(?:habe|haben) (?:ich|wir) .*\\bvor\\??$|^was (?:habe|muss|mache) ich (?:heute|morgen|übermorgen|diese woche|nächste woche)(?: (?:alles|noch|vor|machen|tun))*\\??$|^bin ich (?:heute|morgen|übermorgen|am \\p{L}+) frei\\b.*$|^(?:meine )?(?:termine|erinnerungen|pläne)\\b.{0,20}$|^(?:mein )?kalender\\??$`,
)
