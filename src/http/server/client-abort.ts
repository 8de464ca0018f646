/** Aborts work when the client disconnects or the server closes. */
import type { ServerResponse } from 'node:http'
import { throwIfDisconnected } from '../../commands/lifecycle.ts'

/**
 * Runs work with a signal that aborts when the client disconnects or the server closes. Throws cut_short if
 * the work rejects because of that signal.
 */
export const withAbortSignal = async <T>(
  response: ServerResponse,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const leave = () => controller.abort()
  if (closing.aborted || response.closed || response.destroyed) leave()
  response.once('close', leave)
  closing.addEventListener('abort', leave, { once: true })
  try {
    return await work(controller.signal)
  } catch (error) {
    // Work that was aborted by this signal has not failed.
    if (error === controller.signal.reason) throwIfDisconnected(controller.signal)
    throw error
  } finally {
    closing.removeEventListener('abort', leave)
    response.off('close', leave)
  }
}

/** Throws cut_short if the work fails because the client disconnected or the server is closing. */
export const orCutShort = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throwIfDisconnected(signal)
    throw error
  }
}
