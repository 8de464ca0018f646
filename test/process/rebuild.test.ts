/** `daimon rebuild` rebuilds derived data in a home without a running daemon. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { endAll, newHome, runProcess, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('rebuild', { ends: [] })
test.after.each(endAll)

const countMatches = async (url: string, id: string): Promise<number> =>
  (await call(url, 'GET', `/api/persona/${id}/search?q=Lisbon`)).body.found.length

const createHome = async (world: World) => {
  const home = await newHome(world)
  const daemon = await startDaemonProcess(world, { home })
  const ids: string[] = []
  for (const name of ['Ada', 'Bea']) {
    const body = { name, thinking_model: 'embedded/practice' }
    const { id } = (await call(daemon.url, 'POST', '/api/persona/create', body)).body.persona
    await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'I live in Lisbon.' })
    assert.ok((await countMatches(daemon.url, id)) > 0)
    ids.push(id)
  }
  return { home, daemon, ids }
}

const rebuild = (world: World, home: string, ...extraArgs: readonly string[]) =>
  runProcess(world, { home, args: ['rebuild', ...extraArgs] }).whenEnded

test('rebuilds the state and the search index of all personas from their facts', async (world) => {
  const { home, daemon, ids } = await createHome(world)
  const running = await rebuild(world, home)
  assert.equal([running.code, running.stderr], [0, ''])
  const [ada = '', bea = ''] = ids
  for (const id of [ada, bea])
    for (const name of ['state', 'search'])
      assert.match(
        running.stdout,
        new RegExp(`^${id}  ${name}  built again from \\d+ facts: it was right$`, 'm'),
      )
  const onlyState = await rebuild(world, home, 'Ada', '--projection', 'state')
  assert.match(onlyState.stdout, new RegExp(`^${ada}  state  built again.*\n$`))
  const wrongName = await rebuild(world, home, '--projection', 'dreams')
  assert.is(wrongName.code, 2)
  assert.match(wrongName.stderr, 'There is no projection “dreams”')
  await daemon.kill('SIGTERM')

  const indexes = ids.map((id) => join(home, 'personas', id, 'search'))
  for (const index of indexes)
    for (const name of await readdir(index))
      if (name !== 'LOCK') await writeFile(join(index, name), await readFile(join(index, name)).then(toZeros))
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

  const secondDaemon = await startDaemonProcess(world, { home })
  for (const id of ids) {
    assert.ok((await countMatches(secondDaemon.url, id)) > 0)
    const { body } = await call(secondDaemon.url, 'POST', `/api/persona/${id}/verify?deep=1`)
    assert.is(body.intact, true, JSON.stringify(body))
  }
})

/** Returns as many zero bytes. */
const toZeros = (bytes: Buffer): Buffer => Buffer.alloc(bytes.length)

test('rebuilds the data of one persona, and reports an unknown one', async (world) => {
  const { home, daemon, ids } = await createHome(world)
  const [ada = '', bea = ''] = ids
  await call(daemon.url, 'GET', `/api/persona/${ada}/journal/1/effects`)
  assert.ok(existsSync(join(home, 'personas', ada, 'links')))
  await daemon.kill('SIGTERM')
  const oneRebuild = await rebuild(world, home, ada)
  assert.is(oneRebuild.code, 0, oneRebuild.stderr)
  assert.not.match(oneRebuild.stdout, bea)
  for (const index of ['search', 'links']) assert.not.ok(existsSync(join(home, 'personas', ada, index)))
  assert.ok(existsSync(join(home, 'personas', bea, 'search')))
  const nobodyReply = await rebuild(world, home, 'nobody')
  assert.equal([nobodyReply.code, nobodyReply.stderr], [1, 'daimon: Persona not found.\n'])
  await rm(home, { recursive: true })
})

test.run()
