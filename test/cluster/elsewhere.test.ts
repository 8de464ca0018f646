/** Finding a persona in a cluster: data that may be outdated is served with its age. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HostState } from '../../src/cluster/hosting.ts'
import { createPersonaLocations, type PersonaLocations } from '../../src/cluster/persona-location.ts'
import type { Announcement } from '../../src/cluster/registry.ts'
import type { Summary } from '../../src/cluster/summaries.ts'

const test = suite('where personas are')

const toAnnouncement = (name: string): Announcement => ({
  instance: name,
  advertise: `http://${name}.example.org`,
  since: 0,
  leaving: false,
})

interface Stand {
  state?: HostState
  isHeld?: boolean
  isCutOff?: boolean
  /** The daemon of the last summary. */
  host?: string
}

/** Asks the daemon `one`. `waiting` may change its state between two checks. */
const createLookup = (stand: Stand, onWait: () => void = () => undefined): PersonaLocations =>
  createPersonaLocations({
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
    clock: { wait: async () => onWait() },
  })

const secondHost = { at: 'host', host: { daemon: 'two', address: 'http://two.example.org' } }

test('returns "here" while the lease is held', async () => {
  assert.equal(await createLookup({ state: 'here', isHeld: true, host: 'one' }).find('ada'), { at: 'here' })
})

// Seen failing when a reconnected daemon still served its cached data.
test('does not return "here" once the servers answer and the new host is unknown', async () => {
  const stand: Stand = { state: 'waiting', isCutOff: true, host: 'one' }
  assert.equal(await createLookup(stand).find('ada'), { at: 'here' })
  stand.isCutOff = false
  assert.equal(await createLookup(stand).find('ada'), { at: 'nowhere' })
  const lookup = createLookup(stand, () => {
    stand.host = 'two'
  })
  assert.equal(await lookup.find('ada'), secondHost)
})

// Seen failing when a lease that expired during a suspension was not checked.
test('does not return "here" if the lease expired without a notification', async () => {
  assert.equal(await createLookup({ state: 'here', host: 'one' }).find('ada'), { at: 'nowhere' })
  assert.equal(await createLookup({ state: 'here', host: 'two' }).find('ada'), secondHost)
  assert.equal(await createLookup({ state: 'here', isCutOff: true, host: 'one' }).find('ada'), { at: 'here' })
})

test.run()
