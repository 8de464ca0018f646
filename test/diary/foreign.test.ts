/** Correctly encrypted diaries from third parties: facts that no life could have written are damage. */

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type EventOf, type EventType, type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { encodeRecord } from '../../journal/log/record.ts'
import { unseal } from '../../src/diary/decrypt-diary.ts'
import { DiaryUnopened } from '../../src/diary/unopened.ts'
import { born, createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { chunk, createOutline, createTar, everyKind, newKeys, sealTar, temporary } from './test-diary.ts'

const home = await temporary()
const keys = await newKeys()
let openCount = 0

interface CommandResult {
  readonly event: PersonaEvent
  readonly at?: number
  readonly offset?: number
  readonly cause?: { readonly by: 'person' | 'agent'; readonly life?: number; readonly turn?: number }
}

/** Returns the outcome of opening a diary of these facts. */
const outcome = async (facts: readonly (PersonaEvent | CommandResult)[]): Promise<string> => {
  let head = emptyHead
  const values = facts.map((fact) => {
    const {
      event,
      at = 1_780_000_000_000,
      offset = 60,
      cause = { by: 'person' as const },
    } = 'event' in fact ? fact : { event: fact }
    const record = encodeRecord(
      personaVocabulary,
      { commit: Buffer.alloc(16), salt: Buffer.alloc(16), cause, at, offset, event },
      head,
    )
    head = record.head
    return record.value
  })
  const manifest = { ...createOutline(keys.recipient, head), media: [] }
  const tar = createTar([
    { name: 'manifest.json', body: JSON.stringify(manifest) },
    { name: 'journal/000000000001.records', body: chunk(values) },
  ])
  const path = join(home, 'a.diary')
  const targetFolder = join(home, `into-${openCount++}`)
  await writeFile(path, await sealTar(keys.recipient, tar))
  try {
    await unseal(path, keys.identity, targetFolder)
    return 'opened'
  } catch (error) {
    return error instanceof DiaryUnopened ? error.code : String(error)
  } finally {
    await rm(targetFolder, { recursive: true, force: true })
  }
}

const createEvent = <T extends EventType>(type: T): EventOf<T> =>
  everyKind.find((event) => event.type === type) as EventOf<T>
/** Returns a full life in which one fact is changed. */
const lifeWith = <T extends EventType>(type: T, change: object): readonly PersonaEvent[] =>
  everyKind.map((event) => (event.type === type ? { ...event, ...change } : event))

const far = Number.MAX_SAFE_INTEGER
const limitMs = 8.64e15
const long = 'n'.repeat(450_000)
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
const usage = createEvent('ModelAnswered').usage
const media = createEvent('MessageHeard').media
const recipe = createEvent('ModelAnswered').recipe
const portraitFile = createEvent('PortraitChosen').media

const hostile: readonly (readonly [type: EventType, ...changes: readonly object[]])[] = [
  [
    'PersonaCreated',
    { name: long },
    { birthday: '2026-02-30' },
    { birthday: long },
    { idleTimeout: 0 },
    { idleTimeout: -1 },
    { recipient: long },
  ],
  [
    'PersonaRestored',
    { made: limitMs },
    { made: -9e15 },
    { made: 9e15 },
    { upTo: far },
    { upTo: 52 },
    { recipient: 'nobody' },
  ],
  [
    'PersonaForked',
    { at: far },
    { at: 51 },
    { id: '../x' },
    { from: 'Ada' },
    { name: long },
    { recipient: 'nobody' },
  ],
  ['Renamed', { name: long }, { name: 'n'.repeat(1001) }],
  [
    'PortraitChosen',
    { media: { ...portraitFile, mime: 'image/svg+xml' } },
    { media: { ...portraitFile, bytes: 6 * 1024 * 1024 } },
    { media: { ...portraitFile, filename: '../secrets' } },
  ],
  ['IdleTimeoutSet', { seconds: 0 }, { seconds: -far }],
  [
    'OrganReplaced',
    { organ: { model: long, provider: null, url: null, key: null } },
    { organ: { model: 'm', provider: null, url: long, key: null } },
  ],
  ['PhraseChanged', { recipient: 'age1 and more' }],
  ['DiaryWritten', { upTo: far }, { upTo: 41 }, { bytes: -1 }],
  ['Woke', { life: far }, { life: 0 }, { life: -1 }],
  ['Stopped', { life: far }, { life: -far }],
  ['Salvaged', { kept: -1 }, { lost: -1 }, { first: 44 }, { first: far }],
  ['ChannelAdded', { id: '' }, { id: '../c' }, { name: long }, { bot: long }, { token: long }],
  ['ChannelPaired', { target: long }, { at: 'yesterday' }, { at: '2026-13-01T00:00:00Z' }, { at: long }],
  ['Delivered', { message: 14 }, { message: 26 }, { message: far }],
  ['DeliveryFailed', { message: 1 }, { message: far }],
  [
    'MessageHeard',
    { channel: { type: 'web', name: long } },
    ...['a.png', '../../secrets', `${'0'.repeat(32)}.png/..`, '.', ''].map((filename) => ({
      media: { ...media, filename },
    })),
    { media: { ...media, name: long } },
    { media: { ...media, mime: long } },
    { media: { ...media, bytes: -1 } },
  ],
  [
    'TurnBegan',
    ...[far, 15, 16].map((lastSeq) => ({ stimuli: { after: 0, upTo: lastSeq, due: [] } })),
    ...[[14], [far], [-1]].map((positions) => ({ known: positions })),
    { stimuli: { after: 14, upTo: 3, due: [] } },
    { stimuli: { after: far, upTo: far, due: [] } },
    { stimuli: { after: 0, upTo: 14, due: ['a b'] } },
    { life: far },
  ],
  [
    'ModelAnswered',
    ...[14, 17, far].map((turn) => ({ turn })),
    { step: far },
    { step: -1 },
    { model: long },
    { ms: -1 },
    { calls: -far },
    ...[{ input: -1 }, { output: -far }, { cached: -1 }, { made: { unit: 'image', count: -1 } }].map(
      (changes) => ({
        usage: { ...usage, ...changes },
      }),
    ),
    { price: { usd: -1, dated: '2026-11-01' } },
    { price: { usd: 1e300, dated: '2026-11-01' } },
    { price: { usd: 1, dated: long } },
    ...[17, far].map((part) => ({ recipe: { ...recipe, parts: [part] } })),
    { answer: { text: '', calls: [{ id: 'c', name: 'n', input: { a: new Date() } }] } },
    { answer: { text: '', calls: [{ id: 'c', name: 'n', input: new Uint8Array(9) }] } },
  ],
  ['ModelFailed', { turn: far }, { step: far }, { model: long }, { ms: -1 }],
  [
    'MediaDescribed',
    { turn: 14 },
    { turn: far },
    { message: 15 },
    { message: far },
    { filename: '../a.png' },
  ],
  ['ToolCalled', { turn: 14 }, { turn: far }, { step: -1 }, { step: far }, { input: new Uint8Array(9) }],
  ['ToolAnswered', { turn: 1 }, { turn: far }, { step: far }, { output: { deep: new Date() } }],
  [
    'MessageSpoken',
    { turn: 14 },
    { turn: far },
    { step: far },
    { channel: { type: 'discord', name: long } },
    { media: { ...media, filename: 'b' } },
  ],
  ['TurnEnded', { turn: 14 }, { turn: far }],
  [
    'MemoryKept',
    { id: '' },
    { id: '__proto__ ' },
    { id: long },
    { text: 't'.repeat(301) },
    { sources: [far] },
    { sources: [15] },
    { sources: [21] },
  ],
  ['MemoryRevised', { text: long }, { sources: [14, far] }, { id: long }, { from: 'soon' }, { until: long }],
  ['MemoryForgotten', { id: long }, { into: long }, { into: '../m' }],
  ['MemoryPinned', { id: '' }, { id: long }],
  ['MemoryRestored', { text: long }, { sources: [29] }],
  ['ContextCarried', { upTo: far }, { upTo: 39 }, { after: 30 }, { after: far }],
  ['HistoryFed', { messages: -1 }],
  ['InstructionLearned', { intention: long }, { body: long }, { id: '/' }],
  ['InstructionRevised', { body: long }],
  [
    'EntryPlanned',
    ...['Europe/Nowhere', '+01:00', '', long].map((zone) => ({ zone })),
    ...[
      '2026-02-30T09:00:00',
      '+275760-09-13T00:00:00',
      'soon',
      '',
      '2026-11-23',
      '2026-11-23T09:00:00Z',
    ].flatMap((wall) => [{ wall }, { anchor: wall }]),
    { content: long },
    { id: long },
  ],
  ['EntryMoved', { zone: 'Mars/Olympus' }, { wall: '9999-99-99T99:99:99' }, { content: 'c'.repeat(1001) }],
  ['SleepBegan', { life: 0 }, { life: far }],
  [
    'DayClosed',
    { began: limitMs },
    { began: 9e15 },
    { ended: -9e15 },
    { ended: limitMs },
    { upTo: far },
    { upTo: 40 },
    { after: 25 },
  ],
  ['SleepEnded', { life: far }],
]

test('the unchanged template opens', async () => {
  assert.is(await outcome(everyKind), 'opened')
})

// Fails if every fact of the vocabulary is accepted: each of them opened.
test('facts that no life could have written are damage, even if encrypted correctly', async () => {
  for (const [type, ...changes] of hostile)
    for (const change of changes) {
      const label = `${type} ${JSON.stringify(change)?.slice(0, 200)}`
      assert.is(await outcome(lifeWith(type, change)), 'damaged', label)
    }
})

test('refuses a second birth, a death, and the facts of another persona', async () => {
  const otherEvent: PersonaEvent = { ...createEvent('PersonaCreated'), id: 'bob' }
  for (const fact of [otherEvent, born, { type: 'PersonaDeleted', purge: true } as const])
    assert.is(await outcome([born, fact, createMessageHeard('and on')]), 'damaged', fact.type)
})

test('an invalid time, an impossible time zone and an unknown turn are damage', async () => {
  const event = createMessageHeard('hello')
  for (const time of [limitMs, -limitMs, far, 253_402_300_799_999, Date.UTC(1899, 0)])
    assert.is(await outcome([born, { event, at: time }]), 'damaged', `${time}`)
  for (const offset of [24 * 60, -24 * 60, far])
    assert.is(await outcome([born, { event, offset }]), 'damaged', `${offset}`)
  for (const cause of [{ turn: 1 }, { turn: far }, { life: far }])
    assert.is(
      await outcome([born, { event, cause: { by: 'agent', ...cause } }]),
      'damaged',
      JSON.stringify(cause),
    )
  assert.is(await outcome([born, { event, at: Date.UTC(1970, 0), offset: 0 }]), 'opened')
  assert.is(await outcome([born, { event, at: Date.UTC(2199, 0), offset: -12 * 60 }]), 'opened')
})

test('tool arguments may be as deep as a record, and no deeper', async () => {
  const turn: readonly PersonaEvent[] = [
    born,
    createMessageHeard('hello'),
    { ...createEvent('TurnBegan'), stimuli: { after: 0, upTo: 2, due: [] } },
  ]
  const call = (levels: number): PersonaEvent => ({
    ...createEvent('ToolCalled'),
    turn: 3,
    input: deep(levels),
  })
  assert.is(await outcome([...turn, call(50)]), 'opened')
  assert.throws(() =>
    encodeRecord(
      personaVocabulary,
      {
        commit: Buffer.alloc(16),
        salt: Buffer.alloc(16),
        cause: { by: 'person' },
        at: 1,
        offset: 0,
        event: call(100),
      },
      emptyHead,
    ),
  )
})

test('an oversized record, too many bots and too many chats are damage', async () => {
  assert.is(await outcome([born, createMessageHeard('a'.repeat(500_000))]), 'opened')
  assert.is(await outcome([born, createMessageHeard('a'.repeat(600_000))]), 'damaged')
  const bots = (count: number): readonly PersonaEvent[] =>
    Array.from({ length: count }, (_, n) => ({ ...createEvent('ChannelAdded'), id: `c${n}` }))
  assert.is(await outcome([born, ...bots(64)]), 'opened')
  assert.is(await outcome([born, ...bots(65)]), 'damaged')
  const chats = (count: number): readonly PersonaEvent[] =>
    Array.from({ length: count }, (_, n) => ({
      ...(createMessageHeard('hello') as EventOf<'MessageHeard'>),
      channel: { type: 'telegram', name: `${n}` },
    }))
  assert.is(await outcome([born, ...chats(1000)]), 'opened')
  assert.is(await outcome([born, ...chats(1001)]), 'damaged')
})

test('a later fact may refer to anything that was lost to damage', async () => {
  const foreignFacts: readonly PersonaEvent[] = [
    born,
    { type: 'Lost' },
    { type: 'Lost' },
    createMessageSpoken('words'),
  ]
  assert.is(
    await outcome([
      ...foreignFacts,
      { ...createEvent('TurnEnded'), turn: 2 },
      { ...createEvent('Delivered'), message: 3 },
    ]),
    'opened',
  )
  assert.is(await outcome([...foreignFacts, { ...createEvent('TurnEnded'), turn: 4 }]), 'damaged')
})

test.after(() => rm(home, { recursive: true, force: true }))

test.run()
