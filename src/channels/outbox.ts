/**
 * Words on their way to platforms: in order for each chat, again until they have arrived, and what became of
 * them is a fact.
 */
import { join } from 'node:path'
import type { Channel, Media, PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Undelivered } from '../../projections/deliveries.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { Committed } from '../bus.ts'
import { type Backoff, jitteredPauseAfter, pauseAfter } from '../flow/backoff.ts'
import { createKeyedMutex } from '../flow/keyed-mutex.ts'
import { unlessAborted } from '../flow/unless-aborted.ts'
import type { Log } from '../log.ts'
import type { Personas } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'
import type { Clock } from '../time/clock.ts'
import type { Gateways } from './gateways.ts'
import { nonceOf } from './listening.ts'
import { type Gateway, SendError, type SentFile } from './platform.ts'
import { buttonsOf } from './press-data.ts'
import type { Questions } from './questions.ts'
import { split } from './split.ts'

export interface Outbox {
  /** Something was said, or a channel changed. Must not throw. */
  heed(committed: Committed): void
  /** What waits for it may be sent now. */
  opened(id: PersonaId): void
  /** How many messages are known to wait. */
  waiting(): number
  /** Looks at the clock. */
  beat(): void
  /**
   * Waits for the part that is on its way, for some seconds at most; the rest is sent after the next start.
   */
  close(): Promise<void>
}

interface Deps {
  readonly personas: Pick<Personas, 'read' | 'execute' | 'listed' | 'mediaFolder' | 'isSound'>
  readonly to: Gateways['to']
  readonly questions: Pick<Questions, 'open' | 'sent'>
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  /** What an end is given for what is being sent. */
  readonly stopwatch: Stopwatch
}

/** Words that are older than this are history, and no message any more. Milliseconds. */
const freshFor = 24 * 60 * 60_000
const again: Backoff = { longest: 5 * 60_000 }
/**
 * Milliseconds at the end of the daemon for the part that is on its way: cut off, nobody would know whether
 * it arrived.
 */
const lastPart = 8000

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
  /** What is to be written of it: then nothing of it is sent any more. */
  fate?: { readonly reason: string | null }
}

export const createOutbox = ({ personas, to, questions, clock, log, random, stopwatch }: Deps): Outbox => {
  /** Nothing more is begun. */
  const closing = new AbortController()
  /** Nothing is waited for any more. */
  const cut = new AbortController()
  /** What is known to wait, as the last commit of each tells. */
  const waiting = new Map<PersonaId, readonly Undelivered[]>()
  /** Each chat for itself. */
  const perChat = createKeyedMutex()
  /** Chats that are looked at once more: what came meanwhile may have been missed. */
  const owed = new Set<string>()
  const progress = new Map<string, Progress>()
  /** Ends the pauses of a persona's chats: something has changed. */
  const nudges = new Map<PersonaId, AbortController>()

  const know = (id: PersonaId, undelivered: readonly Undelivered[]) => {
    if (undelivered.length > 0) waiting.set(id, undelivered)
    else waiting.delete(id)
  }

  const start = (id: PersonaId) => {
    for (const { channel } of waiting.get(id) ?? []) {
      if (closing.signal.aborted) return
      const name = `${id} ${inboxKey(channel)}`
      if (owed.has(name)) continue
      owed.add(name)
      const looked = perChat.run(name, async () => {
        owed.delete(name)
        await work(id, channel)
      })
      looked.catch((err: unknown) => log.error({ id, err }, 'what it said could not be sent'))
    }
  }

  const work = async (id: PersonaId, channel: Channel) => {
    while (!closing.signal.aborted) {
      const next = waiting.get(id)?.find((one) => inboxKey(one.channel) === inboxKey(channel))
      if (!next || !(await advance(id, next))) return
    }
  }

  /** One attempt, and the pause behind it; false where nothing can be done now. */
  const advance = async (id: PersonaId, { message, at, channel, parts }: Undelivered): Promise<boolean> => {
    const mark = `${id} ${message}`
    const here = progress.get(mark) ?? { sent: parts, tries: 0, why: null }
    progress.set(mark, here)
    const fate = here.fate ?? hopeless(id, channel, at, here.why)
    if (fate) here.fate = fate
    if (!here.fate) {
      const way = to(id, channel)
      if (!way) return false
      await attempt({ id, message, gateway: way.gateway, channel }, here)
    }
    if (here.fate && (await written(id, message, here.fate.reason))) progress.delete(mark)
    else if (here.fate) await pause(id, pauseAfter(1))
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
    const parts = partsOf(spoken, gateway.limits)
    try {
      for (const [n, part] of parts.entries()) {
        if (n < here.sent) continue
        if (closing.signal.aborted) return
        await sendPart(way, part, n, n === parts.length - 1 ? asked : null)
        here.sent = n + 1
        here.tries = 0
        if (here.sent < parts.length) await note(id, message, here.sent)
      }
      here.fate = { reason: null }
    } catch (error) {
      if (!cut.signal.aborted) await failing(id, message, error, here)
    }
  }

  /** `asked`: what the buttons below it decide. */
  const sendPart = async (
    { id, message, gateway, channel }: Way,
    part: Part,
    n: number,
    asked: Seq | null,
  ) => {
    const nonce = nonceOf(`${id} ${message} ${n}`)
    if (typeof part === 'string') {
      const buttons = asked === null ? [] : buttonsOf(asked)
      const sending = gateway.send(channel.name, part, nonce, cut.signal, buttons)
      const sent = await unlessAborted(sending, cut.signal)
      if (asked !== null && sent !== null) await questions.sent(id, asked, { channel, message: sent })
      return
    }
    if (!(await personas.isSound(id, part.media)))
      throw new SendError('Its file is damaged.', { lasting: true })
    const file = sentFile(personas.mediaFolder(id), part.media, part.caption)
    await unlessAborted(gateway.sendFile(channel.name, file, nonce, cut.signal), cut.signal)
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
        waiting.delete(id)
        return true
      }
      log.warn({ id, seq: message, err }, 'that something was delivered could not be written yet')
      return false
    }
  }

  const pause = (id: PersonaId, ms: number) => {
    const nudge = nudges.get(id) ?? new AbortController()
    nudges.set(id, nudge)
    return clock.wait(ms, AbortSignal.any([closing.signal, nudge.signal]))
  }

  return {
    heed: ({ id, entries, persona }) => {
      know(id, persona.self.deleted ? [] : persona.deliveries.waiting)
      // What a platform asked to wait for is waited for, unless the channel itself is gone.
      if (entries.some(({ type }) => type === 'ChannelRemoved' || type === 'PersonaDeleted')) {
        nudges.get(id)?.abort()
        nudges.delete(id)
      }
      start(id)
    },
    opened: (id) => {
      const looking = personas.read(id, async ({ persona }) => {
        know(id, persona.deliveries.waiting)
        start(id)
      })
      looking.catch((err: unknown) => {
        if (!(err instanceof Refused)) log.warn({ id, err }, 'it is not known what waits to be sent')
      })
    },
    waiting: () => [...waiting.values()].reduce((sum, messages) => sum + messages.length, 0),
    beat: () => {
      for (const id of waiting.keys()) start(id)
    },
    close: async () => {
      closing.abort()
      const over = new AbortController()
      const late = stopwatch.wait(lastPart, over.signal).then(() => cut.abort())
      await perChat.idle()
      over.abort()
      await late
    },
  }
}

const spokenAt = (
  personas: Deps['personas'],
  id: PersonaId,
  seq: Seq,
): Promise<EventOf<'MessageSpoken'> | undefined> =>
  personas.read(id, async ({ journal }) => {
    const event = (await entryAt(journal, seq))?.event
    return event?.type === 'MessageSpoken' ? event : undefined
  })

type Part = string | { readonly media: Media; readonly caption: string }

/** Words first, then the file; a caption that is too long follows it. */
export const partsOf = (
  { content, media }: Pick<EventOf<'MessageSpoken'>, 'content' | 'media'>,
  limits: Gateway['limits'],
): readonly Part[] => {
  if (!media) return split(content, limits.text)
  const words = content === media.caption ? [] : split(content, limits.text)
  const fits = media.caption.length <= limits.caption
  return [
    ...words,
    { media, caption: fits ? media.caption : '' },
    ...(fits ? [] : split(media.caption, limits.text)),
  ]
}

/** All sound that it makes is its voice. */
const sentFile = (folder: string, { filename, name, mime }: Media, caption: string): SentFile => ({
  path: join(folder, filename),
  name,
  mime,
  caption,
  voice: mime.startsWith('audio/'),
})
