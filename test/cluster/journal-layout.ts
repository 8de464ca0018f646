/** Creates a home to move into a cluster, and servers that stop answering. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { mediaFolder } from '../../home/places.ts'
import { openSecrets } from '../../home/secrets.ts'
import type { Stores } from '../../journal/log/store.ts'
import { toClusterKey } from '../../src/cluster/jetstream/cluster-key.ts'
import { born, draft, renamed } from '../journal/facts.ts'

export const clusterKey = toClusterKey(Buffer.alloc(32, 7))
export const layout = { name: 'moves', shards: 1, replicas: 1 }
export const filename = `${'a'.repeat(32)}.txt`
export const diary = '2026-01-02T030405-000000000003-0123abcd.diary'
export const people = ['ada', 'bo']

/** Wraps a connection that answers `count` requests and then none. */
export const limitAnswers = (connection: NatsConnection, count: number): NatsConnection => {
  let requestsLeft = count
  const request: NatsConnection['request'] = (...args) =>
    requestsLeft-- > 0 ? connection.request(...args) : Promise.reject(new Error('cut off'))
  return new Proxy(connection, {
    get: (target, name) => {
      if (name === 'request') return request
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export const listNames = async (stores: Stores, id: string): Promise<readonly string[]> => {
  const journal = await openPersonaJournals({ stores, witness: async () => undefined }).open(id, 'reader')
  const names: string[] = []
  for await (const { event } of journal.read({})) if (event.type === 'Renamed') names.push(event.name)
  await journal.close()
  return names
}

/** Creates two personas with a key, a file and a diary each. */
export const createLife = async (home: string): Promise<void> => {
  const stores = await openHomeStores(home)
  const journals = openPersonaJournals({ stores, witness: async () => undefined })
  for (const id of people) {
    const journal = await journals.create(id, draft(born))
    for (let n = 0; n < 5; n++) await journal.append([draft(renamed(`${id} ${n}`))], journal.head)
    await journal.close()
    await (await openSecrets(home, id)).put('ref', `sk-of-${id}`)
    await mkdir(mediaFolder(home, id))
    await writeFile(join(mediaFolder(home, id), filename), `a file of ${id}`)
    await mkdir(join(home, 'diaries', id), { recursive: true })
    await writeFile(join(home, 'diaries', id, diary), `a diary of ${id}`)
  }
}
