/** No text that leaves the daemon names a place of this machine. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pathless } from '../files/pathless.ts'

const place = join(tmpdir(), 'some where', 'personas', 'ada', 'journal', 'CURRENT')
const plain = join(tmpdir(), 'somewhere', 'personas', 'ada', 'journal', '000005.ldb')

test('what lies in the home is told by its name there, anything else by its last name', () => {
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

test('addresses, routes and other words stay as they are', () => {
  for (const text of [
    'The runtime at http://localhost:11434/tmp/api does not answer.',
    'GET /api/persona/ada/export',
    'and/or, 1/2, ./tmp, ../tmp, a/tmp, ~/tmp, /tmpfs',
    'She said: "hello" / goodbye.',
  ])
    assert.is(pathless(text), text)
})

test('a text of a million marks takes no time to speak of', () => {
  for (const text of [
    "'/tmp".repeat(200_000),
    '/tmp/'.repeat(200_000),
    `'/tmp/${'a'.repeat(1_000_000)}`,
    '/'.repeat(1_000_000),
  ]) {
    const began = process.cpuUsage()
    pathless(text)
    assert.ok(process.cpuUsage(began).user < 2_000_000, text.slice(0, 20))
  }
})

test.run()
