/** Decompresses RTF from Outlook mails (MS-OXRTFCP). */
import { Unreadable } from './limits.ts'

const headerSize = 16
const dictionarySize = 4096
const compressedMagic = 0x75465a4c
const uncompressedMagic = 0x414c454d

/** The initial content of every dictionary. */
const commonText = Buffer.from(
  String.raw`{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
    '\r\n' +
    String.raw`\par \pard\plain\f0\fs20\b\i\u\tab\tx`,
  'latin1',
)

/** Throws `Unreadable` if the data is damaged or the text has more than `maxBytes`. */
export const decompressRtf = (bytes: Buffer, maxBytes: number): Buffer => {
  if (bytes.length < headerSize) throw new Unreadable('damaged')
  const size = bytes.readUInt32LE(4)
  const kind = bytes.readUInt32LE(8)
  if (kind === uncompressedMagic) return bytes.subarray(headerSize, headerSize + size)
  if (kind !== compressedMagic) throw new Unreadable('damaged')
  if (size > maxBytes) throw new Unreadable('too_large')
  return expand(bytes.subarray(headerSize), size)
}

/**
 * Each control byte describes the next eight items: a literal byte, or two bytes that refer to earlier text.
 */
const expand = (packedBytes: Buffer, size: number): Buffer => {
  // A reference takes two bytes and expands to at most 17.
  const text = Buffer.alloc(Math.min(size, packedBytes.length * 17))
  const dictionary = Buffer.alloc(dictionarySize)
  commonText.copy(dictionary)
  let write = commonText.length
  let length = 0
  const putByte = (byte: number) => {
    dictionary[write] = byte
    write = (write + 1) % dictionarySize
    if (length < text.length) text[length++] = byte
  }
  let position = 0
  while (position < packedBytes.length) {
    const control = packedBytes[position++] ?? 0
    for (let bit = 0; bit < 8 && position < packedBytes.length; bit++) {
      const byte = packedBytes[position++] ?? 0
      if ((control & (1 << bit)) === 0) {
        putByte(byte)
        continue
      }
      const token = byte * 256 + (packedBytes[position++] ?? 0)
      const from = token >> 4
      if (from === write) return text.subarray(0, length)
      for (let n = 0; n < (token & 15) + 2; n++) putByte(dictionary[(from + n) % dictionarySize] ?? 0)
    }
  }
  return text.subarray(0, length)
}
