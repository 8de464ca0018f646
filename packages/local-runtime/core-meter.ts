/**
 * Counts the cores that other programs leave free. llama.cpp waits for its slowest thread after each
 * operation, so one thread too many is expensive. Measured on 2 busy cores: 880 tokens took 1.9 s with 2
 * threads, 0.1 s with 1.
 */
import { availableParallelism, cpus } from 'node:os'

/** Total times since the start of the machine or the process, in ms. */
export interface CpuTimes {
  readonly now: number
  /** Of all programs, summed over the cores. */
  readonly busy: number
  readonly own: number
}

export interface CoreMeter {
  /** Returns how many threads should compute now: 1 to `maxThreads`. */
  threads(): number
}

/** Shorter times are not measured exactly. */
const minSampleMs = 400

/** `cores`: all cores that this process may use, also virtual ones. */
export const createCoreMeter = (
  maxThreads: number,
  cores: number = availableParallelism(),
  read: () => CpuTimes = readCpuTimes,
): CoreMeter => {
  let last = read()
  let threads = maxThreads
  return {
    threads: () => {
      const next = read()
      const elapsedMs = next.now - last.now
      if (elapsedMs < minSampleMs) return threads
      const otherLoad = Math.max(0, next.busy - last.busy - (next.own - last.own)) / elapsedMs
      last = next
      threads = Math.max(1, Math.min(maxThreads, Math.floor(cores - otherLoad + tolerance)))
      return threads
    },
  }
}

/** Some background activity does not cost a thread. */
const tolerance = 0.3

const readCpuTimes = (): CpuTimes => {
  const { user, system } = process.cpuUsage()
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
  return { now: performance.now(), busy, own: (user + system) / 1000 }
}
