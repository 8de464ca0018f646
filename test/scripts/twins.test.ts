/** The mutants of the suites still apply to the code. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

let folder = ''
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'twins-'))
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

const applies = (...args: readonly string[]) => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/twins.mjs', '--applies', ...args], {
    encoding: 'utf8',
  })
  return { status, lines: stdout.trimEnd().split('\n') }
}

const inJournal = {
  file: 'journal/log/journal-writer.ts',
  from: '{ sync: true }',
  to: '{ sync: false }',
  tests: ['test/ordeal/power'],
}

// Fails for two rules that had moved to other files.
test('every mutant still applies to the code', () => {
  const { status, lines } = applies()
  const all: unknown[] = JSON.parse(readFileSync('test/twins.json', 'utf8'))
  assert.equal(
    lines.filter((line) => !line.startsWith('fits ')),
    ['', `${all.length} twins fit, 0 missed`],
  )
  assert.is(status, 0)
})

for (const [what, change, said] of [
  [
    'words that are gone',
    { from: 'nobody wrote this' },
    'journal/log/journal-writer.ts does not contain the text to replace exactly once',
  ],
  [
    'words that stand there twice',
    { from: 'const ' },
    'journal/log/journal-writer.ts does not contain the text to replace exactly once',
  ],
  ['a file that is gone', { file: 'journal/nowhere.ts' }, 'journal/nowhere.ts is gone'],
  [
    'a change that leaves no code',
    { to: '{ sync: ' },
    'journal/log/journal-writer.ts does not compile any more',
  ],
  ['a test that is gone', { tests: ['test/nowhere'] }, 'the test test/nowhere does not exist'],
] as const) {
  test(`reports a mutant with ${what}`, () => {
    const list = join(folder, 'list.json')
    writeFileSync(list, JSON.stringify([{ name: 'sync off', ...inJournal, ...change }]))
    const { status, lines } = applies('--list', list)
    assert.is(status, 1)
    assert.ok(lines[0]?.startsWith('STALE  sync off  ') && lines[0].endsWith(`: ${said}`), lines.join('\n'))
    assert.is(lines.at(-1), '0 twins fit, 1 missed')
  })
}

test.run()
