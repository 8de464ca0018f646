/** Error texts that leave the daemon contain no absolute path. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pathless } from '../files/pathless.ts'

const place = join(tmpdir(), 'some where', 'personas', 'ada', 'journal', 'CURRENT')
const plain = join(tmpdir(), 'somewhere', 'personas', 'ada', 'journal', '000005.ldb')

test('names files of the home by their path there, and others by their last name', () => {
  assert.is(
    pathless(`ENOENT: no such file or directory, open '${place}'`),
    "ENOENT: no such file or directory, open 'personas/ada/journal/CURRENT'",
  )
  assert.is(
    pathless(`IO error: ${plain}: Too many open files`),
    'IO error: personas/ada/journal/000005.ldb: Too many open files',
  )
  assert.is(
    pathless(`Cannot find module '${join(tmpdir(), 'lib', 'argon2.node')}'`),
    "Cannot find module 'argon2.node'",
  )
  assert.is(pathless(`at open (file://${join(tmpdir(), 'dist', 'main.js')}:1:2)`), 'at open (main.js:1:2)')
  assert.is(
    pathless(`rename '${plain}' -> '${join(tmpdir(), 'x', 'trash', 'one')}'`),
    "rename 'personas/ada/journal/000005.ldb' -> 'trash/one'",
  )
})

test('does not change addresses, routes and other text', () => {
  for (const text of [
    'The runtime at http://localhost:11434/tmp/api does not answer.',
    'GET /api/persona/ada/export',
    'and/or, 1/2, ./tmp, ../tmp, a/tmp, ~/tmp, /tmpfs',
    'She said: "hello" / goodbye.',
  ])
    assert.is(pathless(text), text)
})

test('handles a text of a million quotation marks quickly', () => {
  for (const text of [
    "'/tmp".repeat(200_000),
    '/tmp/'.repeat(200_000),
    `'/tmp/${'a'.repeat(1_000_000)}`,
    '/'.repeat(1_000_000),
  ]) {
    const cpuBefore = process.cpuUsage()
    pathless(text)
    assert.ok(process.cpuUsage(cpuBefore).user < 2_000_000, text.slice(0, 20))
  }
})

test.run()
