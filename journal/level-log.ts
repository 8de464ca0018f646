/** LevelDB's log format, in which its logs and its manifest are written (doc/log_format.md), and the checksum it uses everywhere. */

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
      const whole = fits && masked(~extend(0xffffffff, log.subarray(at + 6, end))) === log.readUInt32LE(at)
      yield { kind: log.readUInt8(at + 6), data, whole }
    }
    // Where its length cannot be right, the next block is the next place to look.
    at = empty || !fits ? at + left : end
  }
}

/** Whether something in the middle of a log is not what was written. A bad end is what a crash leaves, and no damage by itself. */
export const isBroken = (log: Buffer): boolean => {
  let bad = false
  for (const { whole } of fragments(log)) {
    if (whole && bad) return true
    bad ||= !whole
  }
  return false
}

/** CRC-32C, one byte further: begin with all ones, and invert the end. */
export const step = (crc: number, byte: number): number => (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)

const extend = (crc: number, bytes: Buffer): number => {
  let next = crc
  for (let at = 0; at < bytes.length; at++) next = step(next, bytes[at] ?? 0)
  return next
}

/** As it is stored, so that checksums over bytes that hold checksums stay useful. */
export const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})
