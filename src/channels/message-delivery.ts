/**
 * One message on its way to a chat: part by part, again until all have arrived or it is certain that they
 * never will, and what became of it is a fact.
 */
import type { Channel, PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import { type Backoff, jitteredPauseAfter, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Undelivered } from '../../projections/deliveries.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused, isOfTheDisk } from '../persona/refusals.ts'
import type { Gateways } from './gateways.ts'
import { nonceOf } from './listening.ts'
import { addressOf, type Gateway, SendError } from './platform.ts'
import { buttonsOf } from './press-data.ts'
import type { Questions } from './questions.ts'
import { type SpokenPart, sentFile, spokenParts } from './spoken-parts.ts'

export interface MessageDelivery {
  /** One attempt, and the pause behind it; false where nothing can be done now. */
  advance(id: PersonaId, message: Undelivered): Promise<boolean>
}

export interface DeliveryDeps {
  readonly personas: Pick<Personas, 'read' | 'execute' | 'listed' | 'mediaPath' | 'isSound'>
  readonly to: Gateways['to']
  readonly questions: Pick<Questions, 'open' | 'sent'>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** Nothing more is begun. */
  readonly closing: AbortSignal
  /** Nothing is waited for any more. */
  readonly cut: AbortSignal
  /** Milliseconds; over at once where something has changed for the persona. */
  readonly pause: (id: PersonaId, ms: number) => Promise<void>
  /** What was known to wait there does not any more. */
  readonly forget: (id: PersonaId) => void
}

/** Words that are older than this are history, and no message any more. Milliseconds. */
const freshFor = 24 * 60 * 60_000
const again: Backoff = { longest: 5 * 60_000 }
/** Attempts that fail because of a defect: those behind it wait for it. */
const mostFaults = 8

/** A message, and where it goes. */
interface Way {
  readonly id: PersonaId
  readonly message: Seq
  readonly gateway: Gateway
  readonly channel: Channel
}

/** How far a message has come. */
interface Progress {
  /** Parts that have arrived. */
  sent: number
  /** Attempts that came to nothing since the last part that arrived. */
  tries: number
  /** Why the last one did. */
  why: string | null
  /** Attempts that failed because of a defect in the daemon. */
  faults: number
  /** Times that its fate could not be written. */
  unwritten: number
  /** What is to be written of it: then nothing of it is sent any more. */
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
    const here = progress.get(mark) ?? { sent: parts, tries: 0, why: null, faults: 0, unwritten: 0 }
    progress.set(mark, here)
    const fate = here.fate ?? hopeless(id, channel, at, here.why)
    if (fate) here.fate = fate
    if (!here.fate) {
      const way = to(id, channel)
      if (!way) return false
      await attempt({ id, message, gateway: way.gateway, channel }, here).catch(async (error: unknown) => {
        if (!cut.aborted) await failing(id, message, error, here)
      })
    }
    if (here.fate && (await written(id, message, here.fate.reason))) progress.delete(mark)
    else if (here.fate) await pause(id, pauseAfter(++here.unwritten))
    return true
  }

  const hopeless = (
    id: PersonaId,
    channel: Channel,
    at: number,
    why: string | null,
  ): { readonly reason: string } | undefined => {
    const channels = personas.listed(id)?.self.channels ?? []
    if (!channels.some(({ kind, paired }) => kind === channel.type && paired?.target === channel.name))
      return { reason: 'The channel was removed before this could be sent.' }
    if (clock.now() - at <= freshFor) return undefined
    return {
      reason:
        why === null ? 'It could not be sent within a day.' : `It could not be sent within a day: ${why}`,
    }
  }

  const attempt = async (way: Way, here: Progress) => {
    const { id, message, gateway } = way
    const spoken = await spokenAt(personas, id, message)
    if (!spoken) {
      here.fate = { reason: 'Its words are lost.' }
      return
    }
    const asked = spoken.asks && (await questions.open(id, spoken.asks))
    // Nobody is asked to press what decides nothing any more.
    if (spoken.asks && asked === null) {
      here.fate = { reason: 'It was decided before this could be sent.' }
      return
    }
    const parts = spokenParts(spoken, gateway.limits)
    try {
      for (const [n, part] of parts.entries()) {
        if (n < here.sent) continue
        if (closing.aborted) return
        await sendPart(way, part, n, n === parts.length - 1 ? asked : null)
        here.sent = n + 1
        here.tries = 0
        if (here.sent < parts.length) await note(id, message, here.sent)
      }
      here.fate = { reason: null }
    } catch (error) {
      if (!cut.aborted) await failing(id, message, error, here)
    }
  }

  /** `asked`: what the buttons below it decide. */
  const sendPart = async (
    { id, message, gateway, channel }: Way,
    part: SpokenPart,
    n: number,
    asked: Seq | null,
  ) => {
    const nonce = nonceOf(`${id} ${message} ${n}`)
    if (typeof part === 'string') {
      const buttons = asked === null ? [] : buttonsOf(asked)
      const sending = gateway.send(addressOf(channel), part, nonce, cut, buttons)
      const sent = await unlessAborted(sending, cut)
      if (asked !== null && sent !== null) await questions.sent(id, asked, { channel, message: sent })
      return
    }
    if (!(await personas.isSound(id, part.media)))
      throw new SendError('Its file is damaged.', { lasting: true })
    const file = sentFile(await personas.mediaPath(id, part.media.filename), part.media, part.caption)
    await unlessAborted(gateway.sendFile(addressOf(channel), file, nonce, cut), cut)
  }

  const failing = async (id: PersonaId, seq: Seq, error: unknown, here: Progress) => {
    const told =
      error instanceof SendError ? error : new SendError('It could not be sent.', { lasting: false })
    if (told !== error) log.warn({ id, seq, err: error }, 'what it said could not be sent')
    else log.info({ id, seq, reason: told.message }, 'what it said could not be sent')
    here.why = told.message
    if (told.lasting) {
      here.fate = { reason: told.message }
      return
    }
    here.tries += 1
    if (told !== error && !isOfTheDisk(error) && ++here.faults >= mostFaults) {
      here.fate = { reason: 'It could not be sent: something in the daemon failed each time.' }
      return
    }
    // What the platform asks for is the least.
    await pause(id, (told.wait ?? 0) + jitteredPauseAfter(here.tries, again, random))
  }

  /**
   * Whoever sends the rest after an end or a crash goes on behind this part. What cannot be written now is
   * written with the next one.
   */
  const note = (id: PersonaId, message: Seq, parts: number) =>
    personas.execute(id, { type: 'NoteParts', message, parts }, 'host').catch((err: unknown) => {
      if (!(err instanceof Refused))
        log.warn({ id, seq: message, err }, 'that a part was delivered could not be written yet')
    })

  /** What cannot be written now is written later: sending it again would be worse. */
  const written = async (id: PersonaId, message: Seq, reason: string | null): Promise<boolean> => {
    try {
      await personas.execute(id, { type: 'SettleDelivery', message, reason }, 'host')
      return true
    } catch (err) {
      if (err instanceof Refused) {
        forget(id)
        return true
      }
      log.warn({ id, seq: message, err }, 'that something was delivered could not be written yet')
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
