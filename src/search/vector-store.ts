/**
 * Vectors of one life in a LevelDB: about 64 per entry, keyed by the first position, one byte per number.
 * Disposable like the word index, but expensive to rebuild.
 */

import * as z from 'zod'
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Head } from '../../journal/log/head.ts'
import { emptyHead } from '../../journal/log/journal.ts'
import { readSeq, writeSeq } from '../../journal/log/keys.ts'
import type { Op } from '../../journal/log/store.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { EmbedderWeights } from './embedder-weights.ts'
import { keptMark, openStore, Unusable } from './index-store.ts'
import { hasSeq, type Positions } from './positions.ts'

/**
 * `dimension`: numbers per vector, 0 if there are none. `tokens`: as far as reported. `weights`: of the
 * model, null until they are measured. Version 1 embedded messages without their speaker and the previous
 * message.
 */
const Mark = z.strictObject({
  version: z.literal(2),
  model: z.string(),
  dimension: z.int().min(0),
  seq: z.int().min(0),
  hash: z.string(),
  vectors: z.int().min(0),
  tokens: z.int().min(0),
  weights: EmbedderWeights.nullable(),
})
type Mark = z.infer<typeof Mark>
const mark = keptMark(Mark)

/** The vector of a part of a fact's text. */
export interface Vector {
  readonly seq: Seq
  readonly numbers: readonly number[]
}

export interface VectorStore {
  /** All facts up to `seq` are embedded. */
  mark(): Readonly<Mark>
  setWeights(weights: EmbedderWeights): Promise<void>
  /** Adds vectors of facts after the mark, ascending. Throws Unusable if the dimension differs. */
  add(vectors: readonly Vector[], upTo: Head, tokens: number): Promise<void>
  /** Returns those of `there` with the nearest vectors, nearest first. Throws Unusable. */
  nearest(
    numbers: readonly number[],
    positions: Positions,
    maxCount: number,
    maybeYield: MaybeYield,
  ): Promise<readonly Seq[]>
  close(): Promise<void>
}

/** Vectors per entry. Small entries are merged when enough are there. */
const vectorsPerEntry = 64
/** Per vector: 4 bytes distance of its fact from the first, 4 bytes scale. */
const headerBytes = 8

/** Throws Unusable. */
export const openVectorStore = async (folder: string, model: string): Promise<VectorStore> => {
  const store = await openStore(folder)
  try {
    const storedMark = await mark.read(store)
    const emptyMark: Mark = {
      version: 2,
      model,
      dimension: 0,
      vectors: 0,
      tokens: 0,
      weights: null,
      ...emptyHead,
    }
    let now = storedMark ?? emptyMark
    if (now.model !== model) throw new Unusable('the vectors are of another model')

    /** Returns the last entries that are not full. */
    const readLooseRows = async (): Promise<readonly (readonly [Buffer, Buffer])[]> => {
      const entries: (readonly [Buffer, Buffer])[] = []
      for await (const page of store.items({ ...wholeRange, reverse: true, limit: vectorsPerEntry }))
        for (const [key, value] of page) {
          if (countIn(value, now.dimension) >= vectorsPerEntry) return entries.reverse()
          entries.push([key, value])
        }
      return entries.reverse()
    }

    return {
      mark: () => now,
      setWeights: async (weights) => {
        now = { ...now, weights }
        await store.batch([mark.op(now)], { sync: false })
      },
      add: async (vectors, { seq, hash }, tokens) => {
        const dimension = now.dimension || (vectors[0]?.numbers.length ?? 0)
        if (vectors.some(({ numbers }) => numbers.length !== dimension))
          throw new Unusable('the vectors are of another length')
        const rows = vectors.flatMap((vector) => toRow(vector) ?? [])
        const ops: Op[] = []
        const old = rows.length > 0 && rows.length < vectorsPerEntry ? await readLooseRows() : []
        const oldRows = old.flatMap(([key, value]) => rowsIn(key, value, dimension))
        const isJoined = oldRows.length + rows.length >= vectorsPerEntry
        if (isJoined) for (const [key] of old) ops.push({ type: 'del', key })
        ops.push(...toOps(isJoined ? [...oldRows, ...rows] : rows, dimension))
        now = {
          ...now,
          dimension,
          seq,
          hash,
          vectors: now.vectors + rows.length,
          tokens: now.tokens + tokens,
        }
        await store.batch([...ops, mark.op(now)], { sync: false })
      },
      nearest: async (numbers, positions, maxCount, maybeYield) => {
        if (numbers.length !== now.dimension) return []
        const nearestList = createNearest(maxCount)
        const questionNumbers = asWhole(numbers)
        for await (const page of store.items(wholeRange))
          for (const [key, value] of page) {
            compare(questionNumbers, readSeq(key, prefix.length), value, positions, nearestList.offer)
            await maybeYield()
          }
        return nearestList.cut().map(({ seq }) => seq)
      },
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const prefix = Buffer.from('v/')
const wholeRange = { from: prefix, to: Buffer.from('v0') }

const toKey = (seq: Seq): Buffer => {
  const key = Buffer.allocUnsafe(prefix.length + 8)
  prefix.copy(key)
  writeSeq(key, prefix.length, seq)
  return key
}

interface Row {
  readonly seq: Seq
  readonly bytes: Int8Array
  /** 1 / length. */
  readonly share: number
}

/** Returns undefined for a zero vector. */
const toRow = ({ seq, numbers }: Vector): Row | undefined => {
  let maxCount = 0
  for (const number of numbers) maxCount = Math.max(maxCount, Math.abs(number))
  if (!(maxCount > 0)) return undefined
  const bytes = new Int8Array(numbers.length)
  let square = 0
  for (const [n, number] of numbers.entries()) {
    const byte = Math.round((number / maxCount) * 127)
    bytes[n] = byte
    square += byte * byte
  }
  return { seq, bytes, share: 1 / Math.sqrt(square) }
}

/** Full entries; longer if needed to keep the vectors of a fact together. */
function* toOps(rows: readonly Row[], dimension: number): Generator<Op> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    to = Math.min(from + vectorsPerEntry, rows.length)
    while (to < rows.length && rows[to]?.seq === rows[to - 1]?.seq) to++
    const first = rows[from]?.seq ?? 0
    const value = Buffer.alloc((to - from) * (headerBytes + dimension))
    for (const [n, { seq, bytes, share }] of rows.slice(from, to).entries()) {
      value.writeUInt32LE(seq - first, n * headerBytes)
      value.writeFloatLE(share, n * headerBytes + 4)
      value.set(bytes, (to - from) * headerBytes + n * dimension)
    }
    yield { type: 'put', key: toKey(first), value }
  }
}

const countIn = (value: Buffer, dimension: number): number =>
  Math.floor(value.length / (headerBytes + dimension))

const numbersIn = (value: Buffer, dimension: number): Int8Array => {
  const count = countIn(value, dimension)
  return new Int8Array(value.buffer, value.byteOffset + count * headerBytes, count * dimension)
}

const rowsIn = (key: Buffer, value: Buffer, dimension: number): readonly Row[] => {
  const first = readSeq(key, prefix.length)
  const numbers = numbersIn(value, dimension)
  return Array.from({ length: countIn(value, dimension) }, (_, n) => ({
    seq: first + value.readUInt32LE(n * headerBytes),
    share: value.readFloatLE(n * headerBytes + 4),
    bytes: numbers.slice(n * dimension, (n + 1) * dimension),
  }))
}

type Offer = (seq: Seq, nearness: number) => void

/** Scales to integers whose dot product with bytes fits in 32 bits. */
const asWhole = (numbers: readonly number[]): Int32Array => {
  const maxCount = numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0)
  return Int32Array.from(numbers, (number) => Math.round((number / (maxCount || 1)) * 1023))
}

// Takes nearly all of the time of a question.
const compare = (
  questionNumbers: Int32Array,
  first: Seq,
  value: Buffer,
  positions: Positions,
  offer: Offer,
): void => {
  const dimension = questionNumbers.length
  const numbers = numbersIn(value, dimension)
  for (let n = 0, position = 0; position < numbers.length; n++, position += dimension) {
    const seq = first + value.readUInt32LE(n * headerBytes)
    if (!hasSeq(positions, seq)) continue
    let sum = 0
    for (let i = 0; i < dimension; i++)
      sum = (sum + Math.imul(questionNumbers[i] ?? 0, numbers[position + i] ?? 0)) | 0
    offer(seq, sum * value.readFloatLE(n * headerBytes + 4))
  }
}

/** The nearest part of a text counts. Ignores vectors without similarity. */
const createNearest = (maxCount: number) => {
  let nearestList: { readonly seq: Seq; readonly nearness: number }[] = []
  let minNearness = 0
  const cutList = () => {
    const seenSeqs = new Set<Seq>()
    nearestList = nearestList
      .sort((first, second) => second.nearness - first.nearness || second.seq - first.seq)
      .filter(({ seq }) => !seenSeqs.has(seq) && seenSeqs.add(seq))
      .slice(0, maxCount)
    if (nearestList.length === maxCount) minNearness = nearestList.at(-1)?.nearness ?? 0
    return nearestList
  }
  const offer: Offer = (seq, nearness) => {
    if (!(nearness > minNearness)) return
    nearestList.push({ seq, nearness })
    if (nearestList.length > 4 * maxCount) cutList()
  }
  return { offer, cut: cutList }
}
