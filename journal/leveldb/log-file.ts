/**
 * LevelDB's log format, in which its logs and its manifest are written (doc/log_format.md), and the checksum
 * it uses everywhere.
 */

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

/** CRC-32C, one byte further: begin with all ones, and invert the end. */
export const step = (crc: number, byte: number): number => (tables[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)

/** The same over all of these: eight at a time, ⏱ 600 MB/s, where one by one goes at 140. */
export const extend = (crc: number, bytes: Buffer): number => {
  let next = crc
  let place = 0
  const until = (end: number): void => {
    for (; place < end; place++) next = step(next, bytes[place] ?? 0)
  }
  until(Math.min(bytes.length, -bytes.byteOffset & 3))
  const pairs = (bytes.length - place) >> 3
  // ⏱ Words of the memory itself: reading them from the buffer takes as long as the rest. Little-endian, as
  // all that LevelDB is built for here.
  const words = pairs > 0 ? new Uint32Array(bytes.buffer, bytes.byteOffset + place, pairs * 2) : none
  for (let word = 0; word < words.length; word += 2) {
    const low = next ^ (words[word] as number)
    const high = words[word + 1] as number
    next =
      (tables[1792 + (low & 0xff)] as number) ^
      (tables[1536 + ((low >>> 8) & 0xff)] as number) ^
      (tables[1280 + ((low >>> 16) & 0xff)] as number) ^
      (tables[1024 + (low >>> 24)] as number) ^
      (tables[768 + (high & 0xff)] as number) ^
      (tables[512 + ((high >>> 8) & 0xff)] as number) ^
      (tables[256 + ((high >>> 16) & 0xff)] as number) ^
      (tables[high >>> 24] as number)
  }
  place += words.length * 4
  until(bytes.length)
  return next
}

/** As it is stored, so that checksums over bytes that hold checksums stay useful. */
export const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0

const none = new Uint32Array(0)

/** What a byte does to a checksum that many bytes later. */
const tables = new Uint32Array(8 * 256)
for (let byte = 0; byte < 256; byte++) {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  tables[byte] = crc
}
for (let later = 1; later < 8; later++) {
  for (let byte = 0; byte < 256; byte++) {
    const before = tables[(later - 1) * 256 + byte] ?? 0
    tables[later * 256 + byte] = (tables[before & 0xff] ?? 0) ^ (before >>> 8)
  }
}
