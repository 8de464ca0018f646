/** Vectors of a persona on a real disk: the nearest vectors equal those of a full comparison. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Encoder } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { putWithChecksum } from '../../journal/log/checksummed-value.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { MindError } from '../../packages/models/mind.ts'
import { embedAll } from '../../src/search/embed-all.ts'
import { Unusable } from '../../src/search/index-store.ts'
import type { Positions } from '../../src/search/positions.ts'
import { splitText } from '../../src/search/texts.ts'
import { openVectorStore, type Vector, type VectorStore } from '../../src/search/vector-store.ts'
import { tempHome } from '../daemon.ts'
import { createChance } from '../random.ts'

const chance = createChance('vectors')
const dimension = 256
const numbers = () => Array.from({ length: dimension }, () => chance.next() - 0.5)
const resolveNothing = async () => undefined
const all = (last: number): Positions => ({
  from: 1,
  to: last,
  bits: new Int32Array(Math.ceil(last / 32)).fill(-1),
})
const head = (seq: number) => ({ seq, hash: 'a'.repeat(64) })

const withStore = async (act: (open: () => Promise<VectorStore>, folder: string) => Promise<void>) => {
  const home = await tempHome()
  const folder = join(home, 'vectors')
  const stores: VectorStore[] = []
  const open = async () => {
    await stores.pop()?.close()
    const store = await openVectorStore(folder, 'local/one')
    stores.push(store)
    return store
  }
  try {
    await act(open, folder)
  } finally {
    await stores.pop()?.close()
    await rm(home, { recursive: true })
  }
}

/** Returns the nearest first, compared with unquantized numbers. */
const byHand = (vectors: readonly Vector[], question: readonly number[], maxResults: number) => {
  const best = new Map<number, number>()
  for (const { seq, numbers } of vectors) {
    const nearness = numbers.reduce((sum, n, i) => sum + n * (question[i] ?? 0), 0) / Math.hypot(...numbers)
    best.set(seq, Math.max(best.get(seq) ?? Number.NEGATIVE_INFINITY, nearness))
  }
  return [...best].sort(([, one], [, other]) => other - one).slice(0, maxResults)
}

// Fails if merging entries loses the last one, or if each part of a text counts as a result.
test('returns the nearest facts, each once, for any batches and after each reopening', () =>
  withStore(async (open) => {
    let store = await open()
    const vectors: Vector[] = []
    for (let seq = 1; seq < 1500; ) {
      const sampleVectors: Vector[] = []
      for (let n = chance.pickBetween(1, chance.next() < 0.2 ? 90 : 4); n > 0; n--) {
        // A long text has several vectors.
        for (let part = chance.next() < 0.1 ? 5 : 1; part > 0; part--)
          sampleVectors.push({ seq, numbers: numbers() })
        seq += chance.pickBetween(1, 9)
      }
      vectors.push(...sampleVectors)
      await store.add(sampleVectors, head(seq - 1), 3)
      if (chance.next() < 0.05) store = await open()
      assert.is(store.mark().vectors, vectors.length)
      assert.is(store.mark().seq, seq - 1)
    }
    for (let n = 0; n < 20; n++) {
      const question = numbers()
      const nearest = await store.nearest(question, all(2000), 10, resolveNothing)
      const nearestByHand = byHand(vectors, question, 12)
      assert.is(new Set(nearest).size, 10)
      // Numbers are stored as one byte each, so facts at a similar distance may swap places.
      for (const seq of nearest.slice(0, 5)) assert.ok(nearestByHand.some(([one]) => one === seq))
      assert.is(nearest[0] === nearestByHand[0]?.[0] || nearest[0] === nearestByHand[1]?.[0], true)
      const nearestFew = await store.nearest(question, all(700), 10, resolveNothing)
      assert.ok(nearestFew.every((seq) => seq < 704))
    }
  }))

// Fails if each message keeps its own entry.
test('merges entries that were written one by one', () =>
  withStore(async (open, folder) => {
    const store = await open()
    for (let seq = 1; seq <= 640; seq++) await store.add([{ seq, numbers: numbers() }], head(seq), 1)
    assert.is(store.mark().tokens, 640)
    await store.close()
    const level = await openLevelStore(folder, 'existing')
    let entries = 0
    for await (const page of level.items({ from: Buffer.from('v/'), to: Buffer.from('v0') }))
      entries += page.length
    await level.close()
    assert.is(entries, 10)
    await open()
  }))

// Fails if an older store is rebuilt, which would embed everything again, or is searched without bits.
test('adds the bits to a store that was written without them', () =>
  withStore(async (open, folder) => {
    const vectors = Array.from({ length: 200 }, (_, n) => ({ seq: n + 1, numbers: numbers() }))
    const store = await open()
    await store.add(vectors, head(200), 200)
    const question = numbers()
    const nearest = await store.nearest(question, all(224), 10, resolveNothing)
    await store.close()
    const level = await openLevelStore(folder, 'existing')
    for await (const page of level.items({ from: Buffer.from('s/'), to: Buffer.from('s0') }))
      await level.batch(
        page.map(([key]) => ({ type: 'del', key })),
        { sync: false },
      )
    const mark = { version: 2, model: 'local/one', dimension, vectors: 200, tokens: 200, weights: null }
    const bytes = new Encoder().encode({ ...mark, ...head(200) })
    await level.batch([putWithChecksum(Buffer.from('mark'), bytes)], { sync: false })
    await level.close()
    const reopened = await open()
    assert.is(reopened.mark().vectors, 200)
    assert.equal(await reopened.nearest(question, all(224), 10, resolveNothing), nearest)
    assert.is((await open()).mark().version, 3)
  }))

test('ignores vectors of another length or model, and an invalid mark', () =>
  withStore(async (open, folder) => {
    const store = await open()
    await store.add([{ seq: 1, numbers: [1, 2, 3] }], head(1), 1)
    await unusable(() => store.add([{ seq: 2, numbers: [1, 2] }], head(2), 1))
    assert.equal(await store.nearest([1, 2], all(9), 5, resolveNothing), [])
    await store.add([{ seq: 2, numbers: [0, 0, 0] }], head(2), 1)
    assert.equal(await store.nearest([1, 2, 3], all(9), 5, resolveNothing), [1])
    assert.equal(store.mark().vectors, 1)
    await store.close()
    await unusable(() => openVectorStore(folder, 'local/other'))
    await rm(folder, { recursive: true })
    await unusable(() => openVectorStore(join(folder, 'nobody'), 'local/one'))
    await mkdir(folder)
    await open()
  }))

const unusable = async (act: () => Promise<unknown>) => {
  try {
    await act()
  } catch (error) {
    return assert.instance(error, Unusable)
  }
  assert.unreachable('it went well')
}

test('a text that the provider rejects does not block the others', async () => {
  const counts: number[] = []
  const embedder = (refuses: (text: string) => boolean): Embedder => ({
    name: 'local/one',
    close: resolveNothing,
    embed: async (texts) => {
      counts.push(texts.length)
      if (texts.some(refuses)) throw new MindError('refused', 'too long')
      return { vectors: texts.map((text) => [text.length]), tokens: texts.length }
    },
  })
  const parts = Array.from({ length: 150 }, (_, n) => ({ seq: n + 1, text: `no${n + 1}` }))
  const signal = new AbortController().signal
  const result = await embedAll(
    embedder((text) => text === 'no77'),
    parts,
    signal,
  )
  assert.is(result.vectors.length, 149)
  assert.is(result.tokens, 149)
  assert.not(result.vectors.some(({ seq }) => seq === 77))
  assert.ok(Math.max(...counts) <= 64 && counts.length < 20)
  try {
    await embedAll(
      embedder(() => true),
      parts.slice(0, 3),
      signal,
    )
    assert.unreachable('nothing was told')
  } catch (error) {
    assert.instance(error, MindError)
  }
})

test('splits a long text between words if possible, without losing a letter', () => {
  const message = Array.from({ length: 3000 }, (_, n) => `word${n}`).join(' ')
  assert.is(splitText(message).join(' '), message)
  const letters = '🙂東'.repeat(3000)
  assert.is(splitText(letters).join(''), letters)
  for (const text of [message, letters])
    for (const part of splitText(text)) {
      assert.ok(part.length <= 2000)
      assert.ok(part.isWellFormed?.() ?? true)
    }
  assert.equal(splitText('  '), [])
})

test.run()
