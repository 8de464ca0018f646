/** LevelDB's log format, in which its logs and its manifest are written (doc/log_format.md). */
import { checksumOf } from './checksum.ts'

const blockSize = 32 * 1024
const headerSize = 7

/** A piece of a record: kind 1 is a whole one, 2 to 4 are its first, a middle and its last piece. */
export interface Fragment {
  readonly kind: number
  readonly data: Buffer
  /** Whether it fits its checksum. */
  readonly whole: boolean
}

/** The pieces in order: masked checksum (4), length (2), kind (1), data. None crosses the end of a block. */
export function* fragments(log: Buffer): Generator<Fragment> {
  for (let at = 0; at + headerSize <= log.length; ) {
    const left = blockSize - (at % blockSize)
    const empty = left < headerSize || log.readUIntBE(at + 4, 3) === 0
    const end = empty ? at : at + headerSize + log.readUInt16LE(at + 4)
    const fits = end <= Math.min(at + left, log.length)
    if (!empty) {
      const data = log.subarray(at + headerSize, end)
      const whole = fits && checksumOf(log.subarray(at + 6, end)) === log.readUInt32LE(at)
      yield { kind: log.readUInt8(at + 6), data, whole }
    }
    // Where its length cannot be right, the next block is the next place to look.
    at = empty || !fits ? at + left : end
  }
}

/**
 * `torn`: a bad end, as a crash leaves it, and no damage by itself. `broken`: something in the middle is not
 * what was written.
 */
export const endOf = (log: Buffer): 'whole' | 'torn' | 'broken' => {
  let bad = false
  for (const { whole } of fragments(log)) {
    if (whole && bad) return 'broken'
    bad ||= !whole
  }
  return bad ? 'torn' : 'whole'
}
