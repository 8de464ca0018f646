/**
 * Delivers one message to a chat, part by part. Retries until all parts have arrived or delivery is
 * impossible, and records the result as a fact.
 */
import type { Channel, PersonaId, Seq } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import { entryAt } from '../../journal/log/keys.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { type Backoff, jitteredPauseAfter, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Undelivered } from '../../projections/deliveries.ts'
import { isNotice, toMarkedText } from '../../projections/message-parts.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { isOfTheDisk, Refused } from '../persona/refusals.ts'
import type { Gateways } from './gateways.ts'
import { createNonce, formatAddress, type Gateway, SendError } from './platform.ts'
import { createButtons } from './press-data.ts'
import type { Questions } from './questions.ts'
import { type SpokenPart, sentFile, spokenParts } from './spoken-parts.ts'

export interface MessageDelivery {
  /** Makes one attempt, including the pause after a failure. Resolves to false if no gateway is open. */
  advance(id: PersonaId, message: Undelivered): Promise<boolean>
}

export interface DeliveryDeps {
  readonly personas: Pick<PersonaStore, 'read' | 'execute' | 'getRow' | 'mediaPath' | 'isSound'>
  readonly to: Gateways['to']
  readonly questions: Pick<Questions, 'open' | 'onSent'>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** Aborts when no new part may be started. */
  readonly closing: AbortSignal
  /** Aborts when running requests must end. */
  readonly cut: AbortSignal
  /** Waits for some ms. Ends early when the channels of the persona have changed. */
  readonly pause: (id: PersonaId, ms: number) => Promise<void>
  /** Drops the pending messages of a persona. */
  readonly forget: (id: PersonaId) => void
}

/** Milliseconds after which a message is too old to be sent. */
const freshFor = 24 * 60 * 60_000
const retryBackoff: Backoff = { longest: 5 * 60_000 }
/** Max attempts that fail because of a defect. A failing message blocks the later messages of its chat. */
const maxFaults = 8

/** A message and its target. */
interface Way {
  readonly id: PersonaId
  readonly message: Seq
  readonly gateway: Gateway
  readonly channel: Channel
}

interface Progress {
  /** Number of delivered parts. */
  sentParts: number
  /** Failed attempts since the last delivered part. */
  tries: number
  /** Reason of the last failure. */
  reason: string | null
  /** Attempts that failed because of a defect in the daemon. */
  faults: number
  /** Failed attempts to record the result. */
  unwrittenParts: number
  /** The result to record. Once it is set, nothing more is sent. */
  fate?: { readonly reason: string | null }
}

export const createMessageDelivery = ({
  personas,
  to,
  questions,
  clock,
  log,
  random,
  closing,
  cut,
  pause,
  forget,
}: DeliveryDeps): MessageDelivery => {
  const progress = new Map<string, Progress>()

  const advance = async (id: PersonaId, { message, at, channel, parts }: Undelivered): Promise<boolean> => {
    const mark = `${id} ${message}`
    const state = progress.get(mark) ?? {
      sentParts: parts,
      tries: 0,
      reason: null,
      faults: 0,
      unwrittenParts: 0,
    }
    progress.set(mark, state)
    const fate = state.fate ?? giveUpReason(id, channel, at, state.reason)
    if (fate) state.fate = fate
    if (!state.fate) {
      const route = to(id, channel)
      if (!route) return false
      await attempt({ id, message, gateway: route.gateway, channel }, state).catch(async (error: unknown) => {
        if (!cut.aborted) await handleFailure(id, message, error, state)
      })
    }
    if (state.fate && (await recordDelivery(id, message, state.fate.reason))) progress.delete(mark)
    else if (state.fate) await pause(id, pauseAfter(++state.unwrittenParts))
    return true
  }

  const giveUpReason = (
    id: PersonaId,
    channel: Channel,
    time: number,
    lastReason: string | null,
  ): { readonly reason: string } | undefined => {
    const channels = personas.getRow(id)?.self.channels ?? []
    if (!channels.some(({ kind, paired }) => kind === channel.type && paired?.target === channel.name))
      return { reason: 'The channel was removed before this could be sent.' }
    if (clock.now() - time <= freshFor) return undefined
    return {
      reason:
        lastReason === null
          ? 'It could not be sent within a day.'
          : `It could not be sent within a day: ${lastReason}`,
    }
  }

  const attempt = async (route: Way, state: Progress) => {
    const { id, message, gateway } = route
    const spokenMessage = await spokenAt(personas, id, message)
    if (!spokenMessage) {
      state.fate = { reason: 'Its text is missing.' }
      return
    }
    const approval = spokenMessage.asks && (await questions.open(id, spokenMessage.asks))
    // The approval is settled, so its buttons would have no effect.
    if (spokenMessage.asks && approval === null) {
      state.fate = { reason: 'It was decided before this could be sent.' }
      return
    }
    const content = toMarkedText(spokenMessage.content, isNotice(spokenMessage))
    const parts = spokenParts({ ...spokenMessage, content }, gateway.limits)
    try {
      for (const [n, part] of parts.entries()) {
        if (n < state.sentParts) continue
        if (closing.aborted) return
        await sendPart(route, part, n, n === parts.length - 1 ? approval : null)
        state.sentParts = n + 1
        state.tries = 0
        if (state.sentParts < parts.length) await recordParts(id, message, state.sentParts)
      }
      state.fate = { reason: null }
    } catch (error) {
      if (!cut.aborted) await handleFailure(id, message, error, state)
    }
  }

  /** `approval`: the approval that the buttons below the part settle. */
  const sendPart = async (
    { id, message, gateway, channel }: Way,
    part: SpokenPart,
    n: number,
    approval: Seq | null,
  ) => {
    const nonce = createNonce(`${id} ${message} ${n}`)
    if (typeof part === 'string') {
      const buttons = approval === null ? [] : createButtons(approval)
      const sendTask = gateway.send(formatAddress(channel), part, nonce, cut, buttons)
      const result = await unlessAborted(sendTask, cut)
      if (approval !== null && result !== null)
        await questions.onSent(id, approval, { channel, message: result })
      return
    }
    if (!(await personas.isSound(id, part.media)))
      throw new SendError('Its file is damaged.', { lasting: true })
    const file = sentFile(await personas.mediaPath(id, part.media.filename), part.media, part.caption)
    await unlessAborted(gateway.sendFile(formatAddress(channel), file, nonce, cut), cut)
  }

  const handleFailure = async (id: PersonaId, seq: Seq, error: unknown, state: Progress) => {
    const sendError =
      error instanceof SendError ? error : new SendError('It could not be sent.', { lasting: false })
    if (sendError !== error) log.warn({ id, seq, err: error }, 'failed to send a message')
    else log.info({ id, seq, reason: sendError.message }, 'failed to send a message')
    state.reason = sendError.message
    if (sendError.lasting) {
      state.fate = { reason: sendError.message }
      return
    }
    state.tries += 1
    if (sendError !== error && !isOfTheDisk(error) && ++state.faults >= maxFaults) {
      state.fate = { reason: 'It could not be sent: something in the daemon failed each time.' }
      return
    }
    // The time that the platform requests is the minimum.
    await pause(id, (sendError.wait ?? 0) + jitteredPauseAfter(state.tries, retryBackoff, random))
  }

  /**
   * Records the number of delivered parts, so that a restart continues after them. A failed write is made up
   * for by the next one.
   */
  const recordParts = (id: PersonaId, message: Seq, parts: number) =>
    personas.execute(id, { type: 'NoteParts', message, parts }, 'host').catch((err: unknown) => {
      if (!(err instanceof Refused)) log.warn({ id, seq: message, err }, 'failed to record a delivered part')
    })

  /**
   * Resolves to false if the result could not be recorded. The caller retries, because sending the message
   * twice would be worse.
   */
  const recordDelivery = async (id: PersonaId, message: Seq, reason: string | null): Promise<boolean> => {
    try {
      await personas.execute(id, { type: 'SettleDelivery', message, reason }, 'host')
      return true
    } catch (err) {
      if (err instanceof Refused) {
        forget(id)
        return true
      }
      log.warn({ id, seq: message, err }, 'failed to record a delivery')
      return false
    }
  }

  return { advance }
}

const spokenAt = (
  personas: DeliveryDeps['personas'],
  id: PersonaId,
  seq: Seq,
): Promise<EventOf<'MessageSpoken'> | undefined> =>
  personas.read(id, async ({ journal }) => {
    const event = (await entryAt(journal, seq))?.event
    return event?.type === 'MessageSpoken' ? event : undefined
  })
