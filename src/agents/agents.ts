/** The agents of all personas: who is being served, and what follows when something was asked. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Saying } from '../persona/rules/turn.ts'
import type { Exchange, Exchanged } from './converse.ts'
import type { History } from './feeding.ts'

/** `failed` is why the last step asked of it could not be taken. */
export interface Settled {
  readonly running: boolean
  readonly failed: string | null
}

export interface Agents {
  running(id: PersonaId): boolean
  /**
   * Whether it runs. Waits, at most 30 s, while it is being started, restarted or woken after a start of the
   * daemon, and while its journal is being replaced.
   */
  awake(id: PersonaId): Promise<boolean>
  /** Why it could not be woken when it was last tried; null once it was. */
  wakingFailure(id: PersonaId): string | null
  /** Which of its work fails because of a defect in the daemon, in words; null if none does. */
  fault(id: PersonaId): string | null
  /** What it is saying right now, not yet recorded. */
  saying(id: PersonaId): Saying | null
  /** Answers a program, as `converse`. Refused `not_active` while it is not awake. */
  converse(id: PersonaId, exchange: Exchange): Promise<Exchanged>
  /**
   * Lets it go over what the person talked about with others, as `Feedings` tells. Refused `not_active` while
   * it is not awake.
   */
  feed(id: PersonaId, history: History): Promise<number>
  /** Sends it to sleep, and resolves when it is awake again. Refused `not_active`, or `sleep_failed`. */
  sleep(id: PersonaId): Promise<void>
  /** Asks whether its Mind answers; throws ModelError. */
  probeMind(id: PersonaId): Promise<void>
  /** Resolves when every step that commits so far have asked of it is done. */
  settled(id: PersonaId): Promise<Settled>
  /**
   * Stops the agent while `work` replaces the journal, and starts it again if it ran before; `wakes`: also
   * when the work succeeded, or only when it failed. It stays wanted, so a crash or a disk that refuses keeps
   * it from waking only for as long as that lasts. `work` must not wait for `settled`. Rejects with what
   * `work` throws.
   */
  rest<T>(id: PersonaId, work: () => Promise<T>, wakes?: 'always' | 'on failure'): Promise<T>
  /** Wakes it if it should run; where it fails, goes on trying after it has resolved. */
  wakeIfWanted(id: PersonaId): Promise<void>
  /**
   * Another daemon goes on with it, or nobody can say: it stops, and is not woken here before `wakeIfWanted`.
   * Never rejects.
   */
  leave(id: PersonaId): Promise<void>
  /** Wakes those who should run, some at a time, trying again until they do. Returns at once. */
  boot(): void
  close(): Promise<void>
}
