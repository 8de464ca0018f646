import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { type DaemonOptions, mainFile, walk } from './daemon.ts'
import {
  endAll,
  expectOneLine,
  expectRefusal,
  freePort,
  isFree,
  newHome,
  occupyPort,
  personas,
  runProcess,
  startDaemonProcess,
  type World,
} from './setup.ts'

/**
 * Fails if the home is created by Node's recursive mkdir, which loops forever under /proc, if a port is used
 * although it is taken on ::1, if the shell's umask applies, and if the holder of the home is not looked up.
 */
const test = suite<World>('starting', { ends: [] })
test.after.each(endAll)

test('prints its address and its home on stdout, and nothing else', async (world) => {
  const daemon = await startDaemonProcess(world)
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/read?wait=5`, { message: 'Hello' })
  await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/nonsense`)
  const { code, stdout } = await daemon.kill('SIGTERM')
  assert.is(code, 0)
  assert.is(stdout, `daimon listening on ${daemon.url}\nhome ${daemon.home}\n`)
})

test('answers on both loopback addresses, with its page, from any working directory', async (world) => {
  const daemon = await startDaemonProcess(world, { cwd: '/' })
  for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
    assert.equal(await personas(`http://${host}:${daemon.port}`), [])
    const page = await fetch(`http://${host}:${daemon.port}/`)
    assert.match(page.headers.get('content-type') ?? '', 'text/html')
    assert.match(await page.text(), /src="\/assets\/[\w-]+\.js"/)
  }
})

test('resolves a relative home from the working directory', async (world) => {
  const home = await newHome(world)
  const daemon = await startDaemonProcess(world, {
    cwd: dirname(home),
    env: { DAIMON_HOME: basename(home) },
    home,
  })
  assert.match(daemon.stdout(), `home ${home}\n`)
})

test('replaces $HOME in the home as a shell does, and prints the absolute path', async (world) => {
  const HOME = await newHome(world)
  const home = '$HOME/two'
  const daemon = await startDaemonProcess(world, { cwd: '/', env: { HOME, DAIMON_HOME: home }, home })
  assert.match(daemon.stdout(), `home ${join(HOME, 'two')}\n`)
  const exit = await expectRefusal(world, { env: { HOME: undefined, DAIMON_HOME: '~/one' } })
  assert.is(exit.code, 2)
  assert.match(expectOneLine(exit), 'HOME is not set')
})

test('creates a missing home with its parent folders', async (world) => {
  const home = join(await newHome(world), 'a', 'b', 'c')
  const daemon = await startDaemonProcess(world, { home })
  assert.equal(await personas(daemon.url), [])
  for (const { mode, path } of await walk(home)) assert.is(mode & 0o077, 0, path)
})

test('refuses a port that is taken on either loopback address, and does not change the home', async (world) => {
  for (const host of ['127.0.0.1', '::1']) {
    const port = await occupyPort(world, host)
    const home = join(await newHome(world), 'home')
    const exit = await expectRefusal(world, { args: ['--port', String(port)], home })
    assert.is(exit.code, 1, host)
    const line = expectOneLine(exit)
    assert.match(line, `port ${port} `)
    assert.match(line, '--port <n>')
    assert.match(line, 'WEB_PORT')
    assert.equal(await walk(home).catch(() => []), [])
    assert.ok(await isFree(port, host === '::1' ? '127.0.0.1' : '::1'))
  }
})

test('refuses an invalid port with one line and code 2', async (world) => {
  const invalidOptions: readonly DaemonOptions[] = [
    { args: ['--port', '70000'] },
    { args: [], env: { WEB_PORT: 'x' } },
  ]
  const check = async (options: DaemonOptions) => {
    const exit = await expectRefusal(world, options)
    assert.is(exit.code, 2, JSON.stringify(options))
    assert.match(expectOneLine(exit), options.env ? 'WEB_PORT' : '--port')
  }
  await Promise.all(invalidOptions.map(check))
})

test('refuses an invalid setting with one line that names it and code 2', async (world) => {
  const check = async (name: string, value: string) => {
    const exit = await expectRefusal(world, { env: { [name]: value } })
    assert.is(exit.code, 2, name)
    assert.match(expectOneLine(exit), name)
    assert.not.match(exit.stderr, 'hunter2')
  }
  await Promise.all([
    check('DAIMON_ALLOWED_HOSTS', 'https://ada.example.net'),
    check('OPENAI_API_KEY', 'hunter2 x'),
  ])
})

test('refuses an unknown option and an unknown argument with code 2', async (world) => {
  const check = async (args: readonly string[]) => {
    const exit = await expectRefusal(world, { args })
    assert.is(exit.code, 2, args.join(' '))
    assert.match(exit.stderr, /^error: /)
  }
  await Promise.all([['--prot', '1'], ['sreve'], ['--port']].map(check))
})

test('prefers --port to WEB_PORT and to the default port', async (world) => {
  const takenPort = String(await occupyPort(world, '127.0.0.1'))
  const preferring = await startDaemonProcess(world, { args: ['--port', '0'], env: { WEB_PORT: takenPort } })
  assert.equal(await personas(preferring.url), [])
  const daemon = await startDaemonProcess(world, { args: [], env: { WEB_PORT: '0' } })
  assert.equal(await personas(daemon.url), [])
})

test('refuses an unusable home with one line that names it', async (world) => {
  const folder = await newHome(world)
  const file = join(folder, 'file')
  await writeFile(file, 'mine')
  // Root ignores file modes: a path below a file and a folder of the kernel cannot be written.
  for (const home of [join(file, 'home'), '/proc/daimon-home']) {
    const exit = await expectRefusal(world, { home })
    assert.is(exit.code, 1, home)
    const line = expectOneLine(exit)
    assert.match(line, home)
    assert.match(line, 'DAIMON_HOME')
    assert.not.match(line, / at .*\.(js|ts):/)
  }
  assert.is(await readFile(file, 'utf8'), 'mine')
})

test('refuses a home that another daemon has locked, names that daemon, and releases its own port', async (world) => {
  const first = await startDaemonProcess(world)
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  const port = await freePort(world)
  const exit = await expectRefusal(world, { home: first.home, args: ['--port', String(port)] })
  assert.is(exit.code, 1)
  const line = expectOneLine(exit)
  assert.match(line, first.home)
  assert.match(line, `process ${first.child.pid} on port ${first.port}`)
  assert.ok(await isFree(port, '127.0.0.1'))
  assert.ok(await isFree(port, '::1'))

  const { id } = body.persona
  assert.is(
    (await call(first.url, 'POST', `/api/persona/${id}/read?wait=5`, { message: 'Still there?' })).status,
    200,
  )
  assert.is((await first.kill('SIGTERM')).code, 0)
  // The second start leaves nothing that prevents a third.
  const third = await startDaemonProcess(world, { home: first.home })
  assert.equal(
    (await personas(third.url)).map((persona: { id: string }) => persona.id),
    [id],
  )
})

test('takes a home over from a daemon that was killed', async (world) => {
  const first = await startDaemonProcess(world)
  await first.kill('SIGKILL')
  const second = await startDaemonProcess(world, { home: first.home })
  assert.equal(await personas(second.url), [])
})

test('prints its version and its options without touching the home', async (world) => {
  const home = join(await newHome(world), 'home')
  const { version } = JSON.parse(await readFile(join(dirname(mainFile), '..', 'package.json'), 'utf8'))
  const versionExit = await runProcess(world, { args: ['--version'], home, cwd: tmpdir() }).whenEnded
  assert.equal([versionExit.code, versionExit.stdout, versionExit.stderr], [0, `${version}\n`, ''])
  const help = await runProcess(world, { args: ['--help'], home, cwd: tmpdir() }).whenEnded
  assert.equal([help.code, help.stderr], [0, ''])
  for (const word of ['daimon', '--port <n>', 'WEB_PORT', '5370', '--version', '--help'])
    assert.match(help.stdout, word)
  assert.equal(await walk(home).catch(() => []), [])
})

test('only the owner can read the files of the home', async (world) => {
  const ollama = await createOllama({ answer: () => 'Noted.' })
  world.ends.push(ollama.close)
  // The default of most shells: the daemon itself restricts the permissions.
  const umaskBefore = process.umask(0o022)
  const daemon = await startDaemonProcess(world, { env: { OLLAMA_BASE_URL: ollama.url } }).finally(() =>
    process.umask(umaskBefore),
  )
  const ask = { name: 'Ada', thinking_model: 'llama3', thinking_api_key: 'key-of-the-host' }
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', ask)
  await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/read?wait=5`, { message: 'Hello' })
  const look = async () => {
    const entries = await walk(daemon.home)
    for (const { path, folder, mode } of entries) assert.is(mode.toString(8), folder ? '700' : '600', path)
    return entries.map(({ path }) => path)
  }
  const paths = await look()
  for (const part of ['catalog/CURRENT', '/journal/CURRENT', '/secrets', 'daemon'])
    assert.ok(
      paths.some((path) => path.endsWith(part)),
      part,
    )
  await daemon.kill('SIGTERM')
  await look()
})

test.run()
