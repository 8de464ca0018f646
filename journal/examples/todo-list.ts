/** A todo list: `todo-list <folder> add <text>|done <number>|forget <number>|list|history|verify`. */
import { defineVocabulary, type FactOf, fact, openJournals, Unknown } from '@daimon/journal'
import { openLevelStores } from '@daimon/journal/leveldb'
import { z } from 'zod'

const vocabulary = defineVocabulary({
  facts: {
    ListCreated: fact({}),
    ItemAdded: fact({ text: z.string() }, { index: 'items', blank: { text: '(forgotten)' } }),
    ItemDone: fact({ item: z.int() }, { index: 'items' }),
  },
  cause: z.strictObject({ by: z.enum(['user']) }),
  indexes: { items: {} },
})

const [folder = 'todo', command = 'list', ...words] = process.argv.slice(2)
const stores = await openLevelStores({ folder: `${folder}/lists`, trash: `${folder}/trash` })
const journals = openJournals({ vocabulary, stores })
const draft = (event: FactOf<typeof vocabulary>) =>
  ({ events: [event], cause: { by: 'user' }, at: Date.now(), offset: 0 }) as const

const journal = await journals.open('mine', 'writer').catch((error: unknown) => {
  if (!(error instanceof Unknown)) throw error
  return journals.create('mine', draft({ type: 'ListCreated' }))
})

// The state is a fold over the facts.
const items = new Map<number, { text: string; done: boolean }>()
for await (const { seq, event } of journal.read({ kind: 'items' })) {
  if (event.type === 'ItemAdded') items.set(seq, { text: event.text, done: false })
  const item = event.type === 'ItemDone' ? items.get(event.item) : undefined
  if (item) item.done = true
}

const item = Number(words[0])
if (command === 'add')
  await journal.append([draft({ type: 'ItemAdded', text: words.join(' ') })], journal.head)
else if (command === 'done' && items.has(item))
  await journal.append([draft({ type: 'ItemDone', item })], journal.head)
else if (command === 'list')
  for (const [seq, { text, done }] of items) console.log(`${seq} [${done ? 'x' : ' '}] ${text}`)
else if (command === 'history')
  for await (const { seq, type, at } of journal.read({})) console.log(seq, new Date(at).toISOString(), type)
else if (command === 'verify') console.log(await journal.verify())
else if (command !== 'forget' || !items.has(item)) throw new Error(`${command} ${words} is not possible`)
await journal.close()

// An erasure writes the journal again without the text; the chain still verifies.
if (command === 'forget')
  await journals.erase(
    'mine',
    { seqs: new Set([item]), parts: new Set(), texts: [Buffer.from(items.get(item)?.text ?? '')] },
    async (_, facts) => [draft({ type: 'FactsErased', facts: [...facts] })],
  )
