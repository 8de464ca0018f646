/** The running agents. Publishes a `presence` sign when one starts or stops. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Bus } from '../bus.ts'
import { Refused } from '../persona/refusals.ts'
import type { Agent } from './agent.ts'

export interface RunningAgents {
  ids(): Iterable<PersonaId>
  has(id: PersonaId): boolean
  find(id: PersonaId): Agent | undefined
  /** Throws `not_active` if the agent does not run. */
  get(id: PersonaId): Agent
  /** Starts an agent. A running one is stopped first. */
  start(id: PersonaId): Promise<void>
  stop(id: PersonaId): Promise<void>
  beat(): void
  /** Stops all agents without `presence` signs, because the daemon is closing. */
  stopAll(): Promise<void>
}

interface Deps {
  readonly bus: Pick<Bus, 'sign'>
  readonly log: Log
  readonly wake: (id: PersonaId) => Promise<Agent>
}

export const createRunningAgents = ({ bus, log, wake }: Deps): RunningAgents => {
  const agents = new Map<PersonaId, Agent>()

  const stop = async (id: PersonaId) => {
    const agent = agents.get(id)
    if (!agent) return
    agents.delete(id)
    await agent.stop()
    log.info({ id }, 'stopped')
  }

  const withPresenceSign = async (id: PersonaId, change: () => Promise<void>) => {
    try {
      await change()
    } finally {
      bus.sign({ type: 'presence', id })
    }
  }

  return {
    ids: () => agents.keys(),
    has: (id) => agents.has(id),
    find: (id) => agents.get(id),
    get: (id) => {
      const agent = agents.get(id)
      if (!agent) throw new Refused({ code: 'not_active' })
      return agent
    },
    start: (id) =>
      withPresenceSign(id, async () => {
        await stop(id)
        const agent = await wake(id)
        agents.set(id, agent)
        agent.beat()
        log.info({ id }, 'awake')
      }),
    stop: (id) => withPresenceSign(id, () => stop(id)),
    beat: () => {
      // Not awaited: a slow model must not delay the beats of other personas.
      for (const agent of agents.values()) agent.beat()
    },
    stopAll: async () => {
      await Promise.all([...agents.keys()].map(stop))
    },
  }
}
