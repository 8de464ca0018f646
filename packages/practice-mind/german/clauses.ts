/** German words that separate clauses, and forms of questions. */
import type { ClauseWords, Replacement } from '../clauses.ts'
import { re, toExpression } from './expression.ts'
import { spellingWords } from './spelling.ts'

const everyMatch = (source: string): RegExp => toExpression(source, 'giu')

const spellings: readonly Replacement[] = [
  [everyMatch('\\bz\\. ?b\\.'), 'zum Beispiel'],
  [everyMatch('\\b(Dr|Fr|Hr|Prof|Nr|ca|bzw|usw)\\.(?=\\s)'), '$1'],
  [everyMatch("\\bhab(?:e)?'? ich"), 'habe ich'],
  [everyMatch("\\bis'?(?= (?:das|ne|nen|der|die|mein|es|doch|ja|gut|geplant|los)\\b)"), 'ist'],
  [everyMatch("\\bgeht'?s\\b"), 'geht es'],
  [everyMatch("\\bgibt'?s\\b"), 'gibt es'],
  [everyMatch("\\bist'?s\\b"), 'ist es'],
  [everyMatch("\\bhast'?n? du\\b|\\bhaste\\b"), 'hast du'],
  [everyMatch('\\bbiste\\b'), 'bist du'],
  [everyMatch('\\bkannste\\b'), 'kannst du'],
  [everyMatch('\\bweißte\\b|\\bweisst du\\b'), 'weißt du'],
  [everyMatch('\\bheisst\\b'), 'heißt'],
  [everyMatch('\\bheisse\\b'), 'heiße'],
  [everyMatch("\\b'?ne\\b(?= \\p{L})"), 'eine'],
  [everyMatch("\\b'?nen\\b"), 'einen'],
  [everyMatch('\\bnich\\b|\\bnicht mehr mehr\\b'), 'nicht'],
  [everyMatch('\\bmoechte\\b'), 'möchte'],
  [everyMatch('\\bfuer\\b'), 'für'],
  [everyMatch('\\bueber\\b'), 'über'],
  [everyMatch('\\bloesch'), 'lösch'],
  [everyMatch('\\buebermorgen\\b'), 'übermorgen'],
  [
    everyMatch(
      '(?<=\\bich\\b[^.!?]{2,80}) und (?=(?:wohne|lebe|arbeite|bin|habe?|mag|liebe|hasse|komme|heiße|spiele|trinke|esse|studiere|möchte|lerne|spreche)\\b(?! ich\\b))',
    ),
    ' und ich ',
  ],
  [everyMatch('\\bich hab\\b'), 'ich habe'],
  [everyMatch('\\bbday\\b|\\bgeb\\.'), 'Geburtstag'],
]

const ask =
  '(?:bitte )?(?:kannst|könntest|würdest|willst|magst) du (?:bitte |mal ){0,3}(?:mir )?(?:bitte |mal ){0,3}'

const wordings: readonly Replacement[] = [
  [toExpression(`^${ask}(?<x>.+?) (?:bitte )?absagen\\??$`), 'sag $<x> ab'],
  [toExpression(`^${ask}(?<x>.+?) (?:bitte )?(?:löschen|streichen|stornieren)\\??$`), 'lösche $<x>'],
  [toExpression(`^${ask}(?<x>.+?) (?:bitte )?vergessen\\??$`), 'vergiss $<x>'],
  [toExpression(`^${ask}(?<x>.+?) (?:bitte )?verschieben\\??$`), 'verschiebe $<x>'],
  [toExpression(`^(?:kannst|könntest) du dir (?:bitte )?merken,? (?<x>.+?)\\??$`), 'merk dir $<x>'],
  [re`^ich (?:habe )?(?:vergessen|weiß nicht mehr),? (?=(?:wie|wo|wann|wer|was)\b)`, 'weißt du, '],
  [re`^sag(?:e)? mir (?:bitte |nochmal )?(?=(?:wie|wo|wann|wer|was|welche)\b)`, 'weißt du, '],
  [
    re`^(?:bitte )?(?:stell|mach|setz|leg)(?:e)? (?:mir )?(?:bitte )?(?:einen |den )?(?:timer|kurzzeitwecker) (?:auf|für|von) (?<n>.+)$`,
    'erinnere mich in $<n> daran: die Zeit ist um',
  ],
  [re`^timer:? (?:auf |für )?(?=\d)(?<n>.+)$`, 'erinnere mich in $<n> daran: die Zeit ist um'],
  [re`^denk(?:e)? (?:bitte )?dran,? mich (?<x>.+) zu erinnern$`, 'erinnere mich $<x>'],
]

const clauseStarts =
  '(?:ich|mein|meine|unser|unsere|wir|erinnere?|vergiss|lösche?|streiche?|was|wo|wann|wer|wie|warum|nenn|du (?:darfst|kannst|sollst)|bitte|kannst du|könntest du|weißt du|hast du|merk)\\b'
const commands =
  '(?:erinnere? mich|vergiss|lösche?|streiche?|sag|was (?:ist|habe|weißt|steht)|wo|wer|weißt du|kannst du|nenn mich)\\b'

const sentences =
  // Linear: the longest run is taken, and nothing after it can fail.
  /(?:[^.!?\n;]|\.(?=[^\s.!?])|(?<=\d)\.(?= (?:[a-zäöü]|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Geburtstag|\d)))+[.!?]*/g

export const clauses: ClauseWords = {
  spellings,
  wordings,
  correction: spellingWords,
  sentences,
  leadingFillers: re`^(?:(?:also|und|ach|oh|ok|okay|aber|dann|na|tja|ja|genau|übrigens|außerdem|naja|nun|erstens|zweitens|bitte|ach ja|ehrlich gesagt)\b[,:]?\s+)+`,
  greeting: re`^(?:(?:hallo|hallöchen|hi|hey|moin(?: moin)?|servus|grüß dich|grüß gott|guten (?:morgen|tag|abend)|tach|na)(?: du| zusammen| wieder)?\b[\s,.!–-]*)+`,
  beforeCommand: toExpression(`,? und (?:auch |bitte |dann )?(?=${commands})|, (?=${commands})`),
  beforeStart: toExpression(`(?:,? und(?: auch| außerdem)?|,? aber|,(?! dass\\b)) (?=${clauseStarts})`),
  asksForTime: re`\b(?:erinner\w*|wecker|weck|termine?|kalender|merk|weißt du|wenn|ob|weil|dass)\b`,
  beforeName: 'hi|hallo|hey|moin|servus|guten (?:morgen|abend|tag)|danke|tschüss|ciao|gute nacht',
  introducesName: re`(?:name ist|heiße|heisst|heißt|bin|nenn mich|namens)$`,
}

const question = re`\?$|^(?:was|wo|wann|wer|wen|wem|wessen|welche[rsnm]?|warum|wieso|weshalb|wie|woher|wohin|womit|worüber|wovon|wozu|woran)\b(?! schön\b| schade\b| toll\b| blöd\b| cool\b| nett\b| süß\b| lieb\b)|^(?:weißt|hast|bist|kannst|magst|willst|darfst|kennst|erinnerst|hältst|findest|glaubst|würdest|lebst|schläfst) du\b|^(?:habe|bin|ist|sind|gibt|steht|war|muss|soll|darf|kann) (?:ich|es|mein|meine|wir|das|heute|morgen)\b`

/** Detects a question by its mark, or by its first words if the mark is missing. */
export const isQuestion = (clause: string): boolean => question.test(clause)
