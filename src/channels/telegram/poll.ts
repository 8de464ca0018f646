/**
 * The loop that asks Telegram for what was written. What was handed over is confirmed by the next question,
 * and only that.
 */

import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Bot } from '../../commands/channels.ts'
import type { Listener } from '../platform.ts'
import { type BotApi, TelegramError } from './bot-api.ts'
import type { TakePress } from './callback-query.ts'
import { groupUpdates, isOpen } from './gather-updates.ts'
import { type Hear, type Update, updatesOf } from './heard.ts'
import { updates } from './message.ts'

const second = 1000
const minute = 60 * second

/** Seconds a question stays open while nothing is written. */
export const openFor = 30

/** Milliseconds without a new part after which a message is whole, and how often at most. */
const [gatherFor, mostGathers] = [400, 3]

export interface PollDeps {
  readonly api: BotApi
  readonly clock: Clock
  readonly log: Log
  readonly listener: Listener
  readonly bot: Bot
  readonly hear: Hear
  readonly takePress: TakePress
  /** Takes the token out of words. */
  readonly clean: (words: string) => string
  readonly closed: AbortSignal
}

/** Ends when `closed` aborts or the token is refused; never rejects. */
export const poll = async (deps: PollDeps): Promise<void> => {
  const { api, clock, closed } = deps
  const health = createHealth(deps)
  let last: number | undefined
  /** Updates of the message that was taken last. Read again after a crash, they are skipped. */
  let taken: readonly [number, number] | null | undefined
  let gathers = 0
  /** Updates of the message that is being gathered. */
  let size = 0
  while (!closed.aborted) {
    try {
      taken ??= await lastTaken(deps)
      const [asked, timeout] = [clock.now(), health.isNews() || gathers > 0 ? 0 : openFor]
      const updates = await next(api, last, timeout, closed)
      health.well()
      // Who leaves no question open would be asked without end.
      if (updates.length === 0 && timeout > 0 && clock.now() - asked < second)
        await clock.wait(second, closed)
      // Telegram gives low numbers again after a quiet week, so only the very last one says that a
      // confirmation went unheard.
      if (updates.some(({ update_id }) => update_id === last)) await clock.wait(second, closed)
      const isTaken = ({ update_id: id }: Update) => taken && taken[0] <= id && id <= taken[1]
      const fresh = updates.filter((update) => !isTaken(update))
      const groups = groupUpdates(fresh)
      const found = groups.at(-1)
      const isWaiting =
        found !== undefined &&
        isOpen(found) &&
        gathers < mostGathers &&
        (gathers === 0 || found.length > size)
      size = found?.length ?? 0
      for (const group of isWaiting ? groups.slice(0, -1) : groups) {
        if (!(await tell(group, deps))) return
        last = group.at(-1)?.update_id ?? last
        taken = [group[0]?.update_id ?? 0, last ?? 0]
      }
      gathers = isWaiting ? gathers + 1 : 0
      // Not confirmed yet: the next question brings the same, and what came after it.
      if (isWaiting) await clock.wait(gatherFor, closed)
      else last = updates.at(-1)?.update_id ?? last
    } catch (error) {
      if (closed.aborted) return
      const pause = health.failed(
        error instanceof TelegramError ? error : new TelegramError('its answer was not understood', null),
      )
      if (pause === null) return
      await clock.wait(pause, closed)
    }
  }
}

const lastTaken = async ({ bot, listener }: PollDeps): Promise<readonly [number, number] | null> => {
  const keys = ((await listener.known?.()) ?? []).map(({ key }) => key)
  const key = keys.find((one) => one.startsWith(`telegram:${bot.id}:`))
  return key === undefined ? null : updatesOf(key)
}

const next = async (
  api: BotApi,
  last: number | undefined,
  timeout: number,
  closed: AbortSignal,
): Promise<readonly Update[]> => {
  // No offset at first: what was written while nobody listened is still to come.
  const from = last === undefined ? {} : { offset: last + 1 }
  const got: unknown = await api.ask(
    (raw, signal) => raw.getUpdates({ ...from, timeout, allowed_updates: updates }, signal),
    closed,
  )
  if (!Array.isArray(got) || !got.every((update) => Number.isSafeInteger(update?.update_id)))
    throw new TelegramError('what answers there does not speak as Telegram does', null)
  return got
}

/** Until it is taken: true. False: closed before that. */
const tell = async (
  group: readonly Update[],
  { clock, log, listener, hear, takePress, clean, closed }: PollDeps,
): Promise<boolean> => {
  const take = takerOf(group, { log, listener, hear, takePress, clean })
  if (!take) return true
  for (let times = 1; !closed.aborted; times++) {
    try {
      await take()
      return true
    } catch (error) {
      if (closed.aborted) return false
      log.warn(
        { reason: clean(String((error as Error)?.message ?? error)), count: times },
        'a message from Telegram could not be taken yet',
      )
    }
    await clock.wait(pauseAfter(times), closed)
  }
  return false
}

/** An update that cannot be read would be fetched forever: it is logged and skipped. */
const takerOf = (
  group: readonly Update[],
  {
    log,
    listener,
    hear,
    takePress,
    clean,
  }: Pick<PollDeps, 'log' | 'listener' | 'hear' | 'takePress' | 'clean'>,
): (() => Promise<unknown>) | null => {
  try {
    const heard = hear(group)
    const [update] = group
    return heard ? () => listener.heard(heard) : update ? takePress(update) : null
  } catch (error) {
    const reason = clean(String((error as Error)?.message ?? error))
    log.error({ reason }, 'a message from Telegram could not be read, and is skipped')
    return null
  }
}

interface Health {
  /** An answer would tell that it works, so it is not waited for longer than needed. */
  isNews(): boolean
  well(): void
  /** Milliseconds to wait, or null: asking again is useless. */
  failed(error: TelegramError): number | null
}

const createHealth = ({ clock, listener }: PollDeps): Health => {
  /** Undefined until Telegram has answered for the first time. */
  let trouble: string | null | undefined
  let silent: { readonly since: number; readonly times: number } | null = null

  const troubled = (reason: string) => {
    if (trouble !== reason) listener.troubled(reason)
    trouble = reason
  }
  const unanswered = ({ message }: TelegramError): number => {
    silent = { since: silent?.since ?? clock.now(), times: (silent?.times ?? 0) + 1 }
    // Told once: what exactly fails may change from one attempt to the next.
    if (clock.now() - silent.since >= 3 * minute && !trouble?.startsWith(unreachable))
      troubled(`${unreachable}: ${message}. I keep trying.`)
    return pauseAfter(silent.times)
  }

  return {
    // A short question may be answered beside another program's long one: only a long one tells that this
    // program is gone.
    isNews: () => trouble !== null && trouble !== contested,
    well: () => {
      silent = null
      if (trouble !== null) listener.recovered()
      trouble = null
    },
    failed: (error) => {
      const { code, wait } = error
      if (code === 401 || code === 404) {
        troubled(
          'Telegram no longer accepts the token of this bot. Ask @BotFather for its token and add the channel again.',
        )
        return null
      }
      if (code === 409) {
        silent = null
        troubled(/webhook/i.test(error.message) ? hooked : contested)
        return minute
      }
      if (code === 429) return Math.max(wait ?? second, second)
      return unanswered(error)
    },
  }
}

const unreachable = 'Telegram has not answered for some minutes'
const hooked =
  'Another program has set a webhook for this bot, so its messages go there. Remove the webhook, or add a bot of its own from @BotFather. I look again every minute.'
const contested =
  'Another program fetches the messages of this bot, and only one can. End the other one, or add a bot of its own from @BotFather. I look again every minute.'
