/**
 * Delivers the facts of a subscription to its webhook: in batches, in order for each persona, again until
 * they are accepted. A batch that is refused too often becomes a dead letter, and the next one follows.
 */
import { hash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type Clock, isoWithOffset } from '../../packages/kit/time/clock.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { type BatchLimits, type FactBatch, readBatch } from './fact-batch.ts'
import { type DeadLetter, firstPlace, type Place, type Position, type Subscription } from './subscription.ts'
import { findTargetProblem, type SendResult, type WebhookSender } from './webhook.ts'

export interface Delivery {
  /** Delivers the facts after the position, if it is not waiting for a retry. */
  wake(id: string): void
  /** Ends the wait for a retry. */
  retryNow(id: string): void
  /** Sends dead letters once more, up to the first that is not accepted. Accepted ones are removed. */
  redeliver(letters: readonly DeadLetter[]): Promise<void>
  /** Cuts requests with facts of the persona off, because their text was erased. They are read again. */
  cutRequests(id: string): void
  /** The persona was deleted. */
  forget(id: string): void
  /** Why nothing can be read of a persona. */
  readonly troubles: ReadonlyMap<string, string>
  /** Epoch ms of the oldest fact that waits for the receiver; null if none does. */
  oldest(): number | null
  close(): Promise<void>
}

export interface DeliveryDeps {
  readonly personas: Pick<PersonaStore, 'read' | 'getRow'>
  readonly sender: WebhookSender
  /** Hosts that the user has listed as targets. */
  readonly hosts: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Positions or dead letters have changed. */
  readonly onChange: () => void
  readonly onDelivered: (facts: number) => void
  readonly onDead: (facts: number) => void
}

/** Max requests at once, and limits of a batch. */
const maxRequests = 8
export const batchLimits: BatchLimits = { facts: 500, units: 256 * 1024 }
/** 20 attempts take about a day: 5 s, 10 s … 3 h. */
const retryBackoff: Backoff = { first: 5_000, longest: 3 * 60 * 60_000 }
/** Ms until a journal that cannot be read is tried again. */
const journalRetryMs = 5_000
/** More dead letters pause the subscription, so that nothing is lost silently. */
const maxDeadLetters = 1000

interface Lane {
  isQueued: boolean
  isDirty: boolean
  /** Set while a retry is due later. */
  retry: AbortController | null
  /** Requests in flight. */
  readonly requests: Set<AbortController>
  /** Increases when text of the persona was erased. */
  erasures: number
  oldest: number | null
}

export const createDelivery = (subscription: Subscription, deps: DeliveryDeps): Delivery => {
  const { personas, sender, hosts, clock, random, log, onChange } = deps
  const { name } = subscription
  const closing = new AbortController()
  // One listener per request and per pending retry. Node warns of a leak from the 11th on.
  setMaxListeners(0, closing.signal)
  const limit = pLimit(maxRequests)
  const lanes = new Map<string, Lane>()
  const troubles = new Map<string, string>()
  const tasks = new Set<Promise<void>>()

  const getLane = (id: string): Lane => {
    const lane: Lane = lanes.get(id) ?? {
      isQueued: false,
      isDirty: false,
      retry: null,
      requests: new Set(),
      erasures: 0,
      oldest: null,
    }
    lanes.set(id, lane)
    return lane
  }
  const isActive = (id: string) =>
    !closing.signal.aborted && subscription.paused === null && subscription.positions.has(id)

  const track = (work: Promise<void>) => {
    const task = work.catch((err: unknown) => log.error({ reason: name, err }, 'a subscription failed'))
    tasks.add(task)
    void task.finally(() => tasks.delete(task))
  }

  const wake = (id: string) => {
    if (!isActive(id)) return
    const lane = getLane(id)
    lane.isDirty = true
    if (lane.isQueued || lane.retry) return
    lane.isQueued = true
    // Queued again after each batch, so that one long journal does not delay the others.
    track(
      limit(async () => {
        lane.isDirty = false
        const hasMore = isActive(id) && (await deliverNext(id, lane))
        lane.isQueued = false
        if (hasMore || lane.isDirty) wake(id)
      }),
    )
  }

  const waitThenWake = (id: string, lane: Lane, ms: number) => {
    const retry = new AbortController()
    lane.retry = retry
    closing.signal.addEventListener('abort', () => retry.abort(), { once: true, signal: retry.signal })
    const wait = async () => {
      await clock.wait(ms, retry.signal)
      retry.abort()
      lane.retry = null
      wake(id)
    }
    track(wait())
  }

  /** Returns whether more facts may follow at once. */
  const deliverNext = async (id: string, lane: Lane): Promise<boolean> => {
    const position = subscription.positions.get(id)
    if (!position) return false
    const waitMs = (position.pending?.retryAt ?? 0) - clock.now()
    if (waitMs > 0) {
      waitThenWake(id, lane, waitMs)
      return false
    }
    try {
      return await deliverFrom(id, lane, position)
    } catch (error) {
      if (closing.signal.aborted) return false
      if (error instanceof Refused && error.refusal.code === 'persona_unknown') return false
      log.debug({ id, reason: name, err: error }, 'the journal of a subscription cannot be read')
      troubles.set(id, `The journal of ${id} cannot be read.`)
      waitThenWake(id, lane, journalRetryMs)
      return false
    }
  }

  const deliverFrom = async (id: string, lane: Lane, position: Position): Promise<boolean> => {
    const place: Place = { seq: position.seq, hash: position.hash }
    const end = position.pending?.upTo ?? null
    const { erasures } = lane
    const batch = await readBatch(personas, id, subscription, { after: place, end, limits: batchLimits })
    if (!isCurrent(id, position)) return true
    if (!batch) {
      log.warn({ id, reason: name }, 'the past of a persona was replaced; a subscription begins again')
      setPosition(id, { ...firstPlace, epoch: position.epoch + 1, pending: null })
      return true
    }
    if (batch.damage === null) troubles.delete(id)
    else troubles.set(id, `The journal of ${id} is damaged: ${batch.damage}.`)
    lane.oldest = batch.first?.at ?? null
    if (batch.facts.length === 0) {
      if (batch.upTo.seq > position.seq) setPosition(id, { ...position, ...batch.upTo, pending: null })
      return batch.more
    }
    const { upTo } = batch
    const result = await send(lane, { id, after: place, upTo, batch }, erasures)
    // Erased text: the batch is read again.
    if (result === null || !isCurrent(id, position)) return true
    if (result.outcome === 'accepted') {
      deps.onDelivered(batch.facts.length)
      lane.oldest = null
      setPosition(id, { ...upTo, epoch: position.epoch, pending: null })
      return batch.more
    }
    fail({ id, position, after: place, upTo, facts: batch.facts.length }, result)
    return true
  }

  /** False if the position was set back or removed meanwhile. */
  const isCurrent = (id: string, position: Position) =>
    isActive(id) && subscription.positions.get(id) === position

  const setPosition = (id: string, position: Position) => {
    subscription.positions.set(id, position)
    onChange()
  }

  /** Returns null if text was erased since the batch was read. */
  const send = async (lane: Lane, part: BatchPart, erasures: number): Promise<SendResult | null> => {
    const { webhook } = subscription
    if (!webhook || lane.erasures !== erasures) return null
    const problem = findTargetProblem(webhook.url, hosts)
    if (problem !== null) return { outcome: 'gone', reason: problem }
    const request = new AbortController()
    lane.requests.add(request)
    const abort = () => request.abort()
    closing.signal.addEventListener('abort', abort, { once: true })
    try {
      return await sender.send(webhook, toRequest(name, part, clock.now()), request.signal)
    } catch (error) {
      if (request.signal.aborted) return null
      throw error
    } finally {
      closing.signal.removeEventListener('abort', abort)
      lane.requests.delete(request)
    }
  }

  const fail = (
    {
      id,
      position,
      after,
      upTo,
      facts,
    }: Omit<BatchPart, 'batch'> & { readonly position: Position; readonly facts: number },
    result: Exclude<SendResult, { outcome: 'accepted' }>,
  ) => {
    const { reason } = result
    const attempts = (position.pending?.attempts ?? 0) + 1
    if (result.outcome === 'gone') return pause(reason)
    if (attempts < subscription.maxAttempts) {
      // Half of the pause is random, so that the personas of one receiver do not come back together.
      const pauseMs = pauseAfter(attempts, retryBackoff) * (0.5 + random() / 2)
      const retryAt = clock.now() + Math.max(pauseMs, result.waitMs)
      if (attempts === 1) log.info({ id, reason: `${name}: ${reason}` }, 'a webhook did not accept facts')
      return setPosition(id, { ...position, pending: { upTo, attempts, retryAt, reason } })
    }
    if (subscription.dead.length >= maxDeadLetters) return pause(`it has ${maxDeadLetters} dead letters`)
    const letter = {
      id: toBatchId(name, { id, after, upTo }),
      persona: id,
      after,
      upTo,
      facts,
      attempts,
      reason,
    }
    subscription.dead = [...subscription.dead, { ...letter, at: clock.now() }]
    deps.onDead(facts)
    log.warn(
      { id, reason: `${name}: ${reason}`, count: facts },
      'a webhook never accepted facts; count is their number',
    )
    setPosition(id, { ...upTo, epoch: position.epoch, pending: null })
  }

  const pause = (reason: string) => {
    subscription.paused = reason
    log.warn({ reason: `${name}: ${reason}` }, 'a subscription is paused')
    onChange()
  }

  /** Returns false if the receiver does not accept it now. */
  const redeliverOne = async (letter: DeadLetter): Promise<boolean> => {
    const { persona: id, after, upTo } = letter
    const lane = getLane(id)
    const { erasures } = lane
    const batch = await readBatch(personas, id, subscription, { after, end: upTo, limits: batchLimits })
    const removeLetter = () => {
      subscription.dead = subscription.dead.filter((dead) => dead.id !== letter.id)
      onChange()
      return true
    }
    // The past that contained these facts is gone, or none is wanted any more.
    if (!batch || (batch.facts.length === 0 && batch.damage === null)) return removeLetter()
    const result = batch.damage === null ? await send(lane, { id, after, upTo, batch }, erasures) : null
    if (!result) return !closing.signal.aborted
    if (result.outcome === 'accepted') {
      deps.onDelivered(batch.facts.length)
      return removeLetter()
    }
    subscription.dead = subscription.dead.map((dead) =>
      dead.id === letter.id ? { ...dead, attempts: dead.attempts + 1, reason: result.reason } : dead,
    )
    onChange()
    return false
  }

  const cutRequests = (id: string) => {
    const lane = lanes.get(id)
    if (!lane) return
    lane.erasures += 1
    for (const request of lane.requests) request.abort()
  }

  return {
    wake,
    retryNow: (id) => {
      const position = subscription.positions.get(id)
      if (position?.pending)
        subscription.positions.set(id, { ...position, pending: { ...position.pending, retryAt: 0 } })
      const lane = getLane(id)
      if (lane.retry) lane.retry.abort()
      else wake(id)
    },
    redeliver: async (letters) => {
      for (const letter of letters) {
        const isAccepted = await limit(() => redeliverOne(letter)).catch((err: unknown) => {
          log.info({ id: letter.persona, reason: name, err }, 'a dead letter could not be sent')
          return true
        })
        if (!isAccepted) return
      }
    },
    cutRequests,
    forget: (id) => {
      cutRequests(id)
      lanes.delete(id)
      troubles.delete(id)
    },
    troubles,
    oldest: () => {
      const times = [...lanes.values()].flatMap(({ oldest }) => (oldest === null ? [] : [oldest]))
      return times.length === 0 ? null : Math.min(...times)
    },
    close: async () => {
      closing.abort()
      await Promise.all(tasks)
    },
  }
}

interface BatchPart {
  readonly id: string
  readonly after: Place
  readonly upTo: Place
  readonly batch: FactBatch
}

/** A retry has the same id, also after a restart. */
const toBatchId = (name: string, { id, after, upTo }: Omit<BatchPart, 'batch'>): string =>
  `facts_${hash('sha256', `${name}\n${id}\n${after.hash}\n${upTo.hash}`).slice(0, 32)}`

const toRequest = (name: string, part: BatchPart, now: number) => {
  const { id, after, upTo, batch } = part
  const { at, offset } = batch.last ?? { at: now, offset: 0 }
  const data = `"subscription":"${name}","persona_id":"${id}","after":${after.seq},"upto":${upTo.seq}`
  // Built by hand, because the facts are JSON already.
  const body = `{"type":"persona.facts","timestamp":"${isoWithOffset(at, offset)}","data":{${data},"facts":[${batch.facts.join(',')}]}}`
  return { id: toBatchId(name, part), body, now }
}
