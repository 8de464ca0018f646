/**
 * Measures a search by meaning: the query is compared with every vector of a persona, read from disk. The
 * baseline compares the same numbers as floats in memory. The vectors are random, so the quality of the
 * results is not measured.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createYielding } from '../packages/kit/flow/yielding.ts'
import type { Positions } from '../src/search/positions.ts'
import { openVectorStore, type Vector } from '../src/search/vector-store.ts'
import { chanceFrom } from '../test/random.ts'
import { type Figure, median } from './figure.ts'

const count = Number(process.env.BENCH_VECTORS) || 100_000
/** The dimension of nomic-embed-text and many other models. */
const dimension = 768
const rounds = 9

export const vectors = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const path = join(folder, 'vectors')
  const chance = chanceFrom(11)
  const numbers = () => Array.from({ length: dimension }, () => chance.next() - 0.5)
  const floats = new Float32Array(Math.min(count, 100_000) * dimension)
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
    for (let n = 0; n < rounds; n++) {
      const query = numbers()
      times.push(await measureCpu(() => store.nearest(query, positions, 64, createYielding())))
      plainTimes.push(await measureCpu(async () => scan(Float32Array.from(query), floats)))
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
        goal: '< 300 ms',
        isMet: median(times) < 300,
      },
      {
        label: 'the same against floats in memory',
        value: ratio,
        unit: '×',
        goal: '< 3 ×',
        isMet: ratio < 3,
      },
      {
        label: `${label}, on the disk`,
        value: bytes / 1e6,
        unit: 'MB',
        goal: '< 90 MB',
        isMet: bytes < 90e6,
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

const scan = (query: Float32Array, floats: Float32Array): number => {
  let best = Number.NEGATIVE_INFINITY
  for (let offset = 0; offset < floats.length; offset += dimension) {
    let sum = 0
    for (let i = 0; i < dimension; i++) sum += (query[i] ?? 0) * (floats[offset + i] ?? 0)
    if (sum > best) best = sum
  }
  return best
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
