/** Damages a record of a journal. */

import { openHomeStores } from '../home/home-stores.ts'
import { recordKey } from '../journal/log/keys.ts'
import type { Store } from '../journal/log/store.ts'

export const spoilRecord = (store: Store, seq: number): Promise<void> =>
  store.batch([{ type: 'put', key: recordKey(seq), value: Buffer.from('not what it was') }], { sync: true })

/** The journal must be closed. */
export const damageJournal = async (home: string, id: string, seq: number): Promise<void> => {
  const store = await (await openHomeStores(home)).open(id)
  await spoilRecord(store, seq)
  await store.close()
}
