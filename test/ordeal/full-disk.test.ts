/**
 * The disk is full: everything can be read, nothing that was acknowledged is lost, and the first write after
 * space is freed succeeds.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { getContent } from '../../projections/message-parts.ts'
import { call, pause, type Reply, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { exportDiary, firstPhrase, migrate } from '../contract/diaries.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { toForm } from '../forms.ts'
import { ask } from '../http/try.ts'
import { printFigures, scaleSize } from '../ordeal.ts'
import { createFaultyDisk } from './faulty-disk.ts'
import { seedHome } from './seed-home.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('a full disk', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** Sends messages and reads until it is stopped. */
const createClient = (url: () => string, id: string) => {
  const stop = new AbortController()
  const acknowledged: string[] = []
  const refusals: Reply[] = []
  const blind: string[] = []
  let lookCount = 0
  let lastHeardAt = 0
  const personaPath = `/api/persona/${id}`
  const speak = async () => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const message = `message ${n}.`
      const reply = await call(url(), 'POST', `${personaPath}/read?wait=0`, { message })
      if (reply.status === 200) acknowledged.push(message)
      else refusals.push(reply)
      lastHeardAt = performance.now()
      await pause(5)
    }
  }
  const look = async () => {
    while (!stop.signal.aborted) {
      for (const path of [
        '/api/personas',
        `${personaPath}/conversation?limit=20`,
        `${personaPath}/media/sea.png`,
        '/api/health',
      ]) {
        const { status, body } = await call(url(), 'GET', path)
        if (status !== 200) blind.push(`${path} ${status} ${JSON.stringify(body)}`)
        lookCount++
      }
      await pause(5)
    }
  }
  const requests = Promise.all([speak(), look()])
  requests.catch(() => undefined)
  return {
    acknowledged,
    refusals,
    blind,
    get looks() {
      return lookCount
    },
    get heard() {
      return lastHeardAt
    },
    stop: async () => {
      stop.abort()
      await requests
    },
  }
}

/** CPU time of a process in ms. */
const getCpuMs = async (pid: number | undefined): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const countLines = (text: string): number => text.split('\n').length

const fillDisk = async (disk: SmallDisk, id: string, url: string, text: string): Promise<void> => {
  await disk.fill()
  // The rest of the last page of a log still takes a few more messages.
  await waitFor(
    'a refusal',
    async () => (await call(url, 'POST', `/api/persona/${id}/update`, { name: text })).status === 500,
  )
}

/** Names in the persona's folder, except those that can be rebuilt at any time. */
const listLeftovers = async (persona: string) =>
  (await readdir(persona, { recursive: true }))
    .filter((name) => !name.includes('/') || name.endsWith('.tmp'))
    .filter((name) => !/^(probe-|minutes$|search$|heads$|links$)/.test(name))
    .sort()

// Fails if readers are left with a closed handle (`JournalUnavailable: the journal cannot be read`), and if a
// journal is checked again for each failed write (`it logged 70 lines in two seconds`).
test('while the disk is full all can be read and nothing acknowledged is lost; with room again the next write succeeds', async ({
  ends,
}) => {
  const disk = await openSmallDisk(24)
  if (!disk) {
    printFigures(
      'full disk',
      'this user may not mount a disk',
      'only refusals within the process were tested',
    )
    return
  }
  ends.push(disk.close)
  const [id = ''] = await seedHome(disk.home, createFakeClock(), 1, 'sk-first-key-of-hers')
  const persona = join(disk.home, 'personas', id)
  await mkdir(join(persona, 'media'))
  await writeFile(join(persona, 'media', 'sea.png'), picture)
  const daemon = await disk.start()
  const personaUrl = `${daemon.url}/api/persona/${id}`
  const post = (route: string, body?: unknown) => call(personaUrl, 'POST', route, body)
  assert.is((await post('/start')).status, 200)
  const secretsBefore = await readFile(join(persona, 'secrets'))

  const client = createClient(() => daemon.url, id)
  let slowest = 0
  const rounds = Math.max(2, scaleSize(10))
  for (let round = 0; round < rounds; round++) {
    const countBefore = client.acknowledged.length
    await waitFor('messages before the disk is full', () => client.acknowledged.length > countBefore + 5)
    await fillDisk(disk, id, daemon.url, 'x'.repeat(900))
    const refusalsBefore = client.refusals.length
    const lookCount = client.looks
    await waitFor(
      'refusals',
      () => client.refusals.length > refusalsBefore + 10 && client.looks > lookCount + 40,
    )
    const update = await post('/update', {
      thinking: { model: 'embedded/practice', api_key: 'sk-second-key-of-hers' },
    })
    assert.is(update.status, 500, JSON.stringify(update.body))
    assert.equal(await readFile(join(persona, 'secrets')), secretsBefore)
    assert.equal(await listLeftovers(persona), ['journal', 'media', 'secrets'])
    await disk.empty()
    const startedAt = performance.now()
    const acknowledgedBefore = client.acknowledged.length
    await waitFor('the first write', () => client.acknowledged.length > acknowledgedBefore)
    slowest = Math.max(slowest, performance.now() - startedAt)
  }
  assert.ok(slowest < 5000, `the first write with free space took ${slowest} ms`)
  assert.equal(client.blind, [])
  for (const { status, body } of client.refusals) {
    assert.is(status, 500)
    assert.match(body.detail, /disk|written|journal/)
  }
  await client.stop()
  await waitFor(
    'the last reply',
    async () =>
      (await call(daemon.url, 'GET', `/api/persona/${id}/conversation?limit=1`)).body.messages[0]?.role ===
      'assistant',
  )

  await fillDisk(disk, id, daemon.url, 'y'.repeat(900))
  const cpu = await getCpuMs(daemon.child.pid)
  const lines = countLines(daemon.stderr())
  await pause(2000)
  const burntMs = (await getCpuMs(daemon.child.pid)) - cpu
  const logLines = countLines(daemon.stderr()) - lines
  assert.ok(burntMs < 1500, `it used ${burntMs} ms in two seconds`)
  assert.ok(logLines <= 4, `it logged ${logLines} lines in two seconds`)
  await disk.empty()
  assert.is((await post('/update', { name: 'Bea' })).status, 200)
  assert.is((await daemon.kill('SIGTERM')).code, 0)
  assert.equal(await listLeftovers(persona), ['journal', 'media', 'secrets'])
  await compare(disk.home, id, client.acknowledged)
  printFigures(
    'full disk',
    `${rounds} times`,
    `${client.looks} looks`,
    `${client.refusals.length} refused`,
    `first write after ${Math.round(slowest)} ms`,
    `${burntMs} ms busy and ${logLines} lines in two seconds of rest`,
  )
})

/** Every acknowledged message is stored once, and the chain is valid. */
const compare = async (home: string, id: string, acknowledged: readonly string[]): Promise<void> => {
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (name) => catalog.get(name)?.head,
  })
  const journal = await journals.open(id, 'writer')
  try {
    assert.ok((await journal.verify()).intact)
    const receivedTexts: string[] = []
    for await (const { event } of journal.read({}))
      if (event.type === 'MessageHeard') receivedTexts.push(getContent(event))
    for (const message of acknowledged)
      assert.is(receivedTexts.filter((text) => text === message).length, 1, message)
  } finally {
    await journal.close()
    await catalog.close()
  }
}

// Fails if the unpacked files are not removed: no space is left for other writes.
test('rejects a diary on a disk without space, deletes personas without space, and migrates the diary when there is space', async ({
  ends,
}) => {
  const disk = await openSmallDisk(24)
  if (!disk) return
  ends.push(disk.close)
  const otherDaemon = await startDaemon({ newPhrase: firstPhrase })
  ends.push(otherDaemon.close)
  const request = { name: 'Ada', thinking_model: 'embedded/practice' }
  const { id } = (await call(otherDaemon.url, 'POST', '/api/persona/create', request)).body.persona
  const large = toForm([{ name: 'file', filename: 'sea.bin', content: randomBytes(6_000_000) }])
  const { status } = await ask(otherDaemon.port, {
    method: 'POST',
    path: `/api/persona/${id}/attach?wait=0`,
    ...large,
  })
  assert.is(status, 200)
  const diary = await exportDiary(otherDaemon, id)

  const daemon = await disk.start()
  const address = { url: daemon.url, port: Number(new URL(daemon.url).port) }
  const bring = () => migrate(address, { diary, model: 'embedded/practice' })
  const ballast = join(disk.home, '..', 'cargo')
  const leave = async (bytes: number) => {
    await rm(ballast, { force: true })
    const { bavail, bsize } = await statfs(disk.home)
    await writeFile(ballast, Buffer.alloc(bavail * bsize - bytes))
  }
  const listPersonas = async () => (await call(address.url, 'GET', '/api/personas')).body.personas
  const names = async () =>
    (await readdir(disk.home, { recursive: true })).filter((name) => name !== 'trash').sort()
  // Space for the archive and half of its content; then not even for the archive.
  for (const room of [9_000_000, 2_000_000]) {
    await leave(room)
    const namesBefore = await names()
    const [code, { detail }] = await bring()
    assert.is(code, 500, JSON.stringify(detail))
    assert.match(detail, /^JournalUnavailable: /)
    assert.equal(await listPersonas(), [])
    // The incomplete file is removed after the response.
    await waitFor('only the previous files to remain', async () =>
      isDeepStrictEqual(await names(), namesBefore),
    )
  }
  await rm(ballast)
  const [code, body] = await bring()
  assert.is(code, 200, JSON.stringify(body))
  await leave(3_000_000)
  assert.equal(await call(address.url, 'POST', `/api/persona/${id}/delete`), { status: 200, body: null })
  assert.equal(await listPersonas(), [])
  assert.not((await names()).some((path) => path.endsWith('.tmp') || path.startsWith('personas/')))
  await rm(ballast)
  assert.is((await bring())[0], 200)
})

test('a daemon that cannot start on a full disk logs one line, and shows all data when there is space', async ({
  ends,
}) => {
  const disk = await openSmallDisk(16)
  if (!disk) return
  ends.push(disk.close)
  const [id = ''] = await seedHome(disk.home, createFakeClock(), 1)
  const first = await disk.start()
  const say = (url: string, route: string, body?: unknown) =>
    call(url, 'POST', `/api/persona/${id}/${route}`, body)
  assert.is((await say(first.url, 'start')).status, 200)
  assert.is((await say(first.url, 'read?wait=30', { message: 'My name is Mia.' })).status, 200)
  await fillDisk(disk, id, first.url, 'x'.repeat(900))
  const talk = async (url: string) =>
    (await call(url, 'GET', `/api/persona/${id}/conversation`)).body.messages
  const messagesBefore = await talk(first.url)
  assert.is((await first.kill('SIGTERM')).code, 0)
  await disk.fill()
  const refusal = await disk.start().then(
    () => 'it started',
    (error: Error) => error.message,
  )
  assert.match(refusal, /^it ended with 1 .*the disk is full\. [^\n]*\n?$/)
  await disk.empty()
  const second = await disk.start()
  assert.equal(await talk(second.url), messagesBefore)
  assert.is((await say(second.url, 'update', { name: 'Bea' })).status, 200)
})

test('serves reads while the system refuses every write, and writes again when there is space', async ({
  ends,
}) => {
  const disk = createFaultyDisk()
  ends.push(disk.restore)
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  const [id = ''] = await seedHome(home, createFakeClock(), 1, 'sk-first-key-of-hers')
  const daemon = await startDaemon({ home, stores: (stores) => disk.wrapStores(stores, home) })
  ends.push(daemon.close)
  const post = (path: string, body?: unknown) => call(daemon.url, 'POST', path, body)
  const personaPath = `/api/persona/${id}`
  assert.is((await post(`${personaPath}/start`)).status, 200)
  assert.is((await post(`${personaPath}/read?wait=30`, { message: 'My name is Mia.' })).status, 200)
  const secretsBefore = await readFile(join(home, 'personas', id, 'secrets'))
  for (let round = 0; round < scaleSize(50, 25); round++) {
    const full = disk.setTrap(() => true, 'ENOSPC')
    const refusals = [
      await post(`${personaPath}/read`, { message: 'hello' }),
      await post(`${personaPath}/update`, { name: 'Bea' }),
      await post(`${personaPath}/update`, {
        thinking: { model: 'embedded/practice', api_key: 'sk-second-key-of-hers' },
      }),
      await post('/api/persona/create', {
        name: 'Cal',
        thinking_model: 'embedded/practice',
        thinking_api_key: 'sk-key-of-cal',
      }),
    ]
    for (const { status, body } of refusals) assert.is(status, 500, JSON.stringify(body))
    for (const path of ['/api/personas', `${personaPath}/conversation`, '/api/health'])
      assert.is((await call(daemon.url, 'GET', path)).status, 200, path)
    full.release()
    assert.is((await post(`${personaPath}/update`, { name: `Ada ${round}` })).status, 200)
    assert.equal(await readFile(join(home, 'personas', id, 'secrets')), secretsBefore)
    assert.equal(await readdir(join(home, 'personas')), [id])
  }
})

test.run()
