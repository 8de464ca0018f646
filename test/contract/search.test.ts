/** GET /api/persona/{persona_id}/search */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Media } from '../../facts/fact-values.ts'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { createFakeClock } from '../clock.ts'
import { createHome } from '../create-journal.ts'
import { startDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { ask } from '../http/try.ts'
import { createEntryPlanned, createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { toHeardMedia } from '../message-parts.ts'
import { isValid, type Schema } from './schema.ts'
import { type Answer, invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

const writtenTime = '2026-11-20T09:00:00+01:00'
const memoryKept = (id: string, text: string): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [],
  origin: 'persona',
})
const photo: Media = {
  filename: `${'0'.repeat(32)}.jpg`,
  name: 'pond.jpg',
  mime: 'image/jpeg',
  bytes: 3,
  sha256: 'a'.repeat(64),
  caption: 'our pond',
  voice: false,
}
const firstSeq = 3
const life: readonly PersonaEvent[] = [
  createMessageHeard('There is a heron at the pond.'),
  createMessageSpoken('A heron! Is it a grey one?'),
  { ...(createMessageHeard('Look at it') as EventOf<'MessageHeard'>), media: toHeardMedia(photo) },
  {
    type: 'MediaDescribed',
    turn: 4,
    message: firstSeq + 2,
    filename: photo.filename,
    organ: 'eye',
    outcome: 'perceived',
    text: 'A grey heron stands in the water.',
  },
  {
    type: 'MediaDescribed',
    turn: 4,
    message: firstSeq + 2,
    filename: photo.filename,
    organ: 'eye',
    outcome: 'refused',
    text: 'no heron',
  },
  memoryKept('m1', 'They are fond of the heron.'),
  memoryKept('m2', 'They feed the heron.'),
  { type: 'MemoryForgotten', id: 'm2', why: null },
  { type: 'MemoryRevised', id: 'm1', text: 'They adore the heron.', sources: [], origin: 'person' },
  { ...(createEntryPlanned('p1') as EventOf<'EntryPlanned'>), content: 'photograph the heron' },
  {
    ...(createEntryPlanned('p1') as EventOf<'EntryPlanned'>),
    type: 'EntryMoved',
    content: 'paint the heron',
    wall: '2026-11-24T10:00:00',
  },
  { ...(createEntryPlanned('p2') as EventOf<'EntryPlanned'>), content: 'ask what a heron eats' },
  { type: 'EntryCancelled', id: 'p2' },
  { type: 'InstructionLearned', id: 'i1', intention: 'identify a heron', body: 'Look at the neck.' },
  { type: 'InstructionRevised', id: 'i1', body: 'Look at the legs.' },
  {
    type: 'DayClosed',
    after: 0,
    upTo: firstSeq,
    began: 0,
    ended: 1,
    summary: 'A day of the heron.',
    by: 'mind',
  },
]

const withLife = async (
  act: (get: (path: string) => Promise<Answer>, home: string) => Promise<void>,
  spoilt?: number,
) => {
  const home = await createHome(life.map((event) => ({ at: writtenTime, events: [event] })))
  if (spoilt !== undefined) await damageJournal(home, 'ada', spoilt)
  const daemon = await startDaemon({ home, clock: createFakeClock() })
  const get = async (path: string): Promise<Answer> => {
    const { status, text } = await ask(daemon.port, { path: `/api/persona/ada${path}` })
    return [status, JSON.parse(text)]
  }
  try {
    await act(get, home)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
}
const getIds = ([status, { found }]: Answer) => [
  status,
  ...found.map(({ id }: { id: number }) => id - firstSeq),
]

test('finds messages, files, memories, plans, instructions and days by their text, newest first on request', () =>
  withLife(async (get, home) => {
    const [status, { found, has_more }] = await get('/search?sort=newest&q=HERON')
    assert.equal([status, has_more], [200, false])
    for (const item of found)
      assert.is(joinKeys(item), 'id kind role time text channel turn message media memory instruction plan')
    assert.equal(
      found.map(({ id, kind, role, text }: Answer[1]) => [id - firstSeq, kind, role, text]),
      [
        [15, 'day', null, 'A day of the heron.'],
        [14, 'instruction', null, 'identify a heron\nLook at the legs.'],
        [11, 'plan', null, 'ask what a heron eats'],
        [10, 'plan', null, 'paint the heron'],
        [8, 'memory', null, 'They adore the heron.'],
        [3, 'file', 'person', 'pond.jpg\nA grey heron stands in the water.'],
        [1, 'said', 'assistant', 'A heron! Is it a grey one?'],
        [0, 'said', 'person', 'There is a heron at the pond.'],
      ],
    )
    const [, instruction, cancelledPlan, open, memory, file, , message] = found
    assert.equal(
      [memory.memory, instruction.instruction, message.memory, message.plan],
      ['m1', 'i1', null, null],
    )
    assert.equal(open.plan, {
      id: 'p1',
      kind: 'reminder',
      wall: '2026-11-24T10:00:00',
      zone: 'Europe/Berlin',
      open: true,
    })
    assert.equal([cancelledPlan.plan.id, cancelledPlan.plan.open], ['p2', false])
    assert.equal(
      [file.message, file.turn, file.media.name, message.message],
      [firstSeq + 2, 4, 'pond.jpg', firstSeq],
    )
    assert.match(message.time, /^2026-11-20T09:00:00\.000\+01:00$/)
    assert.equal(getIds(await get('/search?sort=newest&q=feed+heron')), [200])
    assert.equal(getIds(await get('/search?sort=newest&q=fond')), [200])
    assert.equal(getIds(await get('/search?sort=newest&q=no+heron')), [200])
    assert.equal(getIds(await get('/search?sort=newest&q=wat*+GRE*+')), [200, 3])
    assert.equal(getIds(await get('/search?sort=newest&q=her%27on&kind=plan')), [200, 11, 10])
    assert.equal(getIds(await get('/search?sort=newest&q=pond.jpg')), [200, 3, 2])
    assert.equal(getIds(await get('/search?sort=newest&q=%22grey+heron%22')), [200, 3])
    assert.equal(getIds(await get('/search?sort=newest&q=heron&kind=plan')), [200, 11, 10])
    assert.equal(getIds(await get(`/search?sort=newest&q=heron&before=${firstSeq + 8}&limit=2`)), [200, 3, 1])
    assert.equal((await get('/search?sort=newest&q=heron&limit=8'))[1].has_more, false)
    assert.equal((await get('/search?sort=newest&q=heron&limit=7'))[1].has_more, true)
    assert.equal(
      getIds(await get(`/search?sort=newest&q=heron&before=${Number.MAX_SAFE_INTEGER}&limit=1`)),
      [200, 15],
    )
    assert.equal(getIds(await get('/search?sort=newest&q=heron&before=1')), [200])
    assert.equal(await get('/search?sort=newest&q=%3F%21'), [200, { found: [], has_more: false }])
    await rm(join(home, 'personas/ada/search'), { recursive: true })
    assert.equal((await get('/search?sort=newest&q=heron'))[1].found, found)
  }))

test('searches a damaged journal up to the damage', () =>
  withLife(async (get) => {
    assert.equal(getIds(await get('/search?sort=newest&q=heron')), [200, 3, 1, 0])
    assert.equal(getIds(await get('/search?sort=newest&q=heron')), [200, 3, 1, 0])
  }, firstSeq + 5))

test('finds the latest messages, also of a stopped persona, and nothing of a deleted one', async () => {
  const id = await setup.born()
  const home = `/api/persona/${id}`
  await setup.say(home, 'My bicycle is turquoise.')
  const texts = async () =>
    (await setup.get(`${home}/search?sort=newest&q=turq`))[1].found.map(({ text }: { text: string }) => text)
  assert.equal(await texts(), ['You said: My bicycle is turquoise.', 'My bicycle is turquoise.'])
  await setup.post(`${home}/stop`)
  assert.is((await texts()).length, 2)
  const requests = Array.from({ length: 5 }, () => setup.get(`${home}/search?sort=newest&q=turquoise`))
  assert.is((await setup.post(`${home}/delete`))[0], 200)
  for (const [status] of await Promise.all(requests)) assert.ok(status === 200 || status === 404)
  assert.equal(await setup.get(`${home}/search?sort=newest&q=turquoise`), unknownPersona)
  assert.not.ok(existsSync(join(setup.daemon.home, 'personas', id)))
})

test('sorts by relevance by default, matches word forms, and pages by position', () =>
  withLife(async (get) => {
    const all = getIds(await get('/search?sort=newest&q=heron')).sort()
    for (const path of [
      '/search?q=heron',
      '/search?q=HERONS',
      '/search?q=no+heron',
      '/search?sort=relevance&q=heron',
    ])
      assert.equal(getIds(await get(path)).sort(), all, path)
    assert.equal(getIds(await get('/search?q=a+grey+heron')), [200, 3, 1])
    assert.equal(getIds(await get('/search?q=where+do+herons+stand')), [200, 3])
    assert.equal(getIds(await get('/search?q=photographing')), [200])
    assert.equal(getIds(await get('/search?q=fond+feed')), [200])
    assert.equal(getIds(await get(`/search?q=heron&before=${firstSeq + 8}&limit=2`)), [200, 3, 1])
    assert.equal((await get('/search?q=heron&limit=8'))[1].has_more, false)
    const [, { found, has_more }] = await get('/search?q=heron&limit=7')
    assert.equal([found.length, has_more], [7, true])
    assert.equal(await get('/search?q=%3F%21'), [200, { found: [], has_more: false }])
    assert.is((await get('/search?q=heron&sort=oldest'))[0], 422)
  }))

test('requires text, a known kind and integers', async () => {
  for (const home of [await setup.home(), '/api/persona/nobody']) {
    const search = (query: string) => setup.get(`${home}/search${query}`)
    assert.equal(await search(''), invalidBody('missing', ['query', 'q'], 'Field required', { input: {} }))
    assert.equal(
      await search('?q='),
      invalidBody('string_too_short', ['query', 'q'], 'String should have at least 1 character', {
        input: '',
        ctx: { min_length: 1 },
      }),
    )
    const endless = 'x'.repeat(501)
    assert.equal(
      await search(`?q=${endless}`),
      invalidBody('string_too_long', ['query', 'q'], 'String should have at most 500 characters', {
        input: endless,
        ctx: { max_length: 500 },
      }),
    )
    assert.equal(
      await search('?q=x&limit=101'),
      invalidBody('less_than_equal', ['query', 'limit'], 'Input should be less than or equal to 100', {
        input: '101',
        ctx: { le: 100 },
      }),
    )
    for (const query of ['?q=x&limit=0', '?q=x&before=0', '?q=x&before=now', '?q=x&kind=dream'])
      assert.is((await search(query))[0], 422, query)
  }
  assert.equal(await setup.get('/api/persona/nobody/search?q=x'), unknownPersona)
})

test('returns bodies that match the API description', async () => {
  const [, { paths, components }] = await setup.get('/openapi.json')
  const operation = paths['/api/persona/{persona_id}/search'].get
  const schema: Schema = operation.responses['200'].content['application/json'].schema
  await withLife(async (get) => {
    const [, body] = await get('/search?q=heron')
    assert.ok(isValid(schema, body, components.schemas))
  })
  assert.equal(Object.keys(operation.responses), ['200', '403', '404', '422'])
})

test.run()
