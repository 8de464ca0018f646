/** A home with foreign files, with a missing journal, and with copies of a persona's folder. */
import { execFileSync } from 'node:child_process'
import { cp, lstat, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import type { DaemonProcess } from './daemon.ts'
import { endAll, newHome, runProcess, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('foreign', { ends: [] })
test.after.each(endAll)

const create = async ({ url }: DaemonProcess, name: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id
const say = async ({ url }: DaemonProcess, id: string, message: string): Promise<string> =>
  (await call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })).body.reply?.content
const listShown = async ({ url }: DaemonProcess) =>
  (await call(url, 'GET', '/api/personas')).body.personas as {
    id: string
    name: string
    status: string
    running: boolean
  }[]
const doctor = async (world: World, home: string, { port }: DaemonProcess): Promise<string> =>
  (
    await runProcess(world, {
      home,
      args: ['doctor', '--url', `http://127.0.0.1:${port}`],
      env: { NO_COLOR: '1' },
    }).whenEnded
  ).stdout

/** Returns each entry with its type. */
const listKinds = async (home: string, paths: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    paths.map(async (path) => {
      const stats = await lstat(join(home, path)).catch(() => undefined)
      return `${path} ${stats ? stats.mode & 0o170000 : 'gone'}`
    }),
  )

// Fails if a file `personas/notes` ends the start.
test('foreign entries in the home are unchanged and logged, and do not prevent a start (after SIGTERM)', async (world) => {
  const home = await newHome(world)
  const daemonBefore = await startDaemonProcess(world, { home })
  const ada = await create(daemonBefore, 'Ada')
  await say(daemonBefore, ada, 'I live in Lisbon.')
  await call(daemonBefore.url, 'GET', `/api/persona/${ada}/export`)
  await daemonBefore.kill('SIGTERM')
  const folders = ['.', 'personas', 'diaries', 'trash', 'upgrades', `personas/${ada}/media`, `diaries/${ada}`]
  const paths: string[] = []
  for (const folder of folders) {
    await mkdir(join(home, folder), { recursive: true })
    const createPath = async (name: string, make: (path: string) => Promise<unknown>) => {
      paths.push(join(folder, name))
      await make(join(home, folder, name))
    }
    await createPath('notes', (path) => writeFile(path, 'mine'))
    await createPath('.DS_Store', (path) => writeFile(path, 'x'))
    await createPath('Thumbs.db', (path) => writeFile(path, 'x'))
    await createPath('lost+found', (path) => mkdir(path))
    await createPath('ada-of-mine', (path) => mkdir(path))
    await createPath('My Folder', (path) => mkdir(path))
    await createPath('draft.tmp', (path) => writeFile(path, 'x'))
    await createPath('link', (path) => symlink('/etc/hostname', path))
    await createPath('dangling', (path) => symlink('/nowhere/at/all', path))
    await createPath('pipe', async (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]))
    await createPath('3f1a6e8e-1b9a-4c0e-9a53-0a57a3a7c001.old', (path) => writeFile(path, 'x'))
    await createPath('secret-stuff', async (path) => {
      await mkdir(path)
      await writeFile(join(path, 'secrets.txt'), 'mine')
    })
  }
  // A link to a persona would open its journal twice.
  await symlink(join(home, 'personas', ada), join(home, 'personas', 'ada-again'))
  paths.push('personas/ada-again')
  const kinds = await listKinds(home, paths)

  const daemon = await startDaemonProcess(world, { home })
  await waitFor('Ada to run', async () => (await listShown(daemon)).some(({ running }) => running))
  assert.equal(
    (await listShown(daemon)).map(({ name }) => name),
    ['Ada'],
  )
  assert.match(await say(daemon, ada, 'Where do I live?'), /Lisbon/)
  const report = await doctor(world, home, daemon)
  for (const path of paths) {
    if (path.startsWith('diaries/ada-of-mine') || path.startsWith('diaries/secret-stuff')) continue
    assert.ok(report.includes(`${path} in the home`), `doctor: ${path}\n${report}`)
  }
  await waitFor('the log to name them', async () => daemon.stderr().includes('personas/notes'))
  const times = daemon.stderr().split('personas/notes:').length - 1
  assert.is(times, 1)
  const third = await call(daemon.url, 'POST', `/api/persona/${ada}/erase`, { seqs: [2], diaries: true })
  assert.ok(third.status === 200 || third.status === 400, JSON.stringify(third))
  await daemon.kill('SIGTERM')
  await rm(join(home, 'version'))
  // As after an upgrade.
  const upgraded = await startDaemonProcess(world, { home })
  await waitFor('Ada to run', async () => (await listShown(upgraded)).some(({ running }) => running))
  await upgraded.kill('SIGTERM')
  assert.equal(await listKinds(home, paths), kinds)
})

// Fails if the persona is in no list, and if doctor reports no problem.
test('a persona without its journal is sick with a reason, keeps its other files, and runs again with its journal (after SIGKILL)', async (world) => {
  const home = await newHome(world)
  const daemonBefore = await startDaemonProcess(world, { home })
  const ada = await create(daemonBefore, 'Ada')
  const bea = await create(daemonBefore, 'Bea')
  await say(daemonBefore, ada, 'I live in Lisbon.')
  // The catalog is written with a delay.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await daemonBefore.kill('SIGKILL')
  const place = join(home, 'personas', ada)
  await rename(join(place, 'journal'), join(home, 'away'))
  await writeFile(join(place, 'kept'), 'x')
  const names = (await readdir(place)).sort()

  const daemon = await startDaemonProcess(world, { home })
  const personaPath = `/api/persona/${ada}`
  await waitFor('Bea to run', async () =>
    (await listShown(daemon)).some(({ id, running }) => id === bea && running),
  )
  await waitFor('Ada to be sick', async () =>
    (await listShown(daemon)).some(({ id, status, running }) => id === ada && status === 'sick' && !running),
  )
  const diagnosis = await call(daemon.url, 'GET', `${personaPath}/diagnose`)
  assert.is(diagnosis.status, 200)
  assert.match(diagnosis.body.reason, /^Its journal is missing: the folder personas\//)
  const start = await call(daemon.url, 'POST', `${personaPath}/start`)
  assert.is(start.status, 400, JSON.stringify(start.body))
  assert.match(start.body.detail, /Its journal is missing/)
  for (const path of ['conversation', 'knowledge', 'export']) {
    const { status, body } = await call(daemon.url, 'GET', `${personaPath}/${path}`)
    assert.is(status, 500, path)
    assert.match(
      body.detail,
      /^Journal(Unavailable|Damaged): Its journal is missing/,
      `${path} ${body.detail}`,
    )
  }
  assert.is((await call(daemon.url, 'POST', `${personaPath}/read`, { message: 'Hi.' })).status, 409)
  assert.is((await call(daemon.url, 'POST', `${personaPath}/salvage`)).status, 500)
  assert.match(await doctor(world, home, daemon), /Ada +Its journal is missing/)
  assert.equal((await readdir(place)).sort(), names)

  await rename(join(home, 'away'), join(place, 'journal'))
  await waitFor('Ada to run again by itself', async () =>
    (await listShown(daemon)).some(({ id, status, running }) => id === ada && status === 'active' && running),
  )
  assert.match(await say(daemon, ada, 'Where do I live?'), /Lisbon/)
  // Removed while it runs: requests fail, and it can be deleted.
  await call(daemon.url, 'POST', `${personaPath}/stop`)
  await daemon.kill('SIGTERM')
  await rm(place, { recursive: true })
  const last = await startDaemonProcess(world, { home })
  assert.is((await call(last.url, 'GET', `${personaPath}/diagnose`)).status, 200)
  assert.is((await call(last.url, 'POST', `${personaPath}/delete`)).status, 400)
  assert.is((await call(last.url, 'POST', `${personaPath}/delete?force=true`)).status, 200)
  assert.equal(
    (await listShown(last)).map(({ id }) => id),
    [bea],
  )
  await last.kill('SIGTERM')
})

// Fails if the original is not started any more.
test(`a copy of a persona's folder is logged and never opened as a second persona (after SIGKILL)`, async (world) => {
  const home = await newHome(world)
  const daemonBefore = await startDaemonProcess(world, { home })
  const ada = await create(daemonBefore, 'Ada')
  await say(daemonBefore, ada, 'I live in Lisbon.')
  const forkReply = await call(daemonBefore.url, 'POST', `/api/persona/${ada}/fork`, {
    name: 'Eve',
    thinking_model: 'embedded/practice',
  })
  const eve: string = forkReply.body.persona.id
  await daemonBefore.kill('SIGKILL')
  const other = '3f1a6e8e-1b9a-4c0e-9a53-0a57a3a7c001'
  for (const name of [other, `${ada} copy`, 'ada-copy'])
    await cp(join(home, 'personas', ada), join(home, 'personas', name), { recursive: true })
  // One with a deletion in its journal, and one that is damaged.
  await cp(join(home, 'personas', ada), join(home, 'personas', 'ada-damaged'), { recursive: true })
  await rm(join(home, 'personas', 'ada-damaged', 'journal', 'CURRENT'))

  const daemon = await startDaemonProcess(world, { home })
  await waitFor(
    'both to run',
    async () => (await listShown(daemon)).filter(({ running }) => running).length === 2,
  )
  assert.equal(
    (await listShown(daemon)).map(({ id, status }) => [id, status]),
    [
      [ada, 'active'],
      [eve, 'active'],
    ],
  )
  assert.match(await say(daemon, ada, 'Where do I live?'), /Lisbon/)
  assert.match(await say(daemon, eve, 'Where do I live?'), /Lisbon/)
  for (const name of [other, 'ada-copy', 'ada-damaged']) {
    assert.is((await call(daemon.url, 'GET', `/api/persona/${name}/diagnose`)).status, 404, name)
    assert.is((await call(daemon.url, 'POST', `/api/persona/${name}/start`)).status, 404, name)
    assert.is((await call(daemon.url, 'POST', `/api/persona/${name}/delete?force=true`)).status, 404, name)
  }
  const report = await doctor(world, home, daemon)
  for (const name of [other, 'ada-copy', 'ada-damaged', `${ada} copy`])
    assert.ok(report.includes(`personas/${name} in the home`), report)
  await waitFor('the log to name them', async () =>
    daemon.stderr().includes(`personas/${other}: it contains`),
  )
  await daemon.kill('SIGKILL')
  const secondDaemon = await startDaemonProcess(world, { home })
  await waitFor(
    'both to run',
    async () => (await listShown(secondDaemon)).filter(({ running }) => running).length === 2,
  )
  assert.is((await call(secondDaemon.url, 'POST', `/api/persona/${ada}/verify`)).body.intact, true)
  assert.is((await call(secondDaemon.url, 'POST', `/api/persona/${ada}/delete`)).status, 200)
  await secondDaemon.kill('SIGTERM')
  const names = await readdir(join(home, 'personas'))
  for (const name of [other, `${ada} copy`, 'ada-copy', 'ada-damaged', eve]) assert.ok(names.includes(name))
  assert.not.ok(names.includes(ada))
})

test.run()
