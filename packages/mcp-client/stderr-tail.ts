/** The last that a process said on its stderr, however much it says. */
import { plainLine } from './trouble.ts'

export interface StderrTail {
  add(chunk: Buffer): void
  /** The last whole lines, masked, one text; empty where it said nothing. */
  text(mask: (text: string) => string): string
}

const mostBytes = 8 * 1024
const mostLines = 8

export const createStderrTail = (): StderrTail => {
  let kept = Buffer.alloc(0)
  let isCut = false
  return {
    add: (chunk) => {
      const all = chunk.length >= mostBytes ? chunk : Buffer.concat([kept, chunk])
      isCut ||= kept.length + chunk.length > mostBytes
      // Copied, or a few bytes would hold on to the whole chunk.
      kept = Buffer.from(all.subarray(-mostBytes))
    },
    text: (mask) => {
      const text = kept.toString('utf8')
      // What was cut in the middle may begin with half a secret, which no mask would know.
      const whole = isCut ? text.slice(text.indexOf('\n') + 1 || text.length) : text
      const lines = mask(whole)
        .split(/\r?\n/)
        .map((line) => plainLine(line))
        .filter(Boolean)
      // Once more: what a terminal obeys may have stood in a secret.
      return mask(lines.slice(-mostLines).join('\n'))
    },
  }
}
