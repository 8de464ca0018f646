/**
 * Prepares the source tree to run: installs if the packages changed, builds if the sources changed, and
 * otherwise does nothing. Imports only Node's own modules, and reports on stderr.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtNow, hash, isBuilt } from './built.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (...path) => join(root, ...path)
const read = (...path) => (existsSync(inRoot(...path)) ? readFileSync(inRoot(...path), 'utf8') : '')
const platform = `node ${process.versions.node.split('.')[0]} ${process.platform} ${process.arch}`

/** `ready.mjs packages`: for commands that need no build and must not fail with one. */
const packagesOnly = process.argv[2] === 'packages'

const installStamp = inRoot('node_modules', '.daimon')
const buildStamp = inRoot('dist', '.daimon')
const lock = inRoot('.tmp', 'ready.lock')

const main = async () => {
  checkNode()
  if (isInstalled() && (packagesOnly || isBuilt())) return
  await takeLock()
  if (!isInstalled()) install()
  if (!packagesOnly && !isBuilt()) build()
  rmSync(lock, { force: true })
}

/** Reads the supported Node versions only from `engines`: `^20.19.0 || ^22.12.0 || >=24`. */
const checkNode = () => {
  const { engines } = JSON.parse(read('package.json'))
  const [major, minor] = process.versions.node.split('.').map(Number)
  const lines = engines.node.split('||').map((range) => {
    const [from, minMinor = 0] = range
      .replace(/[^\d.]/g, '')
      .split('.')
      .map(Number)
    return { from, least: minMinor, only: range.includes('^') }
  })
  if (
    lines.some(
      ({ from, least: minMinor, only }) => (major === from && minor >= minMinor) || (major > from && !only),
    )
  )
    return
  say(
    `needs Node ${lines.map(({ from, least: minMinor }) => `${from}.${minMinor} or later`).join(', ')}; this is ${process.versions.node}. See https://nodejs.org.`,
  )
  process.exit(1)
}

// The stamp includes npm's own list of node_modules, so that a manual install or prune is detected.
const installedNow = () =>
  `${platform}\n${hash(['package.json', 'package-lock.json', '.npmrc', 'node_modules/.package-lock.json'])}`

const isInstalled = () => {
  const stamp = read('node_modules', '.daimon')
  if (stamp && stamp === installedNow()) return true
  if ((stamp && !stamp.startsWith(`${platform}\n`)) || !hasAllPackages()) return false
  writeFileSync(installStamp, installedNow())
  return true
}

/** Returns whether a manual install has left exactly the packages of the lockfile. */
const hasAllPackages = () => {
  const list = read('node_modules', '.package-lock.json')
  if (!list) return false
  const { packages } = JSON.parse(read('package-lock.json'))
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const lockedRoot = packages['']
  if (!isSame(dependencies, lockedRoot.dependencies) || !isSame(devDependencies, lockedRoot.devDependencies))
    return false
  const installedPackages = JSON.parse(list).packages
  return Object.entries(packages).every(
    ([path, lockedEntry]) =>
      !path || isForOthers(lockedEntry) || isSame(installedPackages[path]?.integrity, lockedEntry.integrity),
  )
}

const isSame = (left, other) => JSON.stringify(left) === JSON.stringify(other)
// An optional package is required only if it certainly belongs to this platform.
const isForOthers = ({ optional, os, cpu, libc }) =>
  optional && (libc || !os?.includes(process.platform) || !cpu?.includes(process.arch))

const install = () => {
  say('installing packages, once …')
  // Explicit, because NODE_ENV=production or an `omit` setting would leave out the build tools.
  run('npm ci', ...npm(), 'ci', '--include=dev', '--prefer-offline')
  writeFileSync(installStamp, installedNow())
}

/** Returns the npm that runs this script, or else the one on the PATH. */
const npm = () =>
  /npm-cli\.c?js$/.test(process.env.npm_execpath ?? '')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']

const build = () => {
  const sourcesBefore = builtNow() // a source that is saved during the build is built next time
  say('building …')
  run('the build', process.execPath, inRoot('scripts', 'build.mjs'))
  if (existsSync(inRoot('dist'))) writeFileSync(buildStamp, sourcesBefore)
}

const run = (name, command, ...args) => {
  const { status, error, signal } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) fail(`${name} could not be started: ${error.message}`)
  if (status !== 0) fail(`${name} failed (${signal ?? `exit ${status}`}), see above`)
}

/**
 * Allows one process at a time, because two installs in one folder destroy each other. Takes over the lock of
 * a dead process.
 */
const takeLock = async () => {
  mkdirSync(inRoot('.tmp'), { recursive: true })
  const draft = `${lock}-${process.pid}`
  writeFileSync(draft, `${process.pid}`) // linked after it is written, so no process sees a lock without a pid
  for (let isReported = false; !link(draft); isReported = true) {
    if (!isReported) say('waiting for another install or build …')
    dropIfAbandoned()
    await new Promise((wake) => setTimeout(wake, 100))
  }
  rmSync(draft)
}

const link = (draft) => {
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

const dropIfAbandoned = () => {
  const holder = read('.tmp', 'ready.lock')
  if (!holder || isAlive(Number(holder))) return
  const asidePath = `${lock}-${process.pid}-aside`
  try {
    renameSync(lock, asidePath)
    // Another process has taken the lock meanwhile: put its lock back.
    if (readFileSync(asidePath, 'utf8') !== holder) link(asidePath)
    rmSync(asidePath)
  } catch {} // another process has removed it
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const say = (sentence) => process.stderr.write(`daimon: ${sentence}\n`)

/** Only the holder of the lock calls this. */
const fail = (sentence) => {
  rmSync(lock, { force: true })
  say(sentence)
  process.exit(1)
}

await main()
