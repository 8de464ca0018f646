/** What a turn of a channel is handed. */
import type { Sha256 } from '../../journal/facts/fact-values.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { SilenceWatch } from './silence-watch.ts'
import type { AgentLife } from './wiring.ts'

export interface TurnDeps extends AgentLife {
  readonly keepPart: (bytes: Uint8Array) => Promise<Sha256>
  readonly tools: readonly Tool[]
  /** Notices when the Mind gives no sign of life. */
  readonly silence: SilenceWatch
  /** It has given none for so many seconds. Must not throw. */
  readonly onSilent: (seconds: number) => void
  /** Whether the Mind answers everything but what this turn took. */
  readonly isHopeless: () => boolean
  /** Whether the person knows already that the Mind is away. */
  readonly isTold: () => boolean
  /** What it is saying, as it grows; null when a step is over. */
  readonly saying: (saying: Saying | null, delta: string) => void
  /** Cuts whatever waits. */
  readonly signal: AbortSignal
}
