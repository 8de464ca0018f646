/** In which encoding a history is, told by its bytes, since nobody says so; and the same in UTF-8. */
import { isAscii } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { encodingOf } from '../../documents/encoding.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Letters beyond ASCII after which it is clear: in most exports they come soon. */
const enough = 200

/**
 * UTF-16 by its mark, or by the zero beside the first sign of JSON. UTF-8 as long as letters beyond ASCII are
 * right in it; where most are not, it is Windows-1252, which holds all that Latin-1 shows. A letter that is
 * damaged makes no file of UTF-8 another.
 */
const encodingIn = async (chunks: AsyncIterable<Buffer>): Promise<Encoding> => {
  const letters = createLetters()
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let bytes = chunk
    if (head) {
      head = Buffer.concat([head, chunk])
      if (head.length < 2) continue
      const wide = wideIn(head)
      if (wide) return wide
      bytes = head
      head = undefined
    }
    letters.count(bytes)
    if (letters.right() + letters.wrong() >= enough) break
  }
  return letters.wrong() > letters.right() ? 'windows-1252' : 'utf-8'
}

const wideIn = (head: Buffer): Encoding | undefined => {
  const marked = encodingOf(head)
  if (marked !== 'utf-8') return marked
  if (head[1] === 0 && head[0] !== 0) return 'utf-16le'
  return head[0] === 0 && head[1] !== 0 ? 'utf-16be' : undefined
}

/**
 * Without a mark at its beginning. Bytes that are no characters of its encoding stay, and are replaced where
 * they are read.
 */
export const inUtf8 = async function* (open: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const encoding = await encodingIn(open())
  if (encoding === 'utf-8') return yield* withoutMark(open())
  const decoder = new TextDecoder(encoding)
  for await (const bytes of open()) yield Buffer.from(decoder.decode(bytes, { stream: true }))
  yield Buffer.from(decoder.decode())
}

const mark = Buffer.from('\ufeff')

const withoutMark = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

/**
 * Counts letters beyond ASCII that are right in UTF-8, and bytes that are not. Chunks may be cut anywhere.
 */
const createLetters = () => {
  let right = 0
  let wrong = 0
  /** Bytes that a letter which has begun still needs. */
  let missing = 0
  const look = (byte: number) => {
    if (missing > 0 && (byte & 0xc0) === 0x80) {
      if (--missing === 0) right++
      return
    }
    if (missing > 0) wrong++
    missing = byte < 0x80 ? 0 : neededAfter(byte)
    if (byte >= 0x80 && missing === 0) wrong++
  }
  return {
    right: () => right,
    wrong: () => wrong,
    count: (bytes: Buffer) => {
      if (missing > 0 || !isAscii(bytes)) for (const byte of bytes) look(byte)
    },
  }
}

/** Bytes that follow the first of a letter; 0 for one that begins none. */
const neededAfter = (first: number): number => {
  if (first < 0xc2 || first > 0xf4) return 0
  if (first < 0xe0) return 1
  return first < 0xf0 ? 2 : 3
}
