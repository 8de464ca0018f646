/** What this page alone holds, and loses when it is closed. */
import type { Letter } from '../talk/outbox.ts'

/** Recovery words of those who were made since the page was loaded. Never stored. */
export const phrases = new Map<string, string>()
/** Files chosen for a persona and not yet sent. */
export const trays = new Map<string, readonly File[]>()
/** Letters with a file that were not yet heard. */
export const parcels = new Map<string, readonly Letter[]>()
