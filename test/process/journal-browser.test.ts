/** `daimon journal-browser` shows a copied journal or a diary without a daemon, and changes nothing. */
import { createHash } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import type { DaemonRun } from './daemon.ts'
import { endAll, expectOneLine, newHome, runProcess, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('the journal browser', { ends: [] })
test.after.each(endAll)

const createHome = async (world: World) => {
  const home = await newHome(world)
  const daemon = await startDaemonProcess(world, { home })
  const created = { name: 'Ada', thinking_model: 'embedded/practice' }
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', created)
  const { id } = body.persona
  await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'I live in Lisbon.' })
  const diary = join(home, 'exported.diary')
  const exported = await fetch(`${daemon.url}/api/persona/${id}/export`)
  await writeFile(diary, Buffer.from(await exported.arrayBuffer()))
  await daemon.kill('SIGTERM')
  return { home, id, diary, words: body.recovery_phrase as string, folder: join(home, 'personas', id) }
}

/** Starts the browser and returns the address of its daemon and the path of the page. */
const browse = async (world: World, path: string, redirect = '') => {
  const run = runProcess(world, { args: ['journal-browser', path], redirect, home: await newHome(world) })
  const readAddress = () => /^(http:\/\/127\.0\.0\.1:\d+)(\/persona\/\S+)$/m.exec(run.stdout())
  await waitFor('the address', async () => readAddress() !== null, 30_000)
  const [, url = '', page = ''] = readAddress() ?? []
  return { run, url, page }
}

const stop = async ({ child, whenEnded }: DaemonRun) => {
  child.kill('SIGTERM')
  return whenEnded
}

const hashFiles = async (folder: string): Promise<string> => {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort())
    hash.update(name).update(await readFile(name))
  return hash.digest('hex')
}

const checkView = async (url: string, id: string) => {
  const facts = await (await fetch(`${url}/api/persona/${id}/journal`)).text()
  assert.match(facts, 'MessageHeard')
  const { found } = (await call(url, 'GET', `/api/persona/${id}/search?q=Lisbon`)).body
  assert.ok(found.length > 0)
  assert.is((await call(url, 'GET', `/api/persona/${id}/history?at=3`)).status, 200)
  assert.is((await call(url, 'POST', `/api/persona/${id}/verify`)).body.intact, true)
  assert.is((await call(url, 'GET', '/api/personas')).body.personas[0].running, false)
  for (const [method, path] of [
    ['POST', `/api/persona/${id}/read`],
    ['POST', `/api/persona/${id}/start`],
    ['POST', `/api/persona/${id}/verify/../start`],
    ['DELETE', `/api/persona/${id}/erase`],
    ['PUT', '/api/local-models/runtime'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/api/persona/create'],
  ] as const) {
    const { status, body } = await call(url, method, path, { message: 'Hello', name: 'Bea' })
    assert.is(status, 403, `${method} ${path}`)
    assert.match(JSON.stringify(body), 'read-only view')
  }
}

test('shows a copied folder of a persona under any name, and leaves it unchanged', async (world) => {
  const { home, id, folder } = await createHome(world)
  const copy = join(home, 'a copy of Ada')
  await cp(folder, copy, { recursive: true })
  const before = await hashFiles(copy)
  const { run, url, page } = await browse(world, copy)
  assert.is(page, `/persona/${id}/life`)
  const facts = (await (await fetch(`${url}/api/persona/${id}/journal`)).text()).trim().split('\n')
  const { at } = JSON.parse(facts.at(-1) ?? '')
  assert.equal((await call(url, 'GET', '/api/personas')).body.copy, { path: copy, until: { [id]: at } })
  const shown = await fetch(url + page, { headers: { 'sec-fetch-site': 'none' } })
  assert.match(await shown.text(), '<html')
  await checkView(url, id)
  const { code, stderr } = await stop(run)
  assert.equal([code, stderr], [0, ''])
  assert.is(await hashFiles(copy), before)
})

test('shows a whole home and a bare journal', async (world) => {
  const { home, id, folder } = await createHome(world)
  for (const path of [home, join(folder, 'journal')]) {
    const { run, url, page } = await browse(world, path)
    assert.is(page, `/persona/${id}/life`)
    assert.match(await (await fetch(`${url}/api/persona/${id}/journal`)).text(), 'MessageHeard')
    assert.is((await stop(run)).code, 0)
  }
})

test('shows a diary with its 24 words, and no other words', async (world) => {
  const { home, id, diary, words } = await createHome(world)
  const file = join(home, 'words')
  await writeFile(file, words)
  const { run, url } = await browse(world, diary, `< ${file}`)
  await checkView(url, id)
  assert.is((await stop(run)).code, 0)
  await writeFile(file, `${words} more`)
  const wrong = await runProcess(world, { args: ['journal-browser', diary], redirect: `< ${file}`, home })
    .whenEnded
  assert.is(wrong.code, 2)
  assert.match(expectOneLine(wrong), 'these are not 24 recovery words')
  assert.not.match(wrong.stderr, words.split(' ')[0] ?? '')
})

test('says what is wrong with a path', async (world) => {
  const home = await newHome(world)
  await writeFile(join(home, 'notes.txt'), 'Hello')
  for (const [path, code, reason] of [
    [join(home, 'nowhere'), 4, 'does not exist'],
    [home, 4, 'is no journal, folder of a persona, home or diary'],
  ] as const) {
    const exit = await runProcess(world, { args: ['journal-browser', path], home }).whenEnded
    assert.is(exit.code, code)
    assert.match(expectOneLine(exit), reason)
  }
})

test.run()
