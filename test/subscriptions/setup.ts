/** A daemon, a home, and a receiver for each test of subscriptions. */
import { rm } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readAudit } from '../audit-stream.ts'
import { call, waitFor } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { openReceiver, type Receiver } from './receiver.ts'

export interface World {
  receiver: Receiver
  home: string
  lines: string[]
  ends: (() => Promise<unknown>)[]
}

export const subscriptionSuite = (name: string) => {
  const test = suite<World>(name)
  test.before.each(async (world) => {
    world.receiver = await openReceiver()
    world.home = await tempHome()
    world.lines = []
    world.ends = [() => rm(world.home, { recursive: true, force: true }), world.receiver.close]
  })
  test.after.each(async ({ ends }) => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  return test
}

export const start = async (world: World, overrides: Overrides = {}): Promise<TestDaemon> => {
  const { home, lines } = world
  const daemon = await startDaemon({ home, logTo: (line) => void lines.push(line), ...overrides })
  world.ends.push(daemon.close)
  return daemon
}

export const createPersona = async ({ url }: TestDaemon, name = 'Ada'): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id

export const remember = async ({ url }: TestDaemon, id: string, text: string): Promise<void> => {
  const { status } = await call(url, 'POST', `/api/persona/${id}/memories`, { document: 'person', text })
  assert.is(status, 200)
}

export const put = ({ url }: TestDaemon, name: string, body: object) =>
  call(url, 'PUT', `/api/subscriptions/${name}`, body)
export const show = async ({ url }: TestDaemon, name: string) =>
  (await call(url, 'GET', `/api/subscriptions/${name}`)).body

export const readJournal = ({ url }: TestDaemon, id: string) => readAudit(url, id)

export const waitUntilDelivered = (daemon: TestDaemon, name: string) =>
  waitFor('all facts are delivered', async () => (await show(daemon, name)).lag.facts === 0)
