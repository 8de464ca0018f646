/** The installation with the real npm, from a stand-in registry with two small packages. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../../../test/clock.ts'
import type { Log } from '../../kit/log.ts'
import { ModelError } from '../../models/models.ts'
import { currentPlatform, installedFile } from '../installed-runtime.ts'
import type { LocalRuntime } from '../local-runtime.ts'
import { findNpm } from '../npm-program.ts'
import { openLocalRuntime } from '../open-local-runtime.ts'

const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { signal: neverSignal } = new AbortController()
const library = 'node-llama-cpp'
const platformPackage = '@node-llama-cpp/this-one'
const gpuPackage = '@node-llama-cpp/this-one-cuda'

interface World {
  folder: string
  registry: Server
  /** Paths of the requests. */
  requests: string[]
  /** Answers tarballs with other bytes, or never. */
  behaviour: 'right' | 'wrong' | 'silent'
  tarballs: ReadonlyMap<string, Buffer>
  /** `version` is the pinned version. */
  open(version?: string): Promise<LocalRuntime>
}

const test = suite<World>('installation of the local runtime')

const packPackage = async (name: string): Promise<Buffer> => {
  const script = 'require("fs").writeFileSync("ran", "")'
  const manifest = { name, version: '1.0.0', scripts: { install: `node -e '${script}'` } }
  const body = JSON.stringify(manifest)
  return gzipSync(
    await packTar([{ header: { name: 'package/package.json', size: body.length, type: 'file' }, body }]),
  )
}

const toIntegrity = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

test.before.each(async (world) => {
  world.folder = await mkdtemp(join(tmpdir(), 'daimon-install-'))
  world.behaviour = 'right'
  world.requests = []
  const tarballs = new Map<string, Buffer>()
  for (const name of [library, platformPackage, gpuPackage]) tarballs.set(name, await packPackage(name))
  world.tarballs = tarballs
  world.registry = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    world.requests.push(path)
    const name = [...tarballs.keys()].find(
      (tarballName) => path === `/${tarballName}` || path === `/${tarballName}.tgz`,
    )
    const bytes = name && tarballs.get(name)
    if (!bytes) return response.writeHead(404).end('{}')
    if (path.endsWith('.tgz')) {
      if (world.behaviour === 'silent') return
      return response.end(world.behaviour === 'wrong' ? gzipSync('other') : bytes)
    }
    const tarball = `http://${request.headers.host}/${name}.tgz`
    const dist = { tarball, integrity: toIntegrity(bytes) }
    const versions = { '1.0.0': { name, version: '1.0.0', dist, scripts: { install: 'node' } } }
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }))
  })
  await new Promise<void>((resolve) => world.registry.listen(0, '127.0.0.1', resolve))
  const { port } = world.registry.address() as AddressInfo
  world.open = (version = '1.0.0') =>
    openLocalRuntime({
      folder: join(world.folder, 'runtime'),
      log: silentLog,
      clock: createFakeClock(),
      contextTokens: null,
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: join(world.folder, 'cache'),
        npm_config_fetch_retries: '0',
      },
      packages: {
        version,
        platforms: {
          [currentPlatform]: {
            package: platformPackage,
            bytes: 1000,
            gpus: { cuda: { packages: [gpuPackage], bytes: 500 } },
          },
        },
      },
      lock: {
        packages: {
          '': { dependencies: { [library]: '1.0.0' } },
          ...Object.fromEntries(
            [...tarballs].map(([name, bytes]) => [
              `node_modules/${name}`,
              {
                version: '1.0.0',
                integrity: toIntegrity(bytes),
                ...(name === library
                  ? { optionalDependencies: { [platformPackage]: '1.0.0', [gpuPackage]: '1.0.0' } }
                  : { optional: true }),
              },
            ]),
          ),
        },
      },
    })
})
test.after.each(async ({ folder, registry }) => {
  registry.closeAllConnections()
  await new Promise((resolve) => registry.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

const getError = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

const listRuntime = ({ folder }: World) => readdir(join(folder, 'runtime')).catch(() => [])

test('installs the packages of this machine without running their scripts', async (world) => {
  const runtime = await world.open()
  assert.is(runtime.state().phase, 'absent')
  const progress: number[] = []
  const work = runtime.install(({ completed, total }) => progress.push(completed / total), neverSignal)
  assert.is(runtime.state().phase, 'installing')
  await work
  assert.is(runtime.state().phase, 'ready')
  assert.equal([progress[0], progress.at(-1)], [0, 1])
  assert.equal(await listRuntime(world), ['1.0.0'])
  const modules = join(world.folder, 'runtime', '1.0.0', 'node_modules')
  for (const name of [library, platformPackage])
    assert.equal(await readdir(join(modules, name)), ['package.json'])
  const requestCount = world.requests.length
  await runtime.install(() => undefined, neverSignal)
  assert.is(world.requests.length, requestCount)
  assert.is((await world.open()).state().phase, 'ready')
  await runtime.remove()
  assert.equal(await readdir(world.folder), ['cache'])
})

test('adds the packages of a graphics card only on request, and removes them again', async (world) => {
  const runtime = await world.open()
  const modules = join(world.folder, 'runtime', '1.0.0', 'node_modules')
  await runtime.install(() => undefined, neverSignal)
  assert.equal([runtime.state().gpu, runtime.state().gpus], ['none', [{ gpu: 'cuda', bytes: 500 }]])
  assert.not.ok(world.requests.includes(`/${gpuPackage}.tgz`))
  await runtime.install(() => undefined, neverSignal, 'cuda')
  assert.is(runtime.state().gpu, 'cuda')
  for (const name of [platformPackage, gpuPackage])
    assert.equal(await readdir(join(modules, name)), ['package.json'])
  assert.is((await world.open()).state().gpu, 'cuda')
  await runtime.install(() => undefined, neverSignal)
  assert.is(runtime.state().gpu, 'cuda')
  assert.match(
    (await getError(runtime.install(() => undefined, neverSignal, 'vulkan'))).message,
    /no package for this/,
  )
  assert.equal([runtime.state().phase, runtime.state().gpu], ['ready', 'cuda'])
  await runtime.install(() => undefined, neverSignal, 'none')
  assert.is(runtime.state().gpu, 'none')
  assert.is(await readdir(join(modules, gpuPackage)).catch(() => null), null)
})

test('replaces an older version when it opens, and removes unfinished installations', async (world) => {
  const olderFolder = join(world.folder, 'runtime', '0.9.0')
  await mkdir(olderFolder, { recursive: true })
  await mkdir(join(world.folder, 'runtime', '.installing-1234'))
  await writeFile(
    join(olderFolder, installedFile),
    JSON.stringify({ version: '0.9.0', platform: currentPlatform, bytes: 1 }),
  )
  const runtime = await world.open()
  assert.is(runtime.state().phase, 'installing')
  await runtime.install(() => undefined, neverSignal)
  assert.is(runtime.state().phase, 'ready')
  assert.equal(await listRuntime(world), ['1.0.0'])
})

test('installs nothing if a package has other bytes', async (world) => {
  world.behaviour = 'wrong'
  const runtime = await world.open()
  const error = await getError(runtime.install(() => undefined, neverSignal))
  assert.instance(error, ModelError)
  assert.match(error.message, /did not have the expected content/)
  assert.is(runtime.state().phase, 'failed')
  assert.is(runtime.state().reason, error.message)
  assert.equal(await listRuntime(world), [])
})

test('an aborted installation ends npm and leaves no files', async (world) => {
  world.behaviour = 'silent'
  const runtime = await world.open()
  const abort = new AbortController()
  const work = getError(runtime.install(() => undefined, abort.signal))
  while (!world.requests.some((path) => path.endsWith('.tgz')))
    await new Promise((resolve) => setTimeout(resolve, 20))
  abort.abort(new Error('cancelled by the user'))
  assert.is((await work).message, 'cancelled by the user')
  assert.equal(await listRuntime(world), [])
  assert.is(runtime.state().phase, 'absent')
})

test('reports an unreachable registry in one sentence', async (world) => {
  world.registry.close()
  world.registry.closeAllConnections()
  const runtime = await world.open()
  const error = await getError(runtime.install(() => undefined, neverSignal))
  assert.match(error.message, /^The npm registry could not be reached\./)
  assert.not.match(error.message, /127\.0\.0\.1/)
  assert.equal(await listRuntime(world), [])
})

test('finds npm beside Node, or on the PATH', async ({ folder }) => {
  assert.is(await findNpm(join(folder, 'node'), { PATH: folder }), null)
  const cli = join(folder, 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js')
  await mkdir(join(cli, '..'), { recursive: true })
  await writeFile(cli, '')
  assert.is(await findNpm(join(folder, 'bin', 'node'), {}), cli)
  const npmPath = await findNpm(process.execPath, process.env)
  assert.match(await readFile(npmPath ?? '', 'utf8'), /npm|require|import/)
})

test.run()
