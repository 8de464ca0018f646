/** Runs all checks, also after one has failed, and prints a table of their results. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const holdsTypeScript = (folder) =>
  existsSync(join(root, folder)) &&
  readdirSync(join(root, folder), { recursive: true }).some((name) => name.endsWith('.ts'))
// Named one by one: without paths, oxlint walks into node_modules.
const folders = [
  'packages',
  'journal',
  'facts',
  'home',
  'projections',
  'src',
  'web',
  'test',
  'bench',
  'scripts',
].filter(holdsTypeScript)

// Sizes are a thing to think about, never a reason to cut in two what is one: `npm run check -- --sizes`.
const sizes = process.argv.includes('--sizes')

const checks = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  {
    name: 'types of the page',
    command: ['svelte-check', '--tsconfig', 'web/tsconfig.json', '--fail-on-warnings'],
    needs: 'web',
  },
  {
    name: 'format and lint',
    command: [
      'biome',
      'check',
      '--error-on-warnings',
      '--max-diagnostics=100',
      `--diagnostic-level=${sizes ? 'info' : 'warn'}`,
      '.',
    ],
  },
  { name: 'promises', command: ['oxlint', '--type-aware', ...folders] },
  // With a compiler it does not know, it sees nothing and is content.
  {
    name: 'directions',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders],
    never: /\(0 modules/,
  },
  { name: 'dead code', command: ['knip'] },
  { name: 'expressions', command: [process.execPath, join(root, 'scripts', 'linear.mjs')] },
  { name: 'prose', command: [process.execPath, join(root, 'scripts', 'prose.mjs')] },
  { name: 'file names', command: [process.execPath, join(root, 'scripts', 'file-names.mjs')] },
  { name: 'comments', command: [process.execPath, join(root, 'scripts', 'comments.mjs')] },
].filter(({ needs }) => !needs || folders.includes(needs))

// Colours hide words from a search, and one tool takes CI for a terminal that shows them.
const { FORCE_COLOR: _, CI: __, ...given } = process.env
const env = { ...given, NO_COLOR: '1' }

const main = async () => {
  // The page's types are generated, not committed.
  execFileSync(process.execPath, ['--import', 'tsx', 'test/web/api-types.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  const waitingChecks = [...checks]
  const results = new Map()
  const work = async () => {
    for (let check = waitingChecks.shift(); check; check = waitingChecks.shift())
      results.set(check.name, await look(check))
  }
  await Promise.all([work(), work()])

  for (const { name } of checks) {
    const { fine, output } = results.get(name)
    if (!fine || (sizes && name === 'format and lint')) console.log(`\n── ${name} ──\n${output.trimEnd()}`)
  }
  console.log()
  for (const { name } of checks) {
    const { fine, ms } = results.get(name)
    console.log(`${fine ? 'ok  ' : 'FAIL'} ${(ms / 1000).toFixed(1).padStart(5)} s  ${name}`)
  }
  process.exitCode = [...results.values()].every(({ fine }) => fine) ? 0 : 1
}

const look = ({ command: [tool, ...args], never }) =>
  new Promise((finish) => {
    const startTime = performance.now()
    const child = spawn(resolve(root, 'node_modules', '.bin', tool), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    let output = ''
    const addOutput = (text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', addOutput)
    child.stderr.setEncoding('utf8').on('data', addOutput)
    child.on('error', (error) => addOutput(`${tool} could not be started: ${error.message}`))
    child.on('close', (code) =>
      finish({ fine: code === 0 && !never?.test(output), ms: performance.now() - startTime, output }),
    )
  })

await main()
