/** A child process that computes the occurrences of one calendar and exits. */
import { outlive, watch } from '../kit/memory-watch.ts'
import { readCalendarData } from './dav-multistatus.ts'
import {
  type ExpandedCalendar,
  type ExpansionOptions,
  expandCalendar,
  NotACalendar,
} from './expand-calendar.ts'

export interface ParserTask {
  readonly bytes: Uint8Array
  /** `multistatus`: an answer of CalDAV that contains calendars. */
  readonly form: 'ics' | 'multistatus'
  readonly options: ExpansionOptions
  /** Max memory in bytes. `ms`: max time in milliseconds. */
  readonly memory: number
  readonly ms: number
}

/** `refused`: it is not a calendar. */
export type ParserAnswer = { readonly calendar: ExpandedCalendar } | { readonly refused: true }

const work = async ({ bytes, form, options, memory, ms }: ParserTask): Promise<void> => {
  watch({ memory, ms: 2 * ms })
  process.send?.(await toAnswer(bytes, form, options))
}

const toAnswer = async (
  bytes: Uint8Array,
  form: ParserTask['form'],
  options: ExpansionOptions,
): Promise<ParserAnswer> => {
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
