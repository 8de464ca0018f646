/**
 * Cuts one JSON object that may be larger than memory into the values at chosen paths. It checks strings,
 * brackets, names and commas; a value that is cut out is checked when it is parsed.
 */
import {
  backslash,
  closeList,
  closeObject,
  colon,
  comma,
  createPile,
  nextSign,
  openList,
  openObject,
  quote,
} from './json-splitter.ts'
import { Unreadable } from './unreadable.ts'

/** `path`: names and `*` for an element of a list, joined by dots. */
export type PathPiece =
  | { readonly kind: 'value'; readonly path: string; readonly bytes: Buffer }
  | { readonly kind: 'left_out'; readonly path: string; readonly reason: 'too_large' | 'too_deep' }
  /** An object or a list that was looked into has ended. */
  | { readonly kind: 'closed'; readonly path: string }

export interface PathSplitter {
  /** Chunks may be cut anywhere. Throws `Unreadable` if the JSON is malformed. */
  push(chunk: Buffer): readonly PathPiece[]
  /** Throws `Unreadable` if the JSON is not complete. */
  end(): void
}

interface Options {
  /** Bytes of a piece. */
  readonly maxBytes: number
  /** Values in a piece. */
  readonly values: number
  readonly deepest: number
  /** `inside`: an object or a list there is looked into. */
  readonly plan: (path: string) => 'piece' | 'inside' | 'skip'
}

interface Level {
  readonly isList: boolean
  readonly path: string
}

const maxNameLength = 64

export const createPathSplitter = ({ maxBytes, values, deepest, plan }: Options): PathSplitter => {
  const levels: Level[] = []
  /** The part of the grammar that may come next outside of pieces. */
  let expected: 'value' | 'name' | 'colon' | 'separator' | 'nothing' = 'value'
  /** A list or an object has just begun, so it may end. */
  let isFresh = false
  let name = ''
  let inString = false
  let isEscaped = false
  let isNaming = false
  /** The value that is being read: kept, or skipped. */
  let action: 'piece' | 'skip' | undefined
  let path = ''
  let depth = 0
  let pile = createPile(maxBytes, values)
  let pieces: PathPiece[] = []

  const finish = (bytes: Buffer) => {
    if (action === 'piece') {
      pile.add(bytes)
      const piece = pile.finish()
      if (piece.kind !== 'closed') pieces.push({ ...piece, path })
      pile = createPile(maxBytes, values)
    }
    action = undefined
    depth = 0
    expected = levels.length === 0 ? 'nothing' : 'separator'
  }

  const beginPath = (byte: number) => {
    if (expected !== 'value') throw new Unreadable('damaged')
    const level = levels.at(-1)
    path = level === undefined ? '' : join(level.path, level.isList ? '*' : name)
    const isContainer = byte === openObject || byte === openList
    isFresh = false
    if (isContainer && plan(path) === 'inside') {
      levels.push({ isList: byte === openList, path })
      expected = byte === openList ? 'value' : 'name'
      isFresh = true
      return
    }
    action = plan(path) === 'piece' ? 'piece' : 'skip'
    depth = isContainer ? 1 : 0
    inString = byte === quote
  }

  const close = (byte: number) => {
    const level = levels.pop()
    if (!level || byte !== (level.isList ? closeList : closeObject)) throw new Unreadable('damaged')
    if (expected !== 'separator' && !isFresh) throw new Unreadable('damaged')
    pieces.push({ kind: 'closed', path: level.path })
    isFresh = false
    expected = levels.length === 0 ? 'nothing' : 'separator'
  }

  const takeStructure = (byte: number) => {
    if (byte === closeObject || byte === closeList) return close(byte)
    if (byte === comma) {
      if (expected !== 'separator') throw new Unreadable('damaged')
      expected = levels.at(-1)?.isList ? 'value' : 'name'
    } else if (byte === colon) {
      if (expected !== 'colon') throw new Unreadable('damaged')
      expected = 'value'
    } else if (expected === 'name') {
      if (byte !== quote) throw new Unreadable('damaged')
      inString = true
      isNaming = true
      isFresh = false
      name = ''
    } else beginPath(byte)
  }

  /** Returns whether the byte belongs to the value, which ends before it otherwise. */
  const takeInside = (byte: number): boolean => {
    if (byte === openObject || byte === openList) {
      depth++
      pile.count()
      if (depth > deepest) pile.lose('too_deep')
    } else if (byte === closeObject || byte === closeList) {
      if (depth === 0) return false
      depth--
    } else if (byte === comma) {
      if (depth === 0) return false
      pile.count()
    } else if (byte === quote) inString = true
    return true
  }

  const push = (chunk: Buffer): readonly PathPiece[] => {
    pieces = []
    let from = 0
    for (let position = 0; position < chunk.length; position++) {
      const byte = chunk[position] as number
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) inString = false
        if (isNaming && inString) {
          if (name.length < maxNameLength) name += String.fromCharCode(byte)
        } else if (isNaming) {
          isNaming = false
          expected = 'colon'
        } else if (inString && !isEscaped) position = nextSign(chunk, position + 1) - 1
        continue
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue
      if (action) {
        const hadDepth = depth > 0
        if (takeInside(byte)) {
          if (hadDepth && depth === 0) finish(chunk.subarray(from, position + 1))
          continue
        }
        finish(chunk.subarray(from, position))
      }
      takeStructure(byte)
      if (action) from = position
    }
    if (action === 'piece') pile.add(chunk.subarray(from))
    return pieces
  }

  const end = () => {
    if (expected !== 'nothing' || action || inString) throw new Unreadable('damaged')
  }

  return { push, end }
}

const join = (path: string, name: string): string => {
  const safeName = name.replaceAll('.', '_')
  return path === '' ? safeName : `${path}.${safeName}`
}
