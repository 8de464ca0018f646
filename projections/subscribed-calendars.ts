/** The calendars of others that the user subscribed the persona to. */
import type { CalendarKind } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'

export interface CalendarSubscription {
  readonly id: string
  readonly kind: CalendarKind
  readonly name: string
  /** Host and port of its address. */
  readonly host: string
  /** Entry of the secrets file with its address, user name and password. */
  readonly secret: string
}

/** In the order in which the user subscribed. */
export const evolveSubscriptions = (
  subscriptions: readonly CalendarSubscription[],
  event: EventOf<'CalendarSubscribed' | 'CalendarUnsubscribed'>,
): readonly CalendarSubscription[] => {
  const otherSubscriptions = subscriptions.filter(({ id }) => id !== event.id)
  if (event.type === 'CalendarUnsubscribed') return otherSubscriptions
  const { type: _, ...subscription } = event
  return [...otherSubscriptions, subscription]
}
