/**
 * Finds the encoding of a text. Explicit information takes precedence: a byte order mark, then a declaration
 * (a header, a meta element, the user). Then UTF-16 is detected by its zero bytes, UTF-8 by valid sequences,
 * and the last resort is a guess. The user is always informed of a guess: see `guessNote`.
 */
import { getPlausibility, guessEncoding } from './encoding-guess.ts'
import { decodeBytes, decodeChunks, encodingLabel, encodingNames, isEncodingLabel } from './encodings.ts'
import { countHigh, countUtf8, hasControls, type Sample, takeSample, toSample } from './text-sample.ts'

export interface TextEncoding {
  /** Label of TextDecoder. */
  readonly label: string
  /** True if no encoding is declared and the bytes are not valid Unicode. */
  readonly guessed: boolean
}

/**
 * Returns a sentence about a guessed encoding for the user and the persona, or null if nothing was guessed.
 */
export const guessNote = ({ label, guessed }: TextEncoding, source: 'file' | 'page'): string | null => {
  if (!guessed) return null
  const name = isEncodingLabel(label) ? encodingNames[label] : label
  return `Read as ${name}; the ${source} does not say its encoding.`
}

/** Returns the encoding that the byte order mark declares. */
export const markedEncoding = ([first, second, thirdByte]: Uint8Array):
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | null => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && thirdByte === 0xbf ? 'utf-8' : null
}

/**
 * Returns 'binary' if the bytes are not text, and null if the encoding must be guessed. Fast enough for a
 * request.
 */
const findStatedEncoding = (
  sample: Sample,
  declaredLabel?: string | null,
): TextEncoding | 'binary' | null => {
  const bytes = Buffer.concat(sample)
  const label = markedEncoding(bytes) ?? (declaredLabel ? encodingLabel(declaredLabel) : null)
  if (label) return { label, guessed: false }
  if (bytes.includes(0)) {
    const wideEncoding = detectWideEncoding(bytes)
    return wideEncoding ? { label: wideEncoding, guessed: false } : 'binary'
  }
  if (isJapaneseMail(bytes)) return { label: 'iso-2022-jp', guessed: true }
  const { valid, invalid } = countUtf8(sample)
  // A few invalid bytes do not change the encoding of a file.
  if (invalid === 0 || valid > 3 * invalid) return { label: 'utf-8', guessed: invalid > 0 }
  return hasControls(bytes) ? 'binary' : null
}

/** Returns null if the bytes are not text. */
export const findEncoding = async (
  sample: Sample,
  declaredLabel?: string | null,
): Promise<TextEncoding | null> => {
  const statedEncoding = findStatedEncoding(sample, declaredLabel)
  if (statedEncoding) return statedEncoding === 'binary' ? null : statedEncoding
  const label = declaredInMarkup(sample)
  if (label) return { label, guessed: false }
  const guess = await guessEncoding(sample)
  return guess && { label: guess, guessed: true }
}

/** Returns the `charset` of a media type. */
const declaredInType = (type: string): string | null =>
  /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? null

export interface DecodedText {
  readonly text: string
  /** Set if the encoding was guessed. */
  readonly note: string | null
}

/** Decodes a page that is in memory. Bytes that are not text are decoded as UTF-8. */
export const decodePage = async (bytes: Buffer, type: string): Promise<DecodedText> => {
  const sample = toSample(bytes)
  const declaredLabel = declaredInType(type) ?? declaredInMarkup(sample)
  const encoding = (await findEncoding(sample, declaredLabel)) ?? { label: 'utf-8', guessed: false }
  return { text: decodeBytes(bytes, encoding.label), note: guessNote(encoding, 'page') }
}

/**
 * Converts the text to UTF-8 without a byte order mark. Invalid UTF-8 is passed on, and the reader replaces
 * it. `open` is called twice.
 */
export const toUtf8 = async function* (
  open: () => AsyncIterable<Buffer>,
  onNote: (note: string) => void = () => {},
  declaredLabel?: string | null,
): AsyncGenerator<Buffer> {
  const encoding = await findEncoding(await takeSample(open()), declaredLabel)
  const note = encoding && guessNote(encoding, 'file')
  if (note) onNote(note)
  if (!encoding || encoding.label === 'utf-8') return yield* removeMark(open())
  for await (const text of decodeChunks(open(), encoding.label)) yield Buffer.from(text)
}

const mark = Buffer.from('\ufeff')

const removeMark = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  const rest = (bytes: Buffer) =>
    bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes
  for await (const bytes of chunks) {
    if (!head) {
      yield bytes
      continue
    }
    head = Buffer.concat([head, bytes])
    if (head.length < mark.length) continue
    yield rest(head)
    head = undefined
  }
  if (head) yield rest(head)
}

/** A page or an XML file must declare its encoding within these first bytes. Source: HTML Living Standard. */
const declarationBytes = 1024

/** Returns the label that a meta element or an XML declaration names, or null if it is unknown. */
export const declaredInMarkup = ([first]: Sample): string | null => {
  const head = first?.subarray(0, declarationBytes).toString('latin1') ?? ''
  const name =
    /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]+)/i.exec(head)?.[1]
  if (name === undefined) return null
  // If the declaration can be read as ASCII, the text is not UTF-16.
  return /^utf-?16/i.test(name) ? 'utf-8' : encodingLabel(name)
}

/** Returns true if the beginning of a file is valid UTF-8 or UTF-16. */
export const isUnicodeText = (head: Buffer): boolean => {
  const encoding = findStatedEncoding(toSample(head))
  if (encoding === null || encoding === 'binary' || encoding.guessed) return false
  return encoding.label === 'utf-8' || isWideText(decodeBytes(head, encoding.label))
}

/**
 * Returns true if the beginning of a file may be text in an older encoding: it has no control characters, and
 * it is long enough or has enough ASCII for that to be significant.
 */
export const mayBeOldText = (head: Buffer): boolean =>
  !head.includes(0) && !hasControls(head) && (head.length >= 64 || 2 * countHigh(head) <= head.length)

/** Number of bytes that are checked for UTF-16. */
const maxWideSample = 4096

/** Detects UTF-16 without a byte order mark: the zero bytes are mostly at even or mostly at odd offsets. */
const detectWideEncoding = (sample: Buffer): 'utf-16le' | 'utf-16be' | null => {
  const bytes = sample.subarray(0, maxWideSample)
  let evenCount = 0
  let oddCount = 0
  for (let index = bytes.indexOf(0); index >= 0; index = bytes.indexOf(0, index + 1))
    index % 2 === 0 ? evenCount++ : oddCount++
  const zeros = Math.max(evenCount, oddCount)
  // A few zero bytes do not indicate UTF-16, because any two ASCII bytes are also a Han character.
  if (Math.min(evenCount, oddCount) * 50 > zeros || zeros * 64 < bytes.length) return null
  const label = evenCount > oddCount ? 'utf-16be' : 'utf-16le'
  return isWideText(decodeBytes(bytes, label)) ? label : null
}

const isWideText = (text: string): boolean => !text.includes('\0') && getPlausibility(text) > 0.8

/** ISO-2022-JP is ASCII with escape sequences, so it is also valid UTF-8. */
const isJapaneseMail = (bytes: Buffer): boolean =>
  bytes.includes('\x1b$B') || bytes.includes('\x1b$@') ? bytes.includes('\x1b(') : false
