/**
 * Handles messages to a bot: stores messages of the paired chat, replies to other chats with a pairing code,
 * and ignores everything else.
 */

import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Channel, PersonaId } from '../../facts/fact-values.ts'
import { pathless } from '../../packages/kit/files/pathless.ts'
import { unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import type { KeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { BotChannel } from '../../projections/bot-channels.ts'
import { boundedTo, toMarkedText, toReadable } from '../../projections/message-parts.ts'
import type { Agents } from '../agents/agents.ts'
import type { Claim } from '../commands/bots.ts'
import { restartPersona } from '../commands/lifecycle.ts'
import { cancelTurn, receiveMessage } from '../commands/talk.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { isOfTheDisk, Refused } from '../persona/refusals.ts'
import { createFileHearing } from './file-hearing.ts'
import { formatPairingCode, type Pairing } from './pairing.ts'
import { createNonce, formatAddress, type Gateway, type IncomingMessage, SendError } from './platform.ts'

/** The persona and channel that use a bot. */
export interface Holder {
  readonly id: PersonaId
  readonly channel: BotChannel
}

export interface ListeningDeps {
  readonly personas: PersonaStore
  readonly agents: Pick<Agents, 'getSaying' | 'probeMind' | 'waitUntilSettled'>
  readonly pairing: Pairing
  readonly inTurn: KeyedMutex['run']
  readonly clock: Pick<Clock, 'now' | 'zone'>
  readonly log: Log
  /** Max bytes of one file, and of the text of one message. */
  readonly limits: { readonly upload: number; readonly message: number }
  readonly closing: AbortSignal
}

export interface Listening {
  /** Resolves when the message is durable. If it rejects, the platform delivers the message again. */
  onMessage(holder: Holder, gateway: Gateway, message: IncomingMessage): Promise<void>
  /** Returns the paired chat with the key of its last stored message, or an empty array. */
  known(holder: Holder): Promise<readonly { readonly target: string; readonly key: string }[]>
  /** Sends codes to the waiting chats that may have one now. */
  tellDue(holder: Holder, gateway: Gateway): void
  /** Sends a text of the daemon to the paired chat. Never rejects. */
  sendNotice(holder: Holder, gateway: Gateway, words: string, key: string, topic?: string): Promise<void>
  /** Resolves when no background work is left. */
  quiet(): Promise<void>
}

/**
 * Max attempts for a message that fails because of a defect. The platform repeats them with growing pauses.
 */
const maxTries = 6
/** Max messages whose failures are counted at the same time. */
const maxFailing = 1000
const notTaken = toMarkedText(
  'The daemon could not read your last message: it fails each time. Send it again, or in other words. The log of the daemon has details.',
  true,
)

/** Max journal entries that are searched for the last message of a chat. */
const maxChecked = 2000

export const createListening = (deps: ListeningDeps): Listening => {
  const { personas, pairing, log, limits, closing } = deps
  const hearFiles = createFileHearing(deps)
  const tasks = new Set<Promise<void>>()
  /** Number of failures because of a defect, by message key. */
  const failures = new Map<string, number>()

  /**
   * Returns true after too many failures, and notifies the chat. Otherwise the message would block all later
   * ones.
   */
  const isGivenUp = (
    holder: Holder,
    gateway: Gateway,
    { key, topic }: IncomingMessage,
    error: unknown,
  ): boolean => {
    // Files have their own limit of attempts.
    if (error instanceof SendError || isOfTheDisk(error) || closing.aborted) return false
    const count = (failures.get(key) ?? 0) + 1
    if (failures.size >= maxFailing) failures.clear()
    failures.set(key, count)
    if (count < maxTries) return false
    failures.delete(key)
    log.error({ id: holder.id, err: error, count }, 'failed to handle an incoming message')
    runInBackground(listening.sendNotice(holder, gateway, notTaken, key, topic))
    return true
  }

  /** Runs work in the background. */
  const runInBackground = (work: Promise<void>) => {
    const trackedWork = work.finally(() => tasks.delete(trackedWork))
    tasks.add(trackedWork)
  }

  /** Resolves to null if the text was sent, or to the error. */
  const send = async (
    id: PersonaId,
    gateway: Gateway,
    address: string,
    words: string,
    key: string,
  ): Promise<unknown> => {
    try {
      await unlessAborted(gateway.send(address, words, createNonce(key), closing), closing)
      return null
    } catch (err) {
      if (!closing.aborted) log.warn({ id, err }, 'failed to send a text of the daemon to a chat')
      return err
    }
  }

  const tellCode = async (id: PersonaId, gateway: Gateway, claim: Claim, code: string) => {
    const address = formatAddress({ name: claim.target, topic: pairing.topic(id, claim) })
    const failure = await send(id, gateway, address, formatPairingCode(code), `code ${randomUUID()}`)
    if (failure !== null)
      pairing.withdraw(id, { ...claim, code, lasting: failure instanceof SendError && failure.lasting })
  }

  const meet = ({ id, channel }: Holder, gateway: Gateway, { direct, target, topic }: IncomingMessage) => {
    // In a group any member could request a code, and every member could then write to the persona.
    if (channel.paired || !direct) return
    const claim = { channel: channel.id, target }
    const code = pairing.issue(id, claim, topic)
    if (code !== null) runInBackground(tellCode(id, gateway, claim, code))
  }

  const obey = async (holder: Holder, gateway: Gateway, { command, key, topic }: IncomingMessage) => {
    const { id } = holder
    const reply = (words: string) => listening.sendNotice(holder, gateway, words, key, topic)
    if (command === 'stop') {
      const hasStopped = await cancelTurn(deps, id)
      return runInBackground(reply(hasStopped ? 'I stop.' : 'There is nothing to stop.'))
    }
    if (command === 'restart') return runInBackground(restart(id).then(reply))
    runInBackground(reply(command === 'start' ? `Hello, this is ${getName(id)}. ${help}` : help))
  }

  const getName = (id: PersonaId) => personas.getRow(id)?.self.name ?? 'me'

  const restart = async (id: PersonaId): Promise<string> => {
    try {
      await restartPersona(deps, id)
      return 'I have restarted.'
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not_started')
        return `I could not be restarted: ${error.refusal.reason}`
      return `I could not be restarted: ${error instanceof Error ? pathless(error.message) : 'something failed.'}`
    }
  }

  const receive = async (
    { id, channel: { kind } }: Holder,
    { target, topic, parts: receivedParts, files, key }: IncomingMessage,
  ) => {
    const channel: Channel = { type: kind, name: target, ...(topic !== undefined && { topic }) }
    const parts = boundedTo(receivedParts, limits.message)
    if (files.length === 0) {
      if (toReadable(parts).trim() !== '')
        await receiveMessage(personas, id, { channel, words: { parts }, key })
      return
    }
    await hearFiles({ id, channel, files, parts, key })
  }

  const listening: Listening = {
    onMessage: async (holder, gateway, message) => {
      if (message.target !== holder.channel.paired?.target) return meet(holder, gateway, message)
      try {
        if (message.command !== null) await obey(holder, gateway, message)
        else await receive(holder, message)
      } catch (error) {
        // The persona was deleted, so the message needs no answer.
        if (!(error instanceof Refused) && !isGivenUp(holder, gateway, message, error)) throw error
      }
    },
    known: async ({ id, channel: { kind, bot, paired } }) => {
      if (!paired) return []
      const keyPrefix = `${kind}:${bot.id}:`
      const isOfBot = (key: string | null) => key?.startsWith(keyPrefix) === true
      const key = await personas.read(id, async ({ persona, journal }) => {
        const latestKey = persona.talk.keys.findLast(isOfBot)
        if (latestKey !== undefined) return latestKey
        let last: string | undefined
        for await (const { event } of journal.read({ kind: 'talk', last: maxChecked }))
          if (event.type === 'MessageHeard' && event.channel?.name === paired.target && isOfBot(event.key))
            last = event.key ?? last
        return last
      })
      // In older journals each file of a message has the key with a number as suffix.
      return key === undefined ? [] : [{ target: paired.target, key: key.replace(/#\d+$/, '') }]
    },
    tellDue: ({ id, channel }, gateway) => {
      if (channel.paired) return
      for (const { target, code } of pairing.due(id, channel.id))
        runInBackground(tellCode(id, gateway, { channel: channel.id, target }, code))
    },
    sendNotice: async ({ id, channel }, gateway, words, key, topic) => {
      if (!channel.paired) return
      const address = formatAddress({ name: channel.paired.target, topic })
      await send(id, gateway, address, words, `${key} told`)
    },
    quiet: async () => {
      while (tasks.size > 0) {
        await Promise.all(tasks)
        await setImmediate()
      }
    },
  }
  return listening
}

const help =
  'Write to me as you like, with pictures, voice or files. /stop ends what I am saying, /restart restarts me, /help shows this.'
