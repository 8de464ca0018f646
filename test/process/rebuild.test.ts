/** `daimon rebuild`: what was made of the facts, made anew on a home that no daemon holds. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { endAll, newHome, run, started, type World } from './setup.ts'

const test = suite<World>('rebuild', { ends: [] })
test.after.each(endAll)

const found = async (url: string, id: string): Promise<number> =>
  (await call(url, 'GET', `/api/persona/${id}/search?q=Lisbon`)).body.found.length

const lived = async (world: World) => {
  const home = await newHome(world)
  const daemon = await started(world, { home })
  const ids: string[] = []
  for (const name of ['Ada', 'Bea']) {
    const body = { name, thinking_model: 'embedded/practice' }
    const { id } = (await call(daemon.url, 'POST', '/api/persona/create', body)).body.persona
    await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'I live in Lisbon.' })
    assert.ok((await found(daemon.url, id)) > 0)
    ids.push(id)
  }
  return { home, daemon, ids }
}

const rebuild = (world: World, home: string, ...more: readonly string[]) =>
  run(world, { home, args: ['rebuild', ...more] }).ended

test('makes states and search anew of all, and they say what the facts say', async (world) => {
  const { home, daemon, ids } = await lived(world)
  const held = await rebuild(world, home)
  assert.is(held.code, 1)
  assert.match(held.stderr, /is held by a daemon that runs already/)
  await daemon.kill('SIGTERM')

  const indexes = ids.map((id) => join(home, 'personas', id, 'search'))
  for (const index of indexes)
    for (const name of await readdir(index))
      if (name !== 'LOCK') await writeFile(join(index, name), await readFile(join(index, name)).then(emptied))
  const { code, stdout, stderr } = await rebuild(world, home)
  assert.equal([code, stderr], [0, ''])
  assert.equal(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
      .sort(),
    [...ids].sort(),
  )
  assert.match(
    stdout,
    / {2}state rebuilt from \d+ facts, its search index will be rebuilt at the next start\n/,
  )
  for (const index of indexes) assert.not.ok(existsSync(index))

  const again = await started(world, { home })
  for (const id of ids) {
    assert.ok((await found(again.url, id)) > 0)
    const { body } = await call(again.url, 'POST', `/api/persona/${id}/verify?deep=1`)
    assert.is(body.intact, true, JSON.stringify(body))
  }
})

/** As many bytes, all of them nothing. */
const emptied = (bytes: Buffer): Buffer => Buffer.alloc(bytes.length)

test('makes anew what belongs to one, and says whom it does not know', async (world) => {
  const { home, daemon, ids } = await lived(world)
  await daemon.kill('SIGTERM')
  const [ada = '', bea = ''] = ids
  const one = await rebuild(world, home, ada)
  assert.is(one.code, 0, one.stderr)
  assert.not.match(one.stdout, bea)
  assert.not.ok(existsSync(join(home, 'personas', ada, 'search')))
  assert.ok(existsSync(join(home, 'personas', bea, 'search')))
  const nobody = await rebuild(world, home, 'nobody')
  assert.equal([nobody.code, nobody.stderr], [1, 'daimon: Persona not found.\n'])
  await rm(home, { recursive: true })
})

test.run()
