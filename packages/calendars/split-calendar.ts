/**
 * Splits a calendar into its events and zones without parsing them, so that one damaged event does not lose
 * the others, and old events cost nothing.
 */
import { maxEvents } from './calendar-limits.ts'

export interface CalendarParts {
  /** Properties of the calendar by name, without parameters. */
  readonly header: ReadonlyMap<string, string>
  /** The texts of its VTIMEZONE and VEVENT components. An event that is too long is an empty text. */
  readonly zones: readonly string[]
  readonly events: readonly string[]
  /** It has more events than `maxEvents`. */
  readonly isCut: boolean
}

interface Span {
  readonly from: number
  readonly to: number
}

const maxZones = 500
/** UTF-16 units of one event or zone. */
const maxBlockLength = 256 * 1024
const maxHeaderLength = 1000
/** Deeper components are ignored. */
const maxDepth = 50

/** Returns null if the text has no calendar. */
export const splitCalendar = (text: string, span: Span): CalendarParts | null => {
  const header = new Map<string, string>()
  const zones: string[] = []
  const events: string[] = []
  const isWithin = createFilter(span)
  let isCut = false
  let hasCalendar = false
  const addBlock = ({ name, lines, isLong }: Block) => {
    if (name === 'VTIMEZONE') {
      if (zones.length < maxZones) zones.push(lines.join('\r\n'))
    } else if (isLong) events.push('')
    else if (!isWithin(lines)) return
    else if (events.length < maxEvents) events.push(lines.join('\r\n'))
    else isCut = true
  }
  const blocks = createBlocks(addBlock)
  for (const line of unfoldedLines(text)) {
    const [, keyword = '', name = ''] = /^(BEGIN|END):\s*([A-Z0-9-]+)\s*$/i.exec(line) ?? []
    if (keyword.toUpperCase() === 'BEGIN' && name.toUpperCase() === 'VCALENDAR') hasCalendar = true
    if (keyword === '' && blocks.isHeader()) addHeader(header, line)
    blocks.add(line, keyword.toUpperCase(), name.toUpperCase())
  }
  return hasCalendar ? { header, zones, events, isCut } : null
}

interface Block {
  readonly name: string
  readonly depth: number
  readonly lines: string[]
  length: number
  isLong: boolean
}

/** Collects the lines of events, without their inner components, and of zones, with all their lines. */
const createBlocks = (onBlock: (block: Block) => void) => {
  const stack: string[] = []
  let block: Block | null = null

  const begin = (name: string) => {
    if (stack.length < maxDepth) stack.push(name)
    if (block === null && (name === 'VEVENT' || name === 'VTIMEZONE'))
      block = { name, depth: stack.length, lines: [], length: 0, isLong: false }
  }
  const end = (name: string) => {
    if (block && stack.length === block.depth && name === block.name) {
      onBlock(block)
      block = null
    }
    // An unclosed inner component ends with its outer one.
    const openIndex = stack.lastIndexOf(name)
    if (openIndex !== -1) stack.length = openIndex
    if (block && stack.length < block.depth) block = null
  }
  return {
    /** Returns whether the next line is a property of the calendar itself. */
    isHeader: () => stack.length === 1 && stack[0] === 'VCALENDAR',
    add: (line: string, keyword: string, name: string) => {
      if (keyword === 'BEGIN') begin(name)
      if (block && (block.name === 'VTIMEZONE' || stack.length === block.depth)) addLine(block, line)
      if (keyword === 'END') end(name)
    },
  }
}

const addLine = (block: Block, line: string): void => {
  block.length += line.length
  if (block.length > maxBlockLength) block.isLong = true
  else block.lines.push(line)
}

const addHeader = (header: Map<string, string>, line: string): void => {
  const colon = line.indexOf(':')
  if (colon <= 0 || line.length > maxHeaderLength) return
  const [name = ''] = line.slice(0, colon).split(';')
  if (!header.has(name.toUpperCase())) header.set(name.toUpperCase(), line.slice(colon + 1))
}

/** Joins folded lines (RFC 5545, 3.1). Lines may end with LF only. */
function* unfoldedLines(text: string): Generator<string> {
  let line = ''
  let position = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (position < text.length) {
    const newline = text.indexOf('\n', position)
    const end = newline === -1 ? text.length : newline
    const next = text.slice(position, end > position && text[end - 1] === '\r' ? end - 1 : end)
    position = end + 1
    if (/^[ \t]/.test(next) && line.length <= maxBlockLength) line += next.slice(1)
    else {
      if (line !== '') yield line
      line = next
    }
  }
  if (line !== '') yield line
}

const dayMs = 24 * 60 * 60_000
const toDate = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')

/**
 * Returns false for events that are certainly outside: without a rule, and with dates that are more than two
 * days away in every zone.
 */
const createFilter = ({ from, to }: Span): ((lines: readonly string[]) => boolean) => {
  const firstDate = toDate(from - 2 * dayMs)
  const lastDate = toDate(to + 2 * dayMs)
  return (lines) => {
    if (lines.some((line) => /^(?:RRULE|RDATE|RECURRENCE-ID|DURATION)[:;]/i.test(line))) return true
    const start = findDate(lines, /^DTSTART(?:;[^:]*)?:(\d{8})/i)
    const end = findDate(lines, /^DTEND(?:;[^:]*)?:(\d{8})/i) ?? ''
    return start === null || (start <= lastDate && (end > start ? end : start) >= firstDate)
  }
}

const findDate = (lines: readonly string[], pattern: RegExp): string | null => {
  for (const line of lines) {
    const date = pattern.exec(line)?.[1]
    if (date !== undefined) return date
  }
  return null
}
