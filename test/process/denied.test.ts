/** The system denies access to the folder of one persona, or limits the number of open files. */
import { execFileSync } from 'node:child_process'
import { chmod, chown } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import type { DaemonProcess } from './daemon.ts'
import { endAll, expectOneLine, expectRefusal, newHome, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('denied', { ends: [] })
test.after.each(endAll)

/** Root has access to everything: the daemon runs as the user `nobody` then. */
const uid = process.getuid?.() === 0 ? 65_534 : undefined

const createNewHome = async (world: World): Promise<string> => {
  const home = await newHome(world)
  if (uid !== undefined) await chown(home, uid, uid)
  // Otherwise the folder could not be removed.
  world.ends.push(() => execFileSync('chmod', ['-R', 'u+rwX', home]))
  return home
}

const create = async ({ url }: DaemonProcess, name: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id

interface ShownFile {
  readonly name: string
  readonly status: string
  readonly running: boolean
}

const listShown = async ({ url }: DaemonProcess): Promise<readonly ShownFile[]> =>
  (await call(url, 'GET', '/api/personas')).body.personas.map(({ name, status, running }: ShownFile) => ({
    name,
    status,
    running,
  }))

// Fails if the daemon ends with the stack of an EACCES.
for (const [entry, signal, ...closed] of [
  ['folder, after a crash,', 'SIGKILL'],
  ['journal', 'SIGTERM', 'journal'],
] as const)
  test(`a persona whose ${entry} is not readable is shown as sick with a reason, others run, and it runs when it is readable again`, async (world) => {
    const home = await createNewHome(world)
    const daemonBefore = await startDaemonProcess(world, { home, uid })
    const ada = await create(daemonBefore, 'Ada')
    const bea = await create(daemonBefore, 'Bea')
    await call(daemonBefore.url, 'POST', `/api/persona/${ada}/read?wait=20`, { message: 'hello' })
    await daemonBefore.kill(signal)
    const folder = join(home, 'personas', ada, ...closed)
    await chmod(folder, 0)

    const daemon = await startDaemonProcess(world, { home, uid })
    await waitFor('Bea to run', async () =>
      (await listShown(daemon)).some(({ name, running }) => name === 'Bea' && running),
    )
    assert.equal(await listShown(daemon), [
      { name: 'Ada', status: 'sick', running: false },
      { name: 'Bea', status: 'active', running: true },
    ])
    const { reply } = (
      await call(daemon.url, 'POST', `/api/persona/${bea}/read?wait=20`, { message: 'hello' })
    ).body
    assert.ok(reply.content)
    const { status, body } = await call(daemon.url, 'POST', `/api/persona/${ada}/start`)
    assert.ok(status === 400 || status === 500, `${status}`)
    assert.match(body.detail, /does not let this process read and write there \(personas\//)
    for (const path of ['conversation', 'export', 'diagnose', 'memories']) {
      const reply = await call(daemon.url, 'GET', `/api/persona/${ada}/${path}`)
      assert.not.match(JSON.stringify(reply.body), home)
    }
    await chmod(folder, 0o700)
    assert.is((await call(daemon.url, 'POST', `/api/persona/${ada}/start`)).status, 200)
    assert.equal((await listShown(daemon))[0], { name: 'Ada', status: 'active', running: true })
    const { messages } = (await call(daemon.url, 'GET', `/api/persona/${ada}/conversation`)).body
    assert.is(messages[0].content, 'hello')
    const { code, stderr } = await daemon.kill('SIGTERM')
    assert.is(code, 0)
    assert.not.match(stderr, home)
  })

// Fails if the stack of the file that could not be opened is printed.
test('a too low limit of open files ends the start with one line and code 1', async (world) => {
  for (const files of [24, 60]) {
    const exit = await expectRefusal(world, { files })
    assert.is(exit.code, 1, `${files}`)
    const line = expectOneLine(exit)
    assert.match(line, `only ${files} files`)
    assert.match(line, 'ulimit -n')
  }
})

test.run()
