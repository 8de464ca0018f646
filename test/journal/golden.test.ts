/** A journal of each released format can still be opened and returns the same data. */
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { temporary } from './engines.ts'
import { draft, heard, oneOfEach } from './facts.ts'
import { golden } from './make-golden.ts'

const folder = join(import.meta.dirname, 'golden')

test('opens and extends every golden journal', async () => {
  const versions = await readdir(folder)
  assert.ok(versions.includes('v1'))
  for (const version of versions) {
    const home = await temporary()
    await cp(join(folder, version, 'journal'), join(home, 'personas', 'ada', 'journal'), { recursive: true })
    const expected: unknown = JSON.parse(await readFile(join(folder, version, 'expected.json'), 'utf8'))
    for (const as of ['reader', 'writer'] as const) {
      const journals = openJournals({ stores: await openLevelStores(home), witness: async () => undefined })
      const journal = await journals.open('ada', as)
      assert.equal(JSON.parse(JSON.stringify(await golden(journal))), expected)
      if (as === 'writer') {
        await journal.append([draft(heard('and on', 'on'))], journal.head)
        assert.ok((await journal.verify()).intact)
      }
      await journal.close()
    }
    await rm(home, { recursive: true })
  }
})

test('the newest golden journal contains every fact', async () => {
  const newest = `v${Math.max(...(await readdir(folder)).map((name) => Number(name.slice(1))))}`
  const { commits } = JSON.parse(await readFile(join(folder, newest, 'expected.json'), 'utf8')) as {
    commits: { entries: { event: PersonaEvent }[] }[]
  }
  const types = new Set(commits.flatMap(({ entries }) => entries.map(({ event }) => event.type)))
  assert.equal([...types].sort(), Object.keys(oneOfEach).sort())
})

test.run()
