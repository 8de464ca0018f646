/** The agents of all personas. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { MadeFile } from '../mind/organ-calls.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { Exchange, ExchangeResult } from './api-chat.ts'
import type { BackgroundResponses } from './background-responses.ts'
import type { History } from './import-history.ts'

/** `failed`: the reason why the last requested step failed. */
export interface SettleResult {
  readonly running: boolean
  readonly failed: string | null
}

export interface Agents {
  isRunning(id: PersonaId): boolean
  /**
   * Returns true if the agent runs. Waits at most 30 s while it is starting or while its journal is being
   * replaced.
   */
  awake(id: PersonaId): Promise<boolean>
  /** Returns the reason why the last start failed. Null after a successful start. */
  wakingFailure(id: PersonaId): string | null
  /** Returns a sentence about the work that fails because of a defect in the daemon. Null if none fails. */
  fault(id: PersonaId): string | null
  /** Returns the text that is being generated and is not recorded yet. */
  getSaying(id: PersonaId): Saying | null
  /** Answers an API client, see `converse`. Rejects with `not_active` if the agent does not run. */
  converse(id: PersonaId, exchange: Exchange): Promise<ExchangeResult>
  /** Returns the responses that API clients do not wait for, or null if the agent does not run. */
  getResponses(id: PersonaId): Pick<BackgroundResponses, 'isRunning' | 'watch'> | null
  /** Says a text aloud, see `Speech`. Rejects with `not_active` if the agent does not run. */
  speak(id: PersonaId, text: string, disconnectSignal: AbortSignal): Promise<MadeFile>
  /** Imports an exported history, see `Feedings`. Rejects with `not_active` if the agent does not run. */
  feed(id: PersonaId, history: History): Promise<number>
  /**
   * Runs the nightly consolidation and resolves when the persona is active again. Rejects with `not_active`
   * or `sleep_failed`.
   */
  sleep(id: PersonaId): Promise<void>
  /** Prepares a model on this machine for the next message, if the persona runs. Returns immediately. */
  warmUp(id: PersonaId): void
  /** The user types a message: the persona does not write by itself now. Returns immediately. */
  onTyping(id: PersonaId): void
  /** Probes a failing Mind now instead of after the pause, if the persona runs. Returns immediately. */
  tryMind(id: PersonaId): void
  /** Throws ModelError if the model does not answer. */
  probeMind(id: PersonaId): Promise<void>
  /** Resolves when all steps that earlier commits requested are done. */
  waitUntilSettled(id: PersonaId): Promise<SettleResult>
  /**
   * Stops the agent while `work` replaces the journal. Starts it again if it ran before: always, or only if
   * `work` failed (`wakes`). The persona still counts as wanted, so it also starts after a crash or once the
   * disk works again. `work` must not wait for `settled`. Rejects with the error of `work`.
   */
  rest<T>(id: PersonaId, work: () => Promise<T>, wakes?: 'always' | 'on failure'): Promise<T>
  /** Starts the agent if it should run. If that fails, retries continue after this has resolved. */
  wakeIfWanted(id: PersonaId): Promise<void>
  /**
   * Stops the agent because another daemon hosts the persona, or because the host is unknown. It is not
   * started again before `wakeIfWanted`. Never rejects.
   */
  leave(id: PersonaId): Promise<void>
  /** Starts all agents that should run, a few at a time, and retries failed ones. Returns immediately. */
  boot(): void
  close(): Promise<void>
}
