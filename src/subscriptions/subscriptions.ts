/**
 * Subscriptions of other programs to the facts of personas. Positions are stored after the acknowledgement, a
 * moment later: after a crash, facts are delivered again, and never skipped.
 */
import pLimit from 'p-limit'
import type { Seq } from '../../facts/fact-values.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Reach } from '../../packages/kit/network/reach.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { type Bus, listen, type PersonaCommit, type Sign } from '../bus.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { createSaving } from './position-saving.ts'
import { createPulling, type Pulled, type PulledFacts } from './pull.ts'
import {
  type DeadLetter,
  firstPlace,
  isSubscribedTo,
  type Place,
  type Position,
  restoreSubscription,
  type Subscription,
  toStored,
  wantsKind,
} from './subscription.ts'
import { openSubscriptionFile } from './subscription-file.ts'
import { createWebhookSender, toStoredWebhook } from './webhook.ts'

/** Null for all personas or kinds. A webhook of null means that facts are pulled. */
export interface SubscriptionRequest
  extends Pick<Subscription, 'name' | 'personas' | 'kinds' | 'words' | 'maxAttempts'> {
  /** `secret`: undefined keeps the stored one, or creates one. */
  readonly webhook: { readonly url: string; readonly secret: string | undefined } | null
  /** Where personas begin that exist already and were not subscribed to. */
  readonly start: 'now' | 'beginning'
}

export interface SubscriptionState {
  readonly subscription: Subscription
  readonly state: 'well' | 'failing' | 'paused'
  /** A sentence; null if it is well. */
  readonly reason: string | null
  /** Facts after the positions, also of other kinds. */
  readonly behind: number
  /** Epoch ms of the oldest fact that waits for its receiver. */
  readonly oldest: number | null
  /** Facts that were delivered since the daemon started. */
  readonly delivered: number
}

/**
 * All methods with a name throw Refused: subscription_unknown. Changes are on disk when they resolve. If the
 * disk refuses one, they reject with Unavailable and nothing has changed.
 */
export interface Subscriptions {
  list(): readonly SubscriptionState[]
  get(name: string): SubscriptionState
  /** Returns the secret if it was created. Resumes the subscription. Throws Refused: subscriptions_full. */
  put(
    request: SubscriptionRequest,
  ): Promise<{ readonly state: SubscriptionState; readonly secret: string | null }>
  remove(name: string): Promise<void>
  /** Sets the position of a persona. Throws Refused: persona_unknown, position_unknown. */
  replay(name: string, id: string, afterSeq: Seq | 0): Promise<void>
  /** Waits up to `waitMs` for facts. Throws Refused: subscription_pushed, or the reason of the signal. */
  pull(
    name: string,
    options: { readonly max: number; readonly waitMs: number },
    signal: AbortSignal,
  ): Promise<PulledFacts>
  /** Throws Refused: subscription_pushed, cursor_invalid, cursor_stale. */
  acknowledge(name: string, cursor: string): Promise<void>
  /** Sends waiting batches and dead letters now, and resumes the subscription. */
  retry(name: string): Promise<void>
  /** Throws Refused: letter_unknown. */
  dropLetter(name: string, id: string): Promise<void>
  close(): Promise<void>
}

export interface SubscriptionDeps {
  readonly home: string
  readonly personas: Pick<PersonaStore, 'all' | 'getRow' | 'read' | 'ready' | 'vitals'>
  readonly bus: Bus
  readonly clock: Clock
  readonly random: () => number
  readonly log: DiscreetLog
  /** Hosts that the user has listed as targets. */
  readonly hosts: readonly string[]
  /** In a cluster, other daemons host some personas, whose positions must stay. */
  readonly isCluster: boolean
  readonly reach?: Partial<Reach>
  readonly onDelivered: (facts: number) => void
  readonly onDead: (facts: number) => void
}

/** A subscription and the work for it. */
interface Active extends Pulled {
  /** Null if facts are pulled. */
  delivery: Delivery | null
  delivered: number
}

const maxSubscriptions = 64
/** Rejects with Unavailable if the stored subscriptions cannot be read. */
export const openSubscriptions = async (deps: SubscriptionDeps): Promise<Subscriptions> => {
  const { home, personas, bus, clock, log } = deps
  const file = await openSubscriptionFile(home)
  const sender = createWebhookSender({ env: process.env, ...(deps.reach && { reach: deps.reach }) })
  const active = new Map<string, Active>()
  const changes = pLimit(1)
  /** Last position of each journal. */
  const heads = new Map<string, Seq | 0>()
  const listSubscriptions = () => [...active.values()].map((one) => one.subscription)
  const saving = createSaving(() => file.save(() => listSubscriptions().map(toStored)), log)

  /** Stores what `change` makes of the subscriptions, then applies it in memory. */
  const store = async (
    change: (all: readonly Subscription[]) => readonly Subscription[],
    apply: () => void,
  ) => {
    try {
      await file.save(() => change(listSubscriptions()).map(toStored), apply)
    } catch (error) {
      // It is unknown whether the file was replaced.
      saving.later()
      throw error
    }
  }

  /** Stores and then applies an edit, which may be called twice. */
  const edit = async (one: Active, change: (subscription: Subscription) => void) => {
    const { name } = one.subscription
    await store(
      (all) =>
        all.map((subscription) =>
          subscription.name === name ? toEdited(subscription, change) : subscription,
        ),
      () => change((active.get(name) ?? one).subscription),
    )
  }

  const activate = (subscription: Subscription, previous?: Active): Active => {
    const one: Active = {
      subscription,
      delivery: null,
      bells: previous?.bells ?? new Set(),
      delivered: previous?.delivered ?? 0,
    }
    active.set(subscription.name, one)
    return one
  }

  const startDelivery = (one: Active) => {
    const { subscription } = one
    if (!subscription.webhook) return
    hideSecrets(subscription, log)
    one.delivery = createDelivery(subscription, {
      ...deps,
      sender,
      onChange: saving.later,
      onDelivered: (facts) => {
        one.delivered += facts
        deps.onDelivered(facts)
      },
    })
  }

  const wake = ({ subscription, delivery, bells }: Active, id: string) => {
    if (!isSubscribedTo(subscription, id)) return
    // A persona that is new to the subscription begins with its first fact.
    if (!subscription.positions.has(id))
      subscription.positions.set(id, { ...firstPlace, epoch: 0, pending: null })
    delivery?.wake(id)
    for (const bell of bells) bell.ring()
  }

  const forget = (id: string) => {
    heads.delete(id)
    for (const { subscription, delivery } of active.values()) {
      subscription.positions.delete(id)
      subscription.dead = subscription.dead.filter(({ persona }) => persona !== id)
      delivery?.forget(id)
    }
    saving.later()
  }

  const onCommit = ({ id, entries, head }: PersonaCommit) => {
    if (entries.at(-1)?.type === 'PersonaDeleted') return forget(id)
    heads.set(id, head.seq)
    const hasErased = entries.some(({ type }) => type === 'FactsErased')
    for (const one of active.values()) {
      if (hasErased) one.delivery?.cutRequests(id)
      if (!skipUnwanted(one.subscription, { id, entries, head })) wake(one, id)
    }
  }

  const onSign = (sign: Sign) => {
    if (sign.type === 'gone') forget(sign.id)
    if (sign.type === 'left') heads.delete(sign.id)
    if (sign.type !== 'well' && sign.type !== 'presence') return
    // Its journal may be readable again, or it came from another daemon of the cluster.
    for (const one of active.values())
      if ((deps.isCluster || one.delivery?.troubles.has(sign.id)) && personas.getRow(sign.id))
        wake(one, sign.id)
  }

  const require = (name: string): Active => {
    const one = active.get(name)
    if (!one) throw new Refused({ code: 'subscription_unknown' })
    return one
  }
  const requirePulled = (name: string): Active => {
    const one = require(name)
    if (one.subscription.webhook) throw new Refused({ code: 'subscription_pushed' })
    return one
  }

  const pulling = createPulling({ personas, heads, log, onChange: saving.later })

  /** Reads the heads of the listed personas, without opening their journals. */
  const readHeads = async () => {
    for (const { self } of personas.all()) {
      if (heads.has(self.id)) continue
      const vitals = await personas.vitals(self.id).catch(() => null)
      if (vitals && !heads.has(self.id)) heads.set(self.id, vitals.head.seq)
    }
  }

  const begin = async () => {
    await personas.ready.catch(() => undefined)
    await readHeads()
    for (const one of active.values()) {
      const { positions } = one.subscription
      if (!deps.isCluster) for (const id of positions.keys()) if (!personas.getRow(id)) positions.delete(id)
      for (const [id, seq] of heads) if (seq !== positions.get(id)?.seq) wake(one, id)
    }
  }

  for (const storedSubscription of file.stored)
    startDelivery(activate(restoreSubscription(storedSubscription)))
  const unlisten = [listen(bus.commits, log, onCommit), listen(bus.signs, log, onSign)]
  // Until the heads are known, the lag would be wrong.
  await begin().catch((err: unknown) => log.error({ err }, 'subscriptions could not begin'))

  const describe = ({ subscription, delivery, delivered }: Active): SubscriptionState => {
    const { paused, positions } = subscription
    const pendingBatch = [...positions.values()].find((position) => position.pending)?.pending ?? null
    const [trouble = null] = delivery?.troubles.values() ?? []
    const failure = trouble ?? (pendingBatch && `${toHost(subscription)}: ${pendingBatch.reason}.`)
    const factsBehind = [...positions].reduce(
      (sum, [id, { seq }]) => sum + Math.max((heads.get(id) ?? seq) - seq, 0),
      0,
    )
    return {
      subscription,
      state: paused !== null ? 'paused' : failure !== null ? 'failing' : 'well',
      reason: paused === null ? failure : `${toHost(subscription)}: ${paused}.`,
      behind: factsBehind,
      oldest: delivery?.oldest() ?? null,
      delivered,
    }
  }

  const placeAt = async (id: string, seq: Seq | 0): Promise<Place> => {
    if (seq === 0) return firstPlace
    const hash = await personas.read(id, ({ journal }) => journal.hashAt(seq))
    if (hash === undefined) throw new Refused({ code: 'position_unknown' })
    return { seq, hash }
  }

  /** Returns positions for the personas that are new to the subscription. */
  const readPositions = async (
    definition: Pick<Subscription, 'personas'>,
    knownPositions: ReadonlyMap<string, Position> | undefined,
    from: SubscriptionRequest['start'],
  ) => {
    const positions = new Map<string, Position>()
    for (const { self } of personas.all()) {
      if (!isSubscribedTo(definition, self.id) || knownPositions?.has(self.id)) continue
      const { seq, hash } = from === 'now' ? (await personas.vitals(self.id)).head : firstPlace
      positions.set(self.id, { seq, hash, epoch: 0, pending: null })
    }
    return positions
  }

  const putSubscription = async ({ start: from, webhook, ...definition }: SubscriptionRequest) => {
    const previous = active.get(definition.name)
    if (!previous && active.size >= maxSubscriptions)
      throw new Refused({ code: 'subscriptions_full', most: maxSubscriptions })
    const storedWebhook = previous?.subscription.webhook ?? null
    const isNewSecret = webhook !== null && !webhook.secret && !storedWebhook
    const newPositions = await readPositions(definition, previous?.subscription.positions, from)
    const nextWebhook = webhook && toStoredWebhook({ ...webhook, storedWebhook, now: clock.now() })
    // Waiting batches are sent to the new address at once. A batch of other facts is another batch.
    const keepsBatches =
      webhook !== null && previous !== undefined && hasSameFacts(previous.subscription, definition)
    const movePositions = (positions: Map<string, Position>) => {
      for (const id of positions.keys()) if (!isSubscribedTo(definition, id)) positions.delete(id)
      for (const [id, position] of newPositions)
        if (!positions.has(id) && personas.getRow(id)) positions.set(id, position)
      for (const [id, position] of positions)
        if (position.pending)
          positions.set(id, {
            ...position,
            pending: keepsBatches ? { ...position.pending, retryAt: 0 } : null,
          })
      return positions
    }
    const redefine = (positions: Map<string, Position>): Subscription => ({
      ...definition,
      webhook: nextWebhook,
      paused: null,
      positions: movePositions(positions),
      dead: previous?.subscription.dead ?? [],
    })
    await store(
      (all) => [
        ...all.filter(({ name }) => name !== definition.name),
        redefine(new Map(previous?.subscription.positions)),
      ],
      () => {
        // The positions are shared with the previous definition, which an acknowledgement may still change.
        activate(redefine(previous?.subscription.positions ?? new Map()), previous)
      },
    )
    const one = require(definition.name)
    // Not while the file is locked: a delivery may wait for a journal, and others must be able to save.
    await previous?.delivery?.close()
    // The previous delivery may have left a waiting batch.
    movePositions(one.subscription.positions)
    startDelivery(one)
    // Also adds personas that were created meanwhile.
    for (const { self } of personas.all()) wake(one, self.id)
    return { state: describe(one), secret: isNewSecret ? (one.subscription.webhook?.secret ?? null) : null }
  }

  return {
    list: () => [...active.values()].map(describe),
    get: (name) => describe(require(name)),
    put: (request) => changes(() => putSubscription(request)),
    remove: (name) =>
      changes(async () => {
        const one = require(name)
        await store(
          (all) => all.filter((subscription) => subscription.name !== name),
          () => {
            active.delete(name)
          },
        )
        for (const bell of one.bells) bell.ring()
        await one.delivery?.close()
      }),
    replay: async (name, id, afterSeq) => {
      const one = require(name)
      const { positions } = one.subscription
      if (!positions.has(id)) throw new Refused({ code: 'persona_unknown' })
      const place = await placeAt(id, afterSeq)
      await edit(one, (subscription) => {
        const position = subscription.positions.get(id)
        if (position) subscription.positions.set(id, { ...place, epoch: position.epoch + 1, pending: null })
      })
      const current = require(name)
      current.delivery?.retryNow(id)
      wake(current, id)
    },
    pull: (name, options, signal) => pulling.pull(() => requirePulled(name), options, signal),
    acknowledge: async (name, cursor) => {
      const one = requirePulled(name)
      const moves = await pulling.readMoves(one.subscription, cursor)
      await edit(one, ({ positions }) => {
        for (const { id, to } of moves) {
          // Another acknowledgement may have been stored meanwhile. A replay has another epoch.
          const position = positions.get(id)
          if (position && position.epoch === to.epoch && position.seq < to.seq) positions.set(id, to)
        }
      })
    },
    retry: async (name) => {
      await edit(require(name), (resumed) => {
        resumed.paused = null
      })
      const { subscription, delivery } = require(name)
      await delivery?.redeliver(subscription.dead)
      for (const id of subscription.positions.keys()) delivery?.retryNow(id)
    },
    dropLetter: async (name, id) => {
      const one = require(name)
      const dead: readonly DeadLetter[] = one.subscription.dead
      if (!dead.some((letter) => letter.id === id)) throw new Refused({ code: 'letter_unknown' })
      await edit(one, (subscription) => {
        subscription.dead = subscription.dead.filter((letter) => letter.id !== id)
      })
    },
    close: async () => {
      for (const leave of unlisten) leave()
      await Promise.all([...active.values()].map(async (one) => one.delivery?.close()))
      await saving.close()
      await sender.close()
    },
  }
}

/** Returns an edited copy. */
const toEdited = (subscription: Subscription, change: (copy: Subscription) => void): Subscription => {
  const copy = { ...subscription, positions: new Map(subscription.positions) }
  change(copy)
  return copy
}

/** Moves the position past a commit without a wanted fact. Returns whether that was possible. */
const skipUnwanted = (
  subscription: Subscription,
  { id, entries, head }: Pick<PersonaCommit, 'id' | 'entries' | 'head'>,
): boolean => {
  const position = subscription.positions.get(id)
  const [first] = entries
  if (!position || position.pending || position.seq + 1 !== first?.seq) return false
  if (entries.some(({ type }) => wantsKind(subscription, type))) return false
  // Stored with the next change. Until then, these facts are only read again.
  subscription.positions.set(id, { ...position, seq: head.seq, hash: head.hash })
  return true
}

const hideSecrets = ({ webhook }: Subscription, log: DiscreetLog) => {
  if (!webhook) return
  for (const secret of [webhook.secret, webhook.previousSecret?.secret]) {
    if (secret === undefined) continue
    log.hide(secret)
    log.hide(secret.slice('whsec_'.length))
  }
}

const toHost = ({ webhook }: Subscription): string => (webhook ? new URL(webhook.url).host : 'the reader')

const hasSameFacts = (
  first: Pick<Subscription, 'kinds' | 'words'>,
  second: Pick<Subscription, 'kinds' | 'words'>,
): boolean => first.words === second.words && String(first.kinds) === String(second.kinds)
