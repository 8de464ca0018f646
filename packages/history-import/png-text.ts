/**
 * Texts that a PNG holds beside its picture: `tEXt`, `zTXt` and `iTXt` of the PNG specification, third
 * edition.
 */
import { crc32, inflateSync } from 'node:zlib'
import { feedLimits, Unreadable } from './unreadable.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const isPng = (head: Buffer): boolean => head.subarray(0, signature.length).equals(signature)

/** By their keywords; of several of one keyword the first. Throws `Unreadable`. */
export const textsInPng = (png: Buffer): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (let at = signature.length; at < png.length; ) {
    if (at + 12 > png.length) throw new Unreadable('damaged')
    const end = at + 8 + png.readUInt32BE(at)
    if (end + 4 > png.length) throw new Unreadable('damaged')
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') break
    const read = readers[type]
    if (read) {
      if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) throw new Unreadable('damaged')
      const [keyword, text] = read(png.subarray(at + 8, end))
      if (!texts.has(keyword)) texts.set(keyword, text)
    }
    at = end + 4
  }
  return texts
}

type Text = readonly [keyword: string, text: string]

const readers: Readonly<Record<string, (data: Buffer) => Text>> = {
  tEXt: (data) => {
    const [keyword, rest] = upToZero(data)
    return [keyword, rest.toString('latin1')]
  },
  zTXt: (data) => {
    const [keyword, rest] = upToZero(data)
    return [keyword, inflate(rest.subarray(1)).toString('latin1')]
  },
  iTXt: (data) => {
    const [keyword, rest] = upToZero(data)
    const [, translated] = upToZero(rest.subarray(2))
    const [, text] = upToZero(translated)
    return [keyword, (rest[0] === 1 ? inflate(text) : text).toString()]
  },
}

const upToZero = (data: Buffer): readonly [string, Buffer] => {
  const at = data.indexOf(0)
  if (at < 0) throw new Unreadable('damaged')
  return [data.toString('latin1', 0, at), data.subarray(at + 1)]
}

const inflate = (data: Buffer): Buffer => {
  try {
    return inflateSync(data, { maxOutputLength: feedLimits.card })
  } catch {
    throw new Unreadable('damaged')
  }
}
