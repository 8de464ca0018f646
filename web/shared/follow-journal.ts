/** Notifies when a persona's journal grows. */
import { openLine } from './socket.ts'

/**
 * Calls the listener until the returned function is called. `gatherMs`: milliseconds in which new facts cause
 * only one call.
 */
export const followJournal = (id: string, onNews: () => void, gatherMs = 300): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasClosed = false
  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      onNews()
    }, gatherMs)
  }
  const line = openLine({
    path: () => `/ws/${encodeURIComponent(id)}`,
    onFrame: ({ seq }) => {
      if (seq !== null) schedule()
    },
    onState: (open) => {
      if (open && wasClosed) schedule()
      wasClosed = !open
    },
  })
  return () => {
    clearTimeout(timer)
    line.close()
  }
}
