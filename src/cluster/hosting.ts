/**
 * Hosts personas on this daemon. It takes over the free personas that are placed here, hands over those that
 * are placed elsewhere, and stops a persona immediately when its lease is lost.
 */
import pLimit from 'p-limit'
import type { PersonaId } from '../../facts/fact-values.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Agents } from '../agents/agents.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { HeldLeases } from './held-leases.ts'
import { planHosting } from './hosting-plan.ts'
import type { Lease } from './leases.ts'

/**
 * `coming` and `going`: no daemon serves the persona for a moment. `waiting`: the holder of the lease is
 * unknown, so the persona is only read.
 */
export type HostState = 'coming' | 'here' | 'going' | 'waiting'

export interface Hosting {
  state(id: PersonaId): HostState | undefined
  /** Returns the personas that this daemon serves. */
  listHosted(): readonly PersonaId[]
  /** Registers a persona that was created here. Its lease is already held. */
  onCreate(id: PersonaId): void
  /** Unregisters a persona that was deleted here. Its lease is given back after its journal is removed. */
  onRemove(id: PersonaId): void
  /** Starts to take personas over and to hand them over. Returns before that is done. */
  reconcile(): void
  /** Call this when the lease was lost or another daemon has written to the journal. */
  onLost(id: PersonaId): void
  /** Hands over a persona that leaves the cluster, and does not take it back for 10 seconds. */
  letGo(id: PersonaId): void
  /** Hands over all personas. Never rejects. */
  leave(): Promise<void>
}

interface Deps {
  readonly self: string
  readonly holdings: HeldLeases
  readonly personas: Pick<PersonaStore, 'admit' | 'dismiss' | 'execute' | 'getRow'>
  readonly agents: Pick<Agents, 'leave' | 'wakeIfWanted'>
  readonly clock: Pick<Clock, 'wait'>
  readonly log: Log
  /** Ids of the daemons that accept personas. */
  readonly listTaking: () => readonly string[]
  /** All personas of the cluster. */
  readonly known: () => Iterable<PersonaId>
  /** Whether the servers have been silent so long that leases expire. */
  readonly cutOff: () => boolean
  /** Called when this daemon starts to serve a persona. Must not throw. */
  readonly onArrival: (id: PersonaId) => void
  /** Called when this daemon stops serving a persona, before the lease is given back. Must not throw. */
  readonly onDeparture: (id: PersonaId) => void
  /** Called when the persona turns out to have no journal, so its summary is wrong. */
  readonly onUnknown: (id: PersonaId) => void
  /** Called after leases were given back, so that other daemons check immediately. */
  readonly givenBack: () => void
}

/** Max personas that are taken over in parallel. */
const atOnce = 16
/**
 * Milliseconds: the longest time that readers can delay a hand-over, and the pause after a failed take-over.
 */
const maxWaitMs = 3000
const pause = 2000

export const createHosting = (deps: Deps): Hosting => {
  const { self, holdings, personas, agents, clock, log, cutOff } = deps
  const states = new Map<PersonaId, HostState>()
  /** Earliest time of the next attempt for each failed take-over, as `performance.now()`. */
  const retryTimes = new Map<PersonaId, number>()
  const steps = createKeyedMutex<PersonaId>()
  const room = pLimit(atOnce)
  let isLeaving = false

  /**
   * Closes the journal after its readers have finished, or after 3 seconds. A slow reader then sees the state
   * at the time of its request.
   */
  const putAway = async (id: PersonaId) => {
    await Promise.race([personas.dismiss(id), clock.wait(maxWaitMs)]).catch((err: unknown) =>
      log.warn({ id, err }, 'failed to close the journal of a persona that was handed over'),
    )
  }

  const beginHosting = async (id: PersonaId, { epoch }: Lease) => {
    await personas.admit(id)
    // A damaged persona is hosted read-only.
    if (personas.getRow(id)?.trouble == null)
      await personas.execute(id, { type: 'Host', epoch, daemon: self }, 'host')
    if (!holdings.has(id)) throw new Error('its lease was lost meanwhile')
    states.set(id, 'here')
    deps.onArrival(id)
    log.info({ id, seq: epoch }, 'hosted here')
    void agents.wakeIfWanted(id)
  }

  const handleFailure = async (id: PersonaId, error: unknown) => {
    if (error instanceof Refused && error.refusal.code === 'persona_unknown') deps.onUnknown(id)
    else log.warn({ id, err: error }, 'failed to take over a persona')
    retryTimes.set(id, performance.now() + pause)
    // The servers have become silent again. The cache as it is now can still be read.
    if (cutOff() && personas.getRow(id)) return void states.set(id, 'waiting')
    await putAway(id)
    states.delete(id)
    await holdings.giveBack(id)
  }

  const takeOver = async (id: PersonaId) => {
    const stateBefore = states.get(id)
    if ((stateBefore !== undefined && stateBefore !== 'waiting') || isLeaving) return
    const lease = await holdings.take(id).catch(() => undefined)
    // The servers do not answer: keep the current state.
    if (lease === undefined) return
    if (lease === null) {
      retryTimes.set(id, performance.now() + retryMs)
      if (stateBefore === 'waiting') await relinquish(id)
      return
    }
    states.set(id, 'coming')
    await beginHosting(id, lease).catch((error: unknown) => handleFailure(id, error))
  }

  const handOver = async (id: PersonaId) => {
    if (!states.has(id)) return
    states.set(id, 'going')
    await agents.leave(id)
    await relinquish(id)
    log.info({ id }, 'handed over to another daemon')
  }

  const relinquish = async (id: PersonaId) => {
    states.set(id, 'going')
    await putAway(id)
    states.delete(id)
    deps.onDeparture(id)
    await holdings.giveBack(id)
    deps.givenBack()
  }

  const plan = () => {
    const hosts = (id: PersonaId) => {
      const state = states.get(id)
      return state === undefined || state === 'waiting' ? state : 'here'
    }
    return planHosting({
      self,
      alive: deps.listTaking(),
      known: new Set([...deps.known(), ...states.keys()]),
      hosts,
    })
  }

  return {
    state: (id) => states.get(id),
    listHosted: () => [...states].flatMap(([id, state]) => (state === 'here' ? [id] : [])),
    onCreate: (id) => {
      states.set(id, 'here')
      deps.onArrival(id)
    },
    onRemove: (id) => void states.delete(id),
    reconcile: () => {
      if (cutOff() || isLeaving) return
      const { take, leave } = plan()
      const now = performance.now()
      for (const id of take)
        if ((retryTimes.get(id) ?? 0) <= now) {
          retryTimes.set(id, Number.POSITIVE_INFINITY)
          void room(() => steps.run(id, () => takeOver(id))).finally(() => {
            if (retryTimes.get(id) === Number.POSITIVE_INFINITY) retryTimes.delete(id)
          })
        }
      for (const id of leave) {
        const state = states.get(id)
        if (state === 'coming' || state === 'going') continue
        states.set(id, 'going')
        void steps.run(id, () => handOver(id))
      }
    },
    // `cutOff()` may still be false when the servers have just become silent. When they answer again, the
    // persona is taken back or left to its new host.
    onLost: (id) => {
      const state = states.get(id)
      if (state === undefined || state === 'going') return
      states.set(id, 'waiting')
      log.warn({ id }, 'the lease was lost: the persona is not hosted here any more')
      // Writes are already refused at this point. This only ends the running turns.
      void steps.run(id, () => agents.leave(id))
    },
    letGo: (id) => {
      retryTimes.set(id, performance.now() + letGoPauseMs)
      const state = states.get(id)
      if (state === undefined || state === 'coming' || state === 'going') return
      states.set(id, 'going')
      void steps.run(id, () => handOver(id))
    },
    leave: async () => {
      isLeaving = true
      await Promise.all([...states.keys()].map((id) => steps.run(id, () => handOver(id))))
    },
  }
}

/**
 * Milliseconds before the lease is requested again: if another daemon held it, and if the persona was asked
 * to leave.
 */
const retryMs = 200
const letGoPauseMs = 10_000
