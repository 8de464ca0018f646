/**
 * The organs that are not spoken to: what listens, what speaks, what draws. All throw `MindError`, or the
 * signal's reason when they were cut.
 */
import type { Usage } from '../../journal/facts/fact-values.ts'
import type { Shown } from './mind.ts'

export interface Ear {
  /** What is said in a clip, in the language it is said in; empty where nobody says anything. */
  hear(clip: Shown, signal: AbortSignal): Promise<{ readonly text: string; readonly usage: Usage }>
}

/** A file that a model has made; `mime` by its bytes. */
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
