/**
 * Standard output and standard error, which may fail at any time: a full disk, a reader that has left or
 * stopped reading, a closed terminal.
 */
import { writeSync } from 'node:fs'

/** Writes once. Returns false if the stream did not take all of the text. Never throws. */
export const writeStandard = (fd: 1 | 2, text: string): boolean => {
  try {
    return writeSync(fd, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

export interface LineOutput {
  /** Never throws and never blocks on a pipe. Drops the line if the stream refuses it. */
  write(line: string): void
  /** Number of dropped lines since the start. */
  getDroppedCount(): number
}

interface LineOutputOptions {
  /** Writes some of the bytes and returns their number. Throws system errors. */
  readonly writeBytes?: (bytes: Uint8Array) => number
  /** Max bytes that wait for a slow reader. Further lines are dropped. */
  readonly maxWaitingBytes?: number
}

const retryDelayMs = 50

/** Writes lines to standard error synchronously, so that the last one before a crash is visible. */
export const openLineOutput = ({
  writeBytes = (bytes) => writeSync(2, bytes),
  maxWaitingBytes = 1024 * 1024,
}: LineOutputOptions = {}): LineOutput => {
  let queue: Uint8Array[] = []
  let waitingBytes = 0
  // A part of the first waiting line has been written. The rest must follow, or two lines become one.
  let isTorn = false
  let retry: NodeJS.Timeout | undefined
  let droppedCount = 0

  const restartAfter = (lines: Uint8Array[]) => {
    queue = lines
    waitingBytes = lines.reduce((sum, { length }) => sum + length, 0)
  }
  const flush = (): void => {
    retry = undefined
    while (queue[0]) {
      const [line] = queue
      const outcome = attempt(line)
      if (outcome === 'later') {
        retry = setTimeout(flush, retryDelayMs).unref()
        return
      }
      if (outcome === 'refused') {
        droppedCount += queue.length - (isTorn ? 1 : 0)
        return restartAfter(isTorn ? [line] : [])
      }
      isTorn = outcome < line.length
      if (isTorn) queue[0] = line.subarray(outcome)
      else queue.shift()
      waitingBytes -= outcome
    }
  }
  const attempt = (line: Uint8Array): number | 'later' | 'refused' => {
    try {
      return writeBytes(line) || 'later'
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'later' : 'refused'
    }
  }

  return {
    write: (line) => {
      const bytes = Buffer.from(line)
      if (waitingBytes > 0 && waitingBytes + bytes.length > maxWaitingBytes) return void droppedCount++
      queue.push(bytes)
      waitingBytes += bytes.length
      // For a slow reader only the timer retries, not every line.
      if (retry === undefined) flush()
    },
    getDroppedCount: () => droppedCount,
  }
}
