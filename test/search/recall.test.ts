/** The recall tool and the texts that it returns to the model. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Media } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { type RecallInput, recall, recallTexts } from '../../src/mind/tools/recall.ts'
import type { ToolContext } from '../../src/mind/tools/tool.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { toHeardMedia } from '../message-parts.ts'
import { ada, createLife, firstLived, type Library, openLibrary } from './library.ts'

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
  createMessageHeard('The roses on the balcony are in bloom at last.'),
  createMessageSpoken('How lovely, roses in November!'),
  {
    ...(createMessageHeard('Here is our lease.') as Extract<PersonaEvent, { type: 'MessageHeard' }>),
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
  createMessageHeard('What did I say about the roses?'),
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
  library = await openLibrary(await createLife(events))
})
test.after(async () => {
  await library.close()
  await rm(library.home, { recursive: true, force: true })
})

const getContext = (
  currentLibrary: Library,
  reading: Pick<ToolContext, 'persona' | 'journal'>,
  turn: number,
) => {
  const search: ToolContext['search'] = (memoryReading, question) =>
    currentLibrary.search.rank(ada, memoryReading, question)
  return {
    ...reading,
    turn,
    search,
    now: currentLibrary.clock.now(),
    zone: currentLibrary.clock.zone,
  } as ToolContext
}
const ask = (input: RecallInput, turn = firstLived + events.length, currentLibrary = library) =>
  currentLibrary.personas.read(ada, async (reading) =>
    recallTexts(input, getContext(currentLibrary, reading, turn)),
  )
const recallText = async (query: string, turn?: number) =>
  (await ask({ query }, turn)).found.map(({ seq, role }) => [seq - firstLived, role])

test('finds messages with their speaker and summaries of their days, best first', async () => {
  assert.equal(await recallText('roses'), [
    [1, 'assistant'],
    [0, 'person'],
    [7, 'day'],
    [8, 'person'],
  ])
  assert.equal((await recallText('BALC bloom'))[0], [0, 'person'])
  assert.equal(await recallText('BALC'), [[0, 'person']])
})

test('dates a day by itself, not by the night that closed it', () =>
  withLife(
    [
      createMessageHeard('We baked bread.'),
      {
        type: 'DayClosed',
        after: 0,
        upTo: firstLived,
        began: Date.parse('2026-11-20T09:00:00+01:00'),
        ended: Date.parse('2026-11-20T19:00:00+01:00'),
        summary: 'A day of bread.',
        by: 'mind',
      },
    ],
    async (ask) => {
      const day = (await ask({ query: 'bread' })).found.find(({ role }) => role === 'day')
      assert.match(day?.when ?? '', /^Friday 20 November 2026, /)
    },
  ))

test('finds nothing after the current turn', async () => {
  assert.equal(await recallText('roses', firstLived + 1), [
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
  assert.ok(holds.length <= 402)
  assert.equal((await recallText('lease.pdf'))[0], [2, 'person'])
})

test('includes the question of an answer, and the answer to a question, in the same channel', () =>
  withLife(
    [
      createMessageSpoken('Which sport do you like?'),
      createMessageHeard('Fencing, since school.'),
      createMessageHeard('Do you know the way to the harbour?'),
      createMessageSpoken('Past the mill and left.'),
      createMessageSpoken('It rains.'),
    ],
    async (ask) => {
      const [fencing] = (await ask({ query: 'fencing' })).found
      assert.equal(
        [fencing?.previous, fencing?.next],
        [{ role: 'assistant', content: 'Which sport do you like?' }, undefined],
      )
      const [harbour] = (await ask({ query: 'harbour' })).found
      assert.equal(
        [harbour?.previous, harbour?.next],
        [undefined, { role: 'assistant', content: 'Past the mill and left.' }],
      )
    },
  ))

// Fails if the question is found first: the model already has it.
test('does not return the message that started the turn', async () => {
  const question = createMessageHeard('Where do the herons breed?') as Extract<
    PersonaEvent,
    { type: 'MessageHeard' }
  >
  const { channel } = question
  const stimuli = { after: firstLived, upTo: firstLived + 1, due: [] }
  const otherLibrary = await openLibrary(
    await createLife([
      createMessageHeard('The herons breed here.'),
      question,
      { type: 'TurnBegan', life: 1, channel, stimuli },
    ]),
  )
  try {
    const { found } = await ask({ query: 'herons breed' }, firstLived + 2, otherLibrary)
    assert.equal(
      found.map(({ seq, next }) => [seq - firstLived, next]),
      [[0, undefined]],
    )
  } finally {
    await otherLibrary.close()
    await rm(otherLibrary.home, { recursive: true, force: true })
  }
})

test('returns remembered statements, and none that were forgotten', async () => {
  assert.equal(await recallText('landlord'), [
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
  const emptyResult = { found: [], note: 'Nothing that was said or kept fits this.' }
  assert.equal(await ask({ query: 'submarine' }), emptyResult)
  assert.equal(await ask({ query: '?!' }), emptyResult)
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

/** Runs `play` with a search of a life that consists of these events. */
const withLife = async (
  life: Parameters<typeof createLife>[0],
  play: (search: (input: RecallInput) => ReturnType<typeof ask>, currentLibrary: Library) => Promise<void>,
) => {
  const currentLibrary = await openLibrary(await createLife(life))
  try {
    await play((input) => ask(input, firstLived + life.length, currentLibrary), currentLibrary)
  } finally {
    await currentLibrary.close()
    await rm(currentLibrary.home, { recursive: true, force: true })
  }
}
const getContents = ({ found }: Awaited<ReturnType<typeof ask>>) => found.map(({ content }) => content).sort()

// Fails if only the stems are compared: "allergy" and "allergic" have different ones.
test('finds the relatives of a word, in English and German, and no other words', async () => {
  const english = [
    'I am allergic to nuts and to pollen.',
    'My sister has two allergies, and they are mild.',
    'The allergy was the worst of all.',
    'The alley was long and it was dark.',
  ]
  await withLife(
    english.map((text) => createMessageHeard(text)),
    async (ask) => {
      for (const query of ['allergy', 'allergic', 'allergies'])
        assert.equal(getContents(await ask({ query })), [...english.slice(0, 3)].sort(), query)
      for (const { partly } of (await ask({ query: 'allergy' })).found) assert.not(partly)
    },
  )
  const german = [
    'Ich bin gegen Nüsse allergisch und auch gegen Pollen.',
    'Die Allergie ist im Frühling am schlimmsten.',
    'Das ist nichts für einen Allergiker.',
    'Wir sind durch eine Allee gegangen.',
  ]
  await withLife(
    german.map((text) => createMessageHeard(text)),
    async (ask) => {
      for (const query of ['Allergie', 'allergisch', 'Allergien'])
        assert.equal(getContents(await ask({ query })), [...german.slice(0, 3)].sort(), query)
    },
  )
})

test('shows the part of a long message with most of the words, and the day with its distance from today', () =>
  withLife(
    [
      createMessageHeard(
        `A kiln. ${'So it goes. '.repeat(80)}We built the kiln of red clay in the garden. ${'And on. '.repeat(80)}`,
      ),
    ],
    async (ask) => {
      const [message] = (await ask({ query: 'red clay kiln garden' })).found
      assert.match(message?.content ?? '', 'We built the kiln of red clay in the garden.')
      assert.ok((message?.content ?? '').length <= 402)
      assert.match(message?.when ?? '', /^\w+day \d{1,2} \w+ \d{4}, \d+ \w+ ago$/)
    },
  ))

// Fails if an excerpt is cut after a number of characters.
test('cuts a long message at sentences, and returns the whole summary of a day', () => {
  const advice = 'Ask for the rota in writing, and name the two days on which you cannot work.'
  const day = `They were angry about the rota. ${'They baked a cake for the party. '.repeat(15)}It was good.`
  return withLife(
    [
      createMessageHeard('My boss has changed the rota again!'),
      createMessageSpoken(`${'That is hard. '.repeat(20)}${advice} ${'Then sleep on it. '.repeat(20)}`),
      { type: 'DayClosed', after: 0, upTo: 3, began: 0, ended: 1, summary: day, by: 'mind', borrowed: [] },
    ],
    async (ask) => {
      const { found } = await ask({ query: 'rota' })
      const contents = found.map(({ content }) => content)
      const excerpt = contents.find((content) => content.includes(advice)) ?? ''
      assert.match(excerpt, /^…(?:That is hard\. )+Ask .* it\.…$/)
      assert.ok(excerpt.length > 300 && excerpt.length <= 402, excerpt)
      assert.ok(contents.includes(day))
    },
  )
})

test('lists a statement before the message that it comes from', () =>
  withLife(
    [
      createMessageHeard('I moved to Porto in spring.'),
      {
        ...createStatement('m1', 'Lives in Porto since spring, by the river.'),
        sources: [firstLived],
      } as PersonaEvent,
    ],
    async (ask) => {
      assert.equal(
        (await ask({ query: 'moved Porto spring' })).found.map(({ role }) => role),
        ['memory', 'person'],
      )
    },
  ))

// Fails if each repetition takes a place of its own.
test('lists messages with nearly the same words once, with their number', () =>
  withLife(
    [
      ...Array.from({ length: 6 }, () => createMessageHeard('Please remind me to water the roses.')),
      createMessageHeard('The roses are yellow.'),
    ],
    async (ask) => {
      const { found, total } = await ask({ query: 'roses' })
      assert.equal(found.map(({ content, times }) => [content, times]).sort(), [
        ['Please remind me to water the roses.', 6],
        ['The roses are yellow.', undefined],
      ])
      assert.is(total?.by_user, 7)
    },
  ))

// Fails if only the shown messages are counted.
test('counts all messages with the words, and lists the latest first if requested', () =>
  withLife(
    [
      ...Array.from({ length: 30 }, (_, n) => createMessageHeard(`We went sailing on lake number ${n}.`)),
      createMessageSpoken('Sailing is a joy.'),
      createMessageHeard('Now the boat is sold.'),
    ],
    async (ask) => {
      const { found, total } = await ask({ query: 'sailing', order: 'newest', limit: 2 })
      assert.is(found[0]?.content, 'Sailing is a joy.')
      assert.equal([found.length, total?.by_user, total?.by_you], [2, 30, 1])
      assert.match(total?.last ?? '', /^\w+day \d/)
      assert.is((await ask({ query: 'submarine', order: 'newest' })).found.length, 0)
      const partly = await ask({ query: 'sailing boat', order: 'newest', limit: 2 })
      assert.equal([partly.found.length, partly.found[0]?.partly], [2, true])
      const latest = await ask({ query: '*', order: 'newest', limit: 1 })
      assert.is(latest.found[0]?.content, 'Now the boat is sold.')
    },
  ))

test('returns an answer of eight long results in at most 3200 characters, without positions', () =>
  withLife(
    Array.from({ length: 40 }, (_, n) =>
      createMessageHeard(`On day ${n} we talked about kayaks. ${`Word${n} more${n}. `.repeat(40)}`),
    ),
    async (_, currentLibrary) => {
      const { output } = await currentLibrary.personas.read(ada, (reading) =>
        recall.run({ query: 'kayaks' }, getContext(currentLibrary, reading, firstLived + 40)),
      )
      const { found } = output as { found: object[] }
      assert.is(found.length, 8)
      for (const entry of found) assert.not('seq' in entry)
      assert.ok(JSON.stringify(output).length <= 3200, `${JSON.stringify(output).length}`)
    },
  ))

test.run()
