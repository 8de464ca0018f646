/** Notifies when a persona's journal grows. */
import { openLine } from './socket.ts'

/**
 * Calls the listener until the returned function is called. `gathered`: milliseconds in which new facts cause
 * only one call.
 */
export const followJournal = (id: string, onNews: () => void, gathered = 300): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let missed = false
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      onNews()
    }, gathered)
  }
  const line = openLine({
    path: () => `/ws/${encodeURIComponent(id)}`,
    onFrame: ({ seq }) => {
      if (seq !== null) soon()
    },
    onState: (open) => {
      if (open && missed) soon()
      missed = !open
    },
  })
  return () => {
    clearTimeout(timer)
    line.close()
  }
}
