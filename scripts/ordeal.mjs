/**
 * Runs the complete fault suites, two at a time except those that measure time: `npm run ordeal [-- name…]`.
 * The last results of all suites are stored in `.tmp/ordeal.json` and printed as a Markdown table: sizes,
 * figures and the seeds that reproduce the run.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { kept: { type: 'string', default: join(root, '.tmp', 'ordeal.json') }, in: { type: 'string' } },
})
/** Suites that measure time. Nothing runs in parallel with them. */
const timedSuites = new Set(['many', 'slow', 'linear'])

const main = () => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const files = suites().filter(
    (file) => !filters.length || filters.some((name) => getName(file).includes(name)),
  )
  const timedFiles = files.filter((file) => timedSuites.has(getName(file)))
  const otherFiles = files.filter((file) => !timedSuites.has(getName(file)))
  const isFine = [run(timedFiles, '1'), run(otherFiles, process.env.DAIMON_TEST_JOBS ?? '2')].every(Boolean)
  console.log(`\n${table(read(values.kept))}`)
  process.exitCode = isFine && files.length ? 0 : 1
}

const suites = () => {
  const folder = values.in ?? 'test/ordeal'
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'))
  return [
    ...files.map((name) => join(folder, name)),
    ...(values.in ? [] : ['packages/documents/test/mutated.test.ts', 'test/scripts/linear.test.ts']),
  ]
}

const getName = (file) => basename(file, '.test.ts')

const run = (files, jobs) => {
  if (!files.length) return true
  const results = join(root, '.tmp', `ordeal-${process.pid}.json`)
  const env = { DAIMON_TEST_LIMIT: '7200', ...process.env, DAIMON_TEST_JOBS: jobs, ORDEAL: 'whole' }
  const place = values.in ? ['--in', values.in] : []
  const { status } = spawnSync(
    process.execPath,
    ['scripts/test.mjs', '--results', results, ...place, ...files],
    {
      cwd: root,
      env,
      stdio: 'inherit',
    },
  )
  keepResults(Object.values(read(results)))
  rmSync(results, { force: true })
  return status === 0
}

const keepResults = (results) => {
  const date = new Date().toISOString().slice(0, 10)
  const all = read(values.kept)
  for (const { file, ...result } of results) all[file] = { on: date, node: process.versions.node, ...result }
  writeFileSync(values.kept, `${JSON.stringify(all, null, 2)}\n`)
}

const read = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

const table = (all) => {
  const files = Object.keys(all).sort()
  const rows = files.map((file) => {
    const { on: date, passed, failed, ms, told } = all[file]
    const descriptions = told.map(([name, ...figures]) => `${name}: ${figures.join(', ')}`)
    const cells = [
      `\`${getName(file)}\``,
      failed ? `**${failed} failed**` : `${passed} passed`,
      minutes(ms),
      date,
    ]
    return `| ${[...cells, descriptions.join(' · ').replaceAll('|', '\\|')].join(' | ')} |`
  })
  return ['| suite | result | minutes | on | figures |', '|---|---|---|---|---|', ...rows].join('\n')
}

const minutes = (ms) => (ms / 60_000).toFixed(1)

main()
