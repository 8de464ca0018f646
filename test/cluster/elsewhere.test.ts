/** Where a daemon of a cluster says that a persona is: only what it knows by now is told without an age. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createElsewhere, type Elsewhere } from '../../src/cluster/elsewhere.ts'
import type { HostState } from '../../src/cluster/hosting.ts'
import type { Announcement } from '../../src/cluster/registry.ts'
import type { Summary } from '../../src/cluster/summaries.ts'

const test = suite('where personas are')

const announced = (name: string): Announcement => ({
  instance: name,
  advertise: `http://${name}.example.org`,
  since: 0,
  leaving: false,
})

interface Stand {
  state?: HostState
  isHeld?: boolean
  isCutOff?: boolean
  /** Who told of it last. */
  host?: string
}

/** Asked of the daemon `one`; what it knows may change while somebody waits. */
const asked = (stand: Stand, waiting: () => void = () => undefined): Elsewhere =>
  createElsewhere({
    self: 'one',
    registry: {
      alive: () => new Map(['one', 'two'].map((name) => [name, announced(name)])),
      known: announced,
      answered: performance.now(),
      answers: async () => stand.isCutOff !== true,
    },
    summaries: {
      get: () => stand.host && ({ host: stand.host } as Summary),
    } as unknown as ReadonlyMap<string, Summary>,
    holdings: { has: () => stand.isHeld === true },
    known: () => true,
    state: () => stand.state,
    cutOff: () => stand.isCutOff === true,
    clock: { wait: async () => waiting() },
  })

const two = { at: 'host', host: { daemon: 'two', address: 'http://two.example.org' } }

test('is here while its lease is held', async () => {
  assert.equal(await asked({ state: 'here', isHeld: true, host: 'one' }).find('ada'), { at: 'here' })
})

// Seen failing where a daemon that had been cut off told what it had read once the servers answered again.
test('is not here any more once the servers answer and nobody has said yet who has it', async () => {
  const stand: Stand = { state: 'waiting', isCutOff: true, host: 'one' }
  assert.equal(await asked(stand).find('ada'), { at: 'here' })
  stand.isCutOff = false
  assert.equal(await asked(stand).find('ada'), { at: 'nowhere' })
  const heard = asked(stand, () => {
    stand.host = 'two'
  })
  assert.equal(await heard.find('ada'), two)
})

// Seen failing where a lease that had run out during a halt was not looked at.
test('is not here where its lease ran out and nobody was told', async () => {
  assert.equal(await asked({ state: 'here', host: 'one' }).find('ada'), { at: 'nowhere' })
  assert.equal(await asked({ state: 'here', host: 'two' }).find('ada'), two)
  assert.equal(await asked({ state: 'here', isCutOff: true, host: 'one' }).find('ada'), { at: 'here' })
})

test.run()
