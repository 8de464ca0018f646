/** A journal of each released format can still be opened and returns the same data. */
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { temporary } from './engines.ts'
import { createMessageHeard, draft, factsByType } from './facts.ts'
import { golden } from './make-golden.ts'

const folder = join(import.meta.dirname, 'golden')

test('opens and extends every golden journal', async () => {
  const versions = await readdir(folder)
  assert.ok(versions.includes('v1'))
  for (const version of versions) {
    const home = await temporary()
    await cp(join(folder, version, 'journal'), join(home, 'personas', 'ada', 'journal'), { recursive: true })
    const expectedValue: unknown = JSON.parse(await readFile(join(folder, version, 'expected.json'), 'utf8'))
    for (const mode of ['reader', 'writer'] as const) {
      const journals = openPersonaJournals({
        stores: await openHomeStores(home),
        witness: async () => undefined,
      })
      const journal = await journals.open('ada', mode)
      assert.equal(JSON.parse(JSON.stringify(await golden(journal))), expectedValue)
      if (mode === 'writer') {
        await journal.append([draft(createMessageHeard('and on', 'on'))], journal.head)
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
  assert.equal([...types].sort(), Object.keys(factsByType).sort())
})

test.run()
