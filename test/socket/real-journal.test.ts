/** Listeners of personas with journals on a disk, through the gate. */
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTick } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { createSocketServer, type SocketLimits } from '../../src/socket/socket-server.ts'
import { createWebChannel } from '../../src/web-channel.ts'
import { tempHome } from '../daemon.ts'
import { dice } from './dice.ts'
import { createGuest, waitUntil } from './guest.ts'

const id = 'ada'
const mebi = 1024 * 1024

const openSetup = async (limits: Partial<SocketLimits> = {}) => {
  const home = await tempHome()
  const log = await createLog({ level: 'silent' })
  const clock = systemClock()
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(home),
    witness: async (name) => catalog.get(name)?.head,
  })
  const bus = createBus()
  const personas = createPersonaStore({ home, journals, catalog, bus, clock, log })
  const web = createWebChannel({ isRunning: () => true, onChange: () => undefined })
  const sockets = createSocketServer({ personas, bus, web, view: () => undefined, clock, log, limits })
  const http = createServer().on('upgrade', sockets.onUpgrade)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const thinkingOrgan = { model: 'embedded/test', provider: null, url: null, key: null }
  await personas.create({
    type: 'CreatePersona',
    id,
    name: 'Ada',
    birthday: '2026-11-23',
    recipient: 'age1',
    organs: { thinking: thinkingOrgan },
  })
  return {
    personas,
    hear: async (content: string): Promise<number> => {
      const { entries } = await personas.execute(
        id,
        { type: 'Hear', channel: null, content, media: null, key: null },
        'person',
      )
      return entries.at(-1)?.seq ?? 0
    },
    head: () => personas.read(id, async ({ journal }) => journal.head.seq),
    connect: async (afterSeq: number) => {
      const guest = createGuest(`ws://127.0.0.1:${port}/ws/${id}?after=${afterSeq}`)
      await guest.whenOpened
      return guest
    },
    close: async () => {
      await sockets.close()
      await new Promise((resolve) => http.close(resolve))
      await personas.close()
      await catalog.close()
      await rm(home, { recursive: true })
    },
  }
}

// Fails if `goLive` waits until the client has received the last page, and if the head is read before the
// page.
test('sends each fact once while commands are executed', async () => {
  const roll = dice(5370)
  const setup = await openSetup({ page: 9, pageBytes: 2000 })
  try {
    for (let round = 0; round < 200; round++) {
      const head = await setup.head()
      const afterSeq = Math.max(0, head - Math.floor(roll() * 60))
      const connecting = setup.connect(afterSeq)
      const pendingWrites: Promise<number>[] = []
      for (let bursts = Math.floor(roll() * 6); bursts > 0; bursts--) {
        for (let writesLeft = Math.ceil(roll() * 4); writesLeft > 0; writesLeft--)
          pendingWrites.push(setup.hear(`${round}`))
        for (let wait = Math.floor(roll() * 3); wait > 0; wait--) await nextTick()
      }
      const guest = await connecting
      pendingWrites.push(setup.hear('last'))
      const end = Math.max(...(await Promise.all(pendingWrites)))
      await guest.receive(end - afterSeq)
      assert.equal(
        guest.frames.map(({ seq }) => seq),
        Array.from({ length: end - afterSeq }, (_, index) => afterSeq + 1 + index),
        `round ${round}`,
      )
      guest.ws.terminate()
    }
  } finally {
    await setup.close()
  }
})

// Fails if the journal stays locked while a client is waited for: the removal waited, too.
test('a client that does not read does not block the removal of a persona', async () => {
  const setup = await openSetup({ grace: 20_000, pageBytes: 64 * mebi, pileUp: 64 * mebi })
  try {
    await Promise.all(Array.from({ length: 100 }, () => setup.hear('x'.repeat(200_000))))
    const guest = await setup.connect(0)
    await guest.receive(1)
    guest.ws.pause()
    await setup.personas.execute(id, { type: 'DeletePersona', purge: false }, 'person')
    let isRemoved = false
    void setup.personas.remove(id, false).then(
      () => {
        isRemoved = true
      },
      () => undefined,
    )
    await waitUntil(
      () => isRemoved,
      () => 'she was never removed',
    )
    guest.ws.resume()
    assert.is((await guest.waitForClose()).code, 4404)
  } finally {
    await setup.close()
  }
})

test.run()
