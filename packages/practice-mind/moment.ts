/** A time under construction. */
import type { Wish } from './reply.ts'

export type Part = 'morning' | 'afternoon' | 'evening' | 'night'

/** A time that is collected phrase by phrase. */
export interface Moment {
  /** Minutes from now. May be a fraction. */
  minutes?: number
  days?: number
  months?: number
  day?: { readonly month: number; readonly day: number; readonly year: number | undefined }
  dayOfMonth?: number
  weekday?: number
  next?: boolean
  hour?: number
  minute?: number
  /** The hour is on a 24-hour clock, or am/pm is already applied. */
  exact?: boolean
  /** The user wrote minutes, as in 6:30. */
  written?: boolean
  /** The midnight at the end of the day. */
  midnight?: boolean
  part?: Part
  recurrence?: string
  /** The question to ask if the words are ambiguous. */
  unclear?: string
}

/** The questions that the persona asks if a request to plan is incomplete. */
export interface Questions {
  readonly what: string
  readonly when: string
  readonly time: string
  readonly past: string
  readonly noDay: string
  readonly rhythm: string
}

/** A request to plan. It may be incomplete. */
export interface PlanRequest {
  readonly kind: 'reminder' | 'schedule'
  readonly content: string
  readonly moment: Moment
}

/** Progress of a request to cancel all plans. Plans that the prompt does not show yet follow later. */
export interface Clearing {
  /** Singular or plural noun that fits the count, such as "reminders". */
  readonly kind: string
  readonly cancelled: number
  /** Calls that cancel the next visible plans of that kind. */
  readonly next: readonly Wish[]
  /** Number of plans that stay planned. */
  readonly later: number
}
