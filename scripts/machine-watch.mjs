/** Detects whether the machine stalled, from a process that is otherwise idle. */
import { open, rm } from 'node:fs/promises'

/** Milliseconds between two timer checks, and between two writes. */
const pace = 250
const writes = 1000

/**
 * Returns `stillSince(from)`: the longest stall in ms, of a timer or a disk write, that ended at `from` (as
 * `performance.now()`) or later or has not ended yet. `file`: the path for the test writes.
 */
export const watchMachine = (file) => {
  const stalls = []
  const note = (startTime, usualMs) => {
    const end = performance.now()
    const longerMs = end - startTime - usualMs
    if (longerMs > pace) stalls.push({ end, longer: longerMs })
  }

  let last = performance.now()
  const timer = setInterval(() => {
    note(last, pace)
    last = performance.now()
  }, pace)

  let isClosed = false
  let underWay = null
  const writing = (async () => {
    const disk = await open(file, 'w')
    while (!isClosed) {
      const startTime = performance.now()
      underWay = startTime
      await disk.write('x', 0)
      await disk.sync()
      underWay = null
      note(startTime, 0)
      await new Promise((resolve) => setTimeout(resolve, writes))
    }
    await disk.close()
    await rm(file, { force: true })
  })()

  return {
    stillSince: (from) =>
      Math.max(
        underWay === null ? 0 : performance.now() - underWay,
        ...stalls.filter(({ end }) => end >= from).map(({ longer }) => longer),
      ),
    close: async () => {
      clearInterval(timer)
      isClosed = true
      await writing
    },
  }
}
