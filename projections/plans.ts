/** Plans: open entries, and due ones that wait for a turn. */

import type { Seq } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import type { FactFor } from './fact.ts'
import { emptyKeyed, isAt, type Keyed, valueAt, withoutValue, withValue } from './persistent-map.ts'

export interface Plan extends Omit<EventOf<'EntryPlanned'>, 'type'> {
  /** Position of the fact that contains it. */
  readonly seq: Seq
}

export interface Plans {
  readonly open: Keyed<Plan>
  /** Due entries, oldest first, until a turn about them has ended. */
  readonly due: readonly Plan[]
}

export const initialPlans: Plans = { open: emptyKeyed, due: [] }

export const evolvePlans = (plans: Plans, { seq, event }: FactFor<'plans'>): Plans => {
  switch (event.type) {
    case 'EntryPlanned':
    case 'EntryMoved': {
      const { type: _, ...plan } = event
      return { ...plans, open: withValue(plans.open, plan.id, { ...plan, seq }) }
    }
    case 'EntryCancelled':
      return { open: withoutValue(plans.open, event.id), due: plans.due.filter(({ id }) => id !== event.id) }
    case 'EntryDue': {
      const plan = valueAt(plans.open, event.id)
      return plan ? { open: withoutValue(plans.open, event.id), due: [...plans.due, plan] } : plans
    }
    case 'EntryDone':
      return { ...plans, due: plans.due.filter(({ id }) => id !== event.id) }
  }
}

/** Returns whether the entry is open, or due and not yet handled. */
export const isPlanned = (plans: Plans, id: string): boolean =>
  isAt(plans.open, id) || plans.due.some((plan) => plan.id === id)
