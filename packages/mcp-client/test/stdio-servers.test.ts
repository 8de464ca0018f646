/** Servers as processes: published ones, and a faulty one. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  createHouse,
  createPublishedConfig,
  endAll,
  getWords,
  neverSignal,
  refTo,
  stdio,
  type World,
} from './servers.ts'

const test = suite<World>('stdio servers', { ends: [] })
test.after.each(endAll)

test('lists and calls the tools of server-everything', async (world) => {
  const { servers, id } = await createHouse(world)
  const everythingServer = refTo(createPublishedConfig('server-everything', 'stdio'))
  const { tools, state, reason } = await servers.listed(id, everythingServer, 20_000)
  assert.is(state, 'ready')
  assert.is(reason, null)
  assert.ok(tools.length >= 8)
  assert.ok(tools.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash)))
  const echoResult = await servers.call(id, everythingServer, 'echo', { message: 'hello' }, neverSignal)
  assert.match(getWords(echoResult), /hello/)
  assert.is(echoResult.ok, true)
  const picture = await servers.call(id, everythingServer, 'get-tiny-image', {}, neverSignal)
  const file = picture.content.find((block) => block.type === 'file')
  assert.ok(file?.type === 'file' && file.mime === 'image/png' && file.bytes[0] === 0x89)
  const structuredResult = await servers.call(
    id,
    everythingServer,
    'get-structured-content',
    { location: 'Chicago' },
    neverSignal,
  )
  assert.type((structuredResult.structured as { temperature: unknown }).temperature, 'number')
})

// Verified to fail if the pipes are closed at the exit, before the output is read.
test('reports the last output of each server that exits immediately, however many there are', async (world) => {
  const { servers, id } = await createHouse(world)
  const config = stdio('sh', ['-c', 'echo The stamps are missing. >&2; exit 4'])
  const views = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      servers.probe(id, refTo(config, { name: `n${n}` }), new AbortController().signal),
    ),
  )
  const words = /^It ended before it could be used, with code 4\. It said last:\nThe stamps are missing\.$/
  assert.equal(
    views.map(({ reason }) => reason).filter((reason) => !words.test(reason ?? '')),
    [],
  )
})

test("reports a rejected input with the server's own words", async (world) => {
  const { servers, id } = await createHouse(world)
  const everythingServer = refTo(createPublishedConfig('server-everything', 'stdio'))
  const result = await servers.call(id, everythingServer, 'get-sum', { a: 'no number' }, neverSignal)
  assert.is(result.ok, false)
  assert.match(getWords(result), /number/)
})

test('reads a file through server-filesystem, but nothing outside its folder', async (world) => {
  const { servers, id } = await createHouse(world)
  const folder = await mkdtemp(join(tmpdir(), 'daimon-mcp-files-'))
  world.ends.push(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'note.txt'), 'water the plants')
  const files = refTo(createPublishedConfig('server-filesystem', folder))
  const read = await servers.call(
    id,
    files,
    'read_text_file',
    { path: join(folder, 'note.txt') },
    neverSignal,
  )
  assert.match(getWords(read), /water the plants/)
  const outsideResult = await servers.call(
    id,
    files,
    'read_text_file',
    { path: '/etc/hostname' },
    neverSignal,
  )
  assert.is(outsideResult.ok, false)
})

test('passes the environment to server-memory, which stores its data in the named file', async (world) => {
  const { servers, id, home } = await createHouse(world)
  const path = join(home, 'graph.jsonl')
  const config = { ...createPublishedConfig('server-memory'), env: { MEMORY_FILE_PATH: path } }
  const entities = [{ name: 'Mia', entityType: 'person', observations: ['lives in Lisbon'] }]
  await servers.call(id, refTo(config), 'create_entities', { entities }, neverSignal)
  assert.match(await readFile(path, 'utf8'), /Lisbon/)
})

test.run()
