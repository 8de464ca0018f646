/** Erasing a statement also erases the statement that it was merged into. */
import { test } from 'uvu'
import { equal } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import { findDerivedFacts } from '../../src/persona/derived-facts.ts'
import { born, draft } from '../journal/facts.ts'

const createMemoryKept = (id: string, text: string): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [],
  origin: 'persona',
})

test('finds the result of a merge, but not the other statement from before it', async () => {
  const journals = openPersonaJournals({ stores: memoryStores(), witness: async () => undefined })
  const journal = await journals.create('ada', draft(born))
  const facts: readonly PersonaEvent[] = [
    createMemoryKept('a', 'They play tennis.'),
    createMemoryKept('b', 'They see Bo on Tuesdays.'),
    { type: 'MemoryForgotten', id: 'b', why: null, into: 'a' },
    {
      type: 'MemoryRevised',
      id: 'a',
      text: 'They play with Bo each Tuesday.',
      sources: [],
      origin: 'consolidation',
    },
    createMemoryKept('c', 'They drink tea.'),
  ]
  for (const event of facts) await journal.append([draft(event)], journal.head)
  const find = (seq: number) =>
    findDerivedFacts(journal, [{ seq, event: facts[seq - 2] as PersonaEvent }], () => undefined)
  equal(await find(3), [5])
  equal(await find(6), [])
  await journal.close()
})

test.run()
