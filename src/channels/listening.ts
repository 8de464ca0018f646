/**
 * What becomes of what is written to a bot: words of the paired chat are heard, a chat it is not paired with
 * gets a code, and nobody else is read.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Channel, PersonaId } from '../../journal/facts/fact-values.ts'
import { pathless } from '../../packages/kit/files/pathless.ts'
import type { KeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { BotChannel } from '../../projections/bot-channels.ts'
import { boundedTo, readableOf } from '../../projections/message-parts.ts'
import type { Agents } from '../agents/agents.ts'
import type { Claim } from '../commands/channels.ts'
import { restartPersona } from '../commands/lifecycle.ts'
import { hearing, hushTurn } from '../commands/talk.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused, isOfTheDisk } from '../persona/refusals.ts'
import { createFileHearing } from './file-hearing.ts'
import { codeTold, type Pairing } from './pairing.ts'
import { addressOf, type Gateway, type Heard, SendError } from './platform.ts'

/** Whose bot it is. */
export interface Holder {
  readonly id: PersonaId
  readonly channel: BotChannel
}

export interface ListeningDeps {
  readonly personas: Personas
  readonly agents: Pick<Agents, 'saying' | 'probeMind' | 'settled'>
  readonly pairing: Pairing
  readonly inTurn: KeyedMutex['run']
  readonly log: Log
  /** Bytes of one file, and of the words of one message. */
  readonly limits: { readonly upload: number; readonly message: number }
  readonly closing: AbortSignal
}

export interface Listening {
  /** Durable when it resolves; what rejects is told again later. */
  heard(holder: Holder, gateway: Gateway, message: Heard): Promise<void>
  /** The paired chat, with the last message that was kept; nothing where none was. */
  known(holder: Holder): Promise<readonly { readonly target: string; readonly key: string }[]>
  /** Chats that wait for a code and may have one now are told theirs. */
  tellDue(holder: Holder, gateway: Gateway): void
  /** In the daemon's own words, to the paired chat. Never rejects. */
  tell(holder: Holder, gateway: Gateway, words: string, key: string, topic?: string): Promise<void>
  /** Resolves when nothing it began goes on. */
  quiet(): Promise<void>
}

/** Tries of a message that fail because of a defect: the platform makes them with growing pauses. */
const mostTries = 6
/** Messages that fail at the same time. */
const mostFailing = 1000
const notTaken =
  'I could not take in your last message: something in the service that runs me fails each time. Please send it again, or in other words. The log of the service says more.'

/** Words that are gone through for the last that came from a chat. */
const mostLookedAt = 2000

export const createListening = (deps: ListeningDeps): Listening => {
  const { personas, pairing, log, limits, closing } = deps
  const hearFiles = createFileHearing(deps)
  const going = new Set<Promise<void>>()
  /** By the key of a message: how often it could not be taken because of a defect. */
  const failures = new Map<string, number>()

  /** Whether the message is given up. Its chat is told, so that the messages after it are heard. */
  const isGivenUp = (holder: Holder, gateway: Gateway, { key }: Heard, error: unknown): boolean => {
    // A file that may still come has its own number of tries.
    if (error instanceof SendError || isOfTheDisk(error) || closing.aborted) return false
    const count = (failures.get(key) ?? 0) + 1
    if (failures.size >= mostFailing) failures.clear()
    failures.set(key, count)
    if (count < mostTries) return false
    failures.delete(key)
    log.error({ id: holder.id, err: error, count }, 'a message on a channel could not be taken in the daemon')
    behind(listening.tell(holder, gateway, notTaken, key))
    return true
  }

  /** Nobody waits for it. */
  const behind = (work: Promise<void>) => {
    const tracked = work.finally(() => going.delete(tracked))
    going.add(tracked)
  }

  /** Null once it is sent. */
  const send = async (
    id: PersonaId,
    gateway: Gateway,
    target: string,
    words: string,
    key: string,
  ): Promise<unknown> => {
    try {
      await unlessAborted(gateway.send(target, words, nonceOf(key), closing), closing)
      return null
    } catch (err) {
      if (!closing.aborted) log.warn({ id, err }, 'what the daemon had to say in a chat could not be sent')
      return err
    }
  }

  const tellCode = async (id: PersonaId, gateway: Gateway, claim: Claim, code: string) => {
    const failure = await send(id, gateway, claim.target, codeTold(code), `code ${randomUUID()}`)
    if (failure !== null)
      pairing.withdraw(id, { ...claim, code, lasting: failure instanceof SendError && failure.lasting })
  }

  const meet = ({ id, channel }: Holder, gateway: Gateway, { direct, target }: Heard) => {
    // In a group, anybody may have asked, and anybody would be heard.
    if (channel.paired || !direct) return
    const claim = { channel: channel.id, target }
    const code = pairing.issue(id, claim)
    if (code !== null) behind(tellCode(id, gateway, claim, code))
  }

  const obey = async (holder: Holder, gateway: Gateway, { command, key, topic }: Heard) => {
    const { id } = holder
    const tell = (words: string) => listening.tell(holder, gateway, words, key, topic)
    if (command === 'stop') {
      const hushed = await hushTurn(deps, id)
      return behind(tell(hushed ? 'I stop.' : 'There is nothing to stop.'))
    }
    if (command === 'restart') return behind(restart(id).then(tell))
    behind(tell(command === 'start' ? `Hello, this is ${nameOf(id)}. ${help}` : help))
  }

  const nameOf = (id: PersonaId) => personas.listed(id)?.self.name ?? 'me'

  const restart = async (id: PersonaId): Promise<string> => {
    try {
      await restartPersona(deps, id)
      return 'I am awake anew.'
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not_started')
        return `I could not be woken anew: ${error.refusal.reason}`
      return `I could not be woken anew: ${error instanceof Error ? pathless(error.message) : 'something failed.'}`
    }
  }

  const hear = async (
    { id, channel: { kind } }: Holder,
    { target, topic, parts: told, files, key }: Heard,
  ) => {
    const channel: Channel = { type: kind, name: target, ...(topic !== undefined && { topic }) }
    const parts = boundedTo(told, limits.message)
    if (files.length === 0) {
      if (readableOf(parts).trim() !== '') await hearing(personas, id, { channel, words: { parts }, key })
      return
    }
    await hearFiles({ id, channel, files, parts, key })
  }

  const listening: Listening = {
    heard: async (holder, gateway, message) => {
      if (message.target !== holder.channel.paired?.target) return meet(holder, gateway, message)
      try {
        if (message.command !== null) await obey(holder, gateway, message)
        else await hear(holder, message)
      } catch (error) {
        // The persona is gone, and so is whoever would answer.
        if (!(error instanceof Refused) && !isGivenUp(holder, gateway, message, error)) throw error
      }
    },
    known: async ({ id, channel: { kind, bot, paired } }) => {
      if (!paired) return []
      const begins = `${kind}:${bot.id}:`
      const isOfBot = (key: string | null) => key?.startsWith(begins) === true
      const key = await personas.read(id, async ({ persona, journal }) => {
        const latest = persona.talk.keys.findLast(isOfBot)
        if (latest !== undefined) return latest
        let last: string | undefined
        for await (const { event } of journal.read({ kind: 'talk', last: mostLookedAt }))
          if (event.type === 'MessageHeard' && event.channel?.name === paired.target && isOfBot(event.key))
            last = event.key ?? last
        return last
      })
      // Older journals have a number behind it for each file that came with the same message.
      return key === undefined ? [] : [{ target: paired.target, key: key.replace(/#\d+$/, '') }]
    },
    tellDue: ({ id, channel }, gateway) => {
      if (channel.paired) return
      for (const { target, code } of pairing.due(id, channel.id))
        behind(tellCode(id, gateway, { channel: channel.id, target }, code))
    },
    tell: async ({ id, channel }, gateway, words, key, topic) => {
      if (!channel.paired) return
      const address = addressOf({ name: channel.paired.target, topic })
      await send(id, gateway, address, words, `${key} told`)
    },
    quiet: async () => {
      while (going.size > 0) {
        await Promise.all(going)
        await setImmediate()
      }
    },
  }
  return listening
}

const help =
  'Write to me as you like, with pictures, voice or files. /stop ends what I am saying, /restart wakes me anew, /help says this.'

/** What a platform takes as the mark of one message: 24 letters and digits. */
export const nonceOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 24)
