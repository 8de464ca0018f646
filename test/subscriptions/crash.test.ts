/** Kills the daemon at random moments: no fact is skipped, and a fact that comes again is the same. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, pause, waitFor } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import { startProcess } from '../process/daemon.ts'
import { chanceFrom } from '../random.ts'
import { openReceiver } from './receiver.ts'

const crashes = 6
const ends: (() => Promise<unknown>)[] = []
test.after(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('delivers every fact at least once, in order, while the daemon is killed again and again', async () => {
  const home = await tempHome()
  const receiver = await openReceiver()
  ends.push(() => rm(home, { recursive: true, force: true }), receiver.close)
  const chance = chanceFrom(11)
  let daemon = await startProcess({ home })
  ends.push(() => daemon.kill('SIGKILL'))
  const { persona } = (
    await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
  ).body
  const memories = `/api/persona/${persona.id}/memories`
  const subscription = { webhook: { url: receiver.url }, words: true, start: 'beginning' }
  assert.is((await call(daemon.url, 'PUT', '/api/subscriptions/audit', subscription)).status, 200)
  // Most crashes hit a request on its way.
  receiver.delayMs = 300
  let written = 0
  for (let n = 0; n < crashes; n++) {
    let isKilled = false
    const write = async () => {
      while (!isKilled) {
        const { status } = await call(daemon.url, 'POST', memories, {
          document: 'person',
          text: `Thing ${n}.`,
        })
        if (status === 200) written++
      }
    }
    const writers = [1, 2, 3].map(() => write().catch(() => undefined))
    const target = written + chance.pickBetween(1, 12)
    await waitFor('some facts are written', () => written >= target)
    // The moment of the crash is random; it is not a wait for anything.
    await pause(chance.pickBetween(0, 400))
    await daemon.kill('SIGKILL')
    isKilled = true
    await Promise.all(writers)
    daemon = await startProcess({ home })
  }
  receiver.delayMs = 0
  await waitFor('all facts are delivered', async () => {
    const { lag, state } = (await call(daemon.url, 'GET', '/api/subscriptions/audit')).body
    return lag.facts === 0 && state === 'well'
  })
  const journal = String((await call(daemon.url, 'GET', `/api/persona/${persona.id}/journal`)).body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  await daemon.kill('SIGTERM')
  const facts = receiver.facts(persona.id)
  const firstTimes = new Map(facts.toReversed().map((fact) => [fact.seq, fact]))
  assert.equal(
    [...firstTimes.values()].sort((a, b) => a.seq - b.seq),
    journal,
  )
  let newest = 0
  for (const { seq, hash } of facts) {
    assert.is(hash, journal[seq - 1].hash)
    // A fact that is new comes directly after the newest one.
    assert.ok(seq <= newest + 1)
    newest = Math.max(newest, seq)
  }
})

test.run()
