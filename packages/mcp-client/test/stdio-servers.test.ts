/** Servers as processes: published ones, and a faulty one. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endAll, houseOf, never, published, refTo, stdio, type World, wordsOf } from './servers.ts'

const test = suite<World>('stdio servers', { ends: [] })
test.after.each(endAll)

test('lists and calls the tools of server-everything', async (world) => {
  const { servers, id } = await houseOf(world)
  const everything = refTo(published('server-everything', 'stdio'))
  const { tools, state, reason } = await servers.listed(id, everything, 20_000)
  assert.is(state, 'ready')
  assert.is(reason, null)
  assert.ok(tools.length >= 8)
  assert.ok(tools.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash)))
  const echoResult = await servers.call(id, everything, 'echo', { message: 'hello' }, never)
  assert.match(wordsOf(echoResult), /hello/)
  assert.is(echoResult.ok, true)
  const picture = await servers.call(id, everything, 'get-tiny-image', {}, never)
  const file = picture.content.find((block) => block.type === 'file')
  assert.ok(file?.type === 'file' && file.mime === 'image/png' && file.bytes[0] === 0x89)
  const structuredResult = await servers.call(
    id,
    everything,
    'get-structured-content',
    { location: 'Chicago' },
    never,
  )
  assert.type((structuredResult.structured as { temperature: unknown }).temperature, 'number')
})

// Verified to fail if the pipes are closed at the exit, before the output is read.
test('reports the last output of each server that exits immediately, however many there are', async (world) => {
  const { servers, id } = await houseOf(world)
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
  const { servers, id } = await houseOf(world)
  const everything = refTo(published('server-everything', 'stdio'))
  const result = await servers.call(id, everything, 'get-sum', { a: 'no number' }, never)
  assert.is(result.ok, false)
  assert.match(wordsOf(result), /number/)
})

test('reads a file through server-filesystem, but nothing outside its folder', async (world) => {
  const { servers, id } = await houseOf(world)
  const folder = await mkdtemp(join(tmpdir(), 'daimon-mcp-files-'))
  world.ends.push(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'note.txt'), 'water the plants')
  const files = refTo(published('server-filesystem', folder))
  const read = await servers.call(id, files, 'read_text_file', { path: join(folder, 'note.txt') }, never)
  assert.match(wordsOf(read), /water the plants/)
  const outsideResult = await servers.call(id, files, 'read_text_file', { path: '/etc/hostname' }, never)
  assert.is(outsideResult.ok, false)
})

test('passes the environment to server-memory, which stores its data in the named file', async (world) => {
  const { servers, id, home } = await houseOf(world)
  const path = join(home, 'graph.jsonl')
  const config = { ...published('server-memory'), env: { MEMORY_FILE_PATH: path } }
  const entities = [{ name: 'Mia', entityType: 'person', observations: ['lives in Lisbon'] }]
  await servers.call(id, refTo(config), 'create_entities', { entities }, never)
  assert.match(await readFile(path, 'utf8'), /Lisbon/)
})

test.run()
