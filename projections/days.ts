/**
 * Its days: what was gone over and what it carries of it, what belongs to a day that is over, and whether it
 * sleeps.
 */

import type { Seq } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import type { Fact, FactFor } from './persona.ts'

interface Moment {
  readonly seq: Seq
  /** Epoch milliseconds. */
  readonly at: number
}

/** Words of its own about what was said before, and the fact they stand in. */
export interface Noted {
  readonly seq: Seq
  readonly text: string
}

export interface Days {
  /** What was said up to here has been gone over. */
  readonly consolidated: Seq | 0
  /** What it holds in mind. */
  readonly carried: Noted | null
  /** What has happened since the last day was closed. */
  readonly summary: Noted | null
  /** Words of others in those that the user did not say. */
  readonly borrowed: readonly string[]
  /** What was said up to here belongs to a day that is over. */
  readonly closed: Seq | 0
  /** The last words since then, whoever said them; null while nothing was said. */
  readonly last: Moment | null
  /** The first thing that happened since it last slept. */
  readonly stirred: Moment | null
  /** A sleep that has not ended, and who asked for it. */
  readonly sleeping: Seq | null
  readonly sleepBy: EventOf<'SleepBegan'>['by']
  /** Whether anything happened that no diary tells. */
  readonly untold: boolean
  /** When it last tried to sleep, and whether that ended well. Epoch milliseconds. */
  readonly slept: { readonly at: number; readonly well: boolean } | null
}

export const initialDays: Days = {
  consolidated: 0,
  carried: null,
  summary: null,
  borrowed: [],
  closed: 0,
  last: null,
  stirred: null,
  sleeping: null,
  sleepBy: 'clock',
  untold: false,
  slept: null,
}

export const evolveDays = (days: Days, { seq, at, event }: FactFor<'days'>): Days => {
  switch (event.type) {
    case 'MessageHeard':
    case 'MessageSpoken': {
      return spoken(days, { seq, at })
    }
    case 'ContextCarried': {
      const { upTo, carry, summary, borrowed } = event
      const noted = (text: string) => (text ? { seq, text } : null)
      return {
        ...days,
        consolidated: upTo,
        carried: noted(carry),
        summary: noted(summary),
        borrowed,
        untold: true,
      }
    }
    case 'SleepBegan':
      return { ...days, sleeping: seq, sleepBy: event.by }
    case 'DayClosed':
      return {
        ...days,
        closed: event.upTo,
        summary: null,
        last: days.last && days.last.seq > event.upTo ? days.last : null,
        untold: true,
      }
    case 'SleepEnded': {
      const well = event.outcome === 'slept'
      // What was said since, or is of a date that goes on, belongs to the next day.
      return { ...days, sleeping: null, slept: { at, well }, stirred: well ? days.last : days.stirred }
    }
    case 'DiaryWritten':
      return { ...days, untold: false }
    case 'PersonaRestored':
    case 'PersonaForked':
      // Diaries are written in its sleep: it ended where it was brought back. A night of before is not a
      // fork's own.
      return { ...days, sleeping: null, untold: true }
  }
}

/** ⏱ Field by field in a tenth of the time of a copy: this is folded for every message. */
const spoken = (days: Days, last: Moment): Days => ({
  consolidated: days.consolidated,
  carried: days.carried,
  summary: days.summary,
  borrowed: days.borrowed,
  closed: days.closed,
  last,
  stirred: days.stirred ?? last,
  sleeping: days.sleeping,
  sleepBy: days.sleepBy,
  untold: true,
  slept: days.slept,
})

/** Whatever else happens in the day, but for what happens by itself. */
export const stirred = (days: Days, { seq, at }: Pick<Fact, 'seq' | 'at'>): Days =>
  days.stirred && days.untold ? days : { ...days, stirred: days.stirred ?? { seq, at }, untold: true }
