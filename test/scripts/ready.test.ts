import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

/** Simulates npm: records its arguments and creates the files of an install. */
const npm = `#!/bin/sh
  echo "$*" >> installs.log
  rm -rf node_modules
  mkdir node_modules
  echo '{"packages":{"node_modules/dep":{"version":"1.0.0","integrity":"sha512-dep"}}}' > node_modules/.package-lock.json
`

const build = `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
  appendFileSync('builds.log', 'built\\n')
  if (readFileSync('src/main.ts', 'utf8').includes('broken')) process.exit(1)
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/main.js', '')
`

const project = {
  'package.json': JSON.stringify({
    name: 'tree',
    type: 'module',
    engines: { node: '^18.0.0 || >=20' },
    dependencies: { dep: '1.0.0' },
  }),
  'package-lock.json': JSON.stringify({
    packages: {
      '': { dependencies: { dep: '1.0.0' } },
      'node_modules/dep': { version: '1.0.0', integrity: 'sha512-dep' },
    },
  }),
  'bin/npm': npm,
  'scripts/build.mjs': build,
  'src/main.ts': 'one',
  'web/index.html': '',
}

let tree = ''

test.before.each(() => {
  tree = mkdtempSync(join(tmpdir(), 'ready-'))
  for (const [path, text] of Object.entries(project)) write(path, text)
  chmodSync(join(tree, 'bin/npm'), 0o755)
  for (const name of ['ready', 'built'])
    copyFileSync(`scripts/${name}.mjs`, join(tree, `scripts/${name}.mjs`))
})

test.after.each(() => rmSync(tree, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

const environment = () => {
  const { npm_execpath: _, ...env } = process.env
  return { cwd: tree, env: { ...env, PATH: `${join(tree, 'bin')}${delimiter}${process.env.PATH}` } }
}

const ready = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, ['scripts/ready.mjs', ...args], { ...environment(), encoding: 'utf8' })

const count = (log: string) =>
  existsSync(join(tree, log)) ? readFileSync(join(tree, log), 'utf8').trimEnd().split('\n').length : 0
const countSteps = () => ({ installs: count('installs.log'), builds: count('builds.log') })

test('installs and builds a bare tree, and reports it only on stderr', () => {
  const { status, stdout, stderr } = ready()
  assert.equal([status, stdout], [0, ''])
  assert.match(stderr, /installing packages[\s\S]*building/)
  assert.equal(countSteps(), { installs: 1, builds: 1 })
})

test('installs the build tools even if the caller omits development packages', () => {
  ready()
  assert.match(readFileSync(join(tree, 'installs.log'), 'utf8'), /^ci --include=dev/)
})

test('does nothing and says nothing when nothing changed', () => {
  ready()
  assert.is(ready().stderr, '')
  assert.equal(countSteps(), { installs: 1, builds: 1 })
})

test('builds again when a source changed, came or went', () => {
  ready()
  write('src/main.ts', 'two')
  ready()
  write('web/deep/icon.svg', '')
  ready()
  rmSync(join(tree, 'web/deep/icon.svg'))
  ready()
  assert.equal(countSteps(), { installs: 1, builds: 4 })
})

test('installs and builds again when another version is locked', () => {
  ready()
  write('package-lock.json', project['package-lock.json'].replaceAll('sha512-dep', 'sha512-newer'))
  ready()
  assert.equal(countSteps(), { installs: 2, builds: 2 })
})

test('installs again when a package was removed by hand', () => {
  ready()
  write('node_modules/.package-lock.json', '{"packages":{}}')
  ready()
  assert.is(countSteps().installs, 2)
})

test('takes an install that was made by hand', () => {
  spawnSync(join(tree, 'bin/npm'), ['ci'], environment())
  ready()
  assert.is(countSteps().installs, 1)
})

test('installs again for another Node', () => {
  ready()
  const stamp = readFileSync(join(tree, 'node_modules/.daimon'), 'utf8')
  write('node_modules/.daimon', stamp.replace(/^node \d+/, 'node 4'))
  ready()
  assert.is(countSteps().installs, 2)
})

test('fails with a build that fails, and tries it again the next time', () => {
  write('src/main.ts', 'broken')
  const { status, stderr } = ready()
  assert.is(status, 1)
  assert.match(stderr, /the build failed \(exit 1\)/)
  write('src/main.ts', 'mended')
  assert.is(ready().status, 0)
})

test('leaves the build alone when only the packages are wanted', () => {
  assert.is(ready('packages').status, 0)
  assert.equal(countSteps(), { installs: 1, builds: 0 })
})

test('installs and builds once when two start together', async () => {
  write('bin/npm', `${npm} sleep 0.5`)
  const bothRuns = [1, 2].map(() =>
    spawn(process.execPath, ['scripts/ready.mjs'], { ...environment(), stdio: 'ignore' }),
  )
  const codes = await Promise.all(bothRuns.map(async (child) => (await once(child, 'exit'))[0]))
  assert.equal(codes, [0, 0])
  assert.equal(countSteps(), { installs: 1, builds: 1 })
})

test('takes over from one that was killed in its work', () => {
  write('.tmp/ready.lock', '999999999')
  assert.is(ready().status, 0)
  assert.not.ok(existsSync(join(tree, '.tmp/ready.lock')))
})

test('says which Node it needs', () => {
  write('package.json', project['package.json'].replace('^18.0.0 || >=20', '^97.1.0 || >=99'))
  const { status, stderr } = ready()
  assert.is(status, 1)
  assert.is(
    stderr,
    `daimon: needs Node 97.1 or later, 99.0 or later; this is ${process.versions.node}. See https://nodejs.org.\n`,
  )
  assert.equal(countSteps(), { installs: 0, builds: 0 })
})

test.run()
