/** The build, in a tree of its own that shares the sources. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

let tree = ''

test.before(() => {
  mkdirSync('.tmp', { recursive: true })
  tree = mkdtempSync(resolve('.tmp', 'build-'))
  for (const shared of ['node_modules', 'journal', 'projections', 'src', 'web', 'package.json'])
    symlinkSync(resolve(shared), join(tree, shared))
  cpSync('scripts/build.mjs', join(tree, 'scripts/build.mjs'))
})

test.after(() => rmSync(tree, { recursive: true, force: true }))

const built = (): readonly string[] => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: tree,
    encoding: 'utf8',
  })
  assert.equal([status, stderr], [0, ''])
  return readdirSync(join(tree, 'dist'), { recursive: true, encoding: 'utf8' }).sort()
}

/** Seen failing where chunks of earlier builds were kept for a day. */
test('leaves nothing but what a running daemon may ask for, and all that it refers to', () => {
  const [before, gone] = ['chunk-BEFOREXX.cjs', 'chunk-OLDOLDOL.cjs']
  mkdirSync(join(tree, 'dist'))
  writeFileSync(join(tree, 'dist', '.files'), before)
  for (const path of [before, gone]) writeFileSync(join(tree, 'dist', path), '')
  const first = built()
  assert.ok(first.includes(before), 'what the build before wrote stays')
  assert.not.ok(first.includes(gone))
  for (const path of [gone, 'web/assets/talk-OLDOLDOL.js', 'compiled/v20/daimon.cjs', '.daimon']) {
    mkdirSync(dirname(join(tree, 'dist', path)), { recursive: true })
    writeFileSync(join(tree, 'dist', path), '')
  }
  const files = built()
  assert.equal(
    files,
    first.filter((path) => path !== before),
  )
  for (const path of files.filter((path) => path.endsWith('.cjs'))) {
    const text = readFileSync(join(tree, 'dist', path), 'utf8')
    for (const [, asked = ''] of text.matchAll(/\brequire\("(\.\/[^"]+)"\)/g))
      assert.ok(existsSync(join(tree, 'dist', asked)), `${path} asks for ${asked}`)
    assert.ok(existsSync(join(tree, 'dist', `${path}.map`)), path)
  }
})

test.run()
