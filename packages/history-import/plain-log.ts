/**
 * A log of a talk as plain text: a line `name: words` for each message, possibly with a time in brackets
 * before it, and further lines of the same message. A line that is a day or `Session 2` starts another
 * conversation. Eternego stores its days so (application/business/persona/sleep.py of Eternego-AI/eternego),
 * and the sessions of LoCoMo are usually written so.
 */
import type { Found, Said } from './imported-conversation.ts'
import { toRole } from './messages.ts'
import { isSameName } from './people-chats.ts'
import { writtenTime } from './written-times.ts'

/** Characters of a line in which the name of the speaker is searched. */
const maxHeadLength = 120
const head =
  /^(?:\[(?<when>[^[\]]{4,40})\] ?)?(?:\*\*)?(?<who>\p{L}[\p{L}\p{M}\p{N} ._'’-]{0,39})(?:\*\*:|:\*\*|:)(?:[ \t]|$)/u
const heading = /^[#*=\-[ ]{0,10}(?:date: ?)?(?<text>[^\]*=]{4,40}?)[\]*=\-: ]{0,10}$/i

interface Line {
  readonly speaker: string
  readonly timeText: string | undefined
  readonly words: string
}

const lineIn = (line: string): Line | undefined => {
  const match = head.exec(line.slice(0, maxHeadLength))
  const speaker = match?.groups?.who?.trim().toLowerCase()
  if (!match || speaker === undefined || notNames.has(speaker)) return undefined
  return { speaker, timeText: match.groups?.when, words: line.slice(match[0].length) }
}

/** Beginnings of lines that are not names of speakers. */
const notNames = new Set(['date', 'time', 'session', 'conversation', 'http', 'https'])

interface Speakers {
  readonly person: string
  readonly otherNames: ReadonlySet<string>
}

/**
 * Names of roles say whose words are whose; else the user is who speaks first. Every other beginning of a
 * line with a colon belongs to the words above it.
 */
const speakersIn = (lines: readonly string[], ownName?: string): Speakers | undefined => {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const speaker = lineIn(line)?.speaker
    if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  }
  const names = [...counts.keys()]
  const assistants = names.filter((name) => toRole(name) === 'assistant')
  const person =
    names.find((name) => ownName !== undefined && isSameName(name, ownName)) ??
    names.find((name) => toRole(name) === 'user') ??
    names.find((name) => toRole(name) === undefined)
  if (person === undefined) return undefined
  if (assistants.length > 0 && toRole(person) === 'user') return { person, otherNames: new Set(assistants) }
  const getCount = (name: string) => counts.get(name) ?? 0
  const rest = assistants.length > 0 ? assistants : names.filter((name) => name !== person)
  const [b] = rest.toSorted((a, other) => getCount(other) - getCount(a))
  if (b === undefined || getCount(person) < 2 || getCount(b) < 2) return undefined
  return { person, otherNames: new Set([b]) }
}

const splitLines = (text: string): readonly string[] => text.split(/\r?\n/)

/** By its beginning. */
export const isLog = (text: string): boolean => {
  const trimmedStart = text.trimStart()
  if (trimmedStart.startsWith('{') || (trimmedStart.startsWith('[') && !/^\[\d{1,4}[-:]/.test(trimmedStart)))
    return false
  return !trimmedStart.startsWith('<') && speakersIn(splitLines(text)) !== undefined
}

/** `me`: the name of the user. Returns undefined if the text is no log. */
export const fromLog = (text: string, ownName?: string): readonly Found[] | undefined => {
  const lines = splitLines(text)
  const speakers = speakersIn(lines, ownName)
  if (!speakers) return undefined
  const sessions: Said[][] = [[]]
  let message = undefined as Spoken | undefined
  let day = null as number | null
  const end = () => {
    if (message) sessions.at(-1)?.push({ ...message, content: message.lines.join('\n') })
    message = undefined
  }
  for (const line of lines) {
    const logLine = lineIn(line)
    const role = logLine && roleIn(logLine.speaker, speakers)
    const session = role ? undefined : headingIn(line)
    if (session !== undefined) {
      end()
      day = session
      sessions.push([])
    } else if (logLine && role) {
      end()
      const time = logLine.timeText === undefined ? day : (writtenTime(logLine.timeText) ?? day)
      message = { role, time, lines: [logLine.words] }
    } else message?.lines.push(line)
  }
  end()
  return sessions
    .filter((session) => session.length > 0)
    .map((session) => ({ id: null, title: '', updated: [], said: () => session }))
}

interface Spoken {
  readonly role: Said['role']
  readonly time: number | null
  readonly lines: string[]
}

const roleIn = (name: string, { person, otherNames }: Speakers): Said['role'] | undefined => {
  if (name === person || toRole(name) === 'user') return 'user'
  return otherNames.has(name) ? 'assistant' : undefined
}

/**
 * Returns the time of a session that starts with this line, null if it has none, and undefined for any other
 * line.
 */
const headingIn = (line: string): number | null | undefined => {
  const text = line.length > 80 ? undefined : heading.exec(line.trim())?.groups?.text?.trim()
  if (text === undefined) return undefined
  if (/^session \d{1,5}$/i.test(text)) return null
  return writtenTime(text) ?? undefined
}
