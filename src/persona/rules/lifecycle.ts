/** Rules that start, stop, restart and host a persona. */
import type { Seq } from '../../../facts/fact-values.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { createRecoveredEvents } from './organ-health.ts'

/** A command of an agent: refused when its life is over. */
export interface OfLife {
  readonly life: number
}

/** A command of a turn: refused when its life is over or the turn has ended. */
export interface OfTurn extends OfLife {
  readonly turn: Seq
}

export type LifecycleCommand =
  | { readonly type: 'AskStart' }
  | { readonly type: 'AskStop' }
  | { readonly type: 'AskRestart' }
  | { readonly type: 'Wake' }
  | { readonly type: 'FailWaking'; readonly reason: string }
  | ({ readonly type: 'EndLife' } & OfLife)
  /** Another daemon of the cluster hosts the persona. */
  | { readonly type: 'Host'; readonly epoch: number; readonly daemon: string }

/**
 * A start only lists the models. This does not prove that a Mind that failed in use works again; an answer
 * does.
 */
const wake = (persona: Persona): Decision => {
  if (!persona.self.wanted) return refuse({ code: 'not_active' })
  const recovery = persona.life.failed.thinking ? [] : createRecoveredEvents(persona, 'thinking')
  return accept(...recovery, { type: 'Woke', life: persona.life.life + 1 })
}

export const lifecycleRules: Rules<LifecycleCommand> = {
  AskStart: () => accept({ type: 'StartAsked' }),
  AskStop: () => accept({ type: 'StopAsked' }),
  AskRestart: () => accept({ type: 'RestartAsked' }),
  Wake: wake,
  FailWaking: (_, { reason }) => accept({ type: 'WakingFailed', reason }),
  EndLife: (_, { life }) => accept({ type: 'Stopped', life }),
  Host: (_, { epoch, daemon }) => accept({ type: 'Hosted', epoch, daemon }),
}
