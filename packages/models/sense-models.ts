/**
 * The models of organs without a chat: they listen, speak or draw. All throw `MindError`, or the signal's
 * reason if aborted.
 */
import type { Usage } from '../../facts/fact-values.ts'
import type { Shown } from './mind.ts'

export interface Ear {
  /** Returns the words in a recording, in their language. Empty if there is no speech. */
  hear(clip: Shown, signal: AbortSignal): Promise<{ readonly text: string; readonly usage: Usage }>
}

/** A generated file. `mime` is detected from its bytes. */
export interface Made {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly usage: Usage
}

export interface Mouth {
  speak(text: string, signal: AbortSignal): Promise<Made>
}

export interface Imagination {
  draw(wish: string, signal: AbortSignal): Promise<Made>
}

export interface Takes {
  readonly images: boolean
  /** Media types of the pictures. Default: `usualPictures`. */
  readonly pictures?: readonly string[]
  /** PDF as it is. */
  readonly documents: boolean
}
