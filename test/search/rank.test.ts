/** Ranking of answers in several languages. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Question } from '../../src/search/terms.ts'
import { createHome, type WrittenEvents } from '../create-journal.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { ada, firstLived, type Library, openLibrary } from './library.ts'

const createStatement = (id: string, text: string): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [],
  origin: 'persona',
})

/** The library's clock is set to November 2026. */
const history: readonly (readonly [day: string, event: PersonaEvent])[] = [
  ['2024-05-07', createMessageHeard('We walked along the river with the dogs for hours.')],
  ['2024-05-07', createMessageSpoken('Which dog ran into the water?')],
  ['2024-05-07', createMessageHeard('Only Bruno, as ever.')],
  [
    '2025-03-02',
    createMessageHeard('Letzten Sommer haben wir Häuser am Meer angesehen, und ich habe mich verliebt.'),
  ],
  ['2025-03-02', createMessageSpoken('In welches Haus denn?')],
  ['2025-05-20', createMessageHeard('J’ai mangé un gâteau énorme chez Chloé, et nous avons bien ri.')],
  ['2025-05-20', createMessageSpoken('Quel genre de gâteau était-ce ?')],
  ['2025-05-21', createMessageHeard('週末に家族で京都へ行きました。紅葉がきれいでした。')],
  ['2025-05-21', createMessageSpoken('京都の紅葉、いいですね。')],
  ['2026-11-10', createMessageHeard('The plumber repaired the tap today.')],
  ['2026-11-12', createMessageSpoken('Then the tap is done, and the plumber paid.')],
  ['2026-11-19', createMessageHeard('The tap drips again.')],
  ['2026-11-19', createStatement('m1', 'Their plumber is called Hagen.')],
  [
    '2026-11-19',
    {
      type: 'DayClosed',
      after: 0,
      upTo: 3,
      began: 0,
      ended: 1,
      summary: 'A day on which a kite was flown.',
      by: 'mind',
    },
  ],
]

let library: Library
test.before(async () => {
  const facts = history.map(
    ([day, event]): WrittenEvents => ({ at: `${day}T09:00:00+01:00`, events: [event] }),
  )
  library = await openLibrary(await createHome(facts))
})
test.after(async () => {
  await library.close()
  await rm(library.home, { recursive: true, force: true })
})

const ask = (text: string, mode: Question['by'] = 'sense', changes: Partial<Question> = {}) =>
  library.personas.read(ada, (reading) =>
    library.search.rank(ada, reading, {
      text,
      by: mode,
      limit: 8,
      before: reading.journal.head.seq + 1,
      now: { at: Date.parse('2026-11-23T12:00:00Z'), zone: 'Europe/Berlin' },
      ...changes,
    }),
  )
const places = async (...questionArgs: Parameters<typeof ask>) =>
  (await ask(...questionArgs)).hits.map(({ entry }) => entry.seq - firstLived)

// Each case fails without the feature that it names: stems, common words, folding, pairs of letters.
for (const [what, question, best] of [
  ['other endings', 'Where do they walk their dog?', 0],
  ['a question in German, by its stems', 'Welches Haus wurde im Sommer angesehen?', 3],
  ['no accents', 'Qui a mange des gateaux chez Chloe ?', 5],
  ['a question in Japanese', 'いつ京都へ行きましたか', 7],
  ['a memory', 'What is the plumber called?', 12],
  ['a day that is over', 'When did we fly kites?', 13],
  ['a begun word that nothing has', 'plumb drip', 11],
] as const)
  test(`finds first, with ${what}`, async () => {
    assert.is((await places(question))[0], best)
  })

test('uses surrounding messages if they answer the question, and not because of a single word', async () => {
  assert.ok((await places('Which dog ran into the water?')).slice(0, 3).includes(2))
  assert.not((await places('water')).includes(2))
  assert.not((await places('Which dog ran into the water?', 'words')).includes(2))
  const [hit] = (await ask('Bruno')).hits
  assert.equal([hit?.previous, hit?.next], [firstLived + 1, firstLived + 3])
})

test('days count: a month, a month of a year, a year, last week, in other languages', async () => {
  for (const [question, best] of [
    ['plumber last week', [11, 12]],
    ['What happened in May 2024?', [0, 1, 2]],
    ['What was in May 2025?', [5, 6, 7, 8]],
    ['Was war im März 2025?', [3, 4]],
    ['What did we talk about on 7 May?', [0, 1, 2]],
    ['2025-05-21', [7, 8]],
    ['2025年5月に何をしましたか', [5, 6, 7, 8]],
  ] as const)
    assert.ok((best as readonly number[]).includes((await places(question))[0] ?? -1), question)
  assert.not((await places('it may be so')).includes(0))
})

const closed = (at: string, ended: string, summary: string): WrittenEvents => ({
  at,
  events: [
    {
      type: 'DayClosed',
      after: 0,
      upTo: 3,
      began: 0,
      ended: Date.parse(ended),
      summary,
      by: 'mind',
      borrowed: [],
    },
  ],
})

// Fails if a day counts as the day on which it was closed, or if weekdays are only words.
test('lists the day that a question names first, then its texts', async () => {
  const told = (at: string, event: PersonaEvent): WrittenEvents => ({ at, events: [event] })
  const other = await openLibrary(
    await createHome([
      told('2026-11-25T09:00:00+01:00', createMessageHeard('I slept badly, and I was grumpy all morning.')),
      told('2026-11-25T09:01:00+01:00', createMessageSpoken('Take a walk at noon, and go to bed at ten.')),
      closed('2026-11-26T03:00:00+01:00', '2026-11-25T22:00:00+01:00', 'They were tired.'),
      told('2026-11-30T09:00:00+01:00', createMessageHeard('The vet wants Miso to get drops twice.')),
      told(
        '2026-11-30T09:01:00+01:00',
        createMessageSpoken('I would give them with food, and wait for an hour afterwards.'),
      ),
      told('2026-11-30T09:02:00+01:00', createMessageHeard('Fine.')),
      closed('2026-12-01T03:00:00+01:00', '2026-11-30T22:00:00+01:00', 'Miso was at the doctor.'),
      told(
        '2026-12-01T09:00:00+01:00',
        createMessageHeard('We had a talk on Monday 30 November, and last week, on that day.'),
      ),
    ]),
  )
  const find = async (text: string) => {
    const { hits } = await other.personas.read(ada, (reading) =>
      other.search.rank(ada, reading, {
        text,
        by: 'sense',
        limit: 8,
        before: reading.journal.head.seq + 1,
        now: { at: Date.parse('2026-12-01T12:00:00+01:00'), zone: 'Europe/Berlin' },
      }),
    )
    return hits.map(({ entry }) => entry.seq - firstLived)
  }
  try {
    for (const question of [
      'Monday 30 November',
      '30 November',
      '2026-11-30',
      'on Monday',
      'What did we talk about yesterday?',
      'Was war am Montag?',
    ])
      assert.equal((await find(question)).slice(0, 4), [6, 3, 4, 5], question)
    assert.equal((await find('How was I on Wednesday?')).slice(0, 3), [2, 0, 1])
    assert.equal((await find('What did we say last week?')).slice(0, 3), [2, 0, 1])
    assert.equal((await find('What did the vet say on Monday?')).slice(0, 2), [6, 3])
    assert.equal((await find('What did you advise on Monday?')).slice(0, 2), [6, 3])
    assert.is((await find('the walk last week'))[0], 1)
  } finally {
    await other.close()
    await rm(other.home, { recursive: true, force: true })
  }
})

test('prefers the newest only among results of similar quality', async () => {
  assert.equal((await places('tap', 'words')).slice(0, 1), [11])
  assert.is((await places('the plumber repaired a tap', 'words'))[0], 9)
})

test('requires all significant words, and accepts some if no text has all', async () => {
  assert.equal((await places('the plumber and his taps', 'words')).sort(), [10, 9])
  assert.equal((await places('plumber "tap drips"', 'words'))[0], 11)
  assert.equal(await places('submarines', 'words'), [])
  assert.equal(
    (await places('the ', 'words')).sort((left, right) => left - right),
    [0, 1, 9, 10, 11],
  )
  assert.equal(await places('plumb', 'words', { kinds: ['memory'] }), [12])
  assert.equal((await ask('plumber', 'words', { limit: 2 })).hasMore, true)
})

test('ranks by the names of the persona and of the user', async () => {
  const talk = Array.from({ length: 12 }, (_, n) => [
    createMessageHeard(`Ada, I bought the old boat number ${n}.`),
    createMessageSpoken(`Bea, I bought the old boat number ${n}.`),
  ]).flat()
  const otherLibrary = await openLibrary(
    await createHome(
      talk.map((event): WrittenEvents => ({ at: '2026-11-20T09:00:00+01:00', events: [event] })),
    ),
  )
  try {
    for (const [question, type] of [
      ['What did Bea buy, number 3?', 'MessageHeard'],
      ['What did Ada buy, number 3?', 'MessageSpoken'],
    ] as const) {
      const { hits } = await otherLibrary.personas.read(ada, (reading) =>
        otherLibrary.search.rank(ada, reading, {
          text: question,
          by: 'sense',
          limit: 1,
          before: reading.journal.head.seq + 1,
          now: { at: 0, zone: 'UTC' },
        }),
      )
      assert.is(hits[0]?.entry.type, type, question)
    }
  } finally {
    await otherLibrary.close()
    await rm(otherLibrary.home, { recursive: true, force: true })
  }
})

test.run()
