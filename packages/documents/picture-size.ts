/**
 * Reads the width and height of a picture from its header, without decoding it. Sources: the specifications
 * of PNG (11.2.1), GIF89a (18), JPEG (ITU T.81, B.2.2) and WebP (RFC 9649).
 */
import type { Buffer } from 'node:buffer'

/** In pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The types whose size can be read. */
export const sizedTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type SizedType = (typeof sizedTypes)[number]

export const isSizedType = (mime: string | undefined): mime is SizedType =>
  sizedTypes.some((type) => type === mime)

/** Returns undefined if the header is damaged or the picture has no area. */
export const readPictureSize = (bytes: Buffer, mime: SizedType): PictureSize | undefined => {
  try {
    const size = readers[mime](bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // A read beyond the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const readPng = (bytes: Buffer): PictureSize | undefined =>
  bytes.toString('latin1', 12, 16) === 'IHDR'
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

const readGif = (bytes: Buffer): PictureSize => ({
  width: bytes.readUInt16LE(6),
  height: bytes.readUInt16LE(8),
})

/** Segments of a JPEG until its frame header. C4, C8 and CC are not frame headers. */
const readJpeg = (bytes: Buffer): PictureSize | undefined => {
  let offset = 2
  while (bytes.readUInt8(offset) === 0xff) {
    const marker = bytes.readUInt8(offset + 1)
    if (marker === 0xff) {
      offset += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) }
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
  return undefined
}

const readWebp = (bytes: Buffer): PictureSize | undefined => {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}

const readers: Readonly<Record<SizedType, (bytes: Buffer) => PictureSize | undefined>> = {
  'image/png': readPng,
  'image/gif': readGif,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
}
