/**
 * A child process that reads one answer of a server and exits: it computes the occurrences of a calendar, or
 * lists the resources of a multistatus answer.
 */
import { outlive, watch } from '../kit/memory-watch.ts'
import { type DavResource, readCalendarData, readMultistatus } from './dav-multistatus.ts'
import {
  type ExpandedCalendar,
  type ExpansionOptions,
  expandCalendar,
  NotACalendar,
} from './expand-calendar.ts'

/** `multistatus`: an answer of CalDAV that contains calendars. `resources`: one that lists resources. */
export type ParserInput = { readonly bytes: Uint8Array } & (
  | { readonly form: 'ics' | 'multistatus'; readonly options: ExpansionOptions }
  | { readonly form: 'resources' }
)

export type ParserTask = ParserInput & {
  /** Max memory in bytes. `ms`: max time in milliseconds. */
  readonly memory: number
  readonly ms: number
}

/** `refused`: it is not a calendar. */
export type ParserAnswer =
  | { readonly calendar: ExpandedCalendar }
  | { readonly resources: readonly DavResource[] }
  | { readonly refused: true }

const work = async (task: ParserTask): Promise<void> => {
  watch({ memory: task.memory, ms: 2 * task.ms })
  process.send?.(await toAnswer(task))
}

const toAnswer = async (task: ParserTask): Promise<ParserAnswer> => {
  const { bytes } = task
  if (task.form === 'resources') return { resources: await readMultistatus(bytes).catch(() => []) }
  const { form, options } = task
  try {
    if (form === 'ics') return { calendar: expandCalendar(new TextDecoder().decode(bytes), options) }
    const texts = await readCalendarData(bytes)
    // A calendar without events in the span.
    const text = texts.length === 0 ? 'BEGIN:VCALENDAR\nEND:VCALENDAR' : texts.join('\n')
    return { calendar: expandCalendar(text, options) }
  } catch (error) {
    if (error instanceof NotACalendar) return { refused: true }
    throw error
  }
}

outlive()
process.once('message', (task) => void work(task as ParserTask))
