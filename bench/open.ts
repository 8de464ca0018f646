/** Measures opening a journal after writes: the cost of protecting its log. */
import { rm } from 'node:fs/promises'
import { Level } from 'level'
import { checkFiles, leaveChecked } from '../journal/leveldb/check-files.ts'
import { openLevelStore, writeLevelStore } from '../journal/leveldb/level-store.ts'
import type { Op, Store } from '../journal/log/store.ts'
import { temporary } from '../test/journal/engines.ts'
import { type Figure, median } from './figure.ts'

const rounds = 200

const op = (n: number): Op => ({ type: 'put', key: Buffer.from(`e/${n}`), value: Buffer.alloc(600, n) })

/** Opens it like the product, but without the guard. */
const openUnprotected = async (folder: string): Promise<{ close(): Promise<void> }> => {
  await checkFiles(folder)
  const database = new Level<Buffer, Buffer>(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing: false,
    cacheSize: 256 * 1024,
    writeBufferSize: 2 * 1024 * 1024,
    maxOpenFiles: 32,
  })
  await database.open()
  return {
    close: async () => {
      await database.close()
      await leaveChecked(folder)
    },
  }
}

/**
 * Milliseconds of opening a store with this many records of 600 bytes in its log, with and without
 * protection.
 */
const measureOpening = async (records: number): Promise<readonly [number, number]> => {
  const folder = await temporary()
  try {
    await writeLevelStore(folder, [op(0)])
    const times: [number[], number[]] = [[], []]
    let writeCount = 1
    for (let round = 0; round < 2 * rounds; round++) {
      const filling: Store = await openLevelStore(folder, 'existing')
      for (let n = 0; n < records; n++) await filling.batch([op(writeCount++)], { sync: n === records - 1 })
      await filling.close()
      const startedAt = performance.now()
      const store = await (round % 2 ? openUnprotected(folder) : openLevelStore(folder, 'existing'))
      times[round % 2 ? 1 : 0].push(performance.now() - startedAt)
      await store.close()
    }
    return [median(times[0]), median(times[1])]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const open = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const records of [20, 200]) {
    const [value, unprotectedMs] = await measureOpening(records)
    figures.push({
      label: `opening a journal with ${records} records in its log`,
      value,
      unit: 'ms',
      goal: '≤ 1 ms more',
      isMet: value - unprotectedMs <= 1,
      baseline: { label: 'the same unprotected', value: unprotectedMs },
    })
  }
  return figures
}
