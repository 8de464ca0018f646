/**
 * Cuts JSON that may be larger than memory into pieces that are not: the elements of an array, whole objects,
 * and the elements of the list of conversations in an object. It looks at strings and brackets only; parsing
 * a piece finds its other errors.
 */
import { Unreadable } from './unreadable.ts'

export type Piece =
  /** Raw JSON, in UTF-8: an element, an object, or (of `members`) a `"name": value`. */
  | { readonly kind: 'value'; readonly bytes: Buffer }
  | { readonly kind: 'left_out'; readonly reason: 'too_large' | 'too_deep' }
  /** A list has ended. */
  | { readonly kind: 'closed' }

export interface Splitter {
  /** Chunks may be cut anywhere. Throws `Unreadable` where brackets do not fit. */
  push(chunk: Buffer): readonly Piece[]
  end(): readonly Piece[]
}

interface Options {
  /** Bytes of a piece. */
  readonly maxBytes: number
  /** Max values in a piece: a small text may need much memory. */
  readonly values: number
  readonly deepest: number
  /** Whether an object is one piece, but for its list of conversations, or each of its members is. */
  readonly objects: 'whole' | 'members'
}

/** Bytes of the signs of JSON. */
export const quote = 0x22
export const backslash = 0x5c
export const comma = 0x2c
export const colon = 0x3a
export const openList = 0x5b
export const closeList = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d

/** Names of the list of conversations in an object around it. */
const lists = new Set(['conversations', 'chats'])
const maxNameLength = 16

/** The first bytes of a JSON value that is neither list nor object. */
const scalars = new Set(Buffer.from('"-0123456789tfn'))

const noDepth = -1

export const createSplitter = ({ maxBytes, values, deepest, objects }: Options): Splitter => {
  let depth = 0
  /**
   * How deep the pieces lie: in nothing yet, beside each other in the file, in a list, in the list within an
   * object.
   */
  let level = noDepth
  let opener = 0
  let hasBegun = false
  let inString = false
  let isEscaped = false
  /** A piece has begun. */
  let isTaking = false
  let afterComma = false
  /** The name in an object that a value is about to follow, while it can still be that of the list. */
  let name = ''
  let isNaming = false
  let isNamed = false
  let piece = createPile(maxBytes, values)
  /** The object around the list that is being cut. */
  let outerPile: Pile | undefined
  let pieces: Piece[] = []

  const createUnreadable = () => new Unreadable(hasBegun ? 'damaged' : 'not_json')

  const finish = () => {
    pieces.push(piece.finish())
    piece = createPile(maxBytes, values)
    isTaking = false
  }

  /** Returns from where on the chunk is still to be taken. */
  const open = (chunk: Buffer, byte: number, position: number, from: number): number => {
    depth++
    piece.count()
    if (depth > deepest) piece.lose('too_deep')
    if (depth === 1) {
      if (isTaking) throw new Unreadable('damaged')
      opener = byte
      hasBegun = true
      const isWholeObject = byte === openObject && objects === 'whole'
      level = isWholeObject ? 0 : 1
      isTaking = isWholeObject
      afterComma = false
      return position
    }
    if (depth === 2 && level === 0 && byte === openList && isNamed) {
      piece.add(chunk.subarray(from, position + 1))
      outerPile = piece
      piece = createPile(maxBytes, values)
      level = 2
      isTaking = false
      afterComma = false
      isNamed = false
      return position
    }
    if (isTaking) return from
    isTaking = true
    return position
  }

  const close = (chunk: Buffer, byte: number, position: number, from: number): number => {
    if (depth === 0) throw createUnreadable()
    depth--
    if (level === 0 && depth === 0) {
      piece.add(chunk.subarray(from, position + 1))
      finish()
      level = noDepth
    } else if (level > 0 && depth === level - 1) {
      if (byte !== (level === 2 || opener === openList ? closeList : closeObject))
        throw new Unreadable('damaged')
      if (!isTaking && afterComma) throw new Unreadable('damaged')
      if (isTaking) {
        piece.add(chunk.subarray(from, position))
        finish()
      }
      pieces.push({ kind: 'closed' })
      if (outerPile) {
        piece = outerPile
        outerPile = undefined
        isTaking = true
        level = 0
        return position
      }
      level = noDepth
    }
    return from
  }

  const separate = (chunk: Buffer, position: number, from: number): void => {
    if (!isTaking) throw new Unreadable('damaged')
    piece.add(chunk.subarray(from, position))
    finish()
    afterComma = true
  }

  const push = (chunk: Buffer): readonly Piece[] => {
    pieces = []
    const { length } = chunk
    let from = 0
    for (let position = 0; position < length; position++) {
      const byte = chunk[position] as number
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) inString = false
        if (isNaming) {
          if (!inString) isNaming = false
          else if (name.length <= maxNameLength) name += String.fromCharCode(byte)
        } else if (inString && !isEscaped) {
          position = nextSign(chunk, position + 1) - 1
        }
        continue
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        if (depth === 0 && isTaking) {
          piece.add(chunk.subarray(from, position))
          finish()
        }
        continue
      }
      if (byte === openObject || byte === openList) {
        from = open(chunk, byte, position, from)
        continue
      }
      if (byte === closeObject || byte === closeList) {
        from = close(chunk, byte, position, from)
        continue
      }
      if (byte === comma && depth === level && depth > 0) {
        separate(chunk, position, from)
        continue
      }
      if (byte === comma) piece.count()
      if (!isTaking) {
        if (depth === 0 && !scalars.has(byte)) throw createUnreadable()
        isTaking = true
        from = position
      }
      if (byte === quote) {
        inString = true
        isNaming = level === 0 && depth === 1
        if (isNaming) name = ''
      } else if (level === 0 && depth === 1) {
        isNamed = byte === colon && lists.has(name)
      }
    }
    if (isTaking) piece.add(chunk.subarray(from))
    return pieces
  }

  const end = (): readonly Piece[] => {
    if (depth > 0 || inString) throw new Unreadable('damaged')
    pieces = []
    if (isTaking) finish()
    return pieces
  }

  return { push, end }
}

/** Returns the position of the next quote or backslash: most of a history is the inside of strings. */
export const nextSign = (chunk: Buffer, from: number): number => {
  const { length } = chunk
  for (let position = from; position < length; position++)
    if (chunk[position] === quote || chunk[position] === backslash) return position
  return length
}

export interface Pile {
  add(bytes: Buffer): void
  count(): void
  lose(reason: 'too_large' | 'too_deep'): void
  finish(): Piece
}

/** Bytes that belong together, as long as they are few enough. */
export const createPile = (maxBytes: number, values: number): Pile => {
  let parts: Buffer[] = []
  let size = 0
  let valueCount = 0
  let lossReason: 'too_large' | 'too_deep' | undefined
  const stopPiece = (reason: 'too_large' | 'too_deep') => {
    lossReason ??= reason
    parts = []
  }
  return {
    lose: stopPiece,
    count: () => {
      if (++valueCount > values) stopPiece('too_large')
    },
    add: (bytes) => {
      size += bytes.length
      if (size > maxBytes) stopPiece('too_large')
      else if (!lossReason && bytes.length > 0) parts.push(bytes)
    },
    finish: () =>
      lossReason ? { kind: 'left_out', reason: lossReason } : { kind: 'value', bytes: Buffer.concat(parts) },
  }
}
