/** A rewritten LevelDB has the same content, and no table contains replaced or deleted data. */
import { join } from 'node:path'
import { Level } from 'level'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openHomeStores } from '../../home/home-stores.ts'
import { journalFolder } from '../../home/places.ts'
import { makeFolder } from '../../journal/leveldb/durable-files.ts'
import { wholeStore } from '../../journal/log/keys.ts'
import type { Store } from '../../journal/log/store.ts'
import { type Chance, createChance } from '../random.ts'
import { filesHolding, tablesHolding } from '../words-on-disk.ts'
import { inHome } from './engines.ts'
import { collect } from './facts.ts'

const word = 'quinquireme'

/** Incompressible bytes. */
const noise = (chance: Chance, size: number) =>
  Array.from({ length: size }, () => String.fromCharCode(chance.pickBetween(33, 126))).join('')

type Write = (key: string, value: string | undefined) => Promise<void>

const writeEntries = async (home: string, write: (writeItem: Write) => Promise<void>): Promise<void> => {
  const folder = journalFolder(home, 'ada')
  await makeFolder(join(folder, '..'))
  const database = new Level<Buffer, Buffer>(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    writeBufferSize: 64 * 1024,
    maxFileSize: 1024 * 1024,
  })
  await database.open()
  await write((key, value) =>
    value === undefined ? database.del(Buffer.from(key)) : database.put(Buffer.from(key), Buffer.from(value)),
  )
  await database.close()
}

const pairsIn = async (store: Store) =>
  (await collect(store.items(wholeStore))).flat().map(([key, value]) => `${key} ${value}`)

const listRewritten = async (home: string) => {
  const { store, replace } = await (await openHomeStores(home)).rewrite('ada', async () => {})
  const pairs = await pairsIn(store)
  await replace()
  return pairs
}

const listHolding = async (home: string) => [
  ...(await tablesHolding(journalFolder(home, 'ada'), word)),
  ...(await filesHolding(home, word)),
]

// Fails unless a pair of each table is written again: the data stays on a level that LevelDB no longer
// merges.
test('removes data that was deleted before it reached a table', () =>
  inHome(async (home) => {
    const chance = createChance('tables')
    await writeEntries(home, async (write) => {
      await write('s/a', `A ${word} sails.`)
      await write('s/a', undefined)
      for (let n = 0; n < 40; n++) await write(`s/b${100 + n}`, noise(chance, 4000))
    })
    assert.not.equal(await tablesHolding(journalFolder(home, 'ada'), word), [])
    assert.is((await listRewritten(home)).length, 40)
    assert.equal(await listHolding(home), [])
  }))

test('keeps only the latest values after any sequence of writes', () =>
  inHome(async (home) => {
    const chance = createChance('rewritten')
    const remainingPairs = new Map<string, string>()
    for (let session = 0; session < 4; session++)
      await writeEntries(home, async (write) => {
        for (let n = 0; n < 300; n++) {
          const key = `${chance.pick(['e', 's', 't', 'x'])}/${chance.pickBetween(100, 199)}`
          const value = chance.next() < 0.3 ? undefined : noise(chance, chance.pickBetween(10, 4000))
          await write(key, `${word} ${noise(chance, 50)}`)
          await write(key, value)
          if (value === undefined) remainingPairs.delete(key)
          else remainingPairs.set(key, value)
        }
      })
    assert.not.equal(await tablesHolding(journalFolder(home, 'ada'), word), [])
    assert.equal(
      await listRewritten(home),
      [...remainingPairs].map(([key, value]) => `${key} ${value}`).sort(),
    )
    assert.equal(await listHolding(home), [])
  }))

test.run()
