/**
 * Runs the test files, each in a process of its own: `node scripts/test.mjs [filter…] [--in folder]`.
 * A file counts only by the totals it prints: one that crashes, hangs, tests nothing or leaves a test out has failed.
 * Lines of a test that begin with a middle dot (seeds, sizes, figures) are gathered and told at the end.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals: filters } = parseArgs({ allowPositionals: true, options: { in: { type: 'string' } } })
const folder = resolve(root, values.in ?? 'test')
const jobs = Math.max(1, Number(process.env.DAIMON_TEST_JOBS) || 3)
const limit = (Number(process.env.DAIMON_TEST_LIMIT) || 180) * 1000
const mostOutput = 8 * 1024 * 1024

// A unix socket's path may have 104 bytes, so a deep working tree borrows a short place.
const near = join(values.in ? folder : root, '.tmp')
const tmp = near.length < 64 ? near : join(tmpdir(), `daimon-${createHash('sha256').update(near).digest('hex').slice(0, 8)}`)
const marker = join(tmp, `running-${process.pid}`)
const compiled = join(root, '.tmp', `compiled-${process.pid}`)
const timesFile = join(tmp, 'test-times.json')
const running = new Set()

const main = async () => {
  mkdirSync(join(tmp, 'home'), { recursive: true })
  writeFileSync(marker, '')
  const times = readTimes()
  const files = testFiles().sort((a, b) => (times[b] ?? Infinity) - (times[a] ?? Infinity))
  const sum = { passed: 0, failed: files.length ? 0 : 1 }
  const told = []
  if (!files.length) console.log(`no test file in ${relative(root, folder) || '.'} matches ${filters.join(' ') || '*.test.ts'}`)

  const scripts = await compiling(files)

  const work = async () => {
    for (let file = files.shift(); file; file = files.shift()) {
      const { passed, failed, why, ms, output } = await runFile(file, scripts)
      sum.passed += passed
      sum.failed += failed
      if (ms) times[file] = ms
      told.push(...output.split('\n').filter((text) => text.startsWith('· ')))
      console.log(line(file, passed, failed, ms))
      if (failed) console.log(`\n${output.trimEnd()}\n\n  ${file}: ${why}\n`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))

  writeFileSync(timesFile, JSON.stringify(times))
  clean()
  process.exitCode = sum.failed ? 1 : 0
  if (told.length) console.log(`\n${table(told)}`)
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
}

const testFiles = () =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => relative(root, join(folder, path)))
    .filter((path) => !filters.length || filters.some((filter) => path.includes(filter)))

/** One file that is no code must not keep the others from running. */
const compiling = async (files) => {
  try {
    return await compile(root, files, compiled)
  } catch {
    const paths = new Map()
    for (const file of files) {
      const path = await compile(root, [file], join(compiled, String(paths.size))).catch(() => undefined)
      paths.set(file, path?.(file))
    }
    return (file) => paths.get(file)
  }
}

const runFile = async (file, scripts) => {
  const forgotten = notRun(readFileSync(join(root, file), 'utf8'))
  if (forgotten) return { passed: 0, failed: 1, why: `never calls ${forgotten}.run()`, ms: 0, output: '' }

  const script = scripts(file)
  if (!script) return { passed: 0, failed: 1, why: 'is no code', ms: 0, output: '' }
  const { code, signal, hung, ms, stdout, output } = await runProcess(script)
  const { total, passed, skipped } = totals(stdout)
  const why = [
    hung && `still running after ${limit / 1000} s`,
    signal && !hung && `ended by ${signal}`,
    !hung && total === undefined && 'ended without totals',
    total === 0 && 'has no tests',
    total > passed && `${total - passed} failed`,
    skipped && `${skipped} switched off`,
    code && total === passed && `exit code ${code}`,
  ].filter(Boolean)
  const failed = (total ?? 0) - (passed ?? 0) + (skipped ?? 0)
  return { passed: passed ?? 0, failed: why.length ? Math.max(1, failed) : 0, why: why.join(', '), ms, output }
}

/** The first suite that the file makes and never runs: uvu passes over it without a word and exits with 0. */
const notRun = (source) => {
  const made = [...source.matchAll(/\b(\w+)\s*=\s*suite\s*[(<]/g)].map(([, name]) => name)
  const suites = made.length ? made : ['test']
  return suites.find((name) => !new RegExp(`\\b${name}\\.run\\(\\)`).test(source))
}

/** Uvu's closing lines, added up; undefined when there are none. */
const totals = (stdout) => {
  const blocks = [...stdout.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /gm)]
  if (!blocks.length) return {}
  const add = (column) => blocks.reduce((sum, block) => sum + Number(block[column]), 0)
  return { total: add(1), passed: add(2), skipped: add(3) }
}

const runProcess = (script) =>
  new Promise((done) => {
    const started = performance.now()
    const child = spawn(process.execPath, ['--enable-source-maps', script], {
      cwd: root,
      env: cleanEnv(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    const chunks = { stdout: '', output: '' }
    const keep = (name, text) => {
      chunks[name] = (chunks[name] + text).slice(-mostOutput)
    }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      keep('stdout', text)
      keep('output', text)
    })
    child.stderr.setEncoding('utf8').on('data', (text) => keep('output', text))

    let hung = false
    const timer = setTimeout(() => {
      hung = true
      killGroup(child)
    }, limit)
    // A process that the test left behind would hold the pipes open.
    child.on('exit', () => setTimeout(() => killGroup(child), 200))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      running.delete(child)
      done({ code, signal, hung, ms: performance.now() - started, ...chunks })
    })
  })

const killGroup = (child) => {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {} // the whole group is gone already
}

/** What a developer has set for a daemon of their own must not reach the tests, nor the tests their home. */
const cleanEnv = () => {
  const ours = /^(DAIMON_|OLLAMA_)|_(API_KEY|BASE_URL)$|^(WEB_PORT|NODE_ENV|FORCE_COLOR)$/
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', TMPDIR: tmp, HOME: join(tmp, 'home') }
}

const line = (file, passed, failed, ms) => {
  const count = failed ? `${failed} failed` : `${passed}`
  return `${failed ? 'FAIL' : 'ok  '} ${count.padStart(9)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`
}

/** Columns stand between bars in what was told. */
const table = (told) => {
  const rows = told.sort().map((text) => text.slice(2).split(' | '))
  const widths = rows.reduce((most, row) => row.map((cell, n) => Math.max(cell.length, most[n] ?? 0)).concat(most.slice(row.length)), [])
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const readTimes = () => {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    return {}
  }
}

/** The last run to end clears the place; an unpacked browser stays, it is slow to make. */
const clean = () => {
  rmSync(marker, { force: true })
  rmSync(compiled, { recursive: true, force: true })
  const names = readdirSync(tmp)
  if (names.some((name) => name.startsWith('running-') && isAlive(Number(name.slice(8))))) return
  for (const name of names) {
    if (!/^(tsx-|chromium|al20|fonts|swiftshader|test-times|ready)/.test(name)) rmSync(join(tmp, name), { recursive: true, force: true })
  }
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => {
    for (const child of running) killGroup(child)
    clean()
    process.exit(code)
  })
}

await main()
