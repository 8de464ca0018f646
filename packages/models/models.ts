/**
 * The organs' models, whoever serves them: prepared before they are saved, probed before it wakes,
 * spoken to in a turn.
 */
import type { Organ, Slot } from '../../journal/facts/fact-values.ts'
import { organTable } from '../../journal/facts/organ-table.ts'
import { type Mind, MindError } from './mind.ts'
import type { Ear, Imagination, Mouth, Takes } from './sense-models.ts'

/**
 * An organ as a caller asks for it, its key in clear. `provider` null is a local model, `url` null the
 * configured address.
 */
export interface OrganAsk {
  readonly model: string
  readonly provider: Organ['provider']
  readonly url: string | null
  readonly apiKey: string | null
}

/** `completed` and `total` in bytes, null while unknown. */
export interface Progress {
  readonly model: string
  readonly status: string
  readonly completed: number | null
  readonly total: number | null
}

/** null: not told. */
export interface ModelTraits {
  readonly name: string
  readonly bytes: number | null
  readonly tools: boolean | null
}

export interface Models {
  /**
   * Validates by use: reachable, present (a local one is pulled), and for the organs that are spoken to one
   * word generated. That a provider cannot serve an organ at all is no reason to refuse it: the organ says so
   * when it is used. Throws `ModelError` with a reason for a person.
   */
  prepare(slot: Slot, organ: OrganAsk, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  /** Registers a local model under `wrapper`. No-op for models that have none (embedded, remote). */
  wrap(organ: OrganAsk, wrapper: string): Promise<void>
  /** Unregisters a wrapper; absent there is fine. Throws `ModelError` when the runtime cannot be reached. */
  unwrap(organ: OrganAsk, wrapper: string): Promise<void>
  /**
   * The probe: the runtime answers and knows the model. No token spent, 10 s at most. Throws `ModelError`.
   */
  probe(organ: OrganAsk, wrapper: string | null, signal?: AbortSignal): Promise<void>
  /**
   * None of these touches the network by itself, and none throws: what cannot be served says so when it is
   * used.
   */
  mind(organ: OrganAsk, wrapper: string | null): Mind
  ear(organ: OrganAsk): Ear
  mouth(organ: OrganAsk): Mouth
  imagination(organ: OrganAsk): Imagination
  /** What its chat takes beside words. Rejects only with the signal's reason. */
  takes(organ: OrganAsk, wrapper: string | null, signal: AbortSignal): Promise<Takes>
  /**
   * How many tokens it holds in mind at once; null where nobody tells. Rejects only with the signal's reason.
   */
  holds(organ: OrganAsk, wrapper: string | null, signal: AbortSignal): Promise<number | null>
  /**
   * What the server of a model refused by name and is no longer asked, as clauses for the user.
   * Touches no network.
   */
  refusals(organ: Omit<OrganAsk, 'apiKey'>, wrapper: string | null): readonly string[]
  /** The model names an address offers. Throws `ModelError`. */
  names(at: Omit<OrganAsk, 'model'>): Promise<readonly string[]>
  /** What a local runtime tells of the models it has; nothing where nobody tells. Throws `ModelError`. */
  described(at: Omit<OrganAsk, 'model'>): Promise<readonly ModelTraits[]>
  close(): Promise<void>
}

/**
 * The sentence says which address was tried and what to do, and holds no key. `lasting`: it will not get
 * better by itself, as a wrong key or an unknown model.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly lasting: boolean
  constructor(message: string, lasting = false) {
    super(message)
    this.lasting = lasting
  }
}

/** What a probe says of a model’s own trouble. */
export const forAPerson = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MindError ? new ModelError(error.message, error.kind === 'barred') : error
  }
}

/** The organs whose models are talked to; the others listen, speak or draw. */
export const isSpokenTo = (slot: Slot): boolean => organTable[slot].spokenTo

/** Among `refusals`. */
export const withoutTools = 'tools (the persona can talk, and use none)'
