/**
 * Runs suites against deliberately broken copies of the source tree: `npm run twins [-- name…]`. The run
 * fails if a suite passes against its broken copy, because such a suite proves nothing. `SEED` and `ORDEAL`
 * are passed to the tests. `--applies` only checks that each change can still be made.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { transform } from 'esbuild'
import { filesIn, testFoldersOfPackages } from './files-in.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const leftOutNames = new Set(['.git', '.tmp', 'node_modules', 'dist', 'coverage'])
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    applies: { type: 'boolean' },
    list: { type: 'string', default: join(root, 'test', 'twins.json') },
  },
})

/** In `file`, the text `from`, which occurs once, is replaced by `to`. `tests` must then fail. */
const twins = JSON.parse(readFileSync(values.list, 'utf8')).filter(
  ({ name }) => !filters.length || filters.some((word) => name.includes(word)),
)

const main = async () => {
  const judge = values.applies ? applies : notices
  let missedCount = 0
  for (const twin of twins) {
    const [isFine, detail] = await judge(twin).catch((error) => [false, error.message])
    if (!isFine) missedCount++
    console.log(
      `${isFine ? judge.well : judge.ill}  ${twin.name}  (${twin.tests.join(', ')})${detail ? `: ${detail}` : ''}`,
    )
  }
  console.log(`\n${twins.length - missedCount} twins ${judge.sum}, ${missedCount} missed`)
  process.exitCode = missedCount || !twins.length ? 1 : 0
}

/**
 * Returns the changed file. Throws if the change cannot be made: the code has changed, or the result does not
 * compile.
 */
const brokenFile = async ({ file, from, to }) => {
  if (!existsSync(join(root, file))) throw new Error(`${file} is gone`)
  const source = readFileSync(join(root, file), 'utf8')
  if (source.split(from).length !== 2)
    throw new Error(`${file} does not contain the text to replace exactly once`)
  const brokenSource = source.replace(from, () => to)
  await compileSource(file, brokenSource).catch(() => {
    throw new Error(`${file} does not compile any more`)
  })
  return brokenSource
}

const compileSource = async (file, source) => {
  if (!file.endsWith('.svelte')) return transform(source, { loader: 'ts', logLevel: 'silent' })
  const { compile } = await import('svelte/compiler')
  return compile(source, { filename: file })
}

const applies = async (twin) => {
  await brokenFile(twin)
  const missingTest = twin.tests.find((filter) => !testFiles().some((path) => path.includes(filter)))
  return missingTest === undefined ? [true, ''] : [false, `the test ${missingTest} does not exist`]
}
Object.assign(applies, { well: 'fits ', ill: 'STALE', sum: 'fit' })

const testFiles = () =>
  [join(root, 'test'), ...testFoldersOfPackages(root)]
    .flatMap((folder) => filesIn(folder, ['.']).map((path) => relative(root, join(folder, path))))
    .filter((path) => path.endsWith('.test.ts'))

const notices = async (twin) => {
  const brokenSource = await brokenFile(twin)
  const copy = mkdtempSync(join(tmpdir(), 'twin-'))
  try {
    cpSync(root, copy, {
      recursive: true,
      filter: (path) => !leftOutNames.has(relative(root, path).split('/')[0]),
    })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    mkdirSync(join(copy, '.tmp'))
    writeFileSync(join(copy, twin.file), brokenSource)
    const buildResult = node(copy, 'scripts/build.mjs')
    if (buildResult.status !== 0)
      return [false, `it cannot be built: ${buildResult.stderr.trim().split('\n')[0]}`]
    const { status, stdout } = node(copy, 'scripts/test.mjs', ...twin.tests)
    const count = /^\d+ passed, \d+ failed$/m.exec(stdout)?.[0] ?? 'no count'
    return [
      status !== 0 && !/ 0 failed$/.test(count) && count !== 'no count',
      `${count}${firstFailure(stdout)}`,
    ]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
Object.assign(notices, { well: 'noticed', ill: 'MISSED ', sum: 'noticed' })

const node = (cwd, ...args) =>
  spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 27 })

const firstFailure = (stdout) => {
  const [, name, reason] = /^ +FAIL +(.*)\n +(.*)/m.exec(stdout) ?? []
  return name ? ` – ${name.slice(0, 80)}: ${(reason ?? '').slice(0, 100)}` : ''
}

await main()
