/** The part of the local runtime that a download needs. */

export interface RuntimeState {
  readonly phase: 'absent' | 'installing' | 'ready' | 'failed' | 'unsupported'
  /** The version that is used or would be installed. */
  readonly version: string
  /** Size on disk, or the expected size before the installation. Null if unknown. */
  readonly bytes: number | null
  /** One sentence for the user, for `failed` and `unsupported`. */
  readonly reason: string | null
}

export interface RuntimeInstall {
  state(): RuntimeState
  /** Throws ModelError, or the signal's reason. An aborted or failed installation leaves no files. */
  install(
    onProgress: (progress: { readonly completed: number; readonly total: number }) => void,
    signal: AbortSignal,
  ): Promise<void>
  /** Ends the process of a model before its file is deleted. */
  unload(modelPath: string): Promise<void>
}
