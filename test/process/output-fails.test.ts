/**
 * Standard output and standard error cannot be written: the daemon continues, answers with JSON, and counts
 * dropped lines.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { toForm } from '../forms.ts'
import * as media from '../stand-ins/media.ts'
import { type DaemonRun, runDaimon } from './daemon.ts'
import { endAll, freePort, newHome, runProcess, type World } from './setup.ts'

const test = suite<World>('output that cannot be written', { ends: [] })
test.after.each(endAll)

interface Listening {
  readonly daemonRun: DaemonRun
  readonly url: string
  readonly home: string
}

/** The listening line may be lost, so requests are sent until one is answered. */
const startListening = async (
  world: World,
  redirect: string,
  env: Record<string, string> = {},
): Promise<Listening> => {
  const home = await newHome(world)
  const port = await freePort(world)
  const daemonRun = runProcess(world, { home, args: ['--port', String(port)], redirect, env })
  const url = `http://127.0.0.1:${port}`
  let hasEnded = false
  void daemonRun.whenEnded.then(() => (hasEnded = true))
  await waitFor(
    'the daemon',
    async () => {
      assert.not.ok(hasEnded, `it ended: ${daemonRun.stderr()}`)
      return (await call(url, 'GET', '/api/health').catch(() => undefined))?.status === 200
    },
    10_000,
  )
  return { daemonRun: daemonRun, url, home }
}

/** Returns the address of a file whose bytes were changed: each GET is a 500 that is logged. */
const damagedFile = async ({ url, home }: Listening): Promise<string> => {
  const { body } = await call(url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  const personaUrl = `${url}/api/persona/${body.persona.id}`
  const form = toForm([{ name: 'file', filename: 'a.png', type: 'image/png', content: media.png }])
  const response = await fetch(`${personaUrl}/attach?wait=5`, { method: 'POST', ...form })
  assert.is(response.status, 200)
  const folder = join(home, 'personas', body.persona.id, 'media')
  const [name = ''] = await readdir(folder)
  const bytes = await readFile(join(folder, name))
  await writeFile(join(folder, name), bytes.fill(0, 20, 24))
  return `${personaUrl}/media/${name}`
}

const assertRefused = async (address: string): Promise<void> => {
  const response = await fetch(address, { signal: AbortSignal.timeout(10_000) })
  assert.is(response.status, 500)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(((await response.json()) as { detail: string }).detail, /^MediaDamaged: /)
}

const droppedLines = async (url: string): Promise<number> =>
  (await call(url, 'GET', '/api/health')).body.log_lines_dropped

// Fails if a full disk ends the daemon at its listening line, if a log on a full disk causes an HTML answer
// with a stack trace, and if a closed pipe ends the daemon.
const brokenOutputs = {
  'a full disk': '>/dev/full 2>/dev/full',
  'a log on a full disk': '2>/dev/full',
  'closed descriptors': '>&- 2>&-',
} as const
for (const [outputName, redirect] of Object.entries(brokenOutputs))
  test(`${outputName} does not end the daemon, and each error stays JSON`, async (world) => {
    const daemon = await startListening(world, redirect)
    const address = await damagedFile(daemon)
    for (let n = 0; n < 5; n++) await assertRefused(address)
    assert.is((await call(daemon.url, 'GET', '/api/personas')).body.personas.length, 1)
    // Node treats a closed descriptor as /dev/null, and every write to that succeeds.
    if (redirect.includes('full')) {
      assert.ok((await droppedLines(daemon.url)) >= 5)
      const { body: metrics } = await call(daemon.url, 'GET', '/metrics')
      const [, count] = /^daimon_log_lines_dropped_total (\d+)$/m.exec(metrics) ?? []
      assert.ok(Number(count) >= 5, count)
      const doctor = await runDaimon({
        home: daemon.home,
        args: ['--url', daemon.url, '--json', 'doctor'],
      }).whenEnded
      const { findings } = JSON.parse(doctor.stdout)
      assert.match(findings.find(({ what }: { what: string }) => what === 'log').told, /lines could not be/)
    }
    daemon.daemonRun.child.kill('SIGTERM')
    assert.is((await daemon.daemonRun.whenEnded).code, 0)
  })

test('a closed pipe does not end the daemon, and each error stays JSON', async (world) => {
  const daemon = await startListening(world, '')
  const address = await damagedFile(daemon)
  daemon.daemonRun.child.stderr?.destroy()
  daemon.daemonRun.child.stdout?.destroy()
  for (let n = 0; n < 5; n++) await assertRefused(address)
  assert.ok((await droppedLines(daemon.url)) >= 4)
  daemon.daemonRun.child.kill('SIGTERM')
  assert.is((await daemon.daemonRun.whenEnded).code, 0)
})

test('a reader that stops reading blocks no request, and later learns the number of dropped lines', async (world) => {
  // Lines with a stack fill the pipe with a fraction of the requests.
  const daemon = await startListening(world, '', { DAIMON_LOG_LEVEL: 'debug' })
  const address = await damagedFile(daemon)
  daemon.daemonRun.child.stderr?.pause()
  const lengthBefore = daemon.daemonRun.stderr().length
  // 64 KiB in the pipe, then 1 MiB in memory.
  const startedAt = performance.now()
  let requestCount = 0
  while ((await droppedLines(daemon.url)) === 0) {
    assert.ok(++requestCount < 200, 'no line was dropped')
    await Promise.all(Array.from({ length: 100 }, () => assertRefused(address)))
  }
  const longest = (performance.now() - startedAt) / requestCount
  assert.ok(longest < 5000, `${longest} ms for a hundred answers`)
  daemon.daemonRun.child.stderr?.resume()
  const getNewErrors = () => daemon.daemonRun.stderr().slice(lengthBefore)
  await waitFor('the buffered lines', async () => {
    await assertRefused(address)
    await pause(20)
    return /\d+ lines of this log could not be written/.test(getNewErrors())
  })
  for (const line of daemon.daemonRun.stderr().trim().split('\n')) JSON.parse(line)
  daemon.daemonRun.child.kill('SIGTERM')
  assert.is((await daemon.daemonRun.whenEnded).code, 0)
})

test('a command whose output cannot be written ends with a code and at most one line', async (world) => {
  const home = await newHome(world)
  for (const [args, redirect, code] of [
    [['help'], '>/dev/full', 1],
    [['doctor'], '>/dev/full', 1],
    [['--json', 'doctor'], '>/dev/full 2>/dev/full', 1],
    [['completion', 'bash'], '>/dev/full', 1],
    [['list', '--url', 'http://127.0.0.1:9'], '2>/dev/full', 3],
    [['--port', 'x'], '2>/dev/full', 2],
  ] as const) {
    const exit = await runProcess(world, { home, args, redirect, env: { DAIMON_URL: undefined } }).whenEnded
    assert.is(exit.code, code, `${args.join(' ')} ${redirect}: ${exit.stderr}`)
    assert.match(exit.stderr, /^([^\n]+\n)?$/, args.join(' '))
  }
})

test.run()
