/** GET …/history and GET …/changes: the state of a persona at a point, and the changes between two. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { readAudit } from '../audit-stream.ts'
import { createFakeClock } from '../clock.ts'
import { createHome, createModelFailed, createUsage, type WrittenEvents } from '../create-journal.ts'
import { startDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { createEntryPlanned, createMessageHeard, createMessageSpoken, renamed } from '../journal/facts.ts'
import { type Answer, createGet, readPast, readPresent } from '../persona-state.ts'
import { isValid, type Schema } from './schema.ts'
import { invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const getId = (personaPath: string): string => personaPath.split('/')[3] ?? ''
const validate = async (component: string, answer: Answer): Promise<void> => {
  const { components } = (await setup.get('/openapi.json'))[1]
  assert.ok(
    isValid(components.schemas[component] as Schema, answer, components.schemas),
    JSON.stringify(answer),
  )
}

const memoryKept = (id: string, text: string): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [3],
  origin: 'persona',
})
const createWritten = (time: string, ...events: readonly PersonaEvent[]): WrittenEvents => ({
  at: time,
  events,
})

/** Facts 1 and 2 create the persona and its Mind, at an earlier time. */
const life = [
  createWritten(
    '2026-11-20T10:00:00+01:00',
    createMessageHeard('one'),
    createMessageSpoken('two'),
    createUsage(10),
  ), // 3–5
  createWritten('2026-11-21T10:00:00+01:00', memoryKept('tea', 'Likes tea.'), createEntryPlanned('plants')), // 6, 7
  createWritten('2026-11-21T09:00:00+01:00', renamed('Bea')), // 8: the clock was put back
  createWritten('2026-11-22T10:00:00+01:00', {
    type: 'MemoryRevised',
    id: 'tea',
    text: 'Likes green tea.',
    sources: [3],
    origin: 'persona',
  }), // 9
  createWritten(
    '2026-11-22T11:00:00+01:00',
    { type: 'EntryDue', id: 'plants' },
    createUsage(100),
    createModelFailed(),
  ), // 10–12
  createWritten('2026-11-22T12:00:00+01:00', {
    type: 'DayClosed',
    after: 0,
    upTo: 4,
    began: Date.parse('2026-11-20T09:00:00Z'),
    ended: Date.parse('2026-11-20T09:00:00Z'),
    summary: 'Tea.',
    by: 'mind',
  }), // 13
  createWritten(
    '2026-11-23T10:00:00+01:00',
    { type: 'MemoryForgotten', id: 'tea', why: 'wrong' },
    createMessageHeard('three'),
    {
      type: 'StatusSet',
      status: 'hibernate',
      reason: null,
    },
  ), // 14–16
]

const withLife = async (act: (get: (path: string) => Promise<Answer>, url: string) => Promise<void>) => {
  const home = await createHome(life)
  const daemon = await startDaemon({
    home,
    clock: createFakeClock('2026-11-23T15:00:00+01:00', 'Europe/Berlin'),
  })
  try {
    await act(createGet(daemon.url), daemon.url)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true })
  }
}
const historyPath = '/api/persona/ada/history?at='

test('returns the state of a persona up to a position', () =>
  withLife(async (get) => {
    const pastState = await get(`${historyPath}7`)
    await validate('History', pastState)
    assert.is(
      joinKeys(pastState),
      'at persona status portrait memories knowledge instructions calendar conversation days usage',
    )
    assert.equal(pastState.at, { seq: 7, time: '2026-11-21T10:00:00.000+01:00' })
    assert.equal([pastState.persona.name, pastState.status], ['Ada', 'active'])
    assert.equal(
      pastState.memories.map(({ text, sources }: Answer) => [text, sources]),
      [['Likes tea.', [3]]],
    )
    assert.equal(pastState.knowledge.memory, { person: '- Likes tea.' })
    assert.equal(
      pastState.calendar.reminder.map(({ id }: Answer) => id),
      ['plants'],
    )
    assert.equal(
      pastState.conversation.map(({ content }: Answer) => content),
      ['one', 'two'],
    )
    assert.equal([pastState.days, pastState.usage.total.calls, pastState.usage.total.input], [[], 1, 10])

    const laterState = await get(`${historyPath}13`)
    assert.equal([laterState.persona.name, laterState.memories[0].text], ['Bea', 'Likes green tea.'])
    assert.equal(
      [laterState.calendar.reminder, laterState.calendar.due.map(({ id }: Answer) => id)],
      [[], ['plants']],
    )
    assert.equal(
      [laterState.days.map(({ body }: Answer) => body), laterState.usage.total.calls],
      [['Tea.'], 3],
    )
    assert.is(laterState.usage.total.failed, 1)
  }))

test('returns the head for any later point and 404 before the first fact', () =>
  withLife(async (get, url) => {
    const head = await get(`${historyPath}16`)
    assert.equal([head.at.seq, head.status, head.memories[0].forgotten], [16, 'hibernate', true])
    assert.equal(await get(`${historyPath}999999999999`), head)
    assert.equal(await get(`${historyPath}2030-01-01`), head)
    for (const earlyPoint of ['0', '2020-01-01']) {
      const response = await fetch(`${url}${historyPath}${earlyPoint}`)
      assert.equal(
        [response.status, await response.json()],
        [404, { detail: 'The persona did not exist at that moment.' }],
      )
    }
  }))

test('resolves an instant to the last fact in the journal that is not later, despite clock changes', () =>
  withLife(async (get) => {
    const getPosition = async (instant: string) =>
      (await get(historyPath + encodeURIComponent(instant))).at.seq
    assert.is(await getPosition('2026-11-20T10:00:00+01:00'), 5)
    assert.is(await getPosition('2026-11-20T23:00'), 5)
    assert.is(await getPosition('2026-11-21T09:00:00+01:00'), 8)
    assert.is(await getPosition('2026-11-21T08:59:59.999+01:00'), 5)
    assert.is(await getPosition('2026-11-21T12:00:00+01:00'), 8)
    assert.is(await getPosition('2026-11-23'), 13)
  }))

test('returns the changes between two points', () =>
  withLife(async (get) => {
    const changes = await get('/api/persona/ada/changes?from=5&to=13')
    await validate('Changes', changes)
    assert.equal([changes.from.seq, changes.to.seq], [5, 13])
    assert.equal([changes.name, changes.status], [{ before: 'Ada', after: 'Bea' }, null])
    assert.equal(
      changes.memories.kept.map(({ text }: Answer) => text),
      ['Likes green tea.'],
    )
    assert.equal([changes.memories.revised, changes.memories.forgotten], [[], []])
    assert.equal(changes.plans, { planned: [], moved: [], fallen_due: [], cancelled: [] })
    assert.equal([changes.messages, changes.usage.total.calls], [{ person: 0, persona: 0 }, 2])

    const small = await get('/api/persona/ada/changes?from=7&to=10')
    assert.equal(small.memories.revised, [
      { id: 'tea', document: 'person', before: 'Likes tea.', after: 'Likes green tea.' },
    ])
    assert.equal(
      small.plans.fallen_due.map(({ id }: Answer) => id),
      ['plants'],
    )

    const all = await get('/api/persona/ada/changes?from=0')
    assert.equal(all.from, { seq: 0, time: null })
    assert.equal([all.messages, all.usage.total.calls], [{ person: 2, persona: 1 }, 3])
    assert.equal(
      all.organs.map(({ slot, before, after }: Answer) => [slot, before, after.name]),
      [['thinking', null, 'embedded/practice']],
    )
    const end = await get('/api/persona/ada/changes?from=13')
    assert.equal(
      end.memories.forgotten.map(({ text }: Answer) => text),
      ['Likes green tea.'],
    )
    assert.equal(end.status, { before: 'active', after: 'hibernate' })
    const noChanges = await get('/api/persona/ada/changes?from=9&to=9')
    assert.equal(
      [noChanges.messages, noChanges.organs, noChanges.usage.total.calls],
      [{ person: 0, persona: 0 }, [], 0],
    )
  }))

test('reports invalid input in a fixed order', async () => {
  const home = await setup.home()
  assert.equal(
    await setup.get('/api/persona/nobody/history'),
    invalidBody('missing', ['query', 'at'], 'Field required', { input: {} }),
  )
  assert.equal(
    await setup.get('/api/persona/nobody/changes'),
    invalidBody('missing', ['query', 'from'], 'Field required', { input: {} }),
  )
  assert.equal(await setup.get('/api/persona/nobody/history?at=never'), unknownPersona)
  assert.equal(await setup.get('/api/persona/nobody/changes?from=never'), unknownPersona)
  for (const [path, name] of [
    ['history?at=never', 'at'],
    ['history?at=-1', 'at'],
    ['changes?from=never', 'from'],
    ['changes?from=1&to=', 'to'],
  ] as const)
    assert.equal(
      await setup.get(`${home}/${path}`),
      [400, { detail: `${name} must be a position in the journal or an ISO date` }],
      path,
    )
  assert.equal(await setup.get(`${home}/changes?from=2&to=1`), [
    400,
    { detail: 'from must not be later than to' },
  ])
  assert.is((await setup.get(`${home}/changes?from=0&to=0`))[0], 404)
})

test('shows no current or past key, token or code', async () => {
  const key = 'marked-key-0123456789'
  const otherSecret = 'marked-other-9876543210'
  const home = await setup.home({ thinking_provider: 'openai', thinking_model: 'gpt', thinking_api_key: key })
  await setup.post(`${home}/update`, { eye: { model: 'gpt', provider: 'openai', api_key: otherSecret } })
  await setup.post(`${home}/pair`, { code: 'MARKEDCD' })
  await setup.post(`${home}/update`, { eye: { model: 'gpt', provider: 'openai', api_key: '' } })
  const lines = await readAudit(setup.daemon.url, getId(home))
  const responses = [JSON.stringify(lines), JSON.stringify(await setup.get(`${home}/changes?from=0`))]
  for (const { seq } of lines) responses.push(JSON.stringify(await setup.get(`${home}/history?at=${seq}`)))
  for (const secret of [key, otherSecret, 'MARKEDCD'])
    for (const text of responses) assert.not.ok(text.includes(secret), `${secret} in ${text.slice(0, 200)}`)
  assert.is((await setup.get(`${home}/history?at=${lines.length}`))[1].persona.thinking.api_key, null)
})

test('returns the past of a damaged journal up to the damage', async () => {
  const home = await createHome(life)
  await damageJournal(home, 'ada', 9)
  const daemon = await startDaemon({ home })
  const get = createGet(daemon.url)
  assert.equal([(await get(`${historyPath}6`)).at.seq, (await get(`${historyPath}12`)).at.seq], [6, 8])
  await daemon.close()
  await rm(home, { recursive: true })
})

test('equals the responses of the other routes at that time', async () => {
  const home = await setup.home()
  const get = createGet(setup.daemon.url)
  await setup.say(home, 'hello')
  await setup.post(`${home}/memories`, { document: 'person', text: 'Likes tea.' })
  await setup.post(`${home}/stop`)
  const seq = (await readAudit(setup.daemon.url, getId(home))).length
  const stateNow = await readPresent(get, getId(home))
  await setup.post(`${home}/start`)
  await setup.say(home, 'and more')
  await setup.post(`${home}/update`, { name: 'Bea' })
  assert.equal(await readPast(get, getId(home), seq), stateNow)
})

test.run()
