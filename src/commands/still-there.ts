/** Cancels a command when the client disconnects or the daemon stops, before anything is saved. */
import { Refused } from '../persona/refusals.ts'

/** Throws Refused: cut_short. */
export const stillThere = (gone: AbortSignal): void => {
  if (gone.aborted) throw new Refused({ code: 'cut_short' })
}
