/** What a persona is now: the bounded state every decision is made on, folded from its facts. */
import type { Entry } from '../journal/log/journal.ts'
import { type Days, dayless, evolveDays } from './days.ts'
import { type Deliveries, delivered, evolveDeliveries } from './deliveries.ts'
import { evolveKnowledge, type Knowledge, unknowing } from './knowledge.ts'
import { evolveLife, type Life, unborn } from './life.ts'
import { evolvePlans, type Plans, unplanned } from './plans.ts'
import { evolveSelf, type Self } from './self.ts'
import { evolveTalk, silence, type Talk } from './talk.ts'

export interface Persona {
  readonly self: Self
  readonly life: Life
  readonly talk: Talk
  readonly plans: Plans
  readonly knowledge: Knowledge
  readonly days: Days
  readonly deliveries: Deliveries
}

/** Raised whenever the shape of the state or the meaning of a fold changes: kept snapshots of another version are not used. */
export const personaVersion = 6

/** What a fold reads of an entry: also a decision's facts before they are on disk. */
export type Fact = Pick<Entry, 'seq' | 'at' | 'event'>

export const evolve = (persona: Persona | undefined, fact: Fact): Persona => {
  const self = evolveSelf(persona?.self, fact)
  return {
    self,
    life: evolveLife(persona?.life ?? unborn, fact),
    talk: evolveTalk(persona?.talk ?? silence, fact),
    plans: evolvePlans(persona?.plans ?? unplanned, fact),
    knowledge: evolveKnowledge(persona?.knowledge ?? unknowing, fact),
    days: evolveDays(persona?.days ?? dayless, fact),
    deliveries: evolveDeliveries(persona?.deliveries ?? delivered, fact),
  }
}
