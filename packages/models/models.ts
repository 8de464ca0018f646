/**
 * The models of organs, for all providers: prepared before an organ is saved, probed before a persona starts,
 * called in a turn.
 */
import type { Organ, Slot } from '../../facts/fact-values.ts'
import { organTable } from '../../facts/organ-table.ts'
import { type Fault, type Mind, MindError } from './mind.ts'
import type { Ear, Imagination, Mouth, Takes } from './sense-models.ts'

/**
 * An organ with its key in clear text. `provider` is null for a local model, `url` is null for the configured
 * address.
 */
export interface OrganAsk {
  readonly model: string
  readonly provider: Organ['provider']
  readonly url: string | null
  readonly apiKey: string | null
  readonly profile?: Organ['profile']
  /** Identifies the persona for a provider's prompt cache. Contains no name. */
  readonly cacheKey?: string
}

/** `completed` and `total` in bytes, null while unknown. */
export interface Progress {
  readonly model: string
  readonly status: string
  readonly completed: number | null
  readonly total: number | null
}

/** Null: unknown. */
export interface ModelTraits {
  readonly name: string
  readonly bytes: number | null
  readonly tools: boolean | null
}

export interface Models {
  /**
   * Checks that the model is reachable and present (pulls a local one), and for chat organs generates one
   * word. An organ that the provider does not support is accepted; it fails when it is used. Throws
   * `ModelError` with a reason for the user.
   */
  prepare(slot: Slot, organ: OrganAsk, progress: (p: Progress) => void, signal?: AbortSignal): Promise<void>
  /** Registers a local model under `wrapper`. Does nothing for embedded and remote models. */
  wrap(organ: OrganAsk, wrapper: string): Promise<void>
  /**
   * Unregisters a wrapper. Succeeds if it does not exist. Throws `ModelError` if the runtime is unreachable.
   */
  unwrap(organ: OrganAsk, wrapper: string): Promise<void>
  /**
   * Checks that the runtime answers and knows the model. Uses no tokens, takes at most 10 s. Throws
   * `ModelError`.
   */
  probe(organ: OrganAsk, wrapper: string | null, signal?: AbortSignal): Promise<void>
  /**
   * These four neither access the network nor throw. An unsupported organ fails when it is used.
   */
  mind(organ: OrganAsk, wrapper: string | null): Mind
  ear(organ: OrganAsk): Ear
  mouth(organ: OrganAsk): Mouth
  imagination(organ: OrganAsk): Imagination
  /** Returns which files its chat accepts. Rejects only with the signal's reason. */
  getAcceptedFiles(organ: OrganAsk, wrapper: string | null, signal: AbortSignal): Promise<Takes>
  /** Returns the context window in tokens, or null if unknown. Rejects only with the signal's reason. */
  getContextWindow(organ: OrganAsk, wrapper: string | null, signal: AbortSignal): Promise<number | null>
  /** Returns the number of parameters, or null if unknown. Rejects only with the signal's reason. */
  getParameters(organ: OrganAsk, wrapper: string | null, signal: AbortSignal): Promise<number | null>
  /**
   * Returns true if its address is on this machine and it needs no key. False for a model inside the daemon.
   */
  isOnThisMachine(organ: OrganAsk): boolean
  /**
   * Returns the request fields that the server has refused and that are left out now, as clauses for the
   * user. Without network access.
   */
  refusals(organ: Omit<OrganAsk, 'apiKey'>, wrapper: string | null): readonly string[]
  /** Returns the model names that an address offers. Throws `ModelError`. */
  names(ask: Omit<OrganAsk, 'model'>): Promise<readonly string[]>
  /** Returns the models that a local runtime describes, empty if it describes none. Throws `ModelError`. */
  described(ask: Omit<OrganAsk, 'model'>): Promise<readonly ModelTraits[]>
  close(): Promise<void>
}

/**
 * The message says which address was tried and what to do, and contains no key. `lasting`: a retry will not
 * help, such as with a wrong key or an unknown model. `slot`: the organ, if it is known.
 */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly isLasting: boolean
  readonly fault: Fault | null
  readonly slot: Slot | null
  constructor(
    message: string,
    isLasting = false,
    { fault = null, slot = null }: { readonly fault?: Fault | null; readonly slot?: Slot | null } = {},
  ) {
    super(message)
    this.isLasting = isLasting
    this.fault = fault
    this.slot = slot
  }
}

/** Converts a `MindError` to a `ModelError` with the same message. */
export const forAPerson = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MindError)) throw error
    const { message, kind, fault } = error
    throw new ModelError(message, kind === 'barred', { fault })
  }
}

/** Returns true for organs with a chat model. The others listen, speak or draw. */
export const isSpokenTo = (slot: Slot): boolean => organTable[slot].spokenTo

/** One of the `refusals`. */
export const withoutTools = 'tools (the persona can talk, and use none)'
