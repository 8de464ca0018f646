/** The recall tool and the texts that it returns to the model. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Media } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { recall } from '../../src/mind/tools/recall.ts'
import type { ToolContext } from '../../src/mind/tools/tool.ts'
import { toHeardMedia } from '../heard.ts'
import { heard, spoken } from '../journal/facts.ts'
import { ada, firstLived, type Library, lived, openLibrary } from './library.ts'

const letter: Media = {
  filename: `${'0'.repeat(32)}.pdf`,
  name: 'lease.pdf',
  mime: 'application/pdf',
  bytes: 3,
  sha256: 'a'.repeat(64),
  caption: '',
  voice: false,
}
const createStatement = (id: string, text: string): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [],
  origin: 'persona',
})
const events: readonly PersonaEvent[] = [
  heard('The roses on the balcony are in bloom at last.'),
  spoken('How lovely, roses in November!'),
  {
    ...(heard('Here is our lease.') as Extract<PersonaEvent, { type: 'MessageHeard' }>),
    media: toHeardMedia(letter),
  },
  {
    type: 'MediaDescribed',
    turn: firstLived + 2,
    message: firstLived + 2,
    filename: letter.filename,
    organ: 'researcher',
    outcome: 'perceived',
    text: `${'Whereas. '.repeat(300)}The landlord repairs the boiler. ${'Hereby. '.repeat(300)}`,
  },
  createStatement('m1', 'Their landlord is called Hagen.'),
  createStatement('m2', 'They were afraid of their landlord.'),
  { type: 'MemoryForgotten', id: 'm2', why: null },
  {
    type: 'DayClosed',
    after: 0,
    upTo: firstLived,
    began: 0,
    ended: 1,
    summary: 'A day of roses and a lease.',
    by: 'mind',
  },
  heard('What did I say about the roses?'),
  {
    type: 'HistoryFed',
    source: 'chatgpt',
    conversation: 'c1',
    title: 'A glacier',
    updated: null,
    hash: 'a'.repeat(64),
    messages: 2,
    summary: 'They asked how to cross it.',
  },
]

let library: Library
test.before(async () => {
  library = await openLibrary(await lived(events))
})
test.after(async () => {
  await library.close()
  await rm(library.home, { recursive: true, force: true })
})

const ask = (input: object, turn = firstLived + events.length, from = library) =>
  from.personas.read(ada, async ({ persona, journal }) => {
    const search: ToolContext['search'] = (reading, question) => from.search.rank(ada, reading, question)
    const moment = { now: from.clock.now(), zone: from.clock.zone }
    const { ok, output } = await recall.run(input, {
      persona,
      journal,
      turn,
      search,
      ...moment,
    } as ToolContext)
    assert.ok(ok)
    return output as {
      found: {
        seq: number
        role: string
        content: string
        source?: string
        file?: { name: string; holds: string }
        partly?: true
        previous?: { role: string; content: string }
        next?: { role: string; content: string }
      }[]
    }
  })
const told = async (query: string, turn?: number) =>
  (await ask({ query }, turn)).found.map(({ seq, role }) => [seq - firstLived, role])

test('finds messages with their speaker and summaries of their days, best first', async () => {
  assert.equal(await told('roses'), [
    [1, 'assistant'],
    [0, 'person'],
    [7, 'day'],
    [8, 'person'],
  ])
  assert.equal((await told('BALC bloom'))[0], [0, 'person'])
  assert.equal(await told('BALC'), [[0, 'person']])
})

test('finds nothing after the current turn', async () => {
  assert.equal(await told('roses', firstLived + 1), [
    [1, 'assistant'],
    [0, 'person'],
  ])
})

test('returns a file with its message and the requested part', async () => {
  const { found } = await ask({ query: 'repairs boiler' })
  assert.equal(
    found.map(({ seq, role, content }) => [seq - firstLived, role, content]),
    [[2, 'person', 'Here is our lease.']],
  )
  const { name, holds } = found[0]?.file ?? { name: '', holds: '' }
  assert.is(name, 'lease.pdf')
  assert.match(holds, 'The landlord repairs the boiler.')
  assert.ok(holds.length <= 1002)
  assert.equal((await told('lease.pdf'))[0], [2, 'person'])
})

test('includes the messages right before and after a match unless they matched themselves', async () => {
  const { found } = await ask({ query: 'balcony' })
  assert.equal(
    found.map(({ seq, previous, next }) => [seq - firstLived, previous, next]),
    [[0, undefined, { role: 'assistant', content: 'How lovely, roses in November!' }]],
  )
  for (const one of (await ask({ query: 'roses' })).found.slice(0, 2)) assert.not.ok(one.previous)
})

// Fails if the question is found first: the model already has it.
test('does not return the message that started the turn', async () => {
  const question = heard('Where do the herons breed?') as Extract<PersonaEvent, { type: 'MessageHeard' }>
  const { channel } = question
  const stimuli = { after: firstLived, upTo: firstLived + 1, due: [] }
  const other = await openLibrary(
    await lived([
      heard('The herons breed here.'),
      question,
      { type: 'TurnBegan', life: 1, channel, stimuli },
    ]),
  )
  try {
    const { found } = await ask({ query: 'herons breed' }, firstLived + 2, other)
    assert.equal(
      found.map(({ seq, next }) => [seq - firstLived, next]),
      [[0, undefined]],
    )
  } finally {
    await other.close()
    await rm(other.home, { recursive: true, force: true })
  }
})

test('returns remembered statements, and none that were forgotten', async () => {
  assert.equal(await told('landlord'), [
    [4, 'memory'],
    [2, 'person'],
  ])
})

test('says so if no text has all words, and ranks texts with most of them first', async () => {
  const { found } = await ask({ query: 'roses bloom submarine' })
  assert.is((found[0]?.seq ?? 0) - firstLived, 0)
  for (const { partly } of found) assert.is(partly, true)
  assert.equal(
    (await ask({ query: 'the roses in bloom' })).found.map(({ seq, partly }) => [seq - firstLived, partly]),
    [
      [0, undefined],
      [1, true],
      [7, true],
      [8, true],
      [2, true],
    ],
  )
  assert.equal(await ask({ query: 'submarine' }), { found: [] })
  assert.equal(await ask({ query: '?!' }), { found: [] })
})

test('marks talk that was imported from another AI and names that AI', async () => {
  const { found } = await ask({ query: 'glacier' })
  assert.equal(
    found.map(({ role, content, source }) => [role, content, source]),
    [['elsewhere', 'A glacier\nThey asked how to cross it.', 'chatgpt']],
  )
})

test('returns at most the requested number', async () => {
  assert.is((await ask({ query: 'roses', limit: 2 })).found.length, 2)
  assert.is((await ask({ query: 'roses submarine', limit: 1 })).found.length, 1)
})

test.run()
