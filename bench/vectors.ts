/**
 * Measures a search by meaning over every vector of a persona, read from disk. The baseline compares the same
 * numbers as floats in memory. The vectors are random, which is the hardest case for the estimate by bits:
 * nothing is much nearer than the rest.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Seq } from '../facts/fact-values.ts'
import { createYielding } from '../packages/kit/flow/yielding.ts'
import type { Positions } from '../src/search/positions.ts'
import { openVectorStore, type Vector } from '../src/search/vector-store.ts'
import { chanceFrom } from '../test/random.ts'
import { type Figure, median } from './figure.ts'

const count = Number(process.env.BENCH_VECTORS) || 100_000
const maxResults = 64
/** Vectors that the baseline holds. */
const maxFloats = 100_000
/** The dimension of nomic-embed-text and many other models. */
const dimension = 768
const rounds = 9

export const vectors = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const path = join(folder, 'vectors')
  const chance = chanceFrom(11)
  const numbers = () => Array.from({ length: dimension }, () => chance.next() - 0.5)
  const floats = new Float32Array(Math.min(count, maxFloats) * dimension)
  try {
    let store = await openVectorStore(path, 'bench')
    let vectorCount = 0
    for (let seq = 1; seq <= count; seq += 64) {
      const vectors: Vector[] = []
      for (let n = seq; n < seq + 64 && n <= count; n++) vectors.push({ seq: n, numbers: numbers() })
      for (const { seq: n, numbers } of vectors)
        if (n * dimension <= floats.length) floats.set(numbers, (n - 1) * dimension)
      vectorCount += await measureCpu(() => store.add(vectors, { seq: seq + 63, hash: '' }, 0))
    }
    await store.close()
    store = await openVectorStore(path, 'bench')
    const positions: Positions = {
      from: 1,
      to: count + 1,
      bits: new Int32Array(Math.ceil(count / 32)).fill(-1),
    }
    const times: number[] = []
    const plainTimes: number[] = []
    let foundCount = 0
    for (let n = 0; n < rounds; n++) {
      const query = numbers()
      let seqs: readonly Seq[] = []
      times.push(
        await measureCpu(async () => {
          seqs = await store.nearest(query, positions, maxResults, createYielding())
        }),
      )
      let products = new Float32Array()
      plainTimes.push(
        await measureCpu(async () => {
          products = scan(Float32Array.from(query), floats)
        }),
      )
      foundCount += countNearest(seqs, products, floats)
    }
    await store.close()
    const bytes = await readSize(path)
    const ratio = (median(times) / median(plainTimes)) * (floats.length / dimension / count)
    const label = `${count} vectors of ${dimension} numbers`
    return [
      {
        label: `${label}, a query`,
        value: median(times),
        unit: 'ms',
        goal: '< 100 ms',
        isMet: median(times) < 100,
      },
      ...(count > maxFloats
        ? []
        : [
            {
              label: `share of the ${maxResults} nearest that it finds`,
              value: (100 * foundCount) / (rounds * maxResults),
              unit: '%',
              goal: '≥ 75 %',
              isMet: foundCount >= 0.75 * rounds * maxResults,
            },
          ]),
      {
        label: 'the same against floats in memory',
        value: ratio,
        unit: '×',
        goal: '< 1 ×',
        isMet: ratio < 1,
      },
      {
        label: `${label}, on the disk`,
        value: bytes / 1e6,
        unit: 'MB',
        goal: '< 110 MB',
        isMet: bytes < 110e6,
      },
      {
        label: 'the same, stored, CPU time',
        value: vectorCount / 1000,
        unit: 's',
        goal: '< 10 s',
        isMet: vectorCount < 10_000,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the product of the query with each vector. */
const scan = (query: Float32Array, floats: Float32Array): Float32Array<ArrayBuffer> => {
  const products = new Float32Array(floats.length / dimension)
  for (let n = 0, offset = 0; n < products.length; n++, offset += dimension) {
    let sum = 0
    for (let i = 0; i < dimension; i++) sum += (query[i] ?? 0) * (floats[offset + i] ?? 0)
    products[n] = sum
  }
  return products
}

/** Returns how many of the results are among the nearest vectors by angle. */
const countNearest = (seqs: readonly Seq[], products: Float32Array, floats: Float32Array): number => {
  const similarities = products.map(
    (product, n) => product / Math.hypot(...floats.subarray(n * dimension, (n + 1) * dimension)),
  )
  const limit = similarities.toSorted().at(-maxResults) ?? 0
  return seqs.filter((seq) => (similarities[seq - 1] ?? 0) >= limit).length
}

/** CPU milliseconds of all threads, which excludes other work of the machine. */
const measureCpu = async (act: () => Promise<unknown>): Promise<number> => {
  const cpuStart = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(cpuStart)
  return (user + system) / 1000
}

const readSize = async (folder: string): Promise<number> => {
  const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
  return files.reduce((sum, { size }) => sum + size, 0)
}
