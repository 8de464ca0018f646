/** Keeps a room up to date: reloads its data after new facts of the persona. */
import { subscribe } from './system-line.ts'

/** Milliseconds in which several facts cause one reload. */
const gatherMs = 60

/** Reloads that are postponed while a persona is being deleted, by its id. */
const pausedReloads = new Map<string, Set<() => void>>()

/** Postpones all reloads of a persona until the returned function is called, which runs them if `thenAsk`. */
export const pauseReloads = (id: string): ((thenAsk: boolean) => void) => {
  const pausedReload = new Set<() => void>()
  pausedReloads.set(id, pausedReload)
  return (thenAsk) => {
    pausedReloads.delete(id)
    if (thenAsk) for (const ask of pausedReload) ask()
  }
}

/**
 * Calls `ask` after matching facts of the persona, and when some may have been missed. Returns a function
 * that stops it.
 */
export const keepCurrent = (id: string, facts: RegExp, ask: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const askNow = () => {
    const pausedReload = pausedReloads.get(id)
    if (pausedReload) pausedReload.add(ask)
    else ask()
  }
  const stop = subscribe((frame) => {
    if (frame.type !== 'reset' && !(frame.of === id && facts.test(frame.fact))) return
    clearTimeout(timer)
    timer = setTimeout(askNow, gatherMs)
  })
  return () => {
    clearTimeout(timer)
    pausedReloads.get(id)?.delete(ask)
    stop()
  }
}
