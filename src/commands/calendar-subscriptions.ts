/** Subscribes a persona to calendars of others. */
import type { CalendarKind, PersonaId } from '../../facts/fact-values.ts'
import { CalendarFailed } from '../../packages/calendars/calendar-failed.ts'
import { maxCalendarName } from '../../packages/calendars/calendar-limits.ts'
import type { CalendarAddress } from '../../packages/calendars/calendar-reader.ts'
import type { FoundCalendar } from '../../packages/calendars/dav-calendars.ts'
import { toLine } from '../../packages/kit/text-lines.ts'
import { parseAddress, toAddress, toSecret } from '../calendar/calendar-secret.ts'
import { type SubscriptionState, toSentence } from '../calendar/subscribed-calendars.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { withSecrets } from './with-secrets.ts'

export interface GivenCalendar {
  readonly kind: CalendarKind
  /** Contains a token at some providers, so it counts as a secret. */
  readonly address: string
  readonly user?: string | undefined
  readonly password?: string | undefined
  /** Default: the calendar's own name, or its host. */
  readonly name?: string | undefined
}

type SubscriptionDeps = Pick<CommandDeps, 'personas' | 'subscribedCalendars' | 'inTurn' | 'log' | 'newId'>

/**
 * Reads the calendar first, and subscribes only if that succeeds. Throws Refused: persona_unknown,
 * calendar_address_invalid, calendar_unreadable, calendar_subscribed, calendars_full.
 */
export const subscribeCalendar = async (
  deps: SubscriptionDeps,
  id: PersonaId,
  givenCalendar: GivenCalendar,
  signal: AbortSignal,
): Promise<SubscriptionState> => {
  const { personas, subscribedCalendars: calendars } = deps
  requireListed(personas, id)
  const address = readAddress(givenCalendar)
  const read = await orUnreadable(address.url, () => calendars.read(address, signal))
  const subscription = `c${deps.newId().slice(0, 8)}`
  await deps.inTurn(`calendars of ${id}`, async () => {
    await refuseKnown(deps, id, address.url)
    await withSecrets(deps, id, 'key', async (keepSecret) => {
      const secret = await keepSecret(toSecret(address))
      const name = toLine(givenCalendar.name, maxCalendarName) || read.calendar?.name || address.url.host
      const fact = { id: subscription, kind: address.kind, name, host: address.url.host, secret }
      await personas.execute(id, { type: 'SubscribeCalendar', ...fact }, 'person')
    })
  })
  await calendars.keep(id, subscription, read)
  return findState(deps, id, subscription)
}

/** Throws Refused: persona_unknown, calendar_unknown. */
export const unsubscribeCalendar = async (
  { personas }: Pick<CommandDeps, 'personas'>,
  id: PersonaId,
  subscription: string,
): Promise<void> => {
  requireListed(personas, id)
  await personas.execute(id, { type: 'UnsubscribeCalendar', id: subscription }, 'person')
}

/** Returns the state afterwards, also after a failure. Throws Refused: persona_unknown, calendar_unknown. */
export const refreshCalendar = async (
  deps: Pick<CommandDeps, 'personas' | 'subscribedCalendars'>,
  id: PersonaId,
  subscription: string,
  signal: AbortSignal,
): Promise<SubscriptionState> => {
  requireListed(deps.personas, id)
  await findState(deps, id, subscription)
  await deps.subscribedCalendars.refresh(id, subscription, signal)
  return findState(deps, id, subscription)
}

/**
 * Lists the calendars of a CalDAV server. Stores nothing. Throws Refused: persona_unknown,
 * calendar_address_invalid, calendar_unreadable.
 */
export const findServerCalendars = async (
  deps: Pick<CommandDeps, 'personas' | 'subscribedCalendars'>,
  id: PersonaId,
  givenCalendar: Omit<GivenCalendar, 'kind' | 'name'>,
  signal: AbortSignal,
): Promise<readonly FoundCalendar[]> => {
  requireListed(deps.personas, id)
  const { url, login } = readAddress({ ...givenCalendar, kind: 'caldav' })
  if (!login) throw new Refused({ code: 'calendar_address_invalid', why: 'password' })
  return orUnreadable(url, () => deps.subscribedCalendars.find(url, login, signal))
}

const readAddress = ({ kind, address, user, password }: GivenCalendar): CalendarAddress => {
  const url = parseAddress(address)
  if (!(url instanceof URL)) throw new Refused({ code: 'calendar_address_invalid', why: url })
  const hasBoth = Boolean(user) && Boolean(password)
  const hasNone = !user && !password
  if (!hasBoth && (kind === 'caldav' || !hasNone))
    throw new Refused({ code: 'calendar_address_invalid', why: 'password' })
  return { kind, url, login: user && password ? { user, password } : null }
}

const orUnreadable = async <T>({ host }: URL, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CalendarFailed)) throw error
    throw new Refused({ code: 'calendar_unreadable', kind: error.kind, reason: toSentence({ host }, error) })
  }
}

const refuseKnown = async ({ personas }: SubscriptionDeps, id: PersonaId, url: URL): Promise<void> => {
  for (const subscription of requireListed(personas, id).self.calendars) {
    const secret = await personas.secret(id, subscription.secret)
    const address = secret === null ? null : toAddress(subscription, secret)
    if (address?.url.href === url.href) throw new Refused({ code: 'calendar_subscribed' })
  }
}

const findState = async (
  { subscribedCalendars: calendars }: Pick<CommandDeps, 'subscribedCalendars'>,
  id: PersonaId,
  subscription: string,
): Promise<SubscriptionState> => {
  const state = (await calendars.states(id)).find((calendar) => calendar.id === subscription)
  if (!state) throw new Refused({ code: 'calendar_unknown' })
  return state
}
