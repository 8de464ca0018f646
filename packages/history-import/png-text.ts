/**
 * Texts that a PNG holds beside its picture: `tEXt`, `zTXt` and `iTXt` of the PNG specification, third
 * edition.
 */
import { crc32, inflateSync } from 'node:zlib'
import { feedLimits, Unreadable } from './unreadable.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const isPng = (head: Buffer): boolean => head.subarray(0, signature.length).equals(signature)

export interface PngText {
  readonly keyword: string
  readonly data: Buffer
  readonly isCompressed: boolean
  readonly encoding: 'latin1' | 'utf8'
}

/** By their keywords; of several of one keyword the first. Throws `Unreadable`. */
export const textsInPng = (png: Buffer): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const { keyword, data, isCompressed, encoding } of textChunksIn(png))
    if (!texts.has(keyword)) texts.set(keyword, (isCompressed ? inflate(data) : data).toString(encoding))
  return texts
}

/** Yields the texts as they are in the file. Throws `Unreadable`. */
export const textChunksIn = function* (png: Buffer): Generator<PngText> {
  for (let position = signature.length; position < png.length; ) {
    if (position + 12 > png.length) throw new Unreadable('damaged')
    const end = position + 8 + png.readUInt32BE(position)
    if (end + 4 > png.length) throw new Unreadable('damaged')
    const type = png.toString('latin1', position + 4, position + 8)
    if (type === 'IEND') break
    const read = readers[type]
    if (read) {
      if (crc32(png.subarray(position + 4, end)) !== png.readUInt32BE(end)) throw new Unreadable('damaged')
      yield read(png.subarray(position + 8, end))
    }
    position = end + 4
  }
}

const readers: Readonly<Record<string, (data: Buffer) => PngText>> = {
  tEXt: (bytes) => {
    const [keyword, data] = upToZero(bytes)
    return { keyword, data, isCompressed: false, encoding: 'latin1' }
  },
  zTXt: (bytes) => {
    const [keyword, rest] = upToZero(bytes)
    return { keyword, data: rest.subarray(1), isCompressed: true, encoding: 'latin1' }
  },
  iTXt: (bytes) => {
    const [keyword, rest] = upToZero(bytes)
    const [, translatedPart] = upToZero(rest.subarray(2))
    const [, data] = upToZero(translatedPart)
    return { keyword, data, isCompressed: rest[0] === 1, encoding: 'utf8' }
  },
}

const upToZero = (data: Buffer): readonly [string, Buffer] => {
  const zeroIndex = data.indexOf(0)
  if (zeroIndex < 0) throw new Unreadable('damaged')
  return [data.toString('latin1', 0, zeroIndex), data.subarray(zeroIndex + 1)]
}

const inflate = (data: Buffer): Buffer => {
  try {
    return inflateSync(data, { maxOutputLength: feedLimits.card })
  } catch {
    throw new Unreadable('damaged')
  }
}
