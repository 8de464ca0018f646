/** Leases and the registry on a real server: one holder at a time, take-over after a death, and release. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../packages/kit/log.ts'
import { leaseTime, listServers } from '../../src/cluster/buckets.ts'
import { createHeldLeases } from '../../src/cluster/held-leases.ts'
import { openConnection } from '../../src/cluster/jetstream/nats-connection.ts'
import { type Leases, openLeases } from '../../src/cluster/leases.ts'
import { openRegistry } from '../../src/cluster/registry.ts'
import { openSummaries, type Summary } from '../../src/cluster/summaries.ts'
import { waitFor } from '../calls.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'

const connect = ({ addresses }: NatsServers) => openConnection({ servers: addresses, name: 'test' })
const getServers = (connection: Awaited<ReturnType<typeof connect>>) => listServers(connection, 'test', 1)
const silent = () => createLog({ level: 'silent' })

const takeLease = async (leases: Pick<Leases, 'take'>, name: string) => {
  for (;;) {
    const lease = await leases.take(name)
    if (lease) return lease
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

withNats(test, () => {
  let nats: NatsServers
  test.before(async () => {
    nats = await startNatsServers()
  })
  test.after(() => nats.end())

  test('has one holder at a time, renews its lease, and releases it immediately', async () => {
    const connection = await connect(nats)
    const firstLeases = await openLeases(getServers(connection), 'one')
    const secondLeases = await openLeases(getServers(connection), 'two')
    const first = await takeLease(firstLeases, 'ada')
    assert.is(await secondLeases.take('ada'), null)
    // Longer than an unrenewed lease.
    const startedAt = performance.now()
    while (performance.now() - startedAt < leaseTime * 1.25) {
      assert.is(await secondLeases.take('ada'), null)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.ok(first.isHeld())
    await first.release()
    assert.not.ok(first.isHeld())
    const second = await secondLeases.take('ada')
    assert.ok(second?.isHeld() && second.epoch > first.epoch && !first.lostSignal.aborted)
    await Promise.all([firstLeases.close(), secondLeases.close()])
    await connection.close()
  })

  test('a silent holder loses its lease before another daemon can take it', async () => {
    const mute = await connect(nats)
    const otherConnection = await connect(nats)
    const first = await openLeases(getServers(mute), 'one')
    const second = await openLeases(getServers(otherConnection), 'two')
    const lostIds: string[] = []
    const holdings = createHeldLeases(first, (id) => lostIds.push(id))
    await waitFor('it to be free', async () => (await holdings.take('bo')) !== null)
    assert.ok(holdings.has('bo'))
    await mute.close()
    const next = await takeLease(second, 'persona.bo')
    assert.not.ok(holdings.has('bo'))
    assert.ok(next.isHeld())
    await waitFor('its loss to be reported', () => lostIds.length === 1)
    await Promise.all([first.close(), second.close()])
    await otherConnection.close()
  })

  test('a daemon takes over a lease that its earlier process has left', async () => {
    const connection = await connect(nats)
    const firstLeases = await openLeases(getServers(connection), 'same')
    const reopenedLeases = await openLeases(getServers(connection), 'same')
    const first = await takeLease(firstLeases, 'cy')
    const second = await reopenedLeases.take('cy')
    assert.ok(second?.isHeld() && second.epoch > first.epoch)
    await Promise.all([firstLeases.close(), reopenedLeases.close()])
    await connection.close()
  })

  test('daemons know the live, the leaving and the silent daemons', async () => {
    const first = await connect(nats)
    const second = await connect(nats)
    const log = await silent()
    const openFor = (self: string, connection: typeof first) =>
      openRegistry({
        servers: getServers(connection),
        self,
        instance: 'i',
        advertise: `http://${self}:1`,
        now: Date.now,
        log,
      })
    const a = await openFor('a', first)
    const b = await openFor('b', second)
    await waitFor('both to be known', () => `${a.listTaking()}` === 'a,b' && `${b.listTaking()}` === 'a,b')
    await b.leave()
    await waitFor('b to be leaving', () => `${a.listTaking()}` === 'a' && a.alive().has('b'))
    await second.close()
    await waitFor('b to be gone', () => !a.alive().has('b'))
    assert.is(a.known('b')?.advertise, 'http://b:1')
    await a.close()
    await b.close()
    await first.close()
  })

  test('summaries reach current and new daemons, and end with a deletion', async () => {
    const connection = await connect(nats)
    const log = await silent()
    const open = () => openSummaries({ servers: getServers(connection), log, onChange: () => undefined })
    const first = await open()
    const second = await open()
    const summary = (n: number) =>
      ({ host: 'a', created: n, view: { id: `p${n}`, name: `P${n}`, running: true } }) as unknown as Summary
    for (let n = 0; n < 600; n++) first.publish(`p${n}`, summary(n))
    await waitFor('all of them', () => second.all.size === 600)
    first.forget('p7')
    first.publish('p8', { ...summary(8), host: 'b' })
    await waitFor('the changes', () => second.all.size === 599 && second.all.get('p8')?.host === 'b')
    const third = await open()
    assert.equal([third.all.size, third.all.get('p599'), third.all.get('p7')], [599, summary(599), undefined])
    await Promise.all([first, second, third].map(({ close }) => close()))
    await connection.close()
  })
})

test.run()
