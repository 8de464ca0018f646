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
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { kept: { type: 'string', default: join(root, '.tmp', 'ordeal.json') }, in: { type: 'string' } },
})
/** Suites that measure time. Nothing runs in parallel with them. */
const timed = new Set(['many', 'slow', 'linear'])

const main = () => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const chosen = suites().filter((file) => !asked.length || asked.some((name) => nameOf(file).includes(name)))
  const alone = chosen.filter((file) => timed.has(nameOf(file)))
  const others = chosen.filter((file) => !timed.has(nameOf(file)))
  const fine = [run(alone, '1'), run(others, process.env.DAIMON_TEST_JOBS ?? '2')].every(Boolean)
  console.log(`\n${table(read(values.kept))}`)
  process.exitCode = fine && chosen.length ? 0 : 1
}

const suites = () => {
  const folder = values.in ?? 'test/ordeal'
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'))
  return [
    ...files.map((name) => join(folder, name)),
    ...(values.in ? [] : ['packages/documents/test/mutated.test.ts', 'test/scripts/linear.test.ts']),
  ]
}

const nameOf = (file) => basename(file, '.test.ts')

const run = (files, jobs) => {
  if (!files.length) return true
  const results = join(root, '.tmp', `ordeal-${process.pid}.json`)
  const env = { DAIMON_TEST_LIMIT: '7200', ...process.env, DAIMON_TEST_JOBS: jobs, ORDEAL: 'whole' }
  const place = values.in ? ['--in', values.in] : []
  const { status } = spawnSync(
    process.execPath,
    ['scripts/test.mjs', '--results', results, ...place, ...files],
    {
      ...{ cwd: root, env, stdio: 'inherit' },
    },
  )
  keep(Object.values(read(results)))
  rmSync(results, { force: true })
  return status === 0
}

const keep = (ran) => {
  const on = new Date().toISOString().slice(0, 10)
  const all = read(values.kept)
  for (const { file, ...result } of ran) all[file] = { on, node: process.versions.node, ...result }
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
    const { on, passed, failed, ms, told } = all[file]
    const said = told.map(([what, ...figures]) => `${what}: ${figures.join(', ')}`)
    const cells = [
      `\`${nameOf(file)}\``,
      failed ? `**${failed} failed**` : `${passed} passed`,
      minutes(ms),
      on,
    ]
    return `| ${[...cells, said.join(' · ').replaceAll('|', '\\|')].join(' | ')} |`
  })
  return ['| suite | result | minutes | on | figures |', '|---|---|---|---|---|', ...rows].join('\n')
}

const minutes = (ms) => (ms / 60_000).toFixed(1)

main()
