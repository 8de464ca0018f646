/**
 * A deletion with purge is interrupted after any of its steps: after the next start no byte of the home
 * contains the name, and the other personas work.
 */
// Runs alone: it replaces Node's file calls.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { createChance } from '../random.ts'
import { photograph } from './photographs.ts'

const name = 'Zauberlehrling'
const create = async (url: string, personaName: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name: personaName, thinking_model: 'embedded/practice' }))
    .body.persona.id

/** Returns the files of the home that contain the name. */
const filesWithName = async (home: string): Promise<readonly string[]> => {
  const matches: string[] = []
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(path)).includes(name)) matches.push(path.slice(home.length))
  }
  return matches
}

const namesIn = async (url: string): Promise<readonly string[]> =>
  (await call(url, 'GET', '/api/personas')).body.personas.map((persona: { name: string }) => persona.name)

// Fails if removed entries are left to LevelDB: the name stayed in the catalog's tables after every restart.
test('purged data is in no byte of the home, even after a kill at any step, and other personas work', async () => {
  const home = await tempHome()
  const chance = createChance('purged')
  let daemon = await startDaemon({ home })
  for (const otherPersona of ['Bea', 'Eva']) await create(daemon.url, otherPersona)
  const id = await create(daemon.url, name)
  await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'hello' })
  await daemon.close()
  // Now the name is in tables, not only in the newest log.
  daemon = await startDaemon({ home })
  await call(daemon.url, 'POST', `/api/persona/${id}/update`, { name: `${name} the second` })
  assert.ok((await filesWithName(home)).some((path) => path.startsWith('/catalog/')))

  const camera = photograph(home, (step) => isWhole || /catalog|rename/.test(step) || chance.next() < 0.05)
  assert.is((await call(daemon.url, 'POST', `/api/persona/${id}/delete?purge=true`)).status, 200)
  const steps = camera.end()
  assert.equal(await filesWithName(home), [])
  await daemon.close()
  daemon = await startDaemon({ home })
  assert.equal(await namesIn(daemon.url), ['Bea', 'Eva'])
  await daemon.close()
  assert.equal(await filesWithName(home), [])

  let finishedCount = 0
  for (const { step, home: shotHome } of camera.shots) {
    const daemonAfter = await startDaemon({ home: shotHome })
    const names = await namesIn(daemonAfter.url)
    await daemonAfter.close()
    assert.equal(names.slice(0, 2), ['Bea', 'Eva'], step)
    if (names.length === 2) assert.equal(await filesWithName(shotHome), [], step)
    if (names.length === 2) finishedCount++
    await rm(shotHome, { recursive: true })
  }
  await rm(home, { recursive: true })
  printFigures(
    'purged',
    `${camera.shots.length} kills at ${steps} steps, ${finishedCount} finished by the start`,
  )
  assert.ok(finishedCount > 3)
})

test.run()
