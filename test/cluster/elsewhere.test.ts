/**
 * The location of a persona as a daemon of a cluster reports it: only up-to-date data is sent without an age.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createElsewhere, type Elsewhere } from '../../src/cluster/elsewhere.ts'
import type { HostState } from '../../src/cluster/hosting.ts'
import type { Announcement } from '../../src/cluster/registry.ts'
import type { Summary } from '../../src/cluster/summaries.ts'

const test = suite('where personas are')

const toAnnouncement = (name: string): Announcement => ({
  instance: name,
  advertise: `http://${name}.example.org`,
  since: 0,
  leaving: false,
})

interface Knowledge {
  state?: HostState
  isHeld?: boolean
  isCutOff?: boolean
  /** The host in the last summary. */
  host?: string
}

/** Asks the daemon `one`; its data may change during the wait. */
const createFinder = (stand: Knowledge, waiting: () => void = () => undefined): Elsewhere =>
  createElsewhere({
    self: 'one',
    registry: {
      alive: () => new Map(['one', 'two'].map((name) => [name, toAnnouncement(name)])),
      known: toAnnouncement,
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

const hostTwo = { at: 'host', host: { daemon: 'two', address: 'http://two.example.org' } }

test('is here while its lease is held', async () => {
  assert.equal(await createFinder({ state: 'here', isHeld: true, host: 'one' }).find('ada'), { at: 'here' })
})

// Fails if a daemon that was cut off returns the data it had read before, after the servers answer again.
test('is not here once the servers answer, until a host is announced', async () => {
  const stand: Knowledge = { state: 'waiting', isCutOff: true, host: 'one' }
  assert.equal(await createFinder(stand).find('ada'), { at: 'here' })
  stand.isCutOff = false
  assert.equal(await createFinder(stand).find('ada'), { at: 'nowhere' })
  const finder = createFinder(stand, () => {
    stand.host = 'two'
  })
  assert.equal(await finder.find('ada'), hostTwo)
})

// Fails if a lease that expired during a halt is not checked.
test('is not here if its lease expired without a notification', async () => {
  assert.equal(await createFinder({ state: 'here', host: 'one' }).find('ada'), { at: 'nowhere' })
  assert.equal(await createFinder({ state: 'here', host: 'two' }).find('ada'), hostTwo)
  assert.equal(await createFinder({ state: 'here', isCutOff: true, host: 'one' }).find('ada'), { at: 'here' })
})

test.run()
