/**
 * Programs that a tool server started and that left its process group and session: each ends with the server,
 * however the server, its persona or the built daemon ends.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMark, markName } from '../../packages/kit/processes/process-mark.ts'
import { readProcess, signalProcess } from '../../packages/kit/processes/process-table.ts'
import { isAlive } from '../../packages/mcp-client/test/servers.ts'
import { call, waitFor } from '../calls.ts'
import type { DaemonProcess } from './daemon.ts'
import { endAll, newHome, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('escaped processes', { ends: [] })
test.after.each((world) => endAll(world))

/** Only Linux shows which program started a process. */
const isLinux = process.platform === 'linux'

const ada = { name: 'Ada', thinking_model: 'embedded/practice' }
const hostile = fileURLToPath(new URL('../../packages/mcp-client/test/hostile-server.mjs', import.meta.url))

/** By name. Each runs in a session of its own; `NOTE` in its environment is the folder of the test. */
const programs = {
  plain: 'exec sleep 600',
  'double-fork': '(setsid sleep 600 &)',
  'ignores-sigterm': `trap '' TERM; exec sleep 600`,
  'starts-another-on-sigterm': `trap 'setsid sh "$0" & exit' TERM; while :; do sleep 0.2 & wait; done`,
  'starts-another-all-the-time': 'sleep 0.3; setsid sh "$0" &',
}

/** Recognized by its parent, because its environment is empty. */
const clearedScript = `env -i setsid sh -c 'echo $$ > "$0"; exec sleep 600' "$NOTE/cleared" & wait`

interface StartedProcess {
  readonly url: string
  /** Ids of running programs, including the server. */
  readonly listPids: () => Promise<readonly number[]>
  readonly clearedCount: number
}

/** Declares a tool server that starts every program, and starts it. */
const startServer = async (world: World, daemon: DaemonProcess, name = 'bad'): Promise<StartedProcess> => {
  const note = await mkdtemp(join(tmpdir(), 'daimon-escaped-'))
  world.ends.push(async () => {
    for (let pids = await listMarked(note); pids.length > 0; pids = await listMarked(note))
      for (const pid of pids) kill(pid)
    await rm(note, { recursive: true, force: true })
  })
  const all = { ...programs, 'starts-one-with-an-empty-environment': clearedScript }
  for (const [file, script] of Object.entries(all)) await writeFile(join(note, file), `${script}\n`)
  const begin =
    'for file in "$NOTE"/*; do setsid sh "$file" </dev/null >/dev/null 2>&1 & done; exec "$0" "$@"'
  const args = ['-c', begin, process.execPath, hostile]
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', ada)
  const url = `${daemon.url}/api/persona/${body.persona.id}`
  await call(url, 'PUT', `/tools/${name}`, { command: 'sh', args, env: { NOTE: note } })
  const probe = await call(url, 'POST', `/tools/${name}/probe`)
  assert.is(probe.body.state, 'ready', probe.body.reason)
  const pid = await waitFor('every program', async () => {
    const clearedText = await readFile(join(note, 'cleared'), 'utf8').catch(() => '')
    return (await listMarked(note)).length > Object.keys(all).length && Number(clearedText)
  })
  world.ends.push(() => kill(pid))
  return { url, clearedCount: pid, listPids: () => listMarked(note) }
}

const kill = (pid: number): void => {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

const listMarked = async (note: string): Promise<readonly number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const foundPids = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(`NOTE=${note}`) ? [pid] : []
    }),
  )
  return foundPids.flat()
}

/** Checks repeatedly: a program may start another one while it ends. */
const expectAllEnded = async ({ listPids }: StartedProcess): Promise<void> => {
  for (let n = 0; n < 3; n++)
    await waitFor('every program to end', async () => (await listPids()).length === 0, 10_000)
}

const create = async (world: World) => startDaemonProcess(world, { home: await newHome(world) })

const remove = async (url: string, path: string): Promise<void> => {
  assert.is((await fetch(`${url}${path}`, { method: 'DELETE' })).status, 200)
}

if (isLinux) {
  test('end when the server is removed; those of other servers and homes stay', async (world) => {
    const daemon = await create(world)
    const badServer = await startServer(world, daemon)
    const sibling = await startServer(world, daemon)
    const stranger = await startServer(world, await create(world))
    await remove(badServer.url, '/tools/bad')
    assert.equal(await badServer.listPids(), [])
    assert.is(await readProcess(badServer.clearedCount), null)
    for (const otherPid of [sibling, stranger]) {
      assert.ok((await otherPid.listPids()).length > Object.keys(programs).length)
      assert.ok(await readProcess(otherPid.clearedCount))
    }
  })

  test('end when the persona is stopped or deleted, and before the daemon ends by SIGTERM', async (world) => {
    const daemon = await create(world)
    for (const route of ['/stop', '/delete']) {
      const server = await startServer(world, daemon)
      await call(server.url, 'POST', route)
      await expectAllEnded(server)
      assert.is(await readProcess(server.clearedCount), null)
    }
    const badServer = await startServer(world, daemon)
    assert.is((await daemon.kill('SIGTERM')).code, 0)
    assert.equal(await badServer.listPids(), [])
    assert.is(await readProcess(badServer.clearedCount), null)
  })

  test('end soon after the daemon is killed, without another start', async (world) => {
    const daemon = await create(world)
    const badServer = await startServer(world, daemon)
    await daemon.kill('SIGKILL')
    await expectAllEnded(badServer)
  })

  test('end at the next start when the daemon and its watcher were killed; those of another home stay', async (world) => {
    const daemon = await create(world)
    const otherPersona = await create(world)
    const badServer = await startServer(world, daemon)
    const strangeServer = await startServer(world, otherPersona)
    const watchers = await findChildren(daemon, 'signal_marked')
    assert.is(watchers.length, 1)
    watchers.forEach(kill)
    await daemon.kill('SIGKILL')
    const { home } = daemon
    await startDaemonProcess(world, { home: await newHome(world) })
    assert.ok((await badServer.listPids()).length > 0, 'a daemon of another home ends none of them')
    await startDaemonProcess(world, { home })
    await expectAllEnded(badServer)
    assert.ok((await strangeServer.listPids()).length > Object.keys(programs).length)
    // It still serves: a start ends no process of a running daemon.
    assert.is((await call(strangeServer.url, 'GET', '/tools')).body.servers[0].state, 'ready')
  })

  test('a halted process that opens a file ends soon after the daemon is killed', async (world) => {
    const daemon = await create(world)
    const form = new FormData()
    form.append('source', 'chatgpt')
    form.append('history', new Blob([`[${'{"a":1},'.repeat(2_000_000)}0]`]), 'history.json')
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', ada)
    const url = `${daemon.url}/api/persona/${body.persona.id}/feed?preview=1`
    const pendingUpload = fetch(url, { method: 'POST', body: form }).catch(() => undefined)
    const [reader = 0] = await waitFor('its reader', async () => {
      const readers = await findChildren(daemon, 'history-reader')
      return readers.length > 0 && readers
    })
    process.kill(reader, 'SIGSTOP')
    world.ends.push(() => kill(reader))
    await daemon.kill('SIGKILL')
    await pendingUpload
    await waitFor('it to end', async () => (await readProcess(reader)) === null, 10_000)
  })

  test('a start ends those of a killed daemon of its home alone, and never itself', async (world) => {
    const home = await newHome(world)
    const otherHome = await newHome(world)
    const ownMark = await createMark(home)
    const otherMark = await createMark(otherHome)
    const [ofHome = '', ofOther = ''] = [ownMark?.value, otherMark?.value]
    const toKilledValue = (value: string) => value.replace(/-\d+-\d+\./, `-${2 ** 30}-1.`)
    const toReused = (value: string) => value.replace(/-\d+\./, '-1.')
    const toOtherHome = (value: string) => toKilledValue(value).replace(/^\d+/, '1')
    const cases = {
      'of a daemon that is gone': toKilledValue(ofHome),
      'of a daemon whose pid is another process now': toReused(ofHome),
      'of a daemon that runs': ofHome,
      'of another home': toKilledValue(ofOther),
      'of another PID namespace': toOtherHome(ofHome),
    }
    const runningCase = Object.entries(cases).map(([name, value]) => {
      const child = spawn('sleep', ['600'], { env: { ...process.env, [markName]: value } })
      world.ends.push(() => child.kill('SIGKILL'))
      return [name, child] as const
    })
    const daemon = await startDaemonProcess(world, { home, env: { [markName]: toKilledValue(ofHome) } })
    const getEnded = () => runningCase.flatMap(([name, { signalCode }]) => (signalCode ? [name] : []))
    await waitFor('those to end', () => getEnded().length === 2)
    await waitFor('its word', () => daemon.stderr().includes('ended processes that a killed daemon left'))
    assert.equal(getEnded(), ['of a daemon that is gone', 'of a daemon whose pid is another process now'])
    assert.is((await call(daemon.url, 'GET', '/api/health')).status, 200)
  })

  test('a signal never reaches a new process with the pid of an ended one', async (world) => {
    const child = spawn('sleep', ['600'])
    world.ends.push(() => child.kill('SIGKILL'))
    const row = await readProcess(child.pid ?? 0)
    assert.ok(row)
    await signalProcess({ ...row, started: row.started - 1 }, 'SIGKILL')
    assert.ok(await readProcess(row.pid))
    await signalProcess(row, 'SIGKILL')
    await waitFor('it to end', () => child.signalCode === 'SIGKILL')
  })
} else test('processes that left their group are not found on systems that do not report them', () => {})

/** Returns the ids of the daemon's own children whose command line contains the text. */
const findChildren = async ({ child }: DaemonProcess, text: string): Promise<readonly number[]> => {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const rows = await Promise.all(pids.map(readProcess))
  const children = rows.filter((row) => row?.parent === child.pid).map((row) => row?.pid ?? 0)
  const matching = children.map(async (pid) => {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return commandLine.includes(text) ? [pid] : []
  })
  return (await Promise.all(matching)).flat()
}

test.run()
