/**
 * Makes the tree ready to run: installs when the packages changed, builds when the sources changed, else only
 * looks. Knows Node's own modules alone, and says what it does on stderr.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtNow, hash, isBuilt } from './built.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...path) => join(root, ...path)
const read = (...path) => (existsSync(at(...path)) ? readFileSync(at(...path), 'utf8') : '')
const platform = `node ${process.versions.node.split('.')[0]} ${process.platform} ${process.arch}`

/** `ready.mjs packages`: for what needs no build, and should not fail with one. */
const packagesOnly = process.argv[2] === 'packages'

const installStamp = at('node_modules', '.daimon')
const buildStamp = at('dist', '.daimon')
const lock = at('.tmp', 'ready.lock')

const main = async () => {
  checkNode()
  if (isInstalled() && (packagesOnly || isBuilt())) return
  await takeLock()
  if (!isInstalled()) install()
  if (!packagesOnly && !isBuilt()) build()
  rmSync(lock, { force: true })
}

/** `engines` is the one place that says which Node: `^20.19.0 || ^22.12.0 || >=24`. */
const checkNode = () => {
  const { engines } = JSON.parse(read('package.json'))
  const [major, minor] = process.versions.node.split('.').map(Number)
  const lines = engines.node.split('||').map((range) => {
    const [from, least = 0] = range
      .replace(/[^\d.]/g, '')
      .split('.')
      .map(Number)
    return { from, least, only: range.includes('^') }
  })
  if (lines.some(({ from, least, only }) => (major === from && minor >= least) || (major > from && !only)))
    return
  say(
    `needs Node ${lines.map(({ from, least }) => `${from}.${least} or later`).join(', ')}; this is ${process.versions.node}. See https://nodejs.org.`,
  )
  process.exit(1)
}

// npm's own list of what lies in node_modules is part of the stamp, so that a later install or prune by hand
// is noticed.
const installedNow = () =>
  `${platform}\n${hash(['package.json', 'package-lock.json', '.npmrc', 'node_modules/.package-lock.json'])}`

const isInstalled = () => {
  const stamp = read('node_modules', '.daimon')
  if (stamp && stamp === installedNow()) return true
  if ((stamp && !stamp.startsWith(`${platform}\n`)) || !hasAllPackages()) return false
  writeFileSync(installStamp, installedNow())
  return true
}

/** Whether an install by hand has left exactly the packages of the lock. */
const hasAllPackages = () => {
  const list = read('node_modules', '.package-lock.json')
  if (!list) return false
  const { packages } = JSON.parse(read('package-lock.json'))
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const asked = packages['']
  if (!same(dependencies, asked.dependencies) || !same(devDependencies, asked.devDependencies)) return false
  const installed = JSON.parse(list).packages
  return Object.entries(packages).every(
    ([path, wanted]) => !path || isForOthers(wanted) || same(installed[path]?.integrity, wanted.integrity),
  )
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other)
// An optional package is looked for only where it is certain to belong here.
const isForOthers = ({ optional, os, cpu, libc }) =>
  optional && (libc || !os?.includes(process.platform) || !cpu?.includes(process.arch))

const install = () => {
  say('installing packages, once …')
  // Said outright, because NODE_ENV=production or an `omit` of the caller would leave the build tools out.
  run('npm ci', ...npm(), 'ci', '--include=dev', '--prefer-offline')
  writeFileSync(installStamp, installedNow())
}

/** The npm that runs us, else the one beside it on the path. */
const npm = () =>
  /npm-cli\.c?js$/.test(process.env.npm_execpath ?? '')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']

const build = () => {
  const before = builtNow() // a source saved meanwhile is built the next time
  say('building …')
  run('the build', process.execPath, at('scripts', 'build.mjs'))
  if (existsSync(at('dist'))) writeFileSync(buildStamp, before)
}

const run = (what, command, ...args) => {
  const { status, error, signal } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) fail(`${what} could not be started: ${error.message}`)
  if (status !== 0) fail(`${what} failed (${signal ?? `exit ${status}`}), see above`)
}

/**
 * One at a time: two installs in one folder destroy each other. A lock whose holder is gone is taken over.
 */
const takeLock = async () => {
  mkdirSync(at('.tmp'), { recursive: true })
  const own = `${lock}-${process.pid}`
  writeFileSync(own, `${process.pid}`) // linked into place whole: a lock without its holder's number is never seen
  for (let told = false; !link(own); told = true) {
    if (!told) say('waiting for another install or build …')
    dropIfAbandoned()
    await new Promise((wake) => setTimeout(wake, 100))
  }
  rmSync(own)
}

const link = (own) => {
  try {
    linkSync(own, lock)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

const dropIfAbandoned = () => {
  const holder = read('.tmp', 'ready.lock')
  if (!holder || isAlive(Number(holder))) return
  const aside = `${lock}-${process.pid}-aside`
  try {
    renameSync(lock, aside)
    // Another waiter was quicker, and this is its lock: it goes back.
    if (readFileSync(aside, 'utf8') !== holder) link(aside)
    rmSync(aside)
  } catch {} // someone else dropped it
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const say = (sentence) => process.stderr.write(`daimon: ${sentence}\n`)

/** Only what holds the lock can fail. */
const fail = (sentence) => {
  rmSync(lock, { force: true })
  say(sentence)
  process.exit(1)
}

await main()
