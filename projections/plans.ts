/** Plans: open entries, and due ones that wait for a turn. */

import type { Seq } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
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
  /** The last due entries that turns have handled, oldest first: their turns are still in prompts. */
  readonly handled: readonly Plan[]
}

/** Max entries of `handled`. */
const maxHandled = 100

export const initialPlans: Plans = { open: emptyKeyed, due: [], handled: [] }

export const evolvePlans = (plans: Plans, { seq, event }: FactFor<'plans'>): Plans => {
  switch (event.type) {
    case 'EntryPlanned':
    case 'EntryMoved': {
      const { type: _, ...plan } = event
      return { ...plans, open: withValue(plans.open, plan.id, { ...plan, seq }) }
    }
    case 'EntryCancelled':
      return {
        ...plans,
        open: withoutValue(plans.open, event.id),
        due: plans.due.filter(({ id }) => id !== event.id),
        handled: withHandled(plans, event.id),
      }
    case 'EntryDue': {
      const plan = valueAt(plans.open, event.id)
      return plan ? { ...plans, open: withoutValue(plans.open, event.id), due: [...plans.due, plan] } : plans
    }
    case 'EntryDone':
      return {
        ...plans,
        due: plans.due.filter(({ id }) => id !== event.id),
        handled: withHandled(plans, event.id),
      }
  }
}

/** Also for a due entry that was cancelled: a turn may have shown it. */
const withHandled = ({ due, handled }: Plans, id: string): readonly Plan[] => {
  const plan = due.find((entry) => entry.id === id)
  return plan ? [...handled, plan].slice(-maxHandled) : handled
}

/** Returns whether the entry is open, or due and not yet handled. */
export const isPlanned = (plans: Plans, id: string): boolean =>
  isAt(plans.open, id) || plans.due.some((plan) => plan.id === id)
