/** Servers that report changed tools, in the newest protocol revision and in older ones. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../../../test/calls.ts'
import { ServerTrouble } from '../trouble.ts'
import { createHouse, endAll, getWords, hostile, neverSignal, refTo, stdio, type World } from './servers.ts'

const test = suite<World>('servers whose tools change', { ends: [] })
test.after.each(endAll)

const modern = (env: Record<string, string> = {}) =>
  stdio(process.execPath, [fileURLToPath(new URL('modern-server.mjs', import.meta.url))], env)

/** Returns the requests that the server received, one per line. */
const createNote = async ({ ends }: World) => {
  const folder = await mkdtemp(join(tmpdir(), 'daimon-mcp-note-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'note')
  return { path, lines: async () => (await readFile(path, 'utf8').catch(() => '')).split('\n') }
}

// Verified to fail if the newest revision is not subscribed to.
test('lists the tools again after a change notification of the newest revision, and refuses a call of the allowed definition', async (world) => {
  // A server whose process starts slowly would be mistaken for an older one.
  const house = await createHouse(world, { limits: { start: 30_000, version: 30_000 } })
  const { servers, id } = house
  const note = await createNote(world)
  const ref = refTo(modern({ MODERN_NOTE: note.path }))
  const tool = () => servers.view(id, ref).tools.find(({ name }) => name === 'send')
  await servers.listed(id, ref, 20_000)
  const toolBefore = tool()
  assert.is(
    getWords(await servers.call(id, ref, 'send', { to: 'Ines' }, neverSignal, toolBefore?.hash)),
    'sent to Ines',
  )
  assert.ok(!(await note.lines()).includes('initialize'))

  await servers.call(id, ref, 'change', {}, neverSignal)
  await waitFor('another description', () => tool()?.hash !== toolBefore?.hash)
  assert.match(tool()?.description ?? '', 'a copy to another address')
  const callError = await servers
    .call(id, ref, 'send', { to: 'Ines' }, neverSignal, toolBefore?.hash)
    .catch((error: unknown) => error)
  assert.ok(
    callError instanceof ServerTrouble && callError.kind === 'changed' && !callError.sent,
    `${callError}`,
  )
  const calls = (await note.lines()).filter((line) => line === 'tools/call')
  assert.is(calls.length, 2)

  await waitFor('its listing to be kept', async () => (await house.onDisk()).includes('a copy'))
  assert.match(await house.onDisk(), '"kind":"modern"')
  await servers.close()
  await house.again().call(id, ref, 'send', { to: 'Ines' }, neverSignal)
  assert.is((await note.lines()).filter((line) => line === 'server/discover').length, 1)
})

// Verified to fail if each notification triggers a listing.
test('limits listings when a server sends a hundred change notifications', async (world) => {
  const { servers, id } = await createHouse(world)
  const note = await createNote(world)
  const ref = refTo(hostile(['changes'], { HOSTILE_NOTE: note.path }))
  await servers.listed(id, ref, 8000)
  const listings = async () => (await note.lines()).filter((line) => line === 'tools/list').length
  await servers.call(id, ref, 'echo', {}, neverSignal)
  assert.is(await listings(), 1)
  await servers.call(id, ref, 'change', {}, neverSignal)
  await waitFor('another listing', () => servers.view(id, ref).tools[0]?.description === 'Echo number 2.')
  await servers.call(id, ref, 'echo', {}, neverSignal)
  assert.ok((await listings()) <= 3)
})

test.run()
