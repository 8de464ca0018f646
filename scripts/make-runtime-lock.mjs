/**
 * Writes the packages of the local runtime, from the npm registry, to packages/local-runtime: their hashes to
 * `runtime-lock.json`, and their sizes per platform to `runtime-platforms.json`. Run it after a change of
 * `version`: `node scripts/make-runtime-lock.mjs`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Newer versions lack packages for macOS and Windows. */
const version = '3.21.1'
const library = 'node-llama-cpp'

/** The package of each platform: `<process.platform>-<process.arch>`. */
const platforms = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-armv7l',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
}

/** The additional packages for a graphics card, on request. */
const gpus = {
  'linux-x64': { cuda: ['linux-x64-cuda', 'linux-x64-cuda-ext'], vulkan: ['linux-x64-vulkan'] },
  'win32-x64': { cuda: ['win-x64-cuda', 'win-x64-cuda-ext'], vulkan: ['win-x64-vulkan'] },
}

const target = fileURLToPath(new URL('../packages/local-runtime', import.meta.url))

const main = () => {
  const folder = mkdtempSync(join(tmpdir(), 'daimon-lock-'))
  try {
    const dependencies = { [library]: version }
    const manifest = { name: 'daimon-runtime', version, private: true, dependencies }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    npm(folder, 'install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund')
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    const packages = Object.fromEntries(
      Object.entries(lock.packages).map(([path, entry]) => [path, path === '' ? entry : toEntry(entry)]),
    )
    const commonBytes = bytesIn(join(folder, 'node_modules'))
    const rows = Object.entries(platforms).map(([platform, name]) => {
      const row = { package: toPackage(name), bytes: commonBytes + getSize(folder, name) }
      const offeredGpus = Object.entries(gpus[platform] ?? {}).map(([gpu, names]) => [
        gpu,
        {
          packages: names.map(toPackage),
          bytes: names.reduce((sum, packageName) => sum + getSize(folder, packageName), 0),
        },
      ])
      return [platform, offeredGpus.length > 0 ? { ...row, gpus: Object.fromEntries(offeredGpus) } : row]
    })
    write('runtime-platforms.json', { version, platforms: Object.fromEntries(rows) })
    write('runtime-lock.json', { ...lock, packages })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const toPackage = (name) => `@node-llama-cpp/${name}`

const getSize = (folder, name) =>
  JSON.parse(npm(folder, 'pack', `${toPackage(name)}@${version}`, '--json'))[0].unpackedSize

const write = (name, content) => writeFileSync(join(target, name), `${JSON.stringify(content, null, 2)}\n`)

/** Leaves out addresses, so that npm uses the registry of the user's configuration. */
const toEntry = ({ version: entryVersion, integrity, dependencies, optionalDependencies, ...rest }) => {
  const { optional, os, cpu, libc } = rest
  return {
    version: entryVersion,
    integrity,
    ...(dependencies && { dependencies }),
    ...(optionalDependencies && { optionalDependencies }),
    ...(optional && { optional }),
    ...(os && { os }),
    ...(cpu && { cpu }),
    ...(libc && { libc }),
  }
}

const npm = (cwd, ...args) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((path) => statSync(join(folder, path)))
    .filter((stats) => stats.isFile())
    .reduce((sum, { size }) => sum + size, 0)

main()
