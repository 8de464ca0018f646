/** State of the messages that a persona writes by itself: the user's choice, and the reasons that wait. */

import type { InitiativeKind, InitiativeLevel, Seq } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { FactFor } from './fact.ts'
import type { Talk } from './talk.ts'

export type InitiativeChoice = Omit<EventOf<'InitiativeChosen'>, 'type'>

/** A reason to write. */
export interface Candidate extends Omit<EventOf<'InitiativePlanned'>, 'type'> {
  /** Position of the fact that contains it. */
  readonly seq: Seq
  /** True for a wish whose message was sent. It waits for a new time. */
  readonly resting: boolean
}

/** A reason that was decided on. `message`: position of the message, or null. */
export interface SettledCandidate extends Pick<Candidate, 'id' | 'kind' | 'reason' | 'sources'> {
  readonly outcome: EventOf<'InitiativeSettled'>['outcome']
  /** Epoch ms. */
  readonly at: number
  readonly message: Seq | null
}

interface Dislike {
  readonly id: string
  readonly kind: InitiativeKind
  readonly reason: string
}

export interface Initiative extends InitiativeChoice {
  /** In the order in which they were found. */
  readonly open: readonly Candidate[]
  /** The last ones that were decided on, oldest first. */
  readonly recent: readonly SettledCandidate[]
  /** The last ones of which the user wants fewer, oldest first. */
  readonly disliked: readonly Dislike[]
  /**
   * The last one that the persona began to decide on. `seq`: of the candidate; 0 after the decision. `times`:
   * begun decisions.
   */
  readonly considered: { readonly seq: Seq; readonly at: number; readonly times: number } | null
  /** Times of the last messages, epoch ms, oldest first. */
  readonly spoken: readonly number[]
  /** True until the user answers the last message. */
  readonly unanswered: boolean
}

/** Max entries of the lists. Rules keep `open` within the limit. */
export const maxOpen = 30
const maxRecent = 10
const maxDisliked = 20
const maxSpoken = 3

export const initialChoice: InitiativeChoice = {
  level: 'off' satisfies InitiativeLevel,
  zone: null,
  quietFrom: '21:00',
  quietUntil: '09:00',
}

export const initialInitiative: Initiative = {
  ...initialChoice,
  open: [],
  recent: [],
  disliked: [],
  considered: null,
  spoken: [],
  unanswered: false,
}

export const evolveInitiative = (
  state: Initiative,
  { seq, at, event }: FactFor<'initiative'>,
): Initiative => {
  switch (event.type) {
    case 'MessageHeard':
      return event.channel === null ? state : hear(state)
    case 'InitiativeChosen': {
      const { type: _, ...choice } = event
      return { ...state, ...choice }
    }
    case 'InitiativePlanned':
    case 'InitiativeMoved': {
      const { type: _, ...fields } = event
      const knownCandidate = state.open.find(({ id }) => id === event.id)
      // A wish whose words alone were changed still waits for a new time.
      const resting = knownCandidate?.resting === true && knownCandidate.at === event.at
      const candidate: Candidate = { ...fields, seq, resting }
      return {
        ...state,
        open: knownCandidate
          ? state.open.map((entry) => (entry.id === event.id ? candidate : entry))
          : [...state.open, candidate],
      }
    }
    case 'InitiativeRemoved':
      return { ...state, open: state.open.filter(({ id }) => id !== event.id) }
    case 'InitiativeDisliked': {
      const { type: _, ...dislike } = event
      return { ...state, disliked: [...state.disliked, dislike].slice(-maxDisliked) }
    }
    case 'InitiativeConsidered': {
      const considered = state.open.find(({ id }) => id === event.id)?.seq ?? 0
      const times = state.considered?.seq === considered ? state.considered.times + 1 : 1
      return { ...state, considered: { seq: considered, at, times } }
    }
    case 'InitiativeSettled':
      return settle(state, { seq, at, event })
    case 'PersonaForked':
      // The original persona writes.
      return initialInitiative
  }
}

/** A message also interrupts the decision. That is no failed try, and the next one need not wait. */
const hear = (state: Initiative): Initiative => {
  const isDeciding = state.considered !== null && state.considered.seq !== 0
  // Every message passes here.
  if (!state.unanswered && !isDeciding) return state
  return { ...state, unanswered: false, considered: isDeciding ? null : state.considered }
}

const settle = (
  state: Initiative,
  { seq, at, event }: { seq: Seq; at: number; event: EventOf<'InitiativeSettled'> },
): Initiative => {
  const { outcome, next } = event
  const candidate = state.open.find(({ id }) => id === event.id)
  if (!candidate) return state
  const { id, kind, reason, sources } = candidate
  const rest: readonly Candidate[] =
    next !== null ? [{ ...candidate, at: next }] : kind === 'wish' ? [{ ...candidate, resting: true }] : []
  const message = outcome === 'spoke' ? seq + 1 : null
  return {
    ...state,
    open: state.open.flatMap((entry) => (entry.id === id ? rest : entry)),
    recent: [...state.recent, { id, kind, reason, sources, outcome, at, message }].slice(-maxRecent),
    // Keeps the time, so that the next decision waits.
    considered: state.considered && { ...state.considered, seq: 0, times: 0 },
    ...(outcome === 'spoke' && {
      spoken: [...state.spoken, at].slice(-maxSpoken),
      unanswered: true,
    }),
  }
}

/** Returns whether the messages that a candidate comes from are still in the talk. */
export const isSourced = (
  { sources }: Pick<Candidate, 'sources'>,
  { hidden }: Pick<Talk, 'hidden'>,
): boolean => sources.every((seq) => hidden[seq] === undefined)
