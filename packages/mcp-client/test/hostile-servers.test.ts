/** Servers that hang, lie, flood, crash and send requests: the error messages, and that nothing remains. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../../../test/clock.ts'
import type { ServerConfig, ServerRef } from '../server-config.ts'
import { ServerTrouble } from '../trouble.ts'
import {
  createHouse,
  endAll,
  getWords,
  type House,
  hostile,
  isAlive,
  neverSignal,
  refTo,
  secret,
  stdio,
  type World,
} from './servers.ts'

const test = suite<World>('hostile servers', { ends: [] })
test.after.each(endAll)

const failing = async (work: Promise<unknown>): Promise<ServerTrouble> => {
  try {
    await work
  } catch (error) {
    if (error instanceof ServerTrouble) return error
    throw error
  }
  throw new Error('it did not fail')
}

/** Returns a file in which the server records events. */
const createNote = async (world: World) => {
  const folder = await mkdtemp(join(tmpdir(), 'daimon-mcp-note-'))
  world.ends.push(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'note')
  const lines = async () => (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const pids = async () =>
    (await lines()).filter((line) => /^(started|child)/.test(line)).map((line) => Number(line.split(' ')[1]))
  return { path, lines, pids }
}

/** Waits up to three seconds for a condition. */
const waitUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let n = 0; n < 300 && !(await isSo()); n++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.ok(await isSo())
}

const probe = async ({ servers, id }: House, config: ServerConfig) =>
  servers.probe(id, refTo(config), neverSignal)

test('reports why a command cannot be used', async (world) => {
  const house = await createHouse(world, { limits: { start: 1500 } })
  const cases: [ServerConfig, RegExp][] = [
    [stdio('no-such-command-here', []), /“no-such-command-here” was not found/],
    [stdio(fileURLToPath(import.meta.url), []), /may not be run: it is not executable/],
    [
      { ...hostile([]), cwd: '/no/such/folder' } as ServerConfig,
      /folder in which it is to be started does not exist/,
    ],
    [
      hostile(['dies-at-start'], { TOKEN: secret }),
      /ended before it could be used, with code 4\. It said last:\nI need a TOKEN/,
    ],
    [
      hostile(['is-no-server', 'stays']),
      /within 1\.5 s\. It writes something else than messages of MCP .*Welcome to the shop!/,
    ],
    [hostile(['hangs-at-start']), /did not answer within 1\.5 s/],
    [hostile(['hangs-at-list']), /did not answer within 1\.5 s/],
    [hostile(['wrong-version']), /speaks no version of MCP that is known here/],
  ]
  for (const [config, words] of cases) {
    const { reason, state, tools } = await probe(house, config)
    assert.match(reason ?? '', words, `${reason}`)
    assert.is(state, 'off')
    assert.equal(tools, [])
  }
})

test('starts a server once, and again only if it exits at the version request', async (world) => {
  const { servers, id } = await createHouse(world)
  for (const [misdeed, starts] of [
    ['', 1],
    ['hangs-at-discover', 1],
    ['dies-at-discover', 2],
  ] as const) {
    const note = await createNote(world)
    const ref = refTo(hostile([misdeed], { HOSTILE_NOTE: note.path }), { name: `a ${misdeed}` })
    assert.is((await servers.listed(id, ref, 8000)).state, 'ready')
    assert.is((await note.pids()).length, starts)
  }
})

test('does not negotiate the version again at the next start', async (world) => {
  const house = await createHouse(world)
  const note = await createNote(world)
  const ref = refTo(hostile([], { HOSTILE_NOTE: note.path }))
  await house.servers.listed(house.id, ref, 8000)
  await house.servers.close()
  await house.again().call(house.id, ref, 'echo', {}, neverSignal)
  const discoveries = (await note.lines()).filter((line) => line === 'server/discover')
  assert.is(discoveries.length, 1)
})

test('lists the tools after a restart without starting the server', async (world) => {
  const house = await createHouse(world)
  const note = await createNote(world)
  const ref = refTo(hostile([], { HOSTILE_NOTE: note.path }))
  const { tools } = await house.servers.listed(house.id, ref, 8000)
  await house.servers.close()
  const reopenedServers = house.again()
  assert.equal((await reopenedServers.listed(house.id, ref, 8000)).tools, tools)
  assert.is(reopenedServers.view(house.id, ref).state, 'off')
  assert.is((await note.pids()).length, 1)
  // Another configuration invalidates the listing.
  assert.equal(reopenedServers.view(house.id, { ...ref, key: 'another' }).tools, [])
  await reopenedServers.forget(house.id, ref.name)
  assert.not.match(await house.onDisk(), /echo/)
})

// Verified to fail without a limit per line.
test('aborts an answer of 100 MB without buffering it', async (world) => {
  const { servers, id } = await createHouse(world, { limits: { silence: 30_000 } })
  const ref = refTo(hostile([]))
  await servers.listed(id, ref, 8000)
  const rssBefore = process.memoryUsage().rss
  const callError = await failing(servers.call(id, ref, 'huge', {}, neverSignal))
  assert.is(callError.kind, 'too_large')
  assert.match(callError.message, /larger than 32 MiB, and was cut off/)
  assert.ok(process.memoryUsage().rss - rssBefore < 120 * 1024 * 1024)
  assert.match(getWords(await servers.call(id, ref, 'echo', { a: 1 }, neverSignal)), /"a":1/)
})

test('limits the text of a result to 48 KiB without splitting a character, and adds a note', async (world) => {
  const { servers, id } = await createHouse(world)
  const { content, cut } = await servers.call(id, refTo(hostile([])), 'huge-text', {}, neverSignal)
  assert.is(cut, true)
  assert.ok(content[0]?.type === 'text' && Buffer.byteLength(content[0].text) === 48 * 1024)
  assert.match(getWords({ ok: true, content, cut }), /é\n\[Left out: 148 KiB of text\.\]$/)
})

test('returns pictures, sounds, files and links, at most ten files', async (world) => {
  const { servers, id } = await createHouse(world)
  const ref = refTo(hostile([], { TOKEN: secret }))
  const { content, cut } = await servers.call(id, ref, 'files', {}, neverSignal)
  assert.is(cut, false)
  assert.equal(
    content.map((block) =>
      block.type === 'file' ? [block.name, block.mime, Buffer.from(block.bytes).toString()] : block,
    ),
    [
      ['image.png', 'image/png', 'a picture'],
      ['audio.mpeg', 'audio/mpeg', 'a sound'],
      { type: 'link', uri: 'file:///a/../b/notes.txt', name: 'notes.txt', text: 'the notes' },
      ['data.bin', 'application/octet-stream', 'bytes'],
      { type: 'link', uri: 'https://example.org/a', name: 'a', text: 'about a' },
    ],
  )
  const manyFiles = await servers.call(id, ref, 'many-files', {}, neverSignal)
  assert.is(manyFiles.content.filter(({ type }) => type === 'file').length, 10)
  assert.is(manyFiles.cut, true)
  assert.equal((await servers.call(id, ref, 'structured', {}, neverSignal)).structured, {
    degrees: 21,
    secret: '***',
  })
  assert.is((await servers.call(id, ref, 'deep', {}, neverSignal)).cut, true)
  const failedResult = await servers.call(id, ref, 'fail', {}, neverSignal)
  assert.equal([failedResult.ok, getWords(failedResult)], [false, 'it cannot be done'])
})

// Verified to fail if the last output is not masked.
test('reports a crash during a call without secrets, and restarts the server', async (world) => {
  const { servers, id, hidden, logged, onDisk } = await createHouse(world)
  const ref = refTo(hostile([], { TOKEN: secret }))
  const callError = await failing(servers.call(id, ref, 'die', {}, neverSignal))
  assert.is(callError.kind, 'ended')
  assert.is(callError.sent, true)
  assert.match(
    callError.message,
    /^It ended in the middle of the call, with code 3\. It said last:\nthe disk is on fire\nmy token is \*\*\*$/,
  )
  assert.is(servers.view(id, ref).state, 'off')
  assert.is((await servers.call(id, ref, 'echo', {}, neverSignal)).ok, true)
  const env = getWords(await servers.call(id, ref, 'env', {}, neverSignal))
  assert.not.match(env, /marked-secret|a key of the daemon/)
  assert.match(env, /"TOKEN":"\*\*\*"/)
  const tells = refTo(hostile(['tells'], { TOKEN: secret }), { name: 'tells' })
  assert.is((await servers.listed(id, tells, 8000)).tools[0]?.description, 'It knows ***.')
  assert.not.match(`${JSON.stringify(logged)}${await onDisk()}`, /marked-secret/)
  assert.ok(hidden.includes(secret))
})

test('starts a server in the home folder with a subset of the environment', async (world) => {
  const { servers, id } = await createHouse(world)
  const env = JSON.parse(
    getWords(await servers.call(id, refTo(hostile([], { MODE: 'a' })), 'env', {}, neverSignal)),
  )
  assert.is(env.PATH, process.env.PATH)
  assert.is(env.MODE, 'a')
  assert.is(env.DAIMON_OWN_KEY, undefined)
})

test('extends the timeout while there is progress, up to a maximum', async (world) => {
  const { servers, id } = await createHouse(world, { limits: { silence: 600 } })
  assert.match(getWords(await servers.call(id, refTo(hostile([])), 'progress', {}, neverSignal)), /done/)
  const hangTrouble = await failing(servers.call(id, refTo(hostile([])), 'hang', {}, neverSignal))
  assert.match(hangTrouble.message, /did not answer within 0\.6 s/)
  const shortHouse = await createHouse(world, { limits: { silence: 600, whole: 900 } })
  const endless = await failing(
    shortHouse.servers.call(shortHouse.id, refTo(hostile(['never-ends'])), 'progress', {}, neverSignal),
  )
  assert.match(endless.message, /took longer than 0\.9 s/)
})

test('aborts a call with its signal, and notifies the server', async (world) => {
  const { servers, id } = await createHouse(world, { limits: { silence: 60_000 } })
  const note = await createNote(world)
  const ref = refTo(hostile([], { HOSTILE_NOTE: note.path }))
  await servers.listed(id, ref, 8000)
  const ending = new AbortController()
  const call = failing(servers.call(id, ref, 'hang', {}, ending.signal))
  await waitUntil(async () => (await note.lines()).includes('tools/call'))
  ending.abort()
  const callError = await call
  assert.equal([callError.kind, callError.sent], ['cut', true])
  await waitUntil(async () => (await note.lines()).includes('notifications/cancelled'))
  assert.is(servers.view(id, ref).state, 'ready')
})

test('rejects requests of the server and continues', async (world) => {
  const { servers, id } = await createHouse(world)
  assert.is(
    getWords(await servers.call(id, refTo(hostile([])), 'ask', {}, neverSignal)),
    '-32601 -32601 -32601',
  )
})

test('keeps only the end of a flood on stderr', async (world) => {
  const { servers, id } = await createHouse(world, { limits: { silence: 30_000 } })
  const rssBefore = process.memoryUsage().rss
  assert.is(getWords(await servers.call(id, refTo(hostile([])), 'flood', {}, neverSignal)), 'flooded')
  assert.ok(process.memoryUsage().rss - rssBefore < 60 * 1024 * 1024)
})

test('leaves out tools that are too large, too deep, duplicate or too many, and adds a note', async (world) => {
  const { servers, id } = await createHouse(world)
  const oddListing = await servers.listed(id, refTo(hostile(['odd']), { name: 'odd' }), 8000)
  assert.equal(
    oddListing.tools.map(({ name }) => name),
    ['good'],
  )
  assert.match(oddListing.reason ?? '', /larger than 64 KiB: large\./)
  assert.match(oddListing.reason ?? '', /nested too deeply: deep\./)
  assert.match(oddListing.reason ?? '', /malformed or there twice: good, no-schema, bad name\./)
  const manyTools = await servers.listed(id, refTo(hostile(['many']), { name: 'many' }), 8000)
  assert.is(manyTools.tools.length, 500)
  assert.match(manyTools.reason ?? '', /too many: 200 more tools/)
  assert.is(
    (await servers.listed(id, refTo(hostile(['endless']), { name: 'endless' }), 8000)).tools.length,
    50,
  )
})

// Verified to fail if a call checks only the name.
test('refuses to call a tool whose definition is not the allowed one', async (world) => {
  const house = await createHouse(world)
  const ref = refTo(hostile(['changes']))
  const [toolBefore] = (await house.servers.listed(house.id, ref, 8000)).tools
  assert.is(
    getWords(await house.servers.call(house.id, ref, 'echo', {}, neverSignal, toolBefore?.hash)),
    '{}',
  )
  await house.servers.probe(house.id, ref, neverSignal)
  const { servers, id } = house
  const [toolAfter] = servers.view(id, ref).tools
  assert.is.not(toolAfter?.hash, undefined)
  await servers.call(id, ref, 'echo', {}, neverSignal, toolAfter?.hash)
  const callError = await failing(servers.call(id, ref, 'echo', {}, neverSignal, 'f'.repeat(64)))
  assert.equal([callError.kind, callError.sent], ['changed', false])
  assert.is((await failing(servers.call(id, ref, 'gone', {}, neverSignal))).kind, 'changed')
})

test('reports failing after three failed starts, and retries later', async (world) => {
  const clock = createFakeClock()
  const { servers, id } = await createHouse(world, { clock })
  const ref: ServerRef = refTo(stdio('no-such-command-here', []))
  const start = () => servers.listed(id, ref, 1e9)
  assert.is((await start()).state, 'off')
  for (const pause of [1000, 3000]) {
    const next = start()
    await clock.advance(pause)
    await next
  }
  assert.is(servers.view(id, ref).state, 'failing')
  const callError = await failing(servers.call(id, ref, 'echo', {}, neverSignal))
  assert.match(callError.message, /was not found[\s\S]*It is tried again in 9 s\./)
  await clock.advance(9000)
  assert.not.match((await failing(servers.call(id, ref, 'echo', {}, neverSignal))).message, /tried again/)
})

test('closes an idle server, and restarts it at the next call', async (world) => {
  const clock = createFakeClock()
  const { servers, id } = await createHouse(world, { clock, limits: { idle: 1000 } })
  const note = await createNote(world)
  const ref = refTo(hostile([], { HOSTILE_NOTE: note.path }))
  await servers.call(id, ref, 'echo', {}, neverSignal)
  const [pid] = await note.pids()
  assert.ok(pid !== undefined && isAlive(pid))
  await clock.advance(2500)
  await waitUntil(() => !isAlive(pid))
  assert.is(servers.view(id, ref).state, 'off')
  await servers.call(id, ref, 'echo', {}, neverSignal)
  assert.is((await note.pids()).length, 2)
})

// Verified to fail if only the process is signalled, and not its group.
test('kills a server that ignores signals, together with its child processes', async (world) => {
  const { servers, id } = await createHouse(world)
  const note = await createNote(world)
  const misdeeds = ['ignores-signals', 'stays', 'has-child']
  await servers.listed(id, refTo(hostile(misdeeds, { HOSTILE_NOTE: note.path })), 8000)
  const pids = await note.pids()
  assert.is(pids.length, 2)
  await servers.close()
  await waitUntil(() => !pids.some(isAlive))
})

test('rejects calls after a server is forgotten or the pool is closed', async (world) => {
  const { servers, id } = await createHouse(world, { limits: { silence: 60_000 } })
  const ref = refTo(hostile([]))
  await servers.listed(id, ref, 8000)
  const call = failing(servers.call(id, ref, 'hang', {}, neverSignal))
  await servers.forget(id, ref.name)
  assert.ok(['closing', 'ended'].includes((await call).kind))
  await servers.close()
  assert.is((await failing(servers.call(id, ref, 'echo', {}, neverSignal))).kind, 'closing')
})

test.run()
