import type { StatePart } from '../facts/fact.ts'
import type { Seq } from '../facts/fact-values.ts'
import type { EventFor, PersonaEvent } from '../facts/facts.ts'

/** The input of a fold: a stored fact, or a decided one before it is on disk. */
export interface Fact<E extends PersonaEvent = PersonaEvent> {
  readonly seq: Seq
  readonly at: number
  readonly event: E
}

export type FactFor<P extends StatePart> = Fact<EventFor<P>>
