/** `daimon verify` and `daimon salvage`: by the daemon that has the home, and on one that none has. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damage } from '../damaged.ts'
import { runDaimon } from './daemon.ts'

const daimon = (home: string, ...args: readonly string[]) => runDaimon({ home, args }).ended

test('a damaged journal is named, salvaged and whole again without a daemon', async () => {
  const home = await tempHome()
  try {
    const { url, close } = await startDaemon({ home })
    const ids: string[] = []
    for (const name of ['Ada', 'Bea'])
      ids.push(
        (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body
          .persona.id,
      )
    const [ada = '', bea = ''] = ids
    // Its daemon does it, and knows it by its name, too. Seen failing where it was told to be held.
    const asked = await daimon(home, 'salvage', 'ada')
    assert.equal(
      [asked.code, asked.stderr],
      [1, 'daimon: Its journal is not damaged. There is nothing to salvage.\n'],
    )
    const byDaemon = await daimon(home, 'verify', 'Ada')
    assert.equal([byDaemon.code, /whole, \d+ facts\n$/.test(byDaemon.stdout)], [0, true])
    await close()

    await damage(home, ada, 4)
    const found = await daimon(home, 'verify')
    assert.is(found.code, 1)
    assert.match(found.stdout, `${ada}  damaged from fact 4 on\n`)
    assert.match(found.stdout, new RegExp(`${bea} {2}whole, \\d+ facts\n`))

    const { code, stdout } = await daimon(home, 'salvage', ada)
    assert.is(code, 0)
    assert.match(
      stdout,
      new RegExp(`${ada} {2}\\d+ facts kept, 1 lost, the first of them 4\noriginal journal: .*damaged`),
    )
    assert.is((await daimon(home, 'verify', ada)).code, 0)
    const whole = await daimon(home, 'salvage', ada)
    assert.equal(
      [whole.code, whole.stderr],
      [1, 'daimon: Its journal is not damaged. There is nothing to salvage.\n'],
    )
    assert.equal((await daimon(home, 'verify', 'nobody')).stderr, 'daimon: Persona not found.\n')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
