/** Stores the end of a process's stderr, with a size limit. */
import { plainLine } from './trouble.ts'

export interface StderrTail {
  add(chunk: Buffer): void
  /** Returns the last complete lines, masked, as one text. Empty if there is no output. */
  text(mask: (text: string) => string): string
}

const maxBytes = 8 * 1024
const maxLines = 8

export const createStderrTail = (): StderrTail => {
  let tail = Buffer.alloc(0)
  let isCut = false
  return {
    add: (chunk) => {
      const all = chunk.length >= maxBytes ? chunk : Buffer.concat([tail, chunk])
      isCut ||= tail.length + chunk.length > maxBytes
      // Copied, so that the whole chunk can be freed.
      tail = Buffer.from(all.subarray(-maxBytes))
    },
    text: (mask) => {
      const text = tail.toString('utf8')
      // A cut line may start with half a secret, which the mask does not recognize.
      const completeLines = isCut ? text.slice(text.indexOf('\n') + 1 || text.length) : text
      const lines = mask(completeLines)
        .split(/\r?\n/)
        .map((line) => plainLine(line))
        .filter(Boolean)
      // Mask again: terminal escapes inside a secret were removed only now.
      return mask(lines.slice(-maxLines).join('\n'))
    },
  }
}
