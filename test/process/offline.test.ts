/**
 * `daimon verify` and `daimon salvage`, through the daemon that has locked the home, and without a daemon.
 */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { runDaimon } from './daemon.ts'

const daimon = (home: string, ...args: readonly string[]) => runDaimon({ home, args }).whenEnded

test('reports and salvages a damaged journal without a daemon', async () => {
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
    // Done by the running daemon, which accepts a name, too. Fails if the command reports that the home is
    // locked.
    const salvageRun = await daimon(home, 'salvage', 'ada')
    assert.equal(
      [salvageRun.code, salvageRun.stderr],
      [1, 'daimon: Its journal is not damaged. There is nothing to salvage.\n'],
    )
    const byDaemon = await daimon(home, 'verify', 'Ada')
    assert.equal([byDaemon.code, /whole, \d+ facts\n$/.test(byDaemon.stdout)], [0, true])
    await close()

    await damageJournal(home, ada, 4)
    const verifyRun = await daimon(home, 'verify')
    assert.is(verifyRun.code, 1)
    assert.match(verifyRun.stdout, `${ada}  damaged from fact 4 on\n`)
    assert.match(verifyRun.stdout, new RegExp(`${bea} {2}whole, \\d+ facts\n`))

    const { code, stdout } = await daimon(home, 'salvage', ada)
    assert.is(code, 0)
    assert.match(
      stdout,
      new RegExp(`${ada} {2}\\d+ facts kept, 1 lost, the first of them 4\noriginal journal: .*damaged`),
    )
    assert.is((await daimon(home, 'verify', ada)).code, 0)
    const secondSalvage = await daimon(home, 'salvage', ada)
    assert.equal(
      [secondSalvage.code, secondSalvage.stderr],
      [1, 'daimon: Its journal is not damaged. There is nothing to salvage.\n'],
    )
    assert.equal((await daimon(home, 'verify', 'nobody')).stderr, 'daimon: Persona not found.\n')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
