/** Checks the encoding that a client names for a text against its bytes. */
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { encodingLabel } from './encodings.ts'
import { markedEncoding } from './text-encoding.ts'
import { countUtf8, type Sample, takeSample } from './text-sample.ts'

/** Returns a label of TextDecoder, or null if the name is unknown or the file is not in that encoding. */
export const fittingCharset = async (path: string, charset: string): Promise<string | null> =>
  findFittingLabel(await takeSample(createReadStream(path)), charset)

/**
 * Returns null if the bytes begin with a byte order mark or are invalid in the encoding. The name ASCII is
 * ignored, because TextDecoder reads it as Windows-1252.
 */
const findFittingLabel = (sample: Sample, charset: string): string | null => {
  const label = encodingLabel(charset)
  const [first = Buffer.alloc(0)] = sample
  if (!label || markedEncoding(first) || /^\s*(?:us-)?ascii\s*$/i.test(charset)) return null
  // Any two ASCII bytes are a valid character in UTF-16.
  const isWide = label.startsWith('utf-16')
  if (isWide && !first.includes(0) && countUtf8(sample).invalid === 0) return null
  return sample.every((piece) => isValid(piece, label)) ? label : null
}

const isValid = (bytes: Buffer, label: string): boolean => {
  try {
    // A piece may end within a character.
    const text = new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
    return !text.includes('\0')
  } catch {
    return false
  }
}
