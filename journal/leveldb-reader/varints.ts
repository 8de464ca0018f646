/** Reads varints of LevelDB and Snappy: seven bits per byte, lowest first, the last byte below 128. */
export interface Varints {
  /** Returns the current offset. */
  at(): number
  /** Throws RangeError at the end of the buffer. */
  number(): number
  /** Returns the next bytes and advances. The result is shorter at the end of the buffer. */
  bytes(length: number): Buffer
  skip(length: number): void
}

export const varintsIn = (bytes: Buffer, from: number): Varints => {
  let position = from
  return {
    at: () => position,
    number: () => {
      for (let value = 0, scale = 1; ; scale *= 128) {
        const byte = bytes.readUInt8(position++)
        value += (byte & 127) * scale
        if (byte < 128) return value
      }
    },
    bytes: (length) => {
      position += length
      return bytes.subarray(position - length, position)
    },
    skip: (length) => {
      position += length
    },
  }
}
