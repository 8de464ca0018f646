/** State that exists only in this page and is lost when it is closed. */
import type { Letter } from '../talk/outbox.ts'

export interface HeldPhrase {
  /** 24 words. */
  readonly phrase: string
  /** The public key that they belong to, to detect a later change of the recovery words. */
  readonly recipient: string
}

/** Recovery words by persona id, until the user has confirmed them. Never stored. */
export const phrases = new Map<string, HeldPhrase>()
/** Chosen files by persona id that have not been sent. */
export const trays = new Map<string, readonly File[]>()
/** Messages with files by persona id that have not been delivered. */
export const parcels = new Map<string, readonly Letter[]>()
