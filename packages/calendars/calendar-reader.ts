/** Reads calendars at addresses that the user chose, within limits of time, size and memory. */
import { hash } from 'node:crypto'
import { type Lost, startChildProcess } from '../kit/child-process.ts'
import { createSemaphore } from '../kit/flow/keyed-pool.ts'
import { createNetwork } from '../kit/network/network.ts'
import type { Reach } from '../kit/network/reach.ts'
import { CalendarFailed } from './calendar-failed.ts'
import { type Login, requestCalendar } from './calendar-http.ts'
import { maxCalendarBytes, maxConcurrentReads, maxReaderMemory, maxReaderMs } from './calendar-limits.ts'
import type { ParserAnswer, ParserInput } from './calendar-parser.ts'
import {
  type DavServer,
  type FoundCalendar,
  findCalendars,
  readDavEvents,
  readDavState,
} from './dav-calendars.ts'
import type { ExpandedCalendar, ExpansionOptions } from './expand-calendar.ts'

/** The address of a calendar, with its login. */
export interface CalendarAddress {
  readonly kind: 'ics' | 'caldav'
  readonly url: URL
  readonly login: Login | null
}

/** Identifies the version of a calendar, so that an unchanged one is not read again. */
export interface CalendarVersion {
  readonly etag: string | null
  readonly modified: string | null
  /** The tag of CalDAV. */
  readonly tag: string | null
  /** SHA-256 of the content. */
  readonly content: string | null
}

export interface ReadOptions extends ExpansionOptions {
  /** The version that the caller has; null reads the calendar in any case. */
  readonly known: CalendarVersion | null
  readonly signal: AbortSignal
  /** It waits only for other refreshes, and delays no other reads. Default: false. */
  readonly isRefresh?: boolean
}

export interface ReadCalendar {
  /** Null if the known version is the current one. */
  readonly calendar: ExpandedCalendar | null
  readonly version: CalendarVersion
}

export interface CalendarReader {
  /** Throws CalendarFailed, or the signal's reason. */
  read(address: CalendarAddress, options: ReadOptions): Promise<ReadCalendar>
  /** Returns the calendars of a CalDAV server. Throws CalendarFailed, or the signal's reason. */
  find(url: URL, login: Login, signal: AbortSignal): Promise<readonly FoundCalendar[]>
  close(): Promise<void>
}

interface Deps {
  readonly env: NodeJS.ProcessEnv
  readonly reach?: Partial<Reach>
  /** Max milliseconds until an answer is complete. */
  readonly timeoutMs?: number
}

export const createCalendarReader = ({ env, reach, timeoutMs = 60_000 }: Deps): CalendarReader => {
  const bounds = { firstByte: timeoutMs, silence: timeoutMs, whole: timeoutMs, size: maxCalendarBytes }
  const network = createNetwork({ env, limits: { remote: bounds }, ...(reach && { reach }) })
  const runLimited = createSemaphore(1).run
  // Each download may have 20 MiB, so it waits until there is room to compute its events soon.
  const refreshes = createSemaphore(maxConcurrentReads)
  const otherReads = createSemaphore(maxConcurrentReads)

  const expand = async (
    bytes: Buffer,
    form: 'ics' | 'multistatus',
    { known, signal, ...options }: ReadOptions,
  ): Promise<ExpandedCalendar> => {
    const answer = await runLimited(() => parse({ bytes, form, options }, signal), signal)
    if (!('calendar' in answer))
      throw new CalendarFailed('answer', 'the answer is not a calendar in iCalendar format')
    return answer.calendar
  }

  const createServer = (url: URL, login: Login, signal: AbortSignal): DavServer => ({
    ...{ network, url, login, signal },
    readResources: async (bytes) => {
      const answer = await runLimited(() => parse({ bytes, form: 'resources' }, signal), signal)
      return 'resources' in answer ? answer.resources : []
    },
  })

  const readFile = async ({ url, login }: CalendarAddress, options: ReadOptions): Promise<ReadCalendar> => {
    const { known, signal } = options
    const response = await requestCalendar(network, {
      ...{ url, login, signal },
      method: 'GET',
      headers: {
        accept: 'text/calendar,*/*;q=0.5',
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.modified && { 'if-modified-since': known.modified }),
      },
    })
    if (response.status === 304 && known) return { calendar: null, version: known }
    const version = {
      etag: readHeader(response.headers, 'etag'),
      modified: readHeader(response.headers, 'last-modified'),
      tag: null,
      content: hash('sha256', response.bytes),
    }
    if (known?.content === version.content) return { calendar: null, version }
    return { calendar: await expand(response.bytes, 'ics', options), version }
  }

  const readDav = async (server: DavServer, options: ReadOptions): Promise<ReadCalendar> => {
    const { known } = options
    const { tag, name } = await readDavState(server)
    if (known?.tag && known.tag === tag) return { calendar: null, version: known }
    const { bytes } = await readDavEvents(server, options)
    const version = { etag: null, modified: null, tag, content: hash('sha256', bytes) }
    if (known?.content === version.content) return { calendar: null, version }
    return { calendar: { ...(await expand(bytes, 'multistatus', options)), name }, version }
  }

  const read = async (address: CalendarAddress, options: ReadOptions): Promise<ReadCalendar> => {
    const { kind, url, login } = address
    if (kind === 'ics') return readFile(address, options)
    if (!login) throw new CalendarFailed('password_missing', 'its password is missing')
    return readDav(createServer(url, login, options.signal), options)
  }

  return {
    read: (address, { isRefresh = false, ...options }) =>
      (isRefresh ? refreshes : otherReads).run(() => read(address, options), options.signal),
    find: (url, login, signal) => findCalendars(createServer(url, login, signal)),
    close: network.close,
  }
}

const maxHeaderLength = 500

/** Header values are stored and sent back, so long ones are ignored. */
const readHeader = (headers: Headers, name: string): string | null => {
  const value = headers.get(name)
  return value !== null && value.length <= maxHeaderLength ? value : null
}

/** Path of `calendar-parser.ts` relative to this file in a build. Defined by the build. */
declare const CALENDAR_PARSER: string | undefined
const file = new URL(
  typeof CALENDAR_PARSER === 'string' ? CALENDAR_PARSER : './calendar-parser.ts',
  import.meta.url,
)

const lostReasons: Readonly<Record<Lost, string>> = {
  too_large: 'there is too much in it',
  too_long: 'computing its events took too long',
  lost: 'its events could not be computed',
}

/** Throws CalendarFailed, or the signal's reason. */
const parse = async (input: ParserInput, signal: AbortSignal): Promise<ParserAnswer> => {
  const parser = await startChildProcess<ParserAnswer>({ file, memory: maxReaderMemory, signal })
  try {
    parser.say({ ...input, memory: maxReaderMemory, ms: maxReaderMs })
    const answer = await parser.next(maxReaderMs)
    if (typeof answer === 'string') throw new CalendarFailed('answer', lostReasons[answer])
    return answer
  } finally {
    await parser.end()
  }
}
