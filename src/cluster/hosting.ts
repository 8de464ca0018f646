/**
 * Whom this daemon hosts: it takes over who belongs here and is held by nobody, lets go of who belongs
 * elsewhere, and stops at once whatever it has lost.
 */
import pLimit from 'p-limit'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Agents } from '../agents/agents.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Holdings } from './holdings.ts'
import { planHosting } from './hosting-plan.ts'
import type { Lease } from './leases.ts'

/**
 * `coming` and `going`: for a moment nobody answers for it. `waiting`: nobody can say who may write it, so it
 * is only read.
 */
export type HostState = 'coming' | 'here' | 'going' | 'waiting'

export interface Hosting {
  state(id: PersonaId): HostState | undefined
  /** Those that it answers for. */
  here(): readonly PersonaId[]
  /** It was made here, under a lease that is held. */
  made(id: PersonaId): void
  /** It was deleted here: its lease is given back once its journal has gone. */
  removed(id: PersonaId): void
  /** Looks who is to come and to go. What it begins goes on behind it. */
  look(): void
  /** Its lease was lost, or another has written its journal. */
  lost(id: PersonaId): void
  /** It is to leave the cluster: it is handed over, and not taken again for some seconds. */
  letGo(id: PersonaId): void
  /** Lets everybody go, in order. Never rejects. */
  leave(): Promise<void>
}

interface Deps {
  readonly self: string
  readonly holdings: Holdings
  readonly personas: Pick<Personas, 'admit' | 'dismiss' | 'execute' | 'listed'>
  readonly agents: Pick<Agents, 'leave' | 'wakeIfWanted'>
  readonly clock: Pick<Clock, 'wait'>
  readonly log: Log
  /** Daemons that take personas. */
  readonly taking: () => readonly string[]
  /** All personas of the cluster. */
  readonly known: () => Iterable<PersonaId>
  /** The servers have not answered for so long that leases end. */
  readonly cutOff: () => boolean
  /** It answers here now. Must not throw. */
  readonly came: (id: PersonaId) => void
  /** It does not any more; told before others may have it. Must not throw. */
  readonly went: (id: PersonaId) => void
  /** Nobody has its journal: what is told of it is wrong. */
  readonly unknown: (id: PersonaId) => void
  /** Some were given back: others look at once. */
  readonly givenBack: () => void
}

/** Taken over together. */
const atOnce = 16
/** Milliseconds: as long as a reader holds up a hand-over; and before what failed is tried again. */
const [longestWait, pause] = [3000, 2000]

export const createHosting = (deps: Deps): Hosting => {
  const { self, holdings, personas, agents, clock, log, cutOff } = deps
  const states = new Map<PersonaId, HostState>()
  /** When it may be tried again, of those that could not be taken over: `performance.now()`. */
  const later = new Map<PersonaId, number>()
  const steps = createKeyedMutex<PersonaId>()
  const room = pLimit(atOnce)
  let leaving = false

  /** Its journal is closed once nobody reads it; who reads for long reads what was true when it asked. */
  const putAway = async (id: PersonaId) => {
    await Promise.race([personas.dismiss(id), clock.wait(longestWait)]).catch((err: unknown) =>
      log.warn({ id, err }, 'a journal that another daemon hosts could not be closed'),
    )
  }

  const begin = async (id: PersonaId, { epoch }: Lease) => {
    await personas.admit(id)
    // A damaged one is hosted to be read.
    if (personas.listed(id)?.trouble == null)
      await personas.execute(id, { type: 'Host', epoch, daemon: self }, 'host')
    if (!holdings.has(id)) throw new Error('its lease was lost meanwhile')
    states.set(id, 'here')
    deps.came(id)
    log.info({ id, seq: epoch }, 'hosted here')
    void agents.wakeIfWanted(id)
  }

  const failed = async (id: PersonaId, error: unknown) => {
    if (error instanceof Refused && error.refusal.code === 'persona_unknown') deps.unknown(id)
    else log.warn({ id, err: error }, 'a persona could not be taken over')
    later.set(id, performance.now() + pause)
    // The servers went again: what came of it until then is read.
    if (cutOff() && personas.listed(id)) return void states.set(id, 'waiting')
    await putAway(id)
    states.delete(id)
    await holdings.giveBack(id)
  }

  const takeOver = async (id: PersonaId) => {
    const before = states.get(id)
    if ((before !== undefined && before !== 'waiting') || leaving) return
    const lease = await holdings.take(id).catch(() => undefined)
    // Nobody answers: it stays as it is.
    if (lease === undefined) return
    if (lease === null) {
      later.set(id, performance.now() + retry)
      if (before === 'waiting') await relinquish(id)
      return
    }
    states.set(id, 'coming')
    await begin(id, lease).catch((error: unknown) => failed(id, error))
  }

  const handOver = async (id: PersonaId) => {
    if (!states.has(id)) return
    states.set(id, 'going')
    await agents.leave(id)
    await relinquish(id)
    log.info({ id }, 'hosted elsewhere from now on')
  }

  const relinquish = async (id: PersonaId) => {
    states.set(id, 'going')
    await putAway(id)
    states.delete(id)
    deps.went(id)
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
      alive: deps.taking(),
      known: new Set([...deps.known(), ...states.keys()]),
      hosts,
    })
  }

  return {
    state: (id) => states.get(id),
    here: () => [...states].flatMap(([id, state]) => (state === 'here' ? [id] : [])),
    made: (id) => {
      states.set(id, 'here')
      deps.came(id)
    },
    removed: (id) => void states.delete(id),
    look: () => {
      if (cutOff() || leaving) return
      const { take, leave } = plan()
      const now = performance.now()
      for (const id of take)
        if ((later.get(id) ?? 0) <= now) {
          later.set(id, Number.POSITIVE_INFINITY)
          void room(() => steps.run(id, () => takeOver(id))).finally(() => {
            if (later.get(id) === Number.POSITIVE_INFINITY) later.delete(id)
          })
        }
      for (const id of leave) {
        const state = states.get(id)
        if (state === 'coming' || state === 'going') continue
        states.set(id, 'going')
        void steps.run(id, () => handOver(id))
      }
    },
    // Servers that have only just fallen silent are not known to be away yet: as soon as they answer, it is
    // taken up again, or given up to whoever has it.
    lost: (id) => {
      const state = states.get(id)
      if (state === undefined || state === 'going') return
      states.set(id, 'waiting')
      log.warn({ id }, 'it is not hosted here any more: its lease was lost')
      // What it has on its way is refused by then: it is only brought to its end.
      void steps.run(id, () => agents.leave(id))
    },
    letGo: (id) => {
      later.set(id, performance.now() + away)
      const state = states.get(id)
      if (state === undefined || state === 'coming' || state === 'going') return
      states.set(id, 'going')
      void steps.run(id, () => handOver(id))
    },
    leave: async () => {
      leaving = true
      await Promise.all([...states.keys()].map((id) => steps.run(id, () => handOver(id))))
    },
  }
}

/** Milliseconds before a lease is asked for again: one that another held, and one that was asked back. */
const [retry, away] = [200, 10_000]
