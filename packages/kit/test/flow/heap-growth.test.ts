import { execFileSync } from 'node:child_process'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { cachedDataVersionTag, getHeapSpaceStatistics } from 'node:v8'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { growHeap, heapGrowths, sparingMemory } from '../../flow/heap-growth.ts'

test.after(() => growHeap('as at start'))

// Fails if the flags that `--optimize-for-size` implies are not reset: on Node 20 and 22, cached code is then
// not accepted.
test('each setting gives another flag hash, and the first has that of a start', () => {
  // Earlier tests in this process may have set other flags.
  const atStart = Number(
    execFileSync(process.execPath, [...process.execArgv, '-p', 'require("node:v8").cachedDataVersionTag()'], {
      encoding: 'utf8',
    }),
  )
  for (const growth of heapGrowths) growHeap(growth)
  const tags = heapGrowths.map((growth) => {
    growHeap(growth)
    return cachedDataVersionTag()
  })
  assert.is(tags[0], atStart)
  assert.is(new Set(tags).size, heapGrowths.length)
})

const getYoungBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** Allocates objects that survive one collection of the young generation and become garbage soon after. */
const work = async (megabytes: number) => {
  const objects: unknown[] = []
  for (let n = 0; n < megabytes * 16; n++) {
    objects.push(Array.from({ length: 1000 }, (_, index) => ({ n, at: index })))
    if (objects.length > 400) objects.splice(0, 200)
    if (n % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

// Fails if only the growth of the young generation is stopped: it then stays large.
test('the young generation grows under load, and shrinks while memory is saved', async () => {
  let collections = 0
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().filter((entry) => isMajor('detail' in entry && entry.detail)).length
  })
  observer.observe({ entryTypes: ['gc'] })
  growHeap('bounded')
  await work(200)
  const grownSize = getYoungBytes()
  assert.ok(grownSize > 4e6, `${grownSize} bytes`)
  for (const growth of ['sparingly', 'tightly'] as const) {
    const collectionsBefore = collections
    await sparingMemory(() => work(200), growth)
    assert.ok(getYoungBytes() < grownSize / 2, `${getYoungBytes()} of ${grownSize} bytes, ${growth}`)
    assert.ok(collections > collectionsBefore, `${collections} collections, ${growth}`)
    await work(200)
    assert.ok(getYoungBytes() > 4e6, `${getYoungBytes()} bytes after it`)
  }
  observer.disconnect()
})

/** The types of Node 20 lack this detail. */
const isMajor = (detail: unknown) =>
  typeof detail === 'object' &&
  detail !== null &&
  'kind' in detail &&
  detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR

test.run()
