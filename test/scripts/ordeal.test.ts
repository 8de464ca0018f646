/** The run of the fault suites, and the results that it stores. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const suite = (size: string, seenText = '') =>
  `import { test } from 'uvu'; import * as assert from 'uvu/assert'
  test('a', () => { console.log('· cuts | ' + (process.env.ORDEAL === 'whole' ? '${size}' : 'a tenth') + ' | SEED=7'); ${seenText} }); test.run()`

let folder = ''
const runOrdeal = (...filters: readonly string[]) => {
  const keptPath = join(folder, 'kept.json')
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/ordeal.mjs', '--in', folder, '--kept', keptPath, ...filters],
    {
      encoding: 'utf8',
    },
  )
  return {
    status,
    rows: stdout.split('\n').filter((line) => line.startsWith('| `')),
    kept: JSON.parse(readFileSync(keptPath, 'utf8')),
  }
}

test.before(() => {
  mkdirSync('.tmp', { recursive: true })
  folder = mkdtempSync(join('.tmp', 'ordeal-run-')) // Inside the project, so that uvu is found.
  writeFileSync(join(folder, 'power.test.ts'), suite('500 cuts'))
  writeFileSync(join(folder, 'slow.test.ts'), suite('50 clients', 'assert.is(1, 2)'))
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('each suite runs whole, and its figures and seed stay in the table until it runs again', () => {
  const first = runOrdeal()
  assert.is(first.status, 1)
  assert.equal(
    first.rows.map((row) => row.replace(/\d{4}-\d\d-\d\d/, 'today').replace(/\d+\.\d/, '0.0')),
    [
      '| `power` | 1 passed | 0.0 | today | cuts: 500 cuts, SEED=7 |',
      '| `slow` | **1 failed** | 0.0 | today | cuts: 50 clients, SEED=7 |',
    ],
  )

  writeFileSync(join(folder, 'slow.test.ts'), suite('60 clients'))
  const second = runOrdeal('slow')
  assert.is(second.status, 0)
  assert.match(second.rows[0] ?? '', /`power` \| 1 passed .* 500 cuts/)
  assert.match(second.rows[1] ?? '', /`slow` \| 1 passed .* 60 clients/)
  assert.equal(second.kept[join(folder, 'power.test.ts')].told, [['cuts', '500 cuts', 'SEED=7']])
})

test.run()
