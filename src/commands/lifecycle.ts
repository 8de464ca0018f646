/** Starts, stops, restarts a persona, or sends it to sleep. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Agents } from '../agents/agents.ts'
import type { PersonaStore, RosterRow } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'

type StartPersonaDeps = Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>

/** Returns false if it was running. Throws Refused (persona_unknown, not_started) or ModelError. */
export const startPersona = (
  { agents, inTurn, personas }: StartPersonaDeps,
  id: PersonaId,
): Promise<boolean> =>
  inTurn(id, async () => {
    requireListed(personas, id)
    if (agents.isRunning(id)) return false
    await wakePersona({ agents, personas }, id, 'AskStart')
    return true
  })

/** Throws Refused: not_running. */
export const stopPersona = (
  { agents, inTurn, personas }: Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>,
  id: PersonaId,
): Promise<void> =>
  inTurn(id, async () => {
    const { running } = await agents.waitUntilSettled(id)
    const row = personas.getRow(id)
    // A persona that does not wake is retried until it is stopped.
    const isRetried = row?.self.wanted === true && row.trouble === null
    if (running || isRetried) await personas.execute(id, { type: 'AskStop' }, 'person')
    await agents.waitUntilSettled(id)
    if (!running) throw new Refused({ code: 'not_running' })
  })

type RestartPersonaDeps = Pick<CommandDeps, 'inTurn' | 'personas'> & {
  readonly agents: Pick<Agents, 'probeMind' | 'waitUntilSettled'>
}

/** Throws Refused (persona_unknown, not_started) or ModelError. */
export const restartPersona = (
  { agents, inTurn, personas }: RestartPersonaDeps,
  id: PersonaId,
): Promise<void> =>
  inTurn(id, async () => {
    requireListed(personas, id)
    await wakePersona({ agents, personas }, id, 'AskRestart')
  })

/** Throws Refused: not_active, sleep_failed. */
export const sleepPersona = async (
  { agents, log }: Pick<CommandDeps, 'agents' | 'log'>,
  id: PersonaId,
): Promise<void> => {
  try {
    await agents.sleep(id)
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'not_active') throw error
    // Also after a stop, restart or deletion, or when the daemon stops.
    log.warn({ id, err: error }, 'failed to sleep on request')
    throw new Refused({ code: 'sleep_failed' })
  }
}

type WakeDeps = Pick<CommandDeps, 'personas'> & {
  readonly agents: Pick<Agents, 'probeMind' | 'waitUntilSettled'>
}

/**
 * The Mind must answer first, so that a running agent stays if it is unreachable. Throws Refused
 * (not_started) or ModelError.
 */
const wakePersona = async (
  { agents, personas }: WakeDeps,
  id: PersonaId,
  type: 'AskStart' | 'AskRestart',
): Promise<void> => {
  // A read finds out whether a damaged or locked journal works again. If not, probeMind reports it.
  if (personas.getRow(id)?.trouble) await personas.read(id, async () => {}).catch(() => undefined)
  await agents.probeMind(id)
  await personas.execute(id, { type }, 'person')
  const { failed } = await agents.waitUntilSettled(id)
  if (failed !== null) throw new Refused({ code: 'not_started', reason: failed })
}

/** Waits if the persona is only briefly away. Throws Refused: not_active. */
export const requireRunning = async (agents: Pick<Agents, 'awake'>, id: PersonaId): Promise<void> => {
  if (!(await agents.awake(id))) throw new Refused({ code: 'not_active' })
}

/** Throws Refused: persona_unknown. */
export const requireListed = (personas: Pick<PersonaStore, 'getRow'>, id: PersonaId): RosterRow => {
  const row = personas.getRow(id)
  if (!row) throw new Refused({ code: 'persona_unknown' })
  return row
}

/** Throws Refused: cut_short. */
export const throwIfDisconnected = (disconnectSignal: AbortSignal): void => {
  if (disconnectSignal.aborted) throw new Refused({ code: 'cut_short' })
}
