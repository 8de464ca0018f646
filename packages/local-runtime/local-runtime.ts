/**
 * Runs GGUF models on this machine with node-llama-cpp, which is installed on request. Knows files, not
 * personas. Each model file runs in a child process of its own, because a damaged file aborts the process
 * that loads it.
 */
import type { Embedder } from '../models/embedder.ts'
import type { Mind } from '../models/mind.ts'
import type { Gpu } from './installed-runtime.ts'

/**
 * `absent`: not installed. `installing`: also while a newer version replaces an installed one. `failed`: the
 * last attempt failed, and no version is installed. `unsupported`: no build exists for this machine.
 */
export interface RuntimeState {
  readonly phase: 'absent' | 'installing' | 'ready' | 'failed' | 'unsupported'
  /** The version that is used or would be installed. */
  readonly version: string
  /** Size on disk. Before the install: the expected size. Null if unknown. */
  readonly bytes: number | null
  /** One sentence for the user, for `failed` and `unsupported`. */
  readonly reason: string | null
  /** Of the installed version. */
  readonly gpu: Gpu
  /** The graphics interfaces that can be installed here, with their additional size on disk. */
  readonly gpus: readonly { readonly gpu: Gpu; readonly bytes: number }[]
}

/** `completed` and `total` in bytes. */
export interface InstallProgress {
  readonly completed: number
  readonly total: number
}

export interface LocalModelOptions {
  /** The user's name of the model, for messages. */
  readonly model: string
  /** Requests with the same key share a cached prefix. Identifies a persona. */
  readonly cacheKey?: string
}

export type LoadedGpu = Exclude<Gpu, 'none'> | 'metal'

/** `ended` processes are not listed. */
export interface LoadedModel {
  readonly path: string
  readonly phase: 'starting' | 'ready' | 'broken'
  /** Null if broken. */
  readonly pid: number | null
  /** Resident memory at the last answer. Null while starting. */
  readonly memoryBytes: number | null
  readonly contextTokens: number | null
  /** The graphics interface in use. Null: the processor computes, or it is unknown yet. */
  readonly gpu: LoadedGpu | null
  /** Start of the process, or time of the last crash, in ms since 1970. */
  readonly since: number
  /** When the process ends unless a request comes before, in ms since 1970. Null if it is not idle. */
  readonly idleUntil: number | null
  /** One sentence, if broken. */
  readonly reason: string | null
}

export interface LocalRuntime {
  state(): RuntimeState
  /**
   * Installs the pinned version from the npm registry and removes other versions. Concurrent calls share one
   * installation. With another `gpu` than that of the installed version, replaces it and ends all models.
   * Throws `ModelError`, or the signal's reason. An aborted or failed install leaves no files.
   */
  install(onProgress: (progress: InstallProgress) => void, signal: AbortSignal, gpu?: Gpu): Promise<void>
  /** Ends all models and deletes the runtime. Models on disk stay. */
  remove(): Promise<void>
  /** Does not access the disk. `modelPath` is absolute. */
  createMind(modelPath: string, options: LocalModelOptions): Mind
  createEmbedder(modelPath: string, options: Omit<LocalModelOptions, 'cacheKey'>): Embedder
  /** Loads the model. Throws `MindError` with one sentence, or the signal's reason. */
  load(modelPath: string, signal: AbortSignal): Promise<LoadedModel>
  /** Forgets former crashes of the model, so that it is loaded again. */
  forgive(modelPath: string): void
  /** Returns the running and the broken models. */
  loaded(): readonly LoadedModel[]
  /** Ends the process of a model, for example before its file is deleted. */
  unload(modelPath: string): Promise<void>
  close(): Promise<void>
}
