/** Leases and the registry on a real server: one holder at a time, taken over after a death, released. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../packages/kit/log.ts'
import { leaseTime, serversOf } from '../../src/cluster/buckets.ts'
import { createHoldings } from '../../src/cluster/holdings.ts'
import { openConnection } from '../../src/cluster/jetstream/nats-connection.ts'
import { type Leases, openLeases } from '../../src/cluster/leases.ts'
import { openRegistry } from '../../src/cluster/registry.ts'
import { openSummaries, type Summary } from '../../src/cluster/summaries.ts'
import { until } from '../calls.ts'
import { type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'

const connect = ({ addresses }: NatsServers) => openConnection({ servers: addresses, name: 'test' })
const at = (connection: Awaited<ReturnType<typeof connect>>) => serversOf(connection, 'test', 1)
const silent = () => createLog({ level: 'silent' })

const takeWhenFree = async (leases: Pick<Leases, 'take'>, name: string) => {
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

  test('one holder at a time: renewed while the holder lives, released immediately', async () => {
    const connection = await connect(nats)
    const [leasesOne, leasesTwo] = [
      await openLeases(at(connection), 'one'),
      await openLeases(at(connection), 'two'),
    ]
    const first = await takeWhenFree(leasesOne, 'ada')
    assert.is(await leasesTwo.take('ada'), null)
    // Longer than a lease lasts without renewal.
    const began = performance.now()
    while (performance.now() - began < leaseTime * 1.25) {
      assert.is(await leasesTwo.take('ada'), null)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.ok(first.held())
    await first.release()
    assert.not.ok(first.held())
    const second = await leasesTwo.take('ada')
    assert.ok(second?.held() && second.epoch > first.epoch && !first.lost.aborted)
    await Promise.all([leasesOne.close(), leasesTwo.close()])
    await connection.close()
  })

  test('a silent holder loses its lease before another can have it', async () => {
    const [mute, other] = [await connect(nats), await connect(nats)]
    const [first, second] = [await openLeases(at(mute), 'one'), await openLeases(at(other), 'two')]
    const lostIds: string[] = []
    const holdings = createHoldings(first, (id) => lostIds.push(id))
    await until('the lease to be free', async () => (await holdings.take('bo')) !== null)
    assert.ok(holdings.has('bo'))
    await mute.close()
    const next = await takeWhenFree(second, 'persona.bo')
    assert.not.ok(holdings.has('bo'))
    assert.ok(next.held())
    await until('its loss to be reported', () => lostIds.length === 1)
    await Promise.all([first.close(), second.close()])
    await other.close()
  })

  test('takes its own name again after a doubt', async () => {
    const connection = await connect(nats)
    const [leasesOne, leasesTwo] = [
      await openLeases(at(connection), 'same'),
      await openLeases(at(connection), 'same'),
    ]
    const first = await takeWhenFree(leasesOne, 'cy')
    const second = await leasesTwo.take('cy')
    assert.ok(second?.held() && second.epoch > first.epoch)
    await Promise.all([leasesOne.close(), leasesTwo.close()])
    await connection.close()
  })

  test('daemons know each other, and which of them are leaving or silent', async () => {
    const [first, second] = [await connect(nats), await connect(nats)]
    const log = await silent()
    const openRegistryOf = (self: string, connection: typeof first) =>
      openRegistry({
        servers: at(connection),
        self,
        instance: 'i',
        advertise: `http://${self}:1`,
        now: Date.now,
        log,
      })
    const [a, b] = [await openRegistryOf('a', first), await openRegistryOf('b', second)]
    await until('both to be known', () => `${a.taking()}` === 'a,b' && `${b.taking()}` === 'a,b')
    await b.leave()
    await until('b to be leaving', () => `${a.taking()}` === 'a' && a.alive().has('b'))
    await second.close()
    await until('b to disappear', () => !a.alive().has('b'))
    assert.is(a.known('b')?.advertise, 'http://b:1')
    await a.close()
    await b.close()
    await first.close()
  })

  test('summaries reach all present and later daemons, and end with a deletion', async () => {
    const connection = await connect(nats)
    const log = await silent()
    const open = () => openSummaries({ servers: at(connection), log, changed: () => undefined })
    const [first, second] = [await open(), await open()]
    const summary = (n: number) =>
      ({ host: 'a', created: n, view: { id: `p${n}`, name: `P${n}`, running: true } }) as unknown as Summary
    for (let n = 0; n < 600; n++) first.tell(`p${n}`, summary(n))
    await until('all of them', () => second.all.size === 600)
    first.forget('p7')
    first.tell('p8', { ...summary(8), host: 'b' })
    await until('the changes', () => second.all.size === 599 && second.all.get('p8')?.host === 'b')
    const third = await open()
    assert.equal([third.all.size, third.all.get('p599'), third.all.get('p7')], [599, summary(599), undefined])
    await Promise.all([first, second, third].map(({ close }) => close()))
    await connection.close()
  })
})

test.run()
