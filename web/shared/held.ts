/** What this page alone holds, and loses when it is closed. */
import type { Letter } from '../talk/outbox.ts'

export interface HeldPhrase {
  /** 24 words. */
  readonly phrase: string
  /** For whom they open diaries, so that it is seen when others are in force; empty until that is known. */
  readonly recipient: string
}

/** Recovery words by persona, until somebody has confirmed to have them. Never stored. */
export const phrases = new Map<string, HeldPhrase>()
/** Files chosen for a persona and not yet sent. */
export const trays = new Map<string, readonly File[]>()
/** Letters with a file that were not yet heard. */
export const parcels = new Map<string, readonly Letter[]>()
