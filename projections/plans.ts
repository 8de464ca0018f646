/** What she has planned: open entries, and those that fell due and wait for the turn about them. */
import type { EventOf, Seq } from '../journal/events.ts'
import type { Fact } from './persona.ts'

export interface Plan extends Omit<EventOf<'EntryPlanned'>, 'type'> {
  /** The fact it stands in. */
  readonly seq: Seq
}

export interface Plans {
  readonly open: Readonly<Record<string, Plan>>
  /** Fell due, oldest first, kept until a turn about them ended. */
  readonly due: readonly Plan[]
}

export const unplanned: Plans = { open: {}, due: [] }

export const evolvePlans = (plans: Plans, { seq, event }: Fact): Plans => {
  switch (event.type) {
    case 'EntryPlanned':
    case 'EntryMoved': {
      const { type: _, ...plan } = event
      return { ...plans, open: { ...plans.open, [plan.id]: { ...plan, seq } } }
    }
    case 'EntryCancelled':
      return { open: without(plans.open, event.id), due: plans.due.filter(({ id }) => id !== event.id) }
    case 'EntryDue': {
      const plan = plans.open[event.id]
      return plan ? { open: without(plans.open, event.id), due: [...plans.due, plan] } : plans
    }
    case 'EntryDone':
      return { ...plans, due: plans.due.filter(({ id }) => id !== event.id) }
    default:
      return plans
  }
}

const without = (open: Plans['open'], id: string): Plans['open'] => {
  const { [id]: _, ...rest } = open
  return rest
}

/** Of its own: an id is whatever a caller or a model has written. */
export const openPlan = ({ open }: Plans, id: string): Plan | undefined => (Object.hasOwn(open, id) ? open[id] : undefined)

/** Open, or fallen due and not yet told. */
export const isPlanned = (plans: Plans, id: string): boolean =>
  openPlan(plans, id) !== undefined || plans.due.some((plan) => plan.id === id)
