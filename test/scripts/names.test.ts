/** The look at names of files. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import { equal } from 'uvu/assert'

const told = (...paths: readonly string[]): readonly [code: number | null, said: string] => {
  const root = mkdtempSync(join(tmpdir(), 'names-'))
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  const { status, stdout } = spawnSync(process.execPath, ['scripts/names.mjs', root], { encoding: 'utf8' })
  rmSync(root, { recursive: true })
  return [status, stdout.trim()]
}

test('a name that stands in two folders is told, with both', () => {
  equal(told('src/persona/plan.ts', 'journal/plan.ts', 'projections/plans.ts'), [
    1,
    'plan.ts is the name of journal/plan.ts and src/persona/plan.ts',
  ])
})

test('what each platform has one of may repeat', () => {
  equal(
    told(
      'src/channels/telegram/message.ts',
      'src/channels/discord/message.ts',
      'src/channels/platform.ts',
      'src/channels/discord/platform.ts',
    ),
    [0, ''],
  )
})

test('one that sees nothing is not content', () => {
  equal(told('web/main.ts'), [1, 'no file was seen'])
})

test.run()
