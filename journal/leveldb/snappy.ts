/** Snappy's block format, unpacked (google/snappy, format_description.txt): LevelDB packs its blocks so. */
import { varintsIn } from './varints.ts'

/** RangeError where it is none. */
export const unpack = (packed: Buffer): Buffer => {
  const head = varintsIn(packed, 0)
  const length = head.number()
  let at = head.at()
  const little = (bytes: number): number => {
    const value = packed.readUIntLE(at, bytes)
    at += bytes
    return value
  }
  const out = Buffer.alloc(length)
  let to = 0
  const literal = (tag: number): void => {
    const short = tag >> 2
    const size = (short < 60 ? short : little(short - 59)) + 1
    if (at + size > packed.length || to + size > length) throw new RangeError('a literal crosses the end')
    to += packed.copy(out, to, at, at + size)
    at += size
  }
  /** Byte by byte: what is copied may reach into what it writes. */
  const copy = (size: number, back: number): void => {
    if (back === 0 || back > to || to + size > length) throw new RangeError('a copy reaches outside')
    for (const end = to + size; to < end; to++) out[to] = out[to - back] ?? 0
  }
  while (at < packed.length) {
    const tag = little(1)
    const kind = tag & 3
    if (kind === 0) literal(tag)
    else if (kind === 1) copy(((tag >> 2) & 7) + 4, (tag >> 5) * 256 + little(1))
    else copy((tag >> 2) + 1, little(kind === 2 ? 2 : 4))
  }
  if (to !== length) throw new RangeError('it ends early')
  return out
}
