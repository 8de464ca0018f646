/** What it has planned: open entries, and those that fell due and wait for the turn about them. */

import type { Seq } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import { isAt, type Keyed, nothing, valueAt, without, withValue } from './persistent-map.ts'
import type { FactFor } from './persona.ts'

export interface Plan extends Omit<EventOf<'EntryPlanned'>, 'type'> {
  /** The fact it stands in. */
  readonly seq: Seq
}

export interface Plans {
  readonly open: Keyed<Plan>
  /** Fell due, oldest first, kept until a turn about them ended. */
  readonly due: readonly Plan[]
}

export const initialPlans: Plans = { open: nothing, due: [] }

export const evolvePlans = (plans: Plans, { seq, event }: FactFor<'plans'>): Plans => {
  switch (event.type) {
    case 'EntryPlanned':
    case 'EntryMoved': {
      const { type: _, ...plan } = event
      return { ...plans, open: withValue(plans.open, plan.id, { ...plan, seq }) }
    }
    case 'EntryCancelled':
      return { open: without(plans.open, event.id), due: plans.due.filter(({ id }) => id !== event.id) }
    case 'EntryDue': {
      const plan = valueAt(plans.open, event.id)
      return plan ? { open: without(plans.open, event.id), due: [...plans.due, plan] } : plans
    }
    case 'EntryDone':
      return { ...plans, due: plans.due.filter(({ id }) => id !== event.id) }
  }
}

/** Open, or fallen due and not yet told. */
export const isPlanned = (plans: Plans, id: string): boolean =>
  isAt(plans.open, id) || plans.due.some((plan) => plan.id === id)
