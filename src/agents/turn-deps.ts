/** Dependencies of a channel turn. */
import type { Sha256 } from '../../journal/facts/fact-values.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { SilenceWatch } from './silence-watch.ts'
import type { AgentLife } from './wiring.ts'

export interface TurnDeps extends AgentLife {
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  readonly tools: readonly Tool[]
  /** Detects that the model produces no output. */
  readonly silence: SilenceWatch
  /** Called when the model has produced no output for `seconds`. Must not throw. */
  readonly onSilent: (seconds: number) => void
  /** Returns true if the model answers everything except this turn. */
  readonly isHopeless: () => boolean
  /** Returns true if the user was already notified that the model is unreachable. */
  readonly isTold: () => boolean
  /** Receives the text of the step as it grows, and null when the step ends. */
  readonly saying: (saying: Saying | null, delta: string) => void
  /** Aborts the turn. */
  readonly signal: AbortSignal
}
