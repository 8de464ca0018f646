/**
 * Whoever asked may go away before the answer, and the daemon may stop: then what they asked for ends, and
 * nothing of it is saved.
 */
import { Refused } from '../persona/refusals.ts'

/** Refused: cut_short. */
export const stillThere = (gone: AbortSignal): void => {
  if (gone.aborted) throw new Refused({ code: 'cut_short' })
}
