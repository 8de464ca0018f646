/**
 * Parses JSON of any size within the limits of a conversation, in pieces that are small enough not to block
 * the process.
 */
import type { MaybeYield } from '../kit/flow/yielding.ts'
import { createSplitter } from './json-splitter.ts'
import { feedLimits, Unreadable } from './unreadable.ts'

/** Bytes that are parsed at once: ⏱ 2 ms. */
const atOnce = 256 * 1024
/** Bytes that are looked through at once. */
const step = 512 * 1024
/** Of a string that is longer, the beginning is taken. */
const maxStringBytes = 4 * 1024 * 1024
/** How deep values may lie that are too large to be parsed at once. In conversations it is eight. */
const maxLevels = 16

/**
 * Throws `Unreadable`. Objects that were put together here have no prototype, so that no name in them means
 * anything.
 */
export const parseGently = async (
  bytes: Buffer,
  maybeYield: MaybeYield,
  levels = maxLevels,
): Promise<unknown> => {
  await maybeYield()
  if (bytes.length <= atOnce) return parse(bytes.toString())
  const first = bytes.find((byte) => byte > 0x20)
  if (first === 0x22) return decodeString(bytes)
  if (first !== 0x7b && first !== 0x5b) throw new Unreadable('damaged')
  if (levels === 0) return null
  return first === 0x7b
    ? parseObject(bytes, maybeYield, levels - 1)
    : parseArray(bytes, maybeYield, levels - 1)
}

const parseArray = async (bytes: Buffer, maybeYield: MaybeYield, levels: number): Promise<unknown[]> => {
  const all: unknown[] = []
  for await (const run of splitRuns(bytes, maybeYield)) {
    if (run.isLarge) all.push(await parseGently(run.bytes, maybeYield, levels))
    else for (const value of parse(`[${run.bytes}]`) as unknown[]) all.push(value)
  }
  return all
}

const parseObject = async (bytes: Buffer, maybeYield: MaybeYield, levels: number): Promise<object> => {
  const wholeObject = Object.create(null) as Record<string, unknown>
  for await (const run of splitRuns(bytes, maybeYield)) {
    if (run.isLarge) {
      const [name, value] = parseMember(run.bytes)
      wholeObject[name] = await parseGently(value, maybeYield, levels)
      continue
    }
    const members = parse(`{${run.bytes}}`) as Record<string, unknown>
    for (const name of Object.keys(members)) wholeObject[name] = members[name]
  }
  return wholeObject
}

interface Run {
  readonly bytes: Buffer
  readonly isLarge: boolean
}

/**
 * Yields the members of a list or an object: small ones together, with the commas between them, each large
 * one on its own.
 */
const splitRuns = async function* (bytes: Buffer, maybeYield: MaybeYield): AsyncGenerator<Run> {
  const { conversation, depth, values } = feedLimits
  const splitter = createSplitter({ maxBytes: conversation, deepest: depth, values, objects: 'members' })
  let smallPieces: Buffer[] = []
  let size = 0
  const joinPieces = (): Run => {
    const run = { bytes: Buffer.concat(smallPieces), isLarge: false }
    smallPieces = []
    size = 0
    return run
  }
  for (let position = 0; position < bytes.length; position += step) {
    await maybeYield()
    for (const piece of splitter.push(bytes.subarray(position, position + step))) {
      if (piece.kind !== 'value') continue
      const isLarge = piece.bytes.length > atOnce
      if (smallPieces.length > 0 && (isLarge || size + piece.bytes.length > atOnce)) yield joinPieces()
      if (isLarge) {
        yield { bytes: piece.bytes, isLarge }
        continue
      }
      if (smallPieces.length > 0) smallPieces.push(commaAlone)
      smallPieces.push(piece.bytes)
      size += piece.bytes.length + 1
    }
  }
  splitter.end()
  if (smallPieces.length > 0) yield joinPieces()
}

const commaAlone = Buffer.from(',')

/** A `"name": value`. */
const parseMember = (bytes: Buffer): readonly [name: string, value: Buffer] => {
  let position = 1
  while (position < bytes.length && bytes[position] !== 0x22) position += bytes[position] === 0x5c ? 2 : 1
  let colon = position + 1
  while (colon < bytes.length && (bytes[colon] as number) <= 0x20) colon++
  if (bytes[0] !== 0x22 || bytes[colon] !== 0x3a) throw new Unreadable('damaged')
  return [
    parse(bytes.subarray(0, Math.min(position + 1, atOnce)).toString()) as string,
    bytes.subarray(colon + 1),
  ]
}

const decodeString = (bytes: Buffer): string => {
  const start = bytes.indexOf(0x22)
  if (bytes.length <= maxStringBytes) return parse(bytes.toString()) as string
  // Cut where no escape is cut in two.
  for (let trimmedBytes = 0; trimmedBytes < 12; trimmedBytes++) {
    try {
      return JSON.parse(`${bytes.subarray(start, start + maxStringBytes - trimmedBytes)}"`)
    } catch {}
  }
  throw new Unreadable('damaged')
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('damaged')
  }
}
