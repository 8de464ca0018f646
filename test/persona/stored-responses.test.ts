/** Chains of stored responses. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import type { Reading } from '../../src/persona/persona-store.ts'
import { maxChain, readChain } from '../../src/persona/stored-responses.ts'
import { factsByType } from '../journal/facts.ts'

const { ResponseBegan: began, ResponseEnded: ended } = factsByType
const getId = (n: number) => `resp_ada_${(2 * n).toString(36)}_0`

const createReading = (count: number): Reading => {
  const entries = Array.from({ length: count }, (_, n) => [
    { ...began, id: getId(n), previous: n > 0 ? getId(n - 1) : null },
    { ...ended, id: getId(n), status: 'completed' },
  ])
    .flat()
    .map((event, n) => ({ seq: n + 1, at: 0, type: event.type, erased: false, event }))
  const read = ({ after, upTo }: { after: number; upTo: number }) => entries.slice(after, upTo) as Entry[]
  const journal = { head: { seq: entries.length, hash: '' }, read } as unknown as Journal
  return { journal, persona: { responses: [] } } as unknown as Reading
}

test('reads a chain of the max length, and names a longer one', async () => {
  assert.not.type(await readChain(createReading(maxChain), getId(maxChain - 1)), 'string')
  assert.is(await readChain(createReading(maxChain + 1), getId(maxChain)), 'too_long')
  assert.is(await readChain(createReading(2), getId(2)), 'unknown')
})

test('stops at the max bytes', async () => {
  assert.is(await readChain(createReading(10), getId(9), 1), 'too_large')
})

test.run()
