/**
 * Runs the fault suites whole, two at a time: `npm run ordeal [-- name…]`. What each said last is kept in `.tmp/ordeal.json`, also of the
 * suites that were not asked for, and printed as a table in Markdown: sizes, figures and the seeds that play it again.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({ allowPositionals: true, options: { kept: { type: 'string' }, in: { type: 'string' } } })
const kept = values.kept ?? join(root, '.tmp', 'ordeal.json')
const filters = positionals.length ? positionals.map((name) => `test/ordeal/${name}`) : ['test/ordeal/', 'test/documents/mutated']

const main = () => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const results = join(root, '.tmp', `ordeal-${process.pid}.json`)
  const env = { DAIMON_TEST_JOBS: '2', DAIMON_TEST_LIMIT: '7200', ...process.env, ORDEAL: 'whole' }
  const asked = values.in ? ['--in', values.in, ...positionals] : filters
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'test.mjs'), '--results', results, ...asked], {
    ...{ cwd: root, env, stdio: 'inherit' },
  })
  const ran = Object.values(read(results))
  rmSync(results, { force: true })
  const on = new Date().toISOString().slice(0, 10)
  const all = read(kept)
  for (const { file, ...result } of ran) all[file] = { on, node: process.versions.node, ...result }
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`)
  console.log(`\n${table(all)}`)
  process.exitCode = status ?? 1
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
    const cells = [`\`${basename(file, '.test.ts')}\``, failed ? `**${failed} failed**` : `${passed} passed`, minutes(ms), on]
    return `| ${[...cells, said.join(' · ').replaceAll('|', '\\|')].join(' | ')} |`
  })
  return ['| suite | result | minutes | on | what it went through |', '|---|---|---|---|---|', ...rows].join('\n')
}

const minutes = (ms) => (ms / 60_000).toFixed(1)

main()
