/** Decompresses Snappy's block format, which LevelDB uses (google/snappy, format_description.txt). */
import { varintsIn } from './varints.ts'

/** Throws RangeError if the data is invalid. `room`: buffer to reuse if the result fits. */
export const unpackSnappy = (packedBytes: Buffer, room?: Buffer): Buffer => {
  const head = varintsIn(packedBytes, 0)
  const length = head.number()
  // Uninitialized memory is safe here: every byte is written, or the call throws.
  const output = room && length <= room.length ? room.subarray(0, length) : Buffer.allocUnsafe(length)
  let position = head.at()
  let to = 0
  while (position < packedBytes.length) {
    const tag = packedBytes[position++] ?? 0
    const kind = tag & 3
    if (kind === 0) {
      const lengthBytes = Math.max(0, (tag >> 2) - 59)
      const size = (lengthBytes > 0 ? packedBytes.readUIntLE(position, lengthBytes) : tag >> 2) + 1
      position += lengthBytes
      if (position + size > packedBytes.length || to + size > length)
        throw new RangeError('a literal crosses the end')
      copyShort(packedBytes, position, output, to, size)
      position += size
      to += size
      continue
    }
    const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    const width = kind === 3 ? 4 : kind
    const distance = packedBytes.readUIntLE(position, width) + (kind === 1 ? (tag >> 5) * 256 : 0)
    position += width
    if (distance === 0 || distance > to || to + size > length) throw new RangeError('a copy reaches outside')
    // Byte by byte, because the source may overlap the target.
    for (const end = to + size; to < end; to++) output[to] = output[to - distance] ?? 0
  }
  if (to !== length) throw new RangeError('it ends early')
  return output
}

/** Up to this length a loop is faster than `Buffer.copy`. */
const shortLength = 48

const copyShort = (from: Buffer, position: number, output: Buffer, to: number, size: number): void => {
  if (size > shortLength) from.copy(output, to, position, position + size)
  else for (let n = 0; n < size; n++) output[to + n] = from[position + n] ?? 0
}
