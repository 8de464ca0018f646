/**
 * Whoever asked may go away before the answer, and the server may close: what takes long ends then, and
 * nothing of it is saved.
 */
import type { ServerResponse } from 'node:http'
import { stillThere } from '../../commands/lifecycle.ts'

/**
 * The signal aborts once nobody waits for the answer any more. Refused: cut_short, where the work ends with
 * that.
 */
export const whileThere = async <T>(
  response: ServerResponse,
  closing: AbortSignal,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T> => {
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (closing.aborted || response.closed || response.destroyed) leave()
  response.once('close', leave)
  closing.addEventListener('abort', leave, { once: true })
  try {
    return await work(gone.signal)
  } catch (error) {
    // What was cut off because nobody waits for it has not failed.
    if (error === gone.signal.reason) stillThere(gone.signal)
    throw error
  } finally {
    closing.removeEventListener('abort', leave)
    response.off('close', leave)
  }
}
