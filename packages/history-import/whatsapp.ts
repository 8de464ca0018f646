/**
 * Reads a chat that WhatsApp exported as text: `[12.03.24, 14:05:11] Ben: …` on iOS and
 * `12.03.24, 14:05 - Ben: …` on Android. The export does not say who made it, so the user is known only from
 * a name such as "You", or from a file name that names the other person of a chat of two.
 */
import type { Found, Said } from './imported-conversation.ts'
import { toRole } from './messages.ts'
import { createChatCutter, isSameName } from './people-chats.ts'

const day = /(?<a>\d{1,4})(?<separator>[./-]) ?(?<b>\d{1,2})[./-] ?(?<c>\d{1,4})\.?/.source
const clock = /(?<hour>\d{1,2})[:.](?<minute>\d\d)(?:[:.](?<second>\d\d))?(?: ?(?<half>[ap])\.? ?m\.?)?/
  .source
const heads = [
  new RegExp(`^\\[${day}, ?${clock}\\] (?<rest>.*)$`, 'i'),
  // Some languages have no comma. A year first without a comma is a log of another program.
  new RegExp(`^\\[(?!\\d{4})${day} ${clock}\\] (?<rest>.*)$`, 'i'),
  new RegExp(`^${day},? ${clock} - (?<rest>.*)$`, 'i'),
]

const mark = '\u200e'
/** Marks of direction, and the mark at the beginning of a file. */
const marks = /[\u200e\u200f\u202a-\u202e\ufeff]/g
const blanks = /[\u00a0\u202f]/g
const speaker = /^(?:~ ?)?(?<who>[^:]{1,60}):(?: (?<words>.*))?$/
const selfNames = new Set([
  'you',
  'ich',
  'du',
  'tú',
  'yo',
  'vous',
  'moi',
  'você',
  'eu',
  'tu',
  'io',
  'jij',
  'ik',
])
const fileNames = [
  /^WhatsApp Chat (?:with|-) (?<who>.+)$/i,
  /^WhatsApp-Chat (?:mit|-) (?<who>.+)$/i,
  /^Chat de WhatsApp con (?<who>.+)$/i,
  /^Conversa do WhatsApp com (?<who>.+)$/i,
  /^Discussion WhatsApp avec (?<who>.+)$/i,
  /^Chat WhatsApp con (?<who>.+)$/i,
]

/** A picture or another file that was left out of the export, alone in a message. */
const leftOutFile = /^(?:<[^<>\n]{3,80}>|[\p{L} ]{1,30} omitted|\S{1,80}\.\w{2,4} \([^()\n]{3,40}\))$/u
const editedNote = / ?<[^<>\n]{1,40} [^<>\n]{1,40}>$/
const deletedNote =
  /^(?:you deleted this message|this message was deleted|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje|ce message a été supprimé|mensagem apagada|questo messaggio è stato eliminato)\.?$/i

type Groups = Readonly<Record<string, string | undefined>>

interface Line {
  readonly date: Groups
  readonly name: string
  readonly words: string[]
}

const groupsIn = (line: string): Groups | undefined => {
  const text = line.replace(blanks, ' ').replace(/^[\u200e\u200f\u202a-\u202e\ufeff]+/, '')
  for (const head of heads) {
    const { groups } = head.exec(text) ?? {}
    if (groups) return groups
  }
  return undefined
}

/** Checks the beginning of a file. */
export const isWhatsApp = (text: string): boolean => linesIn(text) !== undefined

/** Lines without a speaker are notices of WhatsApp. Returns undefined if the text is not such an export. */
const linesIn = (text: string): readonly Line[] | undefined => {
  const lines: Line[] = []
  let last: Line | undefined
  let isBegun = false
  for (const line of text.split(/\r?\n/)) {
    const groups = groupsIn(line)
    if (!groups) {
      if (!isBegun && line.trim() !== '') return undefined
      last?.words.push(line)
      continue
    }
    isBegun = true
    const match = speaker.exec(groups.rest ?? '')?.groups
    const name = match?.who?.replace(marks, '').trim()
    last = name ? { date: groups, name, words: [match?.words ?? ''] } : undefined
    if (last) lines.push(last)
  }
  // A log of a talk with an AI may have the same times.
  if (lines.length === 0 || lines.some(({ name }) => toRole(name.toLowerCase()) === 'assistant'))
    return undefined
  return lines
}

interface Options {
  /** The names of the text file and of the zip around it. */
  readonly names: readonly string[]
  /** The name of the user, if it was given with the file. */
  readonly me?: string | undefined
}

/** Returns undefined for any other text. */
export const fromWhatsApp = (text: string, { names, me }: Options): readonly Found[] | undefined => {
  const lines = linesIn(text)
  if (!lines) return undefined
  const partner = names.map(partnerIn).find((name) => name !== undefined)
  const person = personIn(lines, partner, me)
  const otherNames = [...new Set(lines.map(({ name }) => name))].filter((name) => name !== person)
  const title = `WhatsApp: ${partner ?? otherNames.slice(0, 3).join(', ')}`
  const toTime = timeReader(lines)
  const cutter = createChatCutter({ kind: 'people', title, person: () => person ?? null })
  const chats = lines.map((line) => {
    const time = toTime(line.date)
    return cutter.push({ name: line.name, time, said: saidIn(line, person, time) })
  })
  return [...chats, cutter.end()].filter((chat) => chat !== undefined)
}

const partnerIn = (name: string): string | undefined => {
  const base = name.replace(/^.*\//, '').replace(/\.(?:txt|zip)$/i, '')
  for (const form of fileNames) {
    // A second download is called "… (1)".
    const partnerName = form.exec(base)?.groups?.who?.replace(/ \(\d+\)$/, '')
    if (partnerName) return partnerName.normalize().replace(marks, '').trim()
  }
  return undefined
}

const personIn = (
  lines: readonly Line[],
  partner: string | undefined,
  ownNameOption: string | undefined,
): string | undefined => {
  const names = [...new Set(lines.map(({ name }) => name))]
  const ownName =
    ownNameOption === undefined ? undefined : names.find((name) => isSameName(name, ownNameOption))
  if (ownName !== undefined) return ownName
  const self = names.find((name) => selfNames.has(name.toLowerCase()))
  if (self !== undefined || partner === undefined || names.length !== 2) return self
  const otherNames = names.filter((name) => name.normalize() !== partner)
  return otherNames.length === 1 ? otherNames[0] : undefined
}

const saidIn = ({ name, words }: Line, person: string | undefined, time: number | null): Said | null => {
  const text = words.join('\n')
  // iOS puts this mark before everything that WhatsApp itself wrote.
  if (text.startsWith(mark)) return null
  const ownText = text
    .replace(/\u200e<[^<>\n]{1,120}>/g, '')
    .replace(marks, '')
    .trim()
  if (leftOutFile.test(ownText) || deletedNote.test(ownText)) return null
  const content = ownText.replace(editedNote, '').trim()
  if (content === '') return null
  return name === person
    ? { role: 'user', content, time }
    : { role: 'assistant', content: `${name}: ${content}`, time }
}

type Order = 'day' | 'month'

/** The order of day and month is decided once for the whole file. Times have no zone and count as UTC. */
const timeReader = (lines: readonly Line[]): ((date: Groups) => number | null) => {
  const dates = lines.map(({ date }) => date).filter(({ a }) => a?.length !== 4)
  const order = orderIn(dates)
  return (date) => toMoment(date, order)
}

const orderIn = (dates: readonly Groups[]): Order => {
  if (dates.some(({ a }) => Number(a) > 12)) return 'day'
  if (dates.some(({ b }) => Number(b) > 12)) return 'month'
  const byDay = descents(dates, 'day')
  const byMonth = descents(dates, 'month')
  if (byDay !== byMonth) return byDay < byMonth ? 'day' : 'month'
  return dates.some(({ separator, half }) => separator === '/' && half) ? 'month' : 'day'
}

const descents = (dates: readonly Groups[], order: Order): number => {
  const times = dates.map((date) => toMoment(date, order) ?? 0)
  return times.filter((time, n) => time < (times[n - 1] ?? time)).length
}

const toMoment = ({ a, b, c, hour, minute, second, half }: Groups, order: Order): number | null => {
  const [year, month, date] = a?.length === 4 ? [a, b, c] : order === 'day' ? [c, b, a] : [c, a, b]
  const fullYear = Number(year) < 100 ? 2000 + Number(year) : Number(year)
  const isLate = half?.toLowerCase() === 'p'
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0)
  if (Number(month) > 12 || Number(date) > 31 || hours > 23) return null
  return Date.UTC(fullYear, Number(month) - 1, Number(date), hours, Number(minute), Number(second ?? 0))
}
