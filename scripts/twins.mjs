/**
 * Runs suites against builds that are broken on purpose, in a copy: `npm run twins [-- name…]`. A suite that passes there proves nothing,
 * so it is this run that fails then. `SEED` and `ORDEAL` reach the tests.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const left = new Set(['.git', '.tmp', 'node_modules', 'dist', 'coverage'])

/** What is taken out of `file`: `from` stands there once, `to` stands there instead. `tests` must notice. */
const twins = JSON.parse(readFileSync(join(root, 'test', 'twins.json'), 'utf8'))

const main = () => {
  const asked = process.argv.slice(2)
  const chosen = twins.filter(({ name }) => !asked.length || asked.some((word) => name.includes(word)))
  const rows = chosen.map((twin) => {
    const [fine, said] = run(twin)
    const row = `${fine ? 'noticed' : 'MISSED '}  ${twin.name}  (${twin.tests.join(', ')}): ${said}`
    console.log(row)
    return fine
  })
  const missed = rows.filter((fine) => !fine).length
  console.log(`\n${rows.length - missed} twins noticed, ${missed} missed`)
  process.exitCode = missed || !rows.length ? 1 : 0
}

const run = ({ file, from, to, tests }) => {
  const copy = mkdtempSync(join(tmpdir(), 'twin-'))
  try {
    cpSync(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path).split('/')[0]) })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    mkdirSync(join(copy, '.tmp'))
    const path = join(copy, file)
    const source = readFileSync(path, 'utf8')
    if (source.split(from).length !== 2) return [false, `${file} does not hold the words to be replaced exactly once`]
    writeFileSync(
      path,
      source.replace(from, () => to),
    )
    const built = node(copy, 'scripts/build.mjs')
    if (built.status !== 0) return [false, `it cannot be built: ${built.stderr.trim().split('\n')[0]}`]
    const { status, stdout } = node(copy, 'scripts/test.mjs', ...tests)
    const count = /^\d+ passed, \d+ failed$/m.exec(stdout)?.[0] ?? 'no count'
    return [status !== 0 && !/ 0 failed$/.test(count) && count !== 'no count', `${count}${firstFailure(stdout)}`]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const node = (cwd, ...args) => spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 27 })

const firstFailure = (stdout) => {
  const [, name, why] = /^ +FAIL +(.*)\n +(.*)/m.exec(stdout) ?? []
  return name ? ` – ${name.slice(0, 80)}: ${(why ?? '').slice(0, 100)}` : ''
}

main()
