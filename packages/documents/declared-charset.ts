/** The encoding that the sender of a text names, unless the bytes contradict it. */
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { encodingLabel } from './encodings.ts'
import { markedEncoding } from './text-encoding.ts'
import { countUtf8, type Sample, takeSample } from './text-sample.ts'

/** A label of TextDecoder. Null for an unknown name, and for a file that cannot be in that encoding. */
export const fittingCharset = async (path: string, named: string): Promise<string | null> =>
  fittingLabel(await takeSample(createReadStream(path)), named)

/**
 * Null if the bytes begin with a mark or are invalid in the encoding. The name ASCII is ignored: to
 * TextDecoder it means Windows-1252.
 */
export const fittingLabel = (sample: Sample, named: string): string | null => {
  const label = encodingLabel(named)
  const [first = Buffer.alloc(0)] = sample
  if (!label || markedEncoding(first) || /^\s*(?:us-)?ascii\s*$/i.test(named)) return null
  // Any two bytes of ASCII are a letter of UTF-16.
  const isWide = label.startsWith('utf-16')
  if (isWide && !first.includes(0) && countUtf8(sample).invalid === 0) return null
  return sample.every((piece) => isValid(piece, label)) ? label : null
}

const isValid = (bytes: Buffer, label: string): boolean => {
  try {
    // The end of a piece may be within a letter.
    const text = new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true })
    return !text.includes('\0')
  } catch {
    return false
  }
}
