/**
 * Runs the test files in a few processes, each one file after another: `node scripts/test.mjs [filter…]
 * [--in folder] [--results file] [--again N] [--times]`. A file with a comment that begins with "Runs
 * alone:" and gives a reason gets its own process. Only the printed totals count: a file that crashes,
 * hangs, has no tests or skips a test has failed. Up to N failed files (3 by default) run again at the end.
 * Output lines that begin with a middle dot (seeds, sizes, figures) are collected and printed at the end;
 * `--results` stores them as JSON with the counts of each file. `--times` prints the files with the most CPU
 * time.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'
import { filesIn, testFoldersOfPackages } from './files-in.mjs'
import { watchMachine } from './machine-watch.mjs'
import { openProcess } from './test-process.mjs'
import { judgeResult, notRun } from './test-verdict.mjs'
import { inSources } from './traces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: 'string' },
    results: { type: 'string' },
    again: { type: 'string', default: '3' },
    times: { type: 'boolean', default: false },
  },
})
const folder = resolve(root, values.in ?? 'test')
/** Packages contain their own tests. */
const folders = values.in ? [folder] : [folder, ...testFoldersOfPackages(root)]
const jobs = Math.max(1, Number(process.env.DAIMON_TEST_JOBS) || 4)
const limit = (Number(process.env.DAIMON_TEST_LIMIT) || 180) * 1000
/** Milliseconds of a machine stall after which a test may time out through no fault of its own. */
const maxStallMs = 2000
/** Max files that run again. More failures are not random. */
const maxRepeats = Number(values.again)
const maxTimeRows = 60
/** A process above this size gets no more files. */
const mostBytes = 768 * 1024 * 1024

/** Its content stays between runs: the unpacked browser, which is slow to unpack, screenshots and times. */
const nearFolder = join(values.in ? folder : root, '.tmp')
const shortName = `daimon-${createHash('sha256').update(nearFolder).digest('hex').slice(0, 8)}`
const ramDisk = '/dev/shm'
const minRamBytes = 4 * 1024 ** 3

/**
 * Measured: on a RAM disk the tests use a sixth less system time, and no test waits for a sync. The complete
 * fault suites use a real disk.
 */
const hasRamDisk = () => {
  try {
    const { bavail, bsize } = statfsSync(ramDisk)
    return !process.env.ORDEAL && bavail * bsize >= minRamBytes
  } catch {
    return false
  }
}

/** The path of a Unix socket may have at most 104 bytes, so a deep source tree uses a short path. */
const getTemporaryFolder = () => {
  if (hasRamDisk()) return join(ramDisk, shortName)
  return nearFolder.length < 64 ? nearFolder : join(tmpdir(), shortName)
}

const tmp = getTemporaryFolder()
const marker = join(nearFolder, `running-${process.pid}`)
const compiledFolder = join(root, '.tmp', `compiled-${process.pid}`)
const timesFile = join(nearFolder, 'test-times.json')
const runningProcesses = new Set()
const sources = new Map()

const main = async () => {
  mkdirSync(nearFolder, { recursive: true })
  mkdirSync(join(tmp, 'home'), { recursive: true })
  writeFileSync(marker, '')
  const times = readTimes()
  const files = testFiles().sort((a, b) => getUsualMs(b, times) - getUsualMs(a, times))
  const sum = { passed: 0, failed: files.length ? 0 : 1 }
  const notes = []
  const results = []
  if (!files.length)
    console.log(
      `no test file in ${relative(root, folder) || '.'} matches ${filters.join(' ') || '*.test.ts'}`,
    )

  const scripts = await compiling(files)

  const count = (file, { passed = 0, failed, why: reason, ms = 0, cpuMs, output = '' }) => {
    sum.passed += passed
    sum.failed += failed
    if (ms) times[file] = ms
    const rows = output.split('\n').filter((text) => text.startsWith('· '))
    notes.push(...rows)
    results.push({ file, passed, failed, ms: Math.round(ms), cpuMs, told: rows.map(toCells) })
    console.log(line(file, passed, failed, ms))
    if (failed) console.log(`\n${inSources(output.trimEnd())}\n\n  ${file}: ${reason}\n`)
  }
  const machine = watchMachine(join(nearFolder, `watched-${process.pid}`))
  const folderByJob = new Map()
  const repeats = []
  const work = async (_, job) => {
    const place = openPlace(count)
    for (let file = next(files, folderByJob, job); file; file = next(files, folderByJob, job)) {
      const startTime = performance.now()
      const result = await runFile(file, scripts, place)
      const mayRepeat = result.failed && repeats.length < maxRepeats
      const reason = mayRepeat ? reasonToRunAgain(file, machine.stillSince(startTime)) : null
      if (reason === null) {
        count(file, result)
        continue
      }
      repeats.push(file)
      console.log(
        `${line(file, result.passed ?? 0, result.failed, result.ms ?? 0)}: again at the end${reason}`,
      )
      console.log(`\n${inSources((result.output ?? result.why).trimEnd())}\n`)
    }
    await place.close()
  }
  await Promise.all(Array.from({ length: jobs }, work))
  await machine.close()
  for (const file of repeats) {
    const place = openPlace(count)
    const result = await runFile(file, scripts, place)
    count(file, result)
    if (!result.failed) notes.push(`· passed only when it ran again | ${file}`)
    await place.close()
  }

  writeFileSync(timesFile, JSON.stringify(times))
  if (values.results) writeFileSync(values.results, JSON.stringify(results))
  cleanUp()
  process.exitCode = sum.failed ? 1 : 0
  if (notes.length) console.log(`\n${table(notes)}`)
  if (values.times) console.log(`\n${timesTable(results)}`)
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`)
}

const testFiles = () =>
  folders
    .flatMap((base) => filesIn(base, ['.']).map((path) => relative(root, join(base, path))))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .filter((path) => !filters.length || filters.some((filter) => path.includes(filter)))
    .sort()

const source = (file) => {
  if (!sources.has(file)) sources.set(file, readFileSync(join(root, file), 'utf8'))
  return sources.get(file)
}

const isAlone = (file) => /^(\/\*\*|\/\/| \*) Runs alone: \S/m.test(source(file))

/**
 * Returns a text for the report, or null if the file must not run again. With three other files in parallel a
 * file may get too little CPU time, so it runs again alone, which the report mentions. The fault suites must
 * also pass with little CPU time: they run again only after a machine stall.
 */
const reasonToRunAgain = (file, stallMs) => {
  if (stallMs >= maxStallMs) return `, because the machine stalled for ${(stallMs / 1000).toFixed(1)} s`
  return provesFaults(file) ? null : ''
}

const provesFaults = (file) => /(^|\/)ordeal\//.test(file)

/**
 * Returns the time of the last run, or an estimate. Long files run first, so that none is left for the end.
 */
const getUsualMs = (file, times) =>
  times[file] ?? (isAlone(file) ? 20_000 : /^test\/(minds|process|senses|web)\//.test(file) ? 10_000 : 1000)

/**
 * Prefers a file from the job's current folder, because most of its imports are loaded. Then a folder that no
 * other job is in, then any file.
 */
const next = (files, folderByJob, job) => {
  const currentFolder = folderByJob.get(job)
  folderByJob.delete(job)
  const takenFolders = new Set(folderByJob.values())
  const wishes = [(folder) => folder === currentFolder, (folder) => !takenFolders.has(folder), () => true]
  const index = wishes.map((wish) => files.findIndex((file) => wish(dirname(file)))).find((n) => n >= 0)
  const [file] = index === undefined ? [] : files.splice(index, 1)
  if (file) folderByJob.set(job, dirname(file))
  return file
}

/** A file with a syntax error must not prevent the others from running. */
const compiling = async (files) => {
  try {
    return await compile(root, files, compiledFolder)
  } catch {
    const paths = new Map()
    for (const file of files) {
      const path = await compile(root, [file], join(compiledFolder, String(paths.size))).catch(
        () => undefined,
      )
      paths.set(file, path?.(file))
    }
    return (file) => paths.get(file)
  }
}

const runFile = async (file, scripts, place) => {
  const unusedSuite = notRun(source(file))
  if (unusedSuite) return { failed: 1, why: `never calls ${unusedSuite}.run()` }

  const script = scripts(file)
  return script ? judgeResult(await place.run(file, script), limit) : { failed: 1, why: 'does not compile' }
}

/** Runs files. Files that may share a process use the same one until it ends or grows too large. */
const openPlace = (count) => {
  let sharedProcess
  const startProcess = () => {
    const testProcess = openProcess({ cwd: root, env: cleanEnv(), limit })
    runningProcesses.add(testProcess)
    return testProcess
  }
  const end = async (testProcess) => {
    const reason = await testProcess.end()
    runningProcesses.delete(testProcess)
    return reason
  }
  const close = async () => {
    if (!sharedProcess) return
    const { opened, files } = sharedProcess
    sharedProcess = undefined
    const reason = await end(opened)
    if (reason) count(files.join(', '), { failed: 1, why: `their process: ${reason}` })
  }

  return {
    run: async (file, script) => {
      if (isAlone(file)) {
        const testProcess = startProcess()
        const result = await testProcess.run(script)
        const reason = await end(testProcess)
        // No file runs after it in this process.
        return { ...result, changed: [], end: result.gone ? undefined : reason }
      }
      if (sharedProcess?.opened.over()) await close()
      sharedProcess ??= { opened: startProcess(), files: [] }
      sharedProcess.files.push(file)
      const fileResult = await sharedProcess.opened.run(script)
      if (fileResult.gone) {
        await end(sharedProcess.opened)
        sharedProcess = undefined
      }
      if (fileResult.bytes > mostBytes) await close()
      return fileResult
    },
    close,
  }
}

/**
 * A developer's own daemon settings must not reach the tests, and the tests must not reach the developer's
 * home. Certificates are left out because no test needs them and Node takes 0.1 s per process to read them.
 */
const cleanEnv = () => {
  const ownVariables =
    /^(DAIMON_|OLLAMA_)|_(API_KEY|BASE_URL)$|^(WEB_PORT|NODE_ENV|NODE_EXTRA_CA_CERTS|FORCE_COLOR)$/
  const keptEntries = Object.entries(process.env).filter(([name]) => !ownVariables.test(name))
  return { ...Object.fromEntries(keptEntries), NO_COLOR: '1', TMPDIR: tmp, HOME: join(tmp, 'home') }
}

const line = (file, passedCount, failedCount, ms) => {
  const count = failedCount ? `${failedCount} failed` : `${passedCount}`
  return `${failedCount ? 'FAIL' : 'ok  '} ${count.padStart(9)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`
}

/** Splits a collected line into columns. */
const toCells = (text) => text.slice(2).split(' | ')

const table = (rowTexts) => {
  const rows = rowTexts.sort().map(toCells)
  const widths = rows.reduce(
    (widths, row) =>
      row.map((cell, n) => Math.max(cell.length, widths[n] ?? 0)).concat(widths.slice(row.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * A file waits for the difference of its times. The CPU time of a browser's renderers is in no row, because
 * nothing collects it when they are killed.
 */
const timesTable = (results) => {
  const toSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(9)
  const rows = results
    .map(({ file, passed, ms, cpuMs }) => ({ file, passed, ms, cpuMs: cpuMs || 0 }))
    .toSorted((a, b) => b.cpuMs - a.cpuMs)
  const sum = rows.reduce((total, { cpuMs }) => total + cpuMs, 0)
  return [
    `${'CPU'.padStart(9)}${'elapsed'.padStart(9)}  tests`,
    ...rows
      .slice(0, maxTimeRows)
      .map(
        ({ file, passed, ms, cpuMs }) =>
          `${toSeconds(cpuMs)}${toSeconds(ms)}${String(passed).padStart(7)}  ${file}`,
      ),
    `${toSeconds(sum)} CPU in all`,
  ].join('\n')
}

const readTimes = () => {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    return {}
  }
}

/** The last run that ends clears both folders. */
const cleanUp = () => {
  rmSync(marker, { force: true })
  rmSync(compiledFolder, { recursive: true, force: true })
  const names = readdirSync(nearFolder)
  if (names.some((name) => name.startsWith('running-') && isAlive(Number(name.slice(8))))) return
  for (const name of names) {
    if (!/^(tsx-|chromium|al20|fonts|swiftshader|test-times|ready|ordeal|screens)/.test(name))
      rmSync(join(nearFolder, name), { recursive: true, force: true })
  }
  if (tmp !== nearFolder) rmSync(tmp, { recursive: true, force: true })
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
    for (const testProcess of runningProcesses) testProcess.kill()
    cleanUp()
    process.exit(code)
  })
}

await main()
