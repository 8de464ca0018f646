/** Returns the facts of a subscription to a program that asks for them and acknowledges them. */
import type { Seq } from '../../facts/fact-values.ts'
import { eitherAborts, unlessAborted } from '../../packages/kit/flow/abort-signals.ts'
import { type Bell, createBell } from '../../packages/kit/flow/bell.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { batchLimits } from './delivery.ts'
import { type BatchLimits, type FactBatch, readBatch } from './fact-batch.ts'
import { type CursorPlace, encodeCursor, parseCursor } from './pull-cursor.ts'
import { firstPlace, type Position, type Subscription } from './subscription.ts'

/** A subscription whose facts are pulled. */
export interface Pulled {
  readonly subscription: Subscription
  /** Rings for facts that can be pulled. */
  readonly bells: Set<Bell>
}

export interface PulledFacts {
  /** Each with `persona_id` as its first field, as JSON. */
  readonly facts: readonly string[]
  /** Null if there are none. */
  readonly cursor: string | null
  readonly more: boolean
}

interface PositionMove {
  readonly id: string
  readonly to: Position
}

interface Pulling {
  /** Waits up to `waitMs` for the first fact. `find` returns the current definition, or throws. */
  pull(
    find: () => Pulled,
    options: { readonly max: number; readonly waitMs: number },
    signal: AbortSignal,
  ): Promise<PulledFacts>
  /** Returns the changes of positions by an acknowledgement. Throws Refused: cursor_invalid, cursor_stale. */
  readMoves(subscription: Subscription, cursor: string): Promise<readonly PositionMove[]>
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'read'>
  /** Last position of each journal. */
  readonly heads: ReadonlyMap<string, Seq | 0>
  readonly log: Log
  readonly onChange: () => void
}

export const createPulling = ({ personas, heads, log, onChange }: Deps): Pulling => {
  const collect = async ({ subscription }: Pulled, max: number): Promise<PulledFacts> => {
    const facts: string[] = []
    const places: CursorPlace[] = []
    const ids = [...subscription.positions.keys()].filter(
      (id) => heads.get(id) !== subscription.positions.get(id)?.seq,
    )
    // Shared, so that one long journal does not delay the others.
    const share = Math.max(1, Math.floor(max / ids.length))
    let hasMore = false
    for (const id of ids) {
      if (facts.length >= max) {
        hasMore = true
        break
      }
      const batch = await readNext(id, subscription, { ...batchLimits, facts: share })
      if (!batch) continue
      for (const fact of batch.facts) facts.push(`{"persona_id":"${id}",${fact.slice(1)}`)
      places.push({ id, ...batch.upTo, epoch: batch.epoch })
      hasMore ||= batch.more
    }
    return { facts, cursor: facts.length === 0 ? null : encodeCursor(places), more: hasMore }
  }

  /** Skips facts that are not wanted. Returns null if there is none to pull. */
  const readNext = async (id: string, subscription: Subscription, limits: BatchLimits) => {
    for (;;) {
      const position = subscription.positions.get(id)
      const batch = position && (await readOrLog(id, subscription, position, limits))
      if (!position || batch === undefined) return null
      if (batch && batch.facts.length > 0) return { ...batch, epoch: position.epoch }
      // It was set back meanwhile.
      if (subscription.positions.get(id) !== position) continue
      if (batch && batch.upTo.seq === position.seq) return null
      // The past was replaced, so that it begins again.
      const nextPosition = batch
        ? { ...position, ...batch.upTo }
        : { ...firstPlace, epoch: position.epoch + 1, pending: null }
      subscription.positions.set(id, nextPosition)
      onChange()
      if (batch && !batch.more) return null
    }
  }

  /** Returns undefined if the journal cannot be read: facts of other personas can still be pulled. */
  const readOrLog = async (
    id: string,
    subscription: Subscription,
    position: Position,
    limits: BatchLimits,
  ): Promise<FactBatch | null | undefined> => {
    try {
      return await readBatch(personas, id, subscription, { after: position, end: null, limits })
    } catch (err) {
      log.debug({ id, reason: subscription.name, err }, 'the journal of a subscription cannot be read')
      return undefined
    }
  }

  return {
    pull: async (find, { max, waitMs }, signal) => {
      const bell = createBell()
      const { bells } = find()
      bells.add(bell)
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), waitMs)
      try {
        for (;;) {
          const pulledFacts = await collect(find(), max)
          if (pulledFacts.facts.length > 0 || waitMs === 0 || timeout.signal.aborted) return pulledFacts
          await eitherAborts([signal, timeout.signal], (either) =>
            unlessAborted(bell.waitForRing(), either),
          ).catch((error: unknown) => {
            if (!timeout.signal.aborted || signal.aborted) throw error
          })
        }
      } finally {
        clearTimeout(timer)
        bells.delete(bell)
      }
    },
    readMoves: async ({ positions }, cursor) => {
      const places = parseCursor(cursor)
      if (!places) throw new Refused({ code: 'cursor_invalid' })
      const moves: PositionMove[] = []
      for (const { id, epoch, ...place } of places) {
        const position = positions.get(id)
        // Nothing to do for a deleted persona, or if it was acknowledged before.
        if (!position || (position.epoch === epoch && place.seq <= position.seq)) continue
        const knownHash = await personas.read(id, ({ journal }) => journal.hashAt(place.seq))
        if (position.epoch !== epoch || knownHash !== place.hash) throw new Refused({ code: 'cursor_stale' })
        moves.push({ id, to: { ...place, epoch, pending: null } })
      }
      return moves
    },
  }
}
