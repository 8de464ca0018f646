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
const longestString = 4 * 1024 * 1024
/** How deep values may lie that are too large to be parsed at once. In conversations it is eight. */
const mostLevels = 16

/**
 * Throws `Unreadable`. Objects that were put together here have no prototype, so that no name in them means
 * anything.
 */
export const parseGently = async (
  bytes: Buffer,
  maybeYield: MaybeYield,
  levels = mostLevels,
): Promise<unknown> => {
  await maybeYield()
  if (bytes.length <= atOnce) return parse(bytes.toString())
  const first = bytes.find((byte) => byte > 0x20)
  if (first === 0x22) return stringOf(bytes)
  if (first !== 0x7b && first !== 0x5b) throw new Unreadable('damaged')
  if (levels === 0) return null
  return first === 0x7b ? objectOf(bytes, maybeYield, levels - 1) : arrayOf(bytes, maybeYield, levels - 1)
}

const arrayOf = async (bytes: Buffer, maybeYield: MaybeYield, levels: number): Promise<unknown[]> => {
  const all: unknown[] = []
  for await (const run of runsOf(bytes, maybeYield)) {
    if (run.large) all.push(await parseGently(run.bytes, maybeYield, levels))
    else for (const value of parse(`[${run.bytes}]`) as unknown[]) all.push(value)
  }
  return all
}

const objectOf = async (bytes: Buffer, maybeYield: MaybeYield, levels: number): Promise<object> => {
  const whole = Object.create(null) as Record<string, unknown>
  for await (const run of runsOf(bytes, maybeYield)) {
    if (run.large) {
      const [name, value] = memberOf(run.bytes)
      whole[name] = await parseGently(value, maybeYield, levels)
      continue
    }
    const few = parse(`{${run.bytes}}`) as Record<string, unknown>
    for (const name of Object.keys(few)) whole[name] = few[name]
  }
  return whole
}

interface Run {
  readonly bytes: Buffer
  readonly large: boolean
}

/**
 * Yields the members of a list or an object: small ones together, with the commas between them, each large
 * one on its own.
 */
const runsOf = async function* (bytes: Buffer, maybeYield: MaybeYield): AsyncGenerator<Run> {
  const { conversation, depth, values } = feedLimits
  const splitter = createSplitter({ most: conversation, deepest: depth, values, objects: 'members' })
  let few: Buffer[] = []
  let size = 0
  const together = (): Run => {
    const run = { bytes: Buffer.concat(few), large: false }
    few = []
    size = 0
    return run
  }
  for (let at = 0; at < bytes.length; at += step) {
    await maybeYield()
    for (const piece of splitter.push(bytes.subarray(at, at + step))) {
      if (piece.kind !== 'value') continue
      const large = piece.bytes.length > atOnce
      if (few.length > 0 && (large || size + piece.bytes.length > atOnce)) yield together()
      if (large) {
        yield { bytes: piece.bytes, large }
        continue
      }
      if (few.length > 0) few.push(commaAlone)
      few.push(piece.bytes)
      size += piece.bytes.length + 1
    }
  }
  splitter.end()
  if (few.length > 0) yield together()
}

const commaAlone = Buffer.from(',')

/** A `"name": value`. */
const memberOf = (bytes: Buffer): readonly [name: string, value: Buffer] => {
  let at = 1
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1
  let colon = at + 1
  while (colon < bytes.length && (bytes[colon] as number) <= 0x20) colon++
  if (bytes[0] !== 0x22 || bytes[colon] !== 0x3a) throw new Unreadable('damaged')
  return [parse(bytes.subarray(0, Math.min(at + 1, atOnce)).toString()) as string, bytes.subarray(colon + 1)]
}

const stringOf = (bytes: Buffer): string => {
  const start = bytes.indexOf(0x22)
  if (bytes.length <= longestString) return parse(bytes.toString()) as string
  // Cut where no escape is cut in two.
  for (let less = 0; less < 12; less++) {
    try {
      return JSON.parse(`${bytes.subarray(start, start + longestString - less)}"`)
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
