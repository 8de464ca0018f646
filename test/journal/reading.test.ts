/** Reading a journal whose disk fails. */
import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import { born, draft } from './facts.ts'

// Fails, ending the whole process, if a first page is requested although the index names no record.
test('reading an empty kind requests no page that could reject unhandled', async () => {
  const stores = memoryStores({})
  const failRead = async (): Promise<never> => {
    throw new Unavailable('told to')
  }
  const deaf = {
    ...stores,
    create: async (...args: Parameters<typeof stores.create>) => ({
      ...(await stores.create(...args)),
      getMany: failRead,
    }),
  }
  const journals = openPersonaJournals({ stores: deaf, witness: async () => undefined })
  const journal = await journals.create('ada', draft(born))
  const unheardFacts: unknown[] = []
  const note = (reason: unknown) => void unheardFacts.push(reason)
  process.on('unhandledRejection', note)
  for await (const _ of journal.read({ kind: 'media' })) assert.unreachable()
  await setImmediate()
  await setImmediate()
  process.off('unhandledRejection', note)
  assert.equal(unheardFacts, [])
  await journal.close()
})

test.run()
