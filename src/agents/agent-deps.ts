import type { Organ, PersonaId, Sha256 } from '../../facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Organs } from '../mind/organ-calls.ts'
import type { Files } from '../mind/prompt/heard-files.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { Reading, Vitals } from '../persona/persona-store.ts'
import type { Command } from '../persona/rules/decide.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { SearchOfOne } from '../search/search.ts'
import type { SilenceWatch } from './silence-watch.ts'

// Dependencies of a channel turn.

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

/** The dependencies of an agent during one life of its persona: from a start to the next stop. */
export interface AgentLife extends Wiring {
  readonly id: PersonaId
  readonly life: number
  readonly read: <T>(work: (reading: Reading) => Promise<T>) => Promise<T>
  /** Rejects with `life_over` after the next life has begun. */
  readonly execute: (command: Command) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  /** Between 0 and 1. */
  readonly random: () => number
  /** Returns a short id, unique within the persona. */
  readonly newId: () => string
}

export interface Wiring {
  /**
   * Returns the organs with the settings of `persona`. The signal aborts their calls. `unkept`: the sent
   * prompts are not stored. `otherMind`: thinks instead of the Mind.
   */
  readonly organs: (
    persona: Persona,
    signal: AbortSignal,
    words?: 'unkept' | null,
    otherMind?: Organ | undefined,
  ) => Organs
  /** Returns the current tools of the persona's tool servers. Never rejects. */
  readonly getOutsideTools: (persona: Persona) => Promise<readonly Tool[]>
  readonly files: Files
  readonly documents: Pick<Documents, 'sense' | 'read' | 'readText'>
  readonly search: SearchOfOne
  readonly vitals: () => Promise<Vitals>
  /** Writes a diary of the current state, encrypted with the recovery phrase. */
  readonly writeDiary: (signal: AbortSignal) => Promise<void>
  /** Signs the head of the journal. Does nothing if signing at night is switched off. */
  readonly signHead: () => Promise<void>
  /**
   * Deletes stored prompts that are older than `keepCallsDays`. Flushes the journal to release the memory
   * that it used during the day.
   */
  readonly tidy: (signal: AbortSignal) => Promise<void>
  /** Returns a message if the daily token limit is reached, or else null. */
  readonly getTokenLimit: (reading: Reading) => Promise<string | null>
  /** Returns true if enough tokens are left for background work. */
  readonly spare: (reading: Reading) => Promise<boolean>
}
