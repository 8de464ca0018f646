/** Numbers as LevelDB and Snappy write them: seven bits a byte, the lowest first, the last byte below 128. */
export interface Varints {
  /** Where it has come to. */
  at(): number
  /** RangeError behind the end. */
  number(): number
  /** So many bytes, passed over; what lies behind the end is left out. */
  bytes(length: number): Buffer
  skip(length: number): void
}

export const varintsIn = (bytes: Buffer, from: number): Varints => {
  let at = from
  return {
    at: () => at,
    number: () => {
      for (let value = 0, scale = 1; ; scale *= 128) {
        const byte = bytes.readUInt8(at++)
        value += (byte & 127) * scale
        if (byte < 128) return value
      }
    },
    bytes: (length) => {
      at += length
      return bytes.subarray(at - length, at)
    },
    skip: (length) => {
      at += length
    },
  }
}
