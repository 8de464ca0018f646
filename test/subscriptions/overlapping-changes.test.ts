/** Changes of subscriptions that overlap in time: none is lost, and none waits for a journal of another. */
import { Subject } from 'rxjs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Bus } from '../../src/bus.ts'
import { encodeCursor } from '../../src/subscriptions/pull-cursor.ts'
import {
  openSubscriptions,
  type SubscriptionDeps,
  type SubscriptionRequest,
} from '../../src/subscriptions/subscriptions.ts'
import { createFakeClock } from '../clock.ts'
import { inHome } from '../journal/engines.ts'

const test = suite('overlapping changes of subscriptions')

const hashAt = (seq: number) => String(seq).padStart(64, '0')
const head = { seq: 20, hash: hashAt(20) }

/** Two personas with 20 facts. The journal of `slow` never answers. */
const personas = {
  all: () => [{ self: { id: 'quick' } }, { self: { id: 'slow' } }],
  getRow: (id: string) => ({ self: { id } }),
  ready: Promise.resolve(),
  vitals: async () => ({ head }),
  read: async (id: string, use: (context: unknown) => unknown) =>
    id === 'slow' ? new Promise(() => {}) : use({ journal: { hashAt: async (seq: number) => hashAt(seq) } }),
} as unknown as SubscriptionDeps['personas']

const open = (home: string) =>
  openSubscriptions({
    home,
    personas,
    bus: { commits: new Subject(), signs: new Subject() } as unknown as Bus,
    clock: createFakeClock(),
    random: () => 0.5,
    log: new Proxy({}, { get: () => () => {} }) as unknown as DiscreetLog,
    hosts: [],
    isCluster: false,
    onDelivered: () => {},
    onDead: () => {},
  })

const pullRequest: SubscriptionRequest = {
  ...{ name: 'pulled', personas: ['quick'], kinds: null, words: false, maxAttempts: 5, webhook: null },
  start: 'beginning',
}
const webhookRequest: SubscriptionRequest = {
  ...pullRequest,
  name: 'pushed',
  personas: ['slow'],
  webhook: { url: 'http://127.0.0.1:9/', secret: undefined },
}
const cursorAt = (seq: number) => encodeCursor([{ id: 'quick', seq, hash: hashAt(seq), epoch: 0 }])

// Fails if an acknowledgement is applied only when its subscription has not changed since it was read.
test('keeps both of two overlapping acknowledgements', async () => {
  await inHome(async (home) => {
    const subscriptions = await open(home)
    await subscriptions.put(pullRequest)
    await Promise.all([15, 20, 18].map((seq) => subscriptions.acknowledge('pulled', cursorAt(seq))))
    assert.is(subscriptions.get('pulled').subscription.positions.get('quick')?.seq, 20)
  })
})

// Fails if a delivery is closed while the file is locked.
test('acknowledges while a changed or removed webhook waits for its journal', async () => {
  await inHome(async (home) => {
    const subscriptions = await open(home)
    await subscriptions.put(webhookRequest)
    await subscriptions.put(pullRequest)
    subscriptions.put(webhookRequest).catch(() => undefined)
    await subscriptions.acknowledge('pulled', cursorAt(10))
    subscriptions.remove('pushed').catch(() => undefined)
    await subscriptions.acknowledge('pulled', cursorAt(20))
    assert.is(subscriptions.get('pulled').subscription.positions.get('quick')?.seq, 20)
  })
})

test.run()
