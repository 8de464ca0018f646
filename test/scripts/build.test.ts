/** The files that the build leaves in `dist/` are complete. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

type Publish = (dist: string, files: ReadonlyMap<string, string>) => void
const { publish }: { publish: Publish } = await import(pathToFileURL('scripts/publish.mjs').href)

let dist = ''

test.before(() => {
  mkdirSync('.tmp', { recursive: true })
  dist = mkdtempSync(resolve('.tmp', 'dist-'))
})

test.after(() => rmSync(dist, { recursive: true, force: true }))

const lay = (path: string) => {
  mkdirSync(dirname(join(dist, path)), { recursive: true })
  writeFileSync(join(dist, path), '')
}

const listPublished = (...paths: readonly string[]): readonly string[] => {
  publish(dist, new Map(['main.js', ...paths].map((path) => [join(dist, path), path])))
  return readdirSync(dist, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile() && !['.files', '.npmignore'].includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .sort()
}

/** Fails if chunks of earlier builds are kept for a day. */
test('leaves only files that a running daemon may need', () => {
  const first = 'chunk-1.cjs'
  const second = 'web/assets/talk-2.js'
  const third = 'chunk-3.cjs'
  assert.equal(listPublished(first), [first, 'main.js'])
  assert.equal(listPublished(second), [first, 'main.js', second], 'keeps the files of the previous build')
  for (const path of ['chunk-0.cjs', 'web/assets/talk-0.js', 'compiled/v20/daimon.cjs', '.daimon']) lay(path)
  assert.equal(listPublished(third), [third, 'main.js', second])
})

test('contains every chunk of the daemon, with its map and its imports', () => {
  const builtFiles = readFileSync('dist/.files', 'utf8').split('\n')
  const chunks = builtFiles.filter((path) => path.endsWith('.cjs'))
  assert.ok(chunks.length > 10)
  for (const path of chunks) {
    const text = readFileSync(join('dist', path), 'utf8')
    for (const [, asked = ''] of text.matchAll(/\brequire\("(\.\/[^"]+)"\)/g))
      assert.ok(existsSync(join('dist', asked)), `${path} asks for ${asked}`)
    assert.ok(existsSync(join('dist', `${path}.map`)), path)
  }
})

test.run()
