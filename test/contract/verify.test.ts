/** POST /api/persona/{persona_id}/verify: files and diaries */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { personaVersion } from '../../projections/persona.ts'
import { fold, projector } from '../../src/persona/fold.ts'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { toForm } from '../forms.ts'
import { ask } from '../http/try.ts'

const createPersona = async (url: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'embedded/practice' })).body
    .persona.id
const verify = async (url: string, id: string, query = '') =>
  (await call(url, 'POST', `/api/persona/${id}/verify${query}`)).body

test('reports missing and changed files, and the diaries', async () => {
  const home = await tempHome()
  const { url, port, close } = await startDaemon({ home })
  try {
    const id = await createPersona(url)
    for (const content of ['one', 'two', 'three']) {
      const form = toForm([{ name: 'file', filename: `${content}.txt`, type: 'text/plain', content }])
      await ask(port, { method: 'POST', path: `/api/persona/${id}/attach?wait=20`, ...form })
    }
    await call(url, 'POST', `/api/persona/${id}/sleep`)
    const sound = await verify(url, id)
    assert.equal(sound.media, { checked: 3, unhashed: 0, missing: [], damaged: [] })
    assert.is(sound.snapshots, null)
    assert.ok(sound.diaries.length > 0)
    for (const { readable, current } of sound.diaries) assert.equal([readable, current], [true, true])
    const folder = join(home, 'personas', id, 'media')
    const [missingFile = '', changed = ''] = (await readdir(folder)).sort()
    await rm(join(folder, missingFile))
    await writeFile(join(folder, changed), 'another')
    const [diary = ''] = await readdir(join(home, 'diaries', id))
    await writeFile(join(home, 'diaries', id, diary), 'no diary')
    const { media, diaries, intact } = await verify(url, id)
    assert.equal(media, { checked: 3, unhashed: 0, missing: [missingFile], damaged: [changed] })
    assert.is(diaries.filter(({ readable }: { readable: boolean }) => !readable).length, 1)
    assert.ok(intact)
  } finally {
    await close()
  }
})

// Fails if every snapshot counts as right.
test('compares snapshots with a replay on request', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const id = await createPersona(first.url)
  await call(first.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'I live in Lisbon.' })
  const { head } = await verify(first.url, id)
  await first.close()
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(id, 'writer')
  const seq = journal.head.seq
  assert.ok(head)
  const { persona } = await fold(journal)
  const state = { ...persona, self: { ...persona?.self, name: 'Somebody else' } }
  await journal.keepSnapshot({ projector, version: personaVersion, head: journal.head, state })
  await journal.close()
  const { url, close } = await startDaemon({ home })
  try {
    const { snapshots } = await verify(url, id, '?deep=1')
    assert.ok(snapshots.checked >= 1)
    assert.ok(snapshots.wrong.includes(seq), JSON.stringify(snapshots))
  } finally {
    await close()
  }
})

test('finds no error in the snapshots of an intact journal', async () => {
  const { url, close } = await startDaemon()
  try {
    const id = await createPersona(url)
    for (let n = 0; n < 12; n++)
      await call(url, 'POST', `/api/persona/${id}/read?wait=20`, {
        message: `Remember that I like number ${n}.`,
      })
    await call(url, 'POST', `/api/persona/${id}/sleep`)
    await call(url, 'POST', `/api/persona/${id}/stop`)
    assert.equal((await verify(url, id, '?deep=1')).snapshots.wrong, [])
    const { journal } = (await call(url, 'GET', `/api/persona/${id}/diagnose`)).body
    assert.ok(journal.bytes_per_1000_messages > 10_000, JSON.stringify(journal))
  } finally {
    await close()
  }
})

test.run()
