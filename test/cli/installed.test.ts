/**
 * Tests the package as users get it: packed once, installed into an empty prefix, and run from the command
 * line, with a terminal if the machine has one.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { printFigures } from '../ordeal.ts'
import { type DaemonProcess, startProcess } from '../process/daemon.ts'
import { createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { atTerminal, hasTerminal, type Terminal } from './pseudo-terminal.ts'

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly err: string
}

const windows = process.platform === 'win32'

/**
 * Without the variables of the npm that runs the tests, and without CI, which disables colours in a terminal.
 * The configured registry stays.
 */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(?!config_)|^npm_config_(.*prefix|global|omit)$|^CI$|^NODE_OPTIONS$|^NO_COLOR$|^FORCE_COLOR$/i.test(
        name,
      ),
  ),
)

const runCommand = (
  command: string,
  args: readonly string[],
  { input = '', env = {}, cwd = folder }: { input?: string; env?: object; cwd?: string } = {},
): Promise<CommandResult> =>
  new Promise((onDone) => {
    const options = { cwd, env: { ...plainEnv, ...env }, maxBuffer: 64 * 1024 * 1024, shell: windows }
    const child = execFile(command, args, options, (error, stdout, err) =>
      onDone({ code: error ? Number(error.code) : 0, stdout: stdout, err }),
    )
    // A process that ends before it reads its input is judged by its exit code, not by the broken pipe.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })

let folder: string
let tarball: string
let command: string
let daemon: DaemonProcess
let ollama: OllamaStandIn
let packed: readonly { readonly path: string }[]

const getEnv = () => ({ DAIMON_URL: daemon.url, TERM: 'xterm' })
const daimon = (args: readonly string[], typed = '') =>
  runCommand(command, args, { input: typed, env: getEnv() })
const getPackageFolder = () => join(folder, 'prefix', windows ? '' : 'lib', 'node_modules', 'daimon')

/** Uses the npm settings and cache of the user who runs the tests: they name the registry. */
const npm = (args: readonly string[], cwd = folder) =>
  runCommand('npm', args, { cwd, env: { HOME: userInfo().homedir } })

/** Packages in npm's cache are not requested again. */
const quietly = ['--prefer-offline', '--no-audit', '--no-fund']

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installed-'))
  // Packs the existing build: a new build would replace files that other tests are using.
  const pack = await npm(
    ['pack', './dist', '--json', '--ignore-scripts', '--pack-destination', folder],
    resolve('.'),
  )
  assert.is(pack.code, 0, pack.err)
  const [{ filename, files }] = Object.values(JSON.parse(pack.stdout)) as [
    { filename: string; files: { path: string }[] },
  ]
  packed = files
  tarball = join(folder, filename)
  const prefix = join(folder, 'prefix')
  const install = await npm(['install', '-g', '--prefix', prefix, ...quietly, tarball])
  assert.is(install.code, 0, install.err)
  command = join(prefix, windows ? 'daimon.cmd' : 'bin/daimon')
  ollama = await createOllama({ answer: getMessageText })
  daemon = await startProcess({
    main: join(getPackageFolder(), 'main.js'),
    args: ['serve', '--port', '0'],
    env: { OLLAMA_BASE_URL: ollama.url },
  })
})
test.after(async () => {
  await daemon?.kill('SIGTERM')
  await ollama?.close()
  await rm(daemon?.home ?? folder, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
})

test('the package contains only files that run: no sources, no tests, no files of older builds', async () => {
  const builtFiles = new Set((await readFile('dist/.files', 'utf8')).split('\n'))
  for (const { path } of packed) {
    assert.ok(builtFiles.has(path), path)
    assert.not.match(path, /\.(ts|svelte|map)$|test/)
  }
  const {
    scripts,
    dependencies,
    private: isPrivate,
    publishConfig,
  } = JSON.parse(await readFile(join(getPackageFolder(), 'package.json'), 'utf8'))
  assert.is(scripts, undefined)
  assert.is(isPrivate, undefined)
  assert.equal(publishConfig, { access: 'public', provenance: true })
  assert.equal(Object.keys(dependencies), ['@node-rs/crc32', 'argon2', 'classic-level'])
})

test('one file has the licence of every package that is shipped', async () => {
  const text = await readFile(join(getPackageFolder(), 'third-party-licences.txt'), 'utf8')
  // Packages of the daemon, of the page, a font, installed dependencies, and their dependencies.
  for (const name of ['zod', 'express', 'svelte', 'uplot', '@fontsource/literata', 'classic-level'])
    assert.match(text, new RegExp(`^${name} \\d`, 'm'))
  for (const name of ['The LevelDB Authors', 'OpenJPEG', 'qcms']) assert.match(text, name)
  // The MCP SDK bundles these in its own files, so no bundler lists them as inputs.
  for (const name of ['ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'])
    assert.match(text, new RegExp(`^${name}\nMIT|^${name}\nBSD-3-Clause`, 'm'))
  for (const tool of ['typescript', 'esbuild', 'uvu', 'vite'])
    assert.not.match(text, new RegExp(`^${tool} \\d`, 'm'))
})

test('the bill of materials lists every package that is bundled, and names no registry', async () => {
  const { code, stdout, err } = await npm(['run', '--silent', 'sbom'], resolve('.'))
  assert.is(code, 0, err)
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string
    components: readonly { name: string; version: string }[]
  }
  assert.is(bomFormat, 'CycloneDX')
  const componentTitles = new Set(components.map(({ name, version }) => `${name} ${version}`))
  const text = await readFile(join(getPackageFolder(), 'third-party-licences.txt'), 'utf8')
  const titles = [...text.matchAll(/^={80}\n(\S+ \d\S*)\n/gm)].map(([, title = '']) => title)
  assert.equal(
    titles.filter((title) => !componentTitles.has(title)),
    [],
  )
  assert.not.match(stdout.replace('http://cyclonedx.org', ''), /https?:/)
})

test('an audit without development packages sees every package that is shipped', async () => {
  const text = await readFile(join(getPackageFolder(), 'third-party-licences.txt'), 'utf8')
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  const audited = new Set(
    Object.entries(lock.packages)
      .filter(([, { dev }]) => !dev)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`),
  )
  const bundledPackages = [...text.matchAll(/^={80}\n(\S+ \d\S*)\n/gm)].map(([, title = '']) => title)
  assert.ok(bundledPackages.length > 200, `${bundledPackages.length}`)
  assert.equal(
    bundledPackages.filter((title) => !audited.has(title)),
    [],
  )
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'))
  const names = new Set(bundledPackages.map((title) => title.replace(/ .*/, '')))
  assert.equal(
    Object.keys(dependencies).filter((name) => !names.has(name)),
    [],
  )
})

test('the package is small, and its installation builds nothing', async () => {
  const all = (await readdir(join(folder, 'prefix'), { recursive: true })).map((path) =>
    join(folder, 'prefix', path),
  )
  let bytes = 0
  for (const path of all) {
    const { size, isFile } = await lstat(path).then((stats) => ({ size: stats.size, isFile: stats.isFile() }))
    if (isFile) bytes += size
  }
  const packages = all.filter((path) =>
    /node_modules[\\/](@[^\\/]+[\\/])?[^\\/@]+[\\/]package\.json$/.test(path),
  )
  const megabytes = bytes / 1e6
  const size = (await lstat(tarball)).size / 1e6
  printFigures(
    'package',
    `tarball ${size.toFixed(1)} MB`,
    `installed ${megabytes.toFixed(1)} MB`,
    `${packages.length} packages`,
  )
  assert.ok(megabytes < 120, `${megabytes} MB`)
  assert.ok(packages.length > 1 && packages.length < 200, `${packages.length} packages`)
  assert.equal(
    all.filter((path) => /node_modules[\\/](argon2|classic-level)[\\/]build$/.test(path)),
    [],
  )
})

test('prints its version, also by npx from the tarball', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  assert.equal(await runCommand(command, ['--version']), { code: 0, stdout: `${version}\n`, err: '' })
  const npx = await npm(['exec', '--yes', ...quietly, `--package=${tarball}`, '--', 'daimon', '--version'])
  assert.is(npx.stdout, `${version}\n`, npx.err)
})

test('creates a persona, lists it, and talks with it through a pipe', async () => {
  const creation = await daimon(['create', 'Ada'])
  assert.is(creation.code, 0, creation.err)
  assert.match((await daimon(['list'])).stdout, /^Ada +awake +embedded\/practice +[0-9a-f-]{36}$/m)
  const reply = await daimon(['talk', 'Ada'], 'My name is Ines.\n')
  assert.is(reply.code, 0, reply.err)
  assert.match(reply.stdout, /Ines/)
  const page = await fetch(daemon.url)
  assert.match(await page.text(), /<title>/)
})

test('prints colours only to a terminal', async () => {
  for (const args of [['list'], ['talk', 'Ada', 'What do you know about me?'], ['doctor'], ['help']]) {
    const { stdout, err } = await daimon(args)
    assert.not.match(stdout + err, '\u001b', args.join(' '))
  }
})

/** Without a pseudo-terminal the test prints a line and passes. */
const terminalTest = (claim: string, walk: (open: typeof openTerminal) => Promise<void>): void =>
  test(claim, async () => {
    if (hasTerminal) return walk(openTerminal)
    printFigures('skipped: neither python3 nor the script of util-linux gives a pseudo-terminal', claim)
  })

const openTerminal = (args: readonly string[], env = {}): Terminal =>
  atTerminal([command, ...args], { ...plainEnv, ...getEnv(), ...env })

terminalTest('at a terminal there is colour, unless NO_COLOR is set', async (open) => {
  const bright = open(['list'])
  assert.is(await bright.whenEnded, 0)
  assert.match(bright.getOutput(), '\u001b[32mawake')
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    const terminal = open(['list'], env)
    assert.is(await terminal.whenEnded, 0)
    assert.not.match(terminal.getOutput(), '\u001b')
  }
})

terminalTest('a talk at a terminal shows earlier messages, answers, and ends on request', async (open) => {
  // Input typed before the prompt reaches a terminal that is not ready: a Ctrl-D is lost then.
  const talk = open(['talk', 'Ada'])
  await talk.shows(/My name is Ines\.[\s\S]*quit exits\.[\s\S]*> /)
  talk.type('What do you know about me?\r')
  await talk.shows(/Your name is Ines[\s\S]*> /)
  talk.type('/file nowhere.txt\r')
  await talk.shows(/there is no file/)
  talk.type('/quit\r')
  assert.is(await talk.whenEnded, 0)
  const terminal = open(['talk', 'Ada'])
  await terminal.shows(/quit exits\.[\s\S]*> /)
  terminal.type('\u0004')
  assert.is(await terminal.whenEnded, 0)
})

terminalTest('in an empty talk the persona speaks first, and gets an answer', async (open) => {
  assert.is((await daimon(['create', 'Greta', '--model', 'embedded/practice'])).code, 0)
  const talk = open(['talk', 'Greta'])
  await talk.shows(/quit exits\.[\s\S]*Hello! I am Greta\.[\s\S]*> /)
  talk.type('My name is Ines.\r')
  await talk.shows(/Ines[\s\S]*> /)
  talk.type('/quit\r')
  assert.is(await talk.whenEnded, 0)
})

// Fails if `/stop` is queued like every other line, behind the answer that it must cancel.
terminalTest('Ctrl-C and /stop cut an answer and leave the talk open', async (open) => {
  const creation = await daimon(['create', 'Slow', '--model', 'llama3'])
  assert.is(creation.code, 0, creation.err)
  // Prevents the persona from speaking first.
  assert.is((await daimon(['talk', 'Slow', 'Hello.'])).code, 0)
  const talk = open(['talk', 'Slow'])
  await talk.shows(/quit exits\.[\s\S]*> /)
  for (const interruptKey of ['\u0003', '/stop\r']) {
    ollama.faults.hangs = 3
    talk.type('Count.\r')
    await talk.shows(/one two/)
    await waitFor('the answer to be on its way', () => ollama.open() > 0)
    talk.type(interruptKey)
    await waitFor('it to be cut', () => ollama.open() === 0)
    ollama.faults.hangs = false
    await talk.shows(/> /)
  }
  talk.type('Again.\r')
  await talk.shows(/seven eight/)
  talk.type('/quit\r')
  assert.is(await talk.whenEnded, 0)
})

/** Uses its tool once, and answers with the result. */
const getMessageText = ({ messages }: { messages: readonly { role: string; content: string }[] }) => {
  const last = messages.at(-1)
  if (last?.role === 'tool') return `The graph: ${last.content.slice(0, 200)}`
  if (!last?.content.includes('read the graph')) return 'one two three four five six seven eight'
  return { calls: [{ name: 'notes__read_graph', arguments: {} }] }
}

const withNotes = async (name: string) => {
  assert.is((await daimon(['create', name, '--model', 'llama3'])).code, 0)
  const server = resolve('node_modules/@modelcontextprotocol/server-memory/dist/index.js')
  await daimon(['tools', 'add', name, 'notes', '--', process.execPath, server])
  assert.is((await daimon(['tools', 'try', name, 'notes'])).code, 0)
}

// A talk that ignores questions would wait for a day without any output.
test('a tool that needs approval ends a talk in a pipe, with a hint how to answer', async () => {
  await withNotes('Asking')
  const reply = await daimon(['talk', 'Asking'], 'read the graph\n')
  assert.is(reply.code, 1)
  const [, id = ''] =
    /May read_graph of notes be used with \{\}\?\ndaimon approvals answer \S+ (\d+) /.exec(reply.err) ?? []
  assert.is((await daimon(['approvals', 'answer', 'Asking', id, 'no'])).code, 0)
})

terminalTest('at a terminal a question is shown and answered, and the turn continues', async (open) => {
  await withNotes('Curious')
  const talk = open(['talk', 'Curious'])
  await talk.shows(/quit exits\.[\s\S]*> /)
  talk.type('read the graph\r')
  await talk.shows(/May read_graph of notes be used[\s\S]*\/once, \/always or \/no[\s\S]*> /)
  talk.type('/always\r')
  await talk.shows(/The graph: [\s\S]*> /)
  talk.type('read the graph\r')
  await talk.shows(/The graph: [\s\S]*> /)
  talk.type('/quit\r')
  assert.is(await talk.whenEnded, 0)
  const firstTerminal = open(['talk', 'Curious', 'Hello.'])
  assert.is(await firstTerminal.whenEnded, 0)
})

test('the completion scripts are valid for installed shells, and bash completes', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await daimon(['completion', shell])
    assert.is(code, 0)
    const path = join(folder, `completion.${shell}`)
    await writeFile(path, stdout)
    const checkResult = await runCommand(shell, ['-n', path])
    if (Number.isNaN(checkResult.code))
      printFigures(`skipped: ${shell} is not here, its completion was not looked at`)
    else assert.equal([checkResult.code, checkResult.err], [0, ''], shell)
  }
  const script = `source completion.bash; COMP_WORDS=(daimon talk A); COMP_CWORD=2; _daimon; echo "\${COMPREPLY[0]}"`
  const bash = await runCommand('bash', ['-c', script], {
    env: { ...getEnv(), PATH: `${join(folder, 'prefix', 'bin')}:${process.env.PATH}` },
  })
  if (!Number.isNaN(bash.code)) assert.equal([bash.stdout, bash.err], ['Ada\n', ''])
})

test('stops cleanly, and its home opens again', async () => {
  const { code } = await daemon.kill('SIGTERM')
  assert.is(code, 0)
  daemon = await startProcess({ main: join(getPackageFolder(), 'main.js'), home: daemon.home })
  await waitFor('Ada to be awake', async () => /^Ada +awake/m.test((await daimon(['list'])).stdout))
  assert.ok(existsSync(join(daemon.home, 'version')))
})

test.run()
