/**
 * Polls Telegram for messages. A request acknowledges the updates that were handled before it, and no others.
 */

import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Bot } from '../../commands/bots.ts'
import type { Listener } from '../platform.ts'
import { type BotApi, TelegramError } from './bot-api.ts'
import type { CallbackHandler } from './callback-query.ts'
import { groupUpdates, isOpen } from './gather-updates.ts'
import { updates } from './message.ts'
import { type ParseMessages, parseUpdateKey, type Update } from './parse-messages.ts'

const secondMs = 1000
const minute = 60 * secondMs

/** Timeout of a long poll in seconds. */
export const openFor = 30

/** Milliseconds without a new part after which a message is complete, and the max number of waits. */
const gatherFor = 400
const maxGathers = 3

export interface PollDeps {
  readonly api: BotApi
  readonly clock: Clock
  readonly log: Log
  readonly listener: Listener
  readonly bot: Bot
  readonly parseMessages: ParseMessages
  readonly takePress: CallbackHandler
  /** Removes the token from a text. */
  readonly clean: (words: string) => string
  readonly closeSignal: AbortSignal
}

/** Resolves when `closed` aborts or the token is rejected. Never rejects. */
export const poll = async (deps: PollDeps): Promise<void> => {
  const { api, clock, closeSignal } = deps
  const health = createHealth(deps)
  let last: number | undefined
  /** Update ids of the last stored message. They are skipped if they arrive again after a crash. */
  let lastRange: readonly [number, number] | null | undefined
  let gathers = 0
  /** Number of updates of the message that is being gathered. */
  let size = 0
  while (!closeSignal.aborted) {
    try {
      lastRange ??= await lastTaken(deps)
      const askedAt = clock.now()
      const timeout = health.isNews() || gathers > 0 ? 0 : openFor
      const updates = await next(api, last, timeout, closeSignal)
      health.onSuccess()
      // A server that answers long polls immediately would be polled in a tight loop.
      if (updates.length === 0 && timeout > 0 && clock.now() - askedAt < secondMs)
        await clock.wait(secondMs, closeSignal)
      // Telegram restarts its update ids after a quiet week, so only the last id shows that an
      // acknowledgement was lost.
      if (updates.some(({ update_id }) => update_id === last)) await clock.wait(secondMs, closeSignal)
      const isTaken = ({ update_id: id }: Update) => lastRange && lastRange[0] <= id && id <= lastRange[1]
      const newUpdates = updates.filter((update) => !isTaken(update))
      const groups = groupUpdates(newUpdates)
      const lastGroup = groups.at(-1)
      const isWaiting =
        lastGroup !== undefined &&
        isOpen(lastGroup) &&
        gathers < maxGathers &&
        (gathers === 0 || lastGroup.length > size)
      size = lastGroup?.length ?? 0
      for (const group of isWaiting ? groups.slice(0, -1) : groups) {
        if (!(await deliver(group, deps))) return
        last = group.at(-1)?.update_id ?? last
        lastRange = [group[0]?.update_id ?? 0, last ?? 0]
      }
      gathers = isWaiting ? gathers + 1 : 0
      // Not acknowledged yet: the next request returns the same updates and newer ones.
      if (isWaiting) await clock.wait(gatherFor, closeSignal)
      else last = updates.at(-1)?.update_id ?? last
    } catch (error) {
      if (closeSignal.aborted) return
      const pause = health.onFailure(
        error instanceof TelegramError ? error : new TelegramError('its answer was not understood', null),
      )
      if (pause === null) return
      await clock.wait(pause, closeSignal)
    }
  }
}

const lastTaken = async ({ bot, listener }: PollDeps): Promise<readonly [number, number] | null> => {
  const keys = ((await listener.known?.()) ?? []).map(({ key }) => key)
  const key = keys.find((candidate) => candidate.startsWith(`telegram:${bot.id}:`))
  return key === undefined ? null : parseUpdateKey(key)
}

const next = async (
  api: BotApi,
  last: number | undefined,
  timeout: number,
  closeSignal: AbortSignal,
): Promise<readonly Update[]> => {
  // The first request has no offset, so it returns the messages that were sent while the daemon was down.
  const from = last === undefined ? {} : { offset: last + 1 }
  const response: unknown = await api.ask(
    (raw, signal) => raw.getUpdates({ ...from, timeout, allowed_updates: updates }, signal),
    closeSignal,
  )
  if (!Array.isArray(response) || !response.every((update) => Number.isSafeInteger(update?.update_id)))
    throw new TelegramError('the server does not answer like Telegram', null)
  return response
}

/** Retries until the message is stored. Resolves to false if `closed` aborts before that. */
const deliver = async (
  group: readonly Update[],
  { clock, log, listener, parseMessages, takePress, clean, closeSignal }: PollDeps,
): Promise<boolean> => {
  const takeGroup = createTaker(group, { log, listener, parseMessages, takePress, clean })
  if (!takeGroup) return true
  for (let times = 1; !closeSignal.aborted; times++) {
    try {
      await takeGroup()
      return true
    } catch (error) {
      if (closeSignal.aborted) return false
      log.warn(
        { reason: clean(String((error as Error)?.message ?? error)), count: times },
        'failed to store a message from Telegram; it is tried again',
      )
    }
    await clock.wait(pauseAfter(times), closeSignal)
  }
  return false
}

/** An update that cannot be parsed would be fetched forever, so it is logged and skipped. */
const createTaker = (
  group: readonly Update[],
  {
    log,
    listener,
    parseMessages,
    takePress,
    clean,
  }: Pick<PollDeps, 'log' | 'listener' | 'parseMessages' | 'takePress' | 'clean'>,
): (() => Promise<unknown>) | null => {
  try {
    const message = parseMessages(group)
    const [update] = group
    return message ? () => listener.onMessage(message) : update ? takePress(update) : null
  } catch (error) {
    const reason = clean(String((error as Error)?.message ?? error))
    log.error({ reason }, 'failed to parse a message from Telegram; it is skipped')
    return null
  }
}

interface Health {
  /** Returns true if an answer would change the reported state. Then the request should not wait. */
  isNews(): boolean
  onSuccess(): void
  /** Returns the milliseconds to wait, or null if retrying does not help. */
  onFailure(error: TelegramError): number | null
}

const createHealth = ({ clock, listener }: PollDeps): Health => {
  /** Undefined until Telegram has answered for the first time. */
  let lastReason: string | null | undefined
  let silence: { readonly startedAt: number; readonly times: number } | null = null

  const reportTrouble = (reason: string) => {
    if (lastReason !== reason) listener.onTrouble(reason)
    lastReason = reason
  }
  const onUnanswered = ({ message }: TelegramError): number => {
    silence = { startedAt: silence?.startedAt ?? clock.now(), times: (silence?.times ?? 0) + 1 }
    // Reported once, because the exact error may differ between attempts.
    if (clock.now() - silence.startedAt >= 3 * minute && !lastReason?.startsWith(unreachableReason))
      reportTrouble(`${unreachableReason}: ${message}. I keep trying.`)
    return pauseAfter(silence.times)
  }

  return {
    // Telegram may answer a short poll while another program holds a long poll. Only a long poll shows that
    // the other program has stopped.
    isNews: () => lastReason !== null && lastReason !== contestedReason,
    onSuccess: () => {
      silence = null
      if (lastReason !== null) listener.onRecovery()
      lastReason = null
    },
    onFailure: (error) => {
      const { code, wait } = error
      if (code === 401 || code === 404) {
        reportTrouble(
          'Telegram no longer accepts the token of this bot. Ask @BotFather for its token and add the channel again.',
        )
        return null
      }
      if (code === 409) {
        silence = null
        reportTrouble(/webhook/i.test(error.message) ? webhookReason : contestedReason)
        return minute
      }
      if (code === 429) return Math.max(wait ?? secondMs, secondMs)
      return onUnanswered(error)
    },
  }
}

const unreachableReason = 'Telegram has not answered for some minutes'
const webhookReason =
  'Another program has set a webhook for this bot, so its messages go there. Remove the webhook, or add a bot of its own from @BotFather. I look again every minute.'
const contestedReason =
  'Another program fetches the messages of this bot, and only one can. End the other one, or add a bot of its own from @BotFather. I look again every minute.'
