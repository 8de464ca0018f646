/** The cache of compiled code of the built daemon, in a separate copy of `dist/`. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { createChance } from '../random.ts'
import { mainFile } from './daemon.ts'
import { endAll, newHome, personas, runProcess, startDaemonProcess, type World } from './setup.ts'

/**
 * Fails without a checksum of the cache, without a checksum of the source, if Node's loader is not used
 * although it maps sources, and if the cache ignores V8 flags.
 */
const test = suite<World>('compile cache', { ends: [] })
test.after.each(endAll)

interface BuiltPackage {
  readonly main: string
  readonly folder: string
  readonly compiled: string
}

/** Next to `node_modules`, which contains the packages that are not bundled. */
const copyBuild = async ({ ends }: World, maps = false): Promise<BuiltPackage> => {
  const dist = dirname(mainFile)
  const folder = await mkdtemp(join(dist, '..', '.tmp', 'dist-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const isWanted = (path: string) => path !== join(dist, 'compiled') && (maps || !path.endsWith('.map'))
  await cp(dist, folder, { recursive: true, filter: isWanted })
  return { main: join(folder, 'main.js'), folder, compiled: join(folder, 'compiled') }
}

/** Starts the daemon, sends a request, and stops it. */
const runBuild = async (
  world: World,
  { main }: BuiltPackage,
  env: Record<string, string> = {},
): Promise<string> => {
  const daemon = await startDaemonProcess(world, { main, env })
  assert.equal(await personas(daemon.url), [])
  const { code, stdout, stderr } = await daemon.kill('SIGTERM')
  assert.equal([code, stderr], [0, ''])
  return stdout
}

/** Returns the modification time of each cached file by its name. */
const listCached = async ({ compiled }: BuiltPackage): Promise<ReadonlyMap<string, number>> => {
  const fileNames = (await readdir(compiled, { recursive: true })).filter((name) => name.endsWith('.cjs'))
  return new Map(
    await Promise.all(
      fileNames.map(async (name) => [name, (await stat(join(compiled, name))).mtimeMs] as const),
    ),
  )
}

test('is written at the first start, read at the next, and never stored in the home', async (world) => {
  const dist = await copyBuild(world)
  const home = await newHome(world)
  const first = await startDaemonProcess(world, { main: dist.main, home })
  const cached = await waitFor('the cache to be written', async () => {
    const cachedFiles = await listCached(dist).catch(() => new Map<string, number>())
    return cachedFiles.size > 0 && cachedFiles
  })
  assert.is((await first.kill('SIGTERM')).code, 0)
  assert.not.ok((await readdir(home, { recursive: true })).some((path) => /\.cjs|compiled/.test(path)))
  await runBuild(world, dist)
  const cachedAfter = await listCached(dist)
  for (const [name, written] of cached) assert.is(cachedAfter.get(name), written, name)
})

test('is also written when the daemon ends early, and not used with other V8 flags', async (world) => {
  const dist = await copyBuild(world)
  await runBuild(world, dist)
  assert.ok((await listCached(dist)).size > 5)
  await runBuild(world, dist, { NODE_OPTIONS: '--stack-trace-limit=50' })
  assert.is((await readdir(dist.compiled)).length, 2)
})

test('is rebuilt after any damage', async (world) => {
  const dist = await copyBuild(world)
  await runBuild(world, dist)
  const chance = createChance('damaging the compile cache')
  const damages = ['flipped', 'cut', 'empty', 'another'] as const
  // Neighbouring files get different damages, and the same file another one in the second round.
  for (const round of [0, 1]) {
    const names = [...(await listCached(dist)).keys()]
    const original = await readFile(join(dist.compiled, names[0] ?? ''))
    for (const [n, name] of names.entries()) {
      const path = join(dist.compiled, name)
      const bytes = await readFile(path)
      // The daemon ended before it loaded this module again, so the file is still empty.
      if (bytes.length === 0) continue
      const offset = chance.pickBetween(0, bytes.length - 1)
      bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << chance.pickBetween(0, 7)), offset)
      const damagedBytes = {
        flipped: bytes,
        cut: bytes.subarray(0, offset),
        empty: Buffer.alloc(0),
        another: original,
      }
      await writeFile(path, damagedBytes[damages[(n + round) % damages.length] ?? 'flipped'])
    }
    await runBuild(world, dist)
    const repaired = await listCached(dist)
    assert.ok(names.every((name) => repaired.has(name)))
  }
})

test('is not used if the source differs with the same length', async (world) => {
  const dist = await copyBuild(world)
  const getVersion = async () =>
    (await runProcess(world, { main: dist.main, args: ['--version'] }).whenEnded).stdout
  const version = (await getVersion()).trim()
  const otherVersion = version.replaceAll(/\d/g, '9')
  for (const name of await readdir(dist.folder)) {
    if (!name.endsWith('.cjs')) continue
    const path = join(dist.folder, name)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(`"${version}"`, `"${otherVersion}"`))
  }
  assert.is(await getVersion(), `${otherVersion}\n`)
})

test('is skipped if it cannot be written', async (world) => {
  const dist = await copyBuild(world)
  // Root ignores file modes: a file in place of the folder prevents it.
  await writeFile(dist.compiled, '')
  await runBuild(world, dist)
  assert.is(await readFile(dist.compiled, 'utf8'), '')
})

test('stack traces show function names, and sources if Node maps them', async (world) => {
  const dist = await copyBuild(world, true)
  const stack = async (env: Record<string, string>): Promise<string> => {
    const home = await newHome(world)
    await mkdir(join(home, 'ages')) // A folder in the place of the file.
    const daemon = await startDaemonProcess(world, {
      main: dist.main,
      home,
      env: { DAIMON_LOG_LEVEL: 'debug', ...env },
    })
    await waitFor('the warning', () => daemon.stderr().includes('failed to purge expired files'))
    return (await daemon.kill('SIGTERM')).stderr
  }
  assert.match(await stack({}), /at async ripe \(\S+\.cjs:\d+:\d+\)/)
  assert.match(
    await stack({ NODE_OPTIONS: '--enable-source-maps' }),
    /at async ripe \(\S*retention\.ts:\d+:\d+\)/,
  )
})

test.run()
