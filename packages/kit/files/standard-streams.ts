/**
 * Standard output and standard error as files that can fail at any time: a full disk, a reader that left or
 * stopped reading, a terminal that was closed.
 */
import { writeSync } from 'node:fs'

/** Writes once, as far as the stream takes it. Returns false when not all of it was written. Never throws. */
export const writeStandard = (fd: 1 | 2, text: string): boolean => {
  try {
    return writeSync(fd, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

export interface LineOutput {
  /** Never throws and never blocks on a pipe. Drops the line when the stream refuses it. */
  write(line: string): void
  /** Lines that were dropped since the start. */
  dropped(): number
}

interface LineOutputOptions {
  /** Writes a part of the bytes and returns how many. Throws the error of the system. */
  readonly writeBytes?: (bytes: Uint8Array) => number
  /** Bytes kept for a reader that is slow. Further lines are dropped. */
  readonly maxWaitingBytes?: number
}

const retryDelayMs = 50

/** Writes lines to standard error at once, so that the last one before a crash is there. */
export const openLineOutput = ({
  writeBytes = (bytes) => writeSync(2, bytes),
  maxWaitingBytes = 1024 * 1024,
}: LineOutputOptions = {}): LineOutput => {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  // The stream has the first part of the first waiting line: the rest must follow, or two lines become one.
  let isTorn = false
  let retry: NodeJS.Timeout | undefined
  let dropped = 0

  const keep = (lines: Uint8Array[]) => {
    waiting = lines
    waitingBytes = lines.reduce((sum, { length }) => sum + length, 0)
  }
  const flush = (): void => {
    retry = undefined
    while (waiting[0]) {
      const [line] = waiting
      const written = attempt(line)
      if (written === 'later') {
        retry = setTimeout(flush, retryDelayMs).unref()
        return
      }
      if (written === 'refused') {
        dropped += waiting.length - (isTorn ? 1 : 0)
        return keep(isTorn ? [line] : [])
      }
      isTorn = written < line.length
      if (isTorn) waiting[0] = line.subarray(written)
      else waiting.shift()
      waitingBytes -= written
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
      if (waitingBytes > 0 && waitingBytes + bytes.length > maxWaitingBytes) return void dropped++
      waiting.push(bytes)
      waitingBytes += bytes.length
      // A slow reader is tried again by the timer, not by every line.
      if (retry === undefined) flush()
    },
    dropped: () => dropped,
  }
}
