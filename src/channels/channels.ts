/** The channels of all personas: checks tokens, keeps gateways open, receives messages and sends replies. */

import { randomBytes } from 'node:crypto'
import type { ChannelKind, PersonaId } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { listTokens } from '../../projections/channel-credentials.ts'
import { type Bus, listen, type PersonaCommit, type Sign } from '../bus.ts'
import { type Bots, type GivenCredentials, TokenRefused } from '../commands/bots.ts'
import { createGateways, withoutTokens } from './gateways.ts'
import { createListening, type ListeningDeps } from './listening.ts'
import { createOutbox } from './outbox.ts'
import { createPairing } from './pairing.ts'
import { formatAddress, type Platform } from './platform.ts'
import type { Platforms } from './platforms.ts'
import { createPressing, type PressingDeps } from './pressing.ts'
import { createQuestions } from './questions.ts'

export interface Channels extends Bots {
  /** Returns the number of known pending messages. */
  countWaiting(): number
  /** Runs periodic work; called by the heartbeat. */
  beat(): void
  close(): Promise<void>
}

interface Deps extends Omit<ListeningDeps, 'pairing' | 'closing' | 'agents'> {
  readonly agents: ListeningDeps['agents'] & { isRunning(id: PersonaId): boolean }
  readonly serverTools: PressingDeps['serverTools']
  readonly platforms: Platforms
  readonly home: string
  readonly bus: Bus
  readonly clock: Clock
  readonly log: DiscreetLog
  readonly random: () => number
  readonly stopwatch: Stopwatch
}

/** Milliseconds between two typing indicators. Platforms show one for at least 5 seconds. */
const typingEvery = 4000
/** Timeout in ms. */
const signOutMs = 10_000

/** Throws TokenRefused. */
const readToken = ({ token = '' }: GivenCredentials): string => {
  const text = token.trim()
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) throw new TokenRefused('This is not a bot token.')
  return text
}

export const createChannels = ({
  platforms,
  home,
  bus,
  clock,
  log,
  random,
  stopwatch,
  ...deps
}: Deps): Channels => {
  const { personas, agents } = deps
  const closing = new AbortController()
  const pairing = createPairing({ now: clock.now, random: randomBytes })
  const listening = createListening({ ...deps, pairing, clock, log, closing: closing.signal })
  const signOuts = new Set<Promise<void>>()
  const gateways = createGateways({
    personas,
    agents,
    platforms,
    home,
    log,
    onMessage: listening.onMessage,
    onPress: createPressing({ personas, serverTools: deps.serverTools }),
    known: listening.known,
    onOpen: (id) => outbox.onOpen(id),
  })
  const questions = createQuestions({ personas, to: gateways.to })
  const outbox = createOutbox({ personas, to: gateways.to, questions, clock, log, random, stopwatch })
  /** The personas that are writing, each with a function that stops its typing indicator. */
  const typingStops = new Map<PersonaId, () => void>()

  const greet = ({ id, entries, persona: { self } }: PersonaCommit) => {
    for (const { event } of entries) {
      if (event.type !== 'ChannelPaired') continue
      const route = self.channels.flatMap((channel) =>
        channel.id === event.id ? (gateways.to(id, { type: channel.kind, name: event.target }) ?? []) : [],
      )[0]
      if (route)
        void listening.sendNotice(
          route.holder,
          route.gateway,
          `We are paired: from now on ${self.name} reads your messages here.`,
          `${id} ${event.id}`,
          pairing.topic(id, { channel: event.id, target: event.target }),
        )
    }
  }

  const stopTyping = (id: PersonaId) => {
    typingStops.get(id)?.()
    typingStops.delete(id)
  }

  const type = ({ id, channel, on: isOn }: Extract<Sign, { type: 'typing' }>) => {
    stopTyping(id)
    if (!isOn || !channel || channel.type === 'web') return
    const show = () => gateways.to(id, channel)?.gateway.typing(formatAddress(channel))
    show()
    typingStops.set(id, clock.every(typingEvery, show))
  }

  /**
   * Most personas have no channels. Without this check, a thousand starting personas would each reconcile all
   * gateways.
   */
  const hasChannels = (id: PersonaId) => (personas.getRow(id)?.self.channels.length ?? 0) > 0

  const stopListening = [
    listen(bus.commits, log, (commit) => {
      const { id, entries, persona } = commit
      if (entries.some((entry) => getTraits(entry.type).changes.includes('channels'))) {
        gateways.sweep(id)
        greet(commit)
        const unpairedChannels = persona.self.channels.filter((channel) => !channel.paired)
        pairing.keep(
          id,
          unpairedChannels.map((channel) => channel.id),
        )
      }
      if (persona.self.deleted) pairing.forget(id)
      questions.onCommit(commit)
      if (persona.self.channels.length > 0 || persona.deliveries.waiting.length > 0 || persona.self.deleted)
        outbox.onCommit(commit)
    }),
    listen(bus.signs, log, (sign) => {
      const mayChange =
        sign.type === 'gone' || sign.type === 'left' || (sign.type === 'presence' && hasChannels(sign.id))
      if (mayChange) gateways.sweep(sign.id)
      if (sign.type === 'gone' || sign.type === 'left') pairing.forget(sign.id)
      if (sign.type === 'typing') type(sign)
    }),
  ]

  const endSession = async (kind: ChannelKind, token: string) => {
    const platform = await platforms.of(kind)
    await platform.signOut?.(token, AbortSignal.any([closing.signal, AbortSignal.timeout(signOutMs)]))
  }
  const signOut: Channels['signOut'] = (kind, token) => {
    const task = endSession(kind, token)
      .catch((err: unknown) => log.info({ err }, 'failed to end the session of a removed channel'))
      .finally(() => signOuts.delete(task))
    signOuts.add(task)
  }
  const checkBot = async (platform: Platform, token: string, signal: AbortSignal) => {
    try {
      return await platform.check(token, signal)
    } catch (error) {
      signOut(platform.kind, token)
      throw error
    }
  }

  return {
    check: async (kind, credentials, signal) => {
      const platform = await platforms.of(kind)
      const secrets = [credentials.token?.trim() ?? '', credentials.password ?? '']
      try {
        const token = platform.signIn ? await platform.signIn(credentials, signal) : readToken(credentials)
        secrets.push(...listTokens(kind, token))
        for (const secret of secrets) log.hide(secret)
        return { token, bot: await checkBot(platform, token, signal) }
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error
        throw new TokenRefused(withoutTokens(error.message, secrets))
      }
    },
    signOut,
    claim: pairing.claim,
    unclaim: pairing.unclaim,
    countWaiting: outbox.countWaiting,
    beat: () => {
      gateways.reconcile()
      for (const { gateway, holder } of gateways.listUnpaired()) listening.tellDue(holder, gateway)
      outbox.beat()
    },
    close: async () => {
      for (const stop of stopListening) stop()
      for (const id of [...typingStops.keys()]) stopTyping(id)
      // The outbox needs the gateways, so it closes first.
      await outbox.close()
      closing.abort()
      await Promise.all([gateways.close(), listening.quiet(), ...signOuts])
      await platforms.close()
    },
  }
}
