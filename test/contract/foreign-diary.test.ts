/** A diary of unusual facts: it is refused, or every route still answers. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { encodeRecord } from '../../journal/log/record.ts'
import { createForeignFacts } from '../../src/diary/foreign-facts.ts'
import { chunk, createOutline, createTar, everyKind, sealTar } from '../diary/test-diary.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { type Chance, createChance } from '../random.ts'
import { first, firstPhrase, migrate } from './diaries.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test, { newPhrase: firstPhrase })

const strangeValues: readonly [unknown, ...unknown[]] = [
  ...([
    '',
    ' ',
    '__proto__',
    'constructor',
    '../..',
    '\u0000',
    '\u202e',
    '\ud83c',
    '🌱'.repeat(500),
    'n'.repeat(1000),
    'w'.repeat(30_000),
  ] as const),
  ...[
    '0000-01-01T00:00:00',
    '9999-12-31T23:59:59',
    '1969-12-31T23:59',
    '2026-03-29T02:30:00',
    '2024-02-29T09:00:00',
  ],
  ...[
    'Pacific/Apia',
    'Africa/Monrovia',
    'Antarctica/Troll',
    'EST5EDT',
    'utc',
    '2026-02-28',
    '9998-12-29T00:00:00.000Z',
  ],
  ...[
    0,
    -0,
    1,
    -1,
    0.5,
    14,
    15,
    24,
    60,
    1000,
    2 ** 31,
    2 ** 50 - 1,
    2 ** 53 - 1,
    -(2 ** 53) + 1,
    8.64e15,
    1e15,
    1e300,
    5e-324,
  ],
  ...[
    Date.UTC(1900, 0, 2),
    Date.UTC(9998, 11, 30),
    null,
    true,
    false,
    [],
    {},
    [14, 14, 24],
    Array.from({ length: 1000 }, () => 14),
  ],
]

/** Returns a copy with one value, at any depth, replaced by an unusual one. */
const mutate = (value: unknown, chance: Chance): unknown => {
  if (typeof value !== 'object' || value === null || chance.next() < 0.1) return chance.pick(strangeValues)
  const keys = Object.keys(value).filter((key) => key !== 'type')
  const [firstKey, ...otherKeys] = keys
  if (firstKey === undefined) return chance.pick(strangeValues)
  const key = chance.pick([firstKey, ...otherKeys])
  const copy: Record<string, unknown> = Object.fromEntries(Object.entries(value))
  copy[key] = mutate(copy[key], chance)
  return Array.isArray(value) ? Object.values(copy) : copy
}

interface WrittenTurn {
  readonly event: PersonaEvent
  readonly at: number
  readonly offset: number
}

const usualTime = { at: 1_780_000_000_000, offset: 60 }

/** A life with every kind of fact, followed by up to 400 unusual facts that pass the checks. */
const createStrangeLife = (id: string, chance: Chance): readonly WrittenTurn[] => {
  const foreign = createForeignFacts()
  const facts: WrittenTurn[] = everyKind.map((event) => ({
    event: 'recipient' in event && 'id' in event ? { ...event, id } : event,
    ...usualTime,
  }))
  const isBelieved = ({ event, at, offset }: WrittenTurn, seq: number) =>
    foreign.isPossible({ seq, commit: '', type: event.type, at, offset, cause: { by: 'person' }, event })
  for (const [n, fact] of facts.entries()) assert.ok(isBelieved(fact, n + 1))
  const [kind, ...kinds] = everyKind.filter(
    ({ type }) => !['PersonaCreated', 'PersonaForked', 'PersonaDeleted'].includes(type),
  )
  for (let tries = 0; tries < 3000 && facts.length < 400; tries++) {
    const event = personaVocabulary.read(mutate(chance.pick([kind ?? everyKind[0], ...kinds]), chance))
    const time =
      chance.next() < 0.9
        ? usualTime.at
        : Number(chance.pick([Date.UTC(1900, 0, 2), Date.UTC(9998, 11, 30), 0, -1]))
    const offset = chance.pick([0, 60, -720, 1080, -1080])
    if (event && isBelieved({ event, at: time, offset }, facts.length + 1))
      facts.push({ event, at: time, offset })
  }
  return facts
}

const createDiary = async (id: string, facts: readonly WrittenTurn[]): Promise<Buffer> => {
  let head = emptyHead
  const values = facts.map(({ event, at, offset }) => {
    const record = encodeRecord(
      personaVocabulary,
      { commit: Buffer.alloc(16), salt: Buffer.alloc(16), cause: { by: 'person' }, at, offset, event },
      head,
    )
    head = record.head
    return record.value
  })
  const chunks: { name: string; body: Buffer }[] = []
  for (let start = 0; start < values.length; start += 20)
    chunks.push({
      name: `journal/${String(start + 1).padStart(12, '0')}.records`,
      body: chunk(values.slice(start, start + 20)),
    })
  const manifest = { ...createOutline(first.recipient, head, id), media: [] }
  return Buffer.from(
    await sealTar(
      first.recipient,
      createTar([{ name: 'manifest.json', body: JSON.stringify(manifest) }, ...chunks]),
    ),
  )
}

const listReadPaths = (id: string, turns: readonly number[]): readonly string[] => [
  '/api/personas',
  ...[
    ...[
      'conversation?limit=1000',
      'knowledge',
      'calendar.ics',
      'diagnose',
      'memories',
      'usage',
      'search?q=tea',
      'search?q=n*',
      'export',
    ],
    ...[
      'calendar?start=1000-01-01&end=9998-12-31',
      'calendar?start=2026-11-01&end=2026-12-31',
      `media/${'0'.repeat(32)}.png`,
    ],
    ...turns.map((turn) => `turns/${turn}`),
  ].map((path) => `/api/persona/${id}/${path}`),
]

// Fails if facts are not checked: an extreme date, an invalid zone and a TurnBegan up to 2^53 - 1 then break
// routes permanently.
test('answers on every route after the accepted facts of an unusual life', async () => {
  const chance = createChance('foreign diaries')
  const lifeCount = isWhole ? 100 : 2
  let acceptedFacts = 0
  for (let n = 0; n < lifeCount; n++) {
    const id = `strange-${n}`
    const facts = createStrangeLife(id, chance)
    acceptedFacts += facts.length - everyKind.length
    const turns = facts.flatMap(({ event }, index) => (event.type === 'TurnBegan' ? index + 1 : []))
    const [status, answer] = await migrate(setup.daemon, { diary: await createDiary(id, facts) })
    assert.is(status, 200, JSON.stringify(answer).slice(0, 500))
    const send = async (method: string, path: string) => {
      const reply = await setup.send({ method, path, signal: AbortSignal.timeout(60_000) })
      assert.ok(reply.status < 500, `${method} ${path}: ${reply.status} ${reply.text.slice(0, 500)}`)
    }
    for (const path of listReadPaths(id, turns)) await send('GET', path)
    for (const action of ['verify', 'sleep', 'stop', 'start', 'restart', 'stop'])
      await send('POST', `/api/persona/${id}/${action}`)
    for (const path of listReadPaths(id, turns)) await send('GET', path)
  }
  printFigures('foreign diaries', `${lifeCount} lives, ${acceptedFacts} strange facts believed`)
  assert.ok(acceptedFacts > lifeCount * 20)
})

test.run()
