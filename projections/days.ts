/**
 * State of days and nights: consolidation progress, the context the persona keeps, closed days, and sleep.
 */

import type { Seq } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { Fact, FactFor } from './fact.ts'

interface Moment {
  readonly seq: Seq
  /** Epoch ms. */
  readonly at: number
}

/** A text of the persona about earlier messages, and the position of its fact. */
export interface Noted {
  readonly seq: Seq
  readonly text: string
}

export interface PastDay extends Noted {
  /** The end of the day, epoch ms. */
  readonly at: number
  /** Third-party text in it, which the user did not say. */
  readonly borrowed: readonly string[]
}

export interface Days {
  /** Messages up to here are consolidated. */
  readonly consolidated: Seq | 0
  /** Context that the persona keeps in mind. */
  readonly carried: Noted | null
  /** Events since the last day was closed. */
  readonly summary: Noted | null
  /** Third-party text in the two above, which the user did not say. */
  readonly borrowed: readonly string[]
  /** Summaries of the last closed days, oldest first. */
  readonly past: readonly PastDay[]
  /** Messages up to here belong to a closed day. */
  readonly closed: Seq | 0
  /** The last message after `closed`, from either side; null if there is none. */
  readonly last: Moment | null
  /** The first event since the last sleep. */
  readonly stirred: Moment | null
  /** Position of a SleepBegan without an end; `sleepBy` is its cause. */
  readonly sleeping: Seq | null
  readonly sleepBy: EventOf<'SleepBegan'>['by']
  /** Whether there are events that no diary contains. */
  readonly untold: boolean
  /** Time (epoch ms) and success of the last sleep. */
  readonly slept: { readonly at: number; readonly well: boolean } | null
}

/** Max closed days whose summary is kept in mind. */
const maxPastDays = 3

export const initialDays: Days = {
  consolidated: 0,
  carried: null,
  summary: null,
  borrowed: [],
  past: [],
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
      return withMessage(days, { seq, at })
    }
    case 'ContextCarried': {
      const { upTo, carry, summary, borrowed } = event
      const toNoted = (text: string) => (text ? { seq, text } : null)
      return {
        ...days,
        consolidated: upTo,
        carried: toNoted(carry),
        summary: toNoted(summary),
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
        past: event.summary
          ? [
              ...days.past,
              { seq, at: event.ended, text: event.summary, borrowed: getBorrowed(event, days) },
            ].slice(-maxPastDays)
          : days.past,
        summary: null,
        last: days.last && days.last.seq > event.upTo ? days.last : null,
        untold: true,
      }
    case 'SleepEnded': {
      const wasSuccessful = event.outcome === 'slept'
      // Messages during the sleep, or of a date that is not over, belong to the next day.
      return {
        ...days,
        sleeping: null,
        slept: { at, well: wasSuccessful },
        stirred: wasSuccessful ? days.last : days.stirred,
      }
    }
    case 'DiaryWritten':
      return { ...days, untold: false }
    case 'PersonaRestored':
    case 'PersonaForked':
      // A diary is written during sleep, so a restored persona would still be asleep. A fork does not inherit
      // an unfinished night.
      return { ...days, sleeping: null, untold: true }
  }
}

/**
 * Older facts do not contain the words. A summary of the model is that of the last consolidation, whose words
 * are known. An excerpt may contain names of files, so all of it counts.
 */
const getBorrowed = (
  { borrowed, by, summary }: EventOf<'DayClosed'>,
  { borrowed: lastBorrowed }: Days,
): readonly string[] => borrowed ?? (by === 'mind' ? lastBorrowed : [summary])

/** Field by field. Measured: a tenth of the time of a copy. This runs for every message. */
const withMessage = (days: Days, last: Moment): Days => ({
  consolidated: days.consolidated,
  carried: days.carried,
  summary: days.summary,
  borrowed: days.borrowed,
  past: days.past,
  closed: days.closed,
  last,
  stirred: days.stirred ?? last,
  sleeping: days.sleeping,
  sleepBy: days.sleepBy,
  untold: true,
  slept: days.slept,
})

/** Records any other event of the day, except background facts. */
export const markStirred = (days: Days, { seq, at }: Pick<Fact, 'seq' | 'at'>): Days =>
  days.stirred && days.untold ? days : { ...days, stirred: days.stirred ?? { seq, at }, untold: true }
