/** GET, POST, PATCH and DELETE of memories as single statements. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { embeddedMind } from '../../packages/practice-mind/minds.ts'
import { standIn } from '../http/stand-in.ts'
import { type Answer, invalidBody, shareSetup, unknownPersona } from './setup.ts'

/** Every persona uses the practice model. */
const setup = shareSetup(test, { models: { ...standIn(), mind: () => embeddedMind('embedded/practice') } })

const sendPatch = (path: string, body: unknown) => sendJson('PATCH', path, body)
const sendDelete = (path: string) => sendJson('DELETE', path)
const sendJson = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const bodyOptions =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const { status, text } = await setup.send({ method, path, ...bodyOptions })
  return [status, JSON.parse(text)]
}
const unknownMemory: Answer = [404, { detail: 'Memory not found.' }]
const listMemories = async (personaPath: string, query = '') =>
  (await setup.get(`${personaPath}/memories${query}`))[1].memories
const getTexts = (memories: readonly { text: string }[]) => memories.map(({ text }) => text)
const writeMemory = async (personaPath: string, document: string, text: string) =>
  (await setup.post(`${personaPath}/memories`, { document, text }))[1]
const listMemoryFacts = async (personaPath: string) =>
  (await setup.facts(personaPath.split('/').at(-1) ?? ''))
    .map((text) => JSON.parse(text).title)
    .filter((title) => /^Memory/.test(title))

test('lists a learned memory with its source message and one written by the user without a source', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'My name is Mia and I live in Lisbon.')
  const byHand = await writeMemory(personaPath, 'wishes', 'They want to see the sea.')
  const { messages } = (await setup.get(`${personaPath}/conversation`))[1]
  const [name, home, sea] = await listMemories(personaPath)
  assert.equal(
    Object.keys(name).join(' '),
    'id document text origin sources via time from until pinned forgotten merged_into as_you',
  )
  assert.equal([name.text, name.origin, name.forgotten], ['Their name is Mia.', 'persona', false])
  assert.is(name.as_you, 'Your name is Mia.')
  assert.equal([name.sources, home.sources], [[messages[0].id], [messages[0].id]])
  assert.match(name.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/)
  assert.equal(sea, byHand)
  assert.equal([sea.text, sea.origin, sea.sources], ['They want to see the sea.', 'person', []])
  assert.equal(await listMemories(personaPath, `?source=${messages[0].id}`), [name, home])
  assert.equal(await listMemories(personaPath, `?source=${messages[1].id}`), [])
})

test('sorts memories by document and time, forgotten ones last and newest first', async () => {
  const personaPath = await setup.home()
  for (const [document, text] of [
    ['permissions', 'p'],
    ['person', 'a'],
    ['struggles', 's'],
    ['person', 'b'],
    ['persona-trait', 'i'],
    ['traits', 't'],
    ['wishes', 'w'],
    ['person', 'c'],
  ] as const)
    await writeMemory(personaPath, document, text)
  const ids = new Map(
    (await listMemories(personaPath)).map(({ id, text }: { id: string; text: string }) => [text, id]),
  )
  await sendDelete(`${personaPath}/memories/${ids.get('b')}`)
  await sendDelete(`${personaPath}/memories/${ids.get('a')}`)
  assert.equal(getTexts(await listMemories(personaPath)), ['c', 't', 'i', 'w', 's', 'p', 'a', 'b'])
  assert.equal((await setup.get(`${personaPath}/knowledge`))[1].memory.person, '- c')
})

test('stores the same text in the same document once, also for concurrent requests', async () => {
  const personaPath = await setup.home()
  const body = { document: 'person', text: '  They have\na cat. ', odd: 1 }
  const [first, second] = await Promise.all([
    setup.post(`${personaPath}/memories`, body),
    setup.post(`${personaPath}/memories`, body),
  ])
  assert.equal([first[0], first[1].text], [200, 'They have a cat.'])
  assert.equal(second, first)
  assert.equal(await listMemories(personaPath), [first[1]])
  assert.equal(await listMemoryFacts(personaPath), ['MemoryKept'])
})

test('pins and dates a memory, and refuses a wrong date and a period that ends before it begins', async () => {
  const personaPath = await setup.home()
  const memory = await writeMemory(personaPath, 'person', 'They study in Rome.')
  const memoryPath = `${personaPath}/memories/${memory.id}`
  const [, pinnedMemory] = await sendPatch(memoryPath, { pinned: true })
  assert.equal(pinnedMemory, { ...memory, pinned: true })
  assert.equal(await sendPatch(memoryPath, { pinned: true }), [200, pinnedMemory])
  const [, dated] = await sendPatch(memoryPath, { from: '2024', until: '2027-03' })
  assert.equal(dated, { ...pinnedMemory, from: '2024', until: '2027-03', time: dated.time })
  assert.equal((await sendPatch(memoryPath, { from: '' }))[1], {
    ...dated,
    from: null,
    time: (await listMemories(personaPath))[0].time,
  })
  for (const invalidUntil of ['soon', '2027-13', '2027-02-30', '27'])
    assert.is((await sendPatch(memoryPath, { until: invalidUntil }))[0], 422, invalidUntil)
  assert.equal(await sendPatch(memoryPath, { from: '2028' }), [
    400,
    { detail: 'The statement would begin after its end. Check "from" and "until".' },
  ])
  const [, forgotten] = await sendPatch(memoryPath, { forgotten: true })
  assert.equal([forgotten.pinned, forgotten.until, forgotten.merged_into], [false, '2027-03', null])
  assert.is((await sendPatch(memoryPath, { pinned: true }))[0], 400)
  assert.equal(await listMemoryFacts(personaPath), [
    'MemoryKept',
    'MemoryPinned',
    'MemoryRevised',
    'MemoryRevised',
    'MemoryForgotten',
  ])
  for (let n = 0; n < 30; n++)
    await sendPatch(
      `${personaPath}/memories/${(await writeMemory(personaPath, 'person', `Fact ${n}.`)).id}`,
      { pinned: true },
    )
  const { id } = await writeMemory(personaPath, 'person', 'One too many.')
  assert.equal(await sendPatch(`${personaPath}/memories/${id}`, { pinned: true }), [
    400,
    { detail: '30 statements are pinned already. Unpin one of them first.' },
  ])
})

test('returns the new state of a corrected, forgotten and restored memory', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'I live in Lisbon.')
  const [memory] = await listMemories(personaPath)
  const memoryPath = `${personaPath}/memories/${memory.id}`
  const [status, changed] = await sendPatch(memoryPath, { text: 'They live in\tPorto.', forgotten: null })
  const correctedTexts = { text: 'They live in Porto.', as_you: 'You live in Porto.' }
  assert.equal(
    [status, changed],
    [200, { ...memory, ...correctedTexts, origin: 'person', time: changed.time }],
  )
  assert.equal(await sendPatch(memoryPath, {}), [200, changed])
  assert.equal(await sendPatch(memoryPath, { text: null, odd: 'x' }), [200, changed])
  assert.equal(await sendPatch(memoryPath, { forgotten: true }), [200, { ...changed, forgotten: true }])
  assert.equal(await sendPatch(memoryPath, { forgotten: true }), [200, { ...changed, forgotten: true }])
  assert.equal((await setup.get(`${personaPath}/knowledge`))[1].memory, {})
  assert.equal(await sendPatch(memoryPath, { text: 'x' }), [
    400,
    { detail: 'It is forgotten. Restore it first, with "forgotten": false.' },
  ])
  const [, restoredMemory] = await sendPatch(memoryPath, { forgotten: false })
  assert.equal(restoredMemory, { ...changed, time: restoredMemory.time })
  assert.equal(await listMemories(personaPath), [restoredMemory])
  assert.equal(await listMemoryFacts(personaPath), [
    'MemoryKept',
    'MemoryRevised',
    'MemoryForgotten',
    'MemoryRestored',
  ])
})

test('forgets a deleted memory and accepts a second deletion', async () => {
  const personaPath = await setup.home()
  const { id } = await writeMemory(personaPath, 'person', 'They have a cat.')
  for (let time = 0; time < 2; time++)
    assert.equal(await sendDelete(`${personaPath}/memories/${id}`), [200, null])
  assert.equal(
    (await listMemories(personaPath)).map(({ forgotten }: { forgotten: boolean }) => forgotten),
    [true],
  )
  assert.equal(await listMemoryFacts(personaPath), ['MemoryKept', 'MemoryForgotten'])
})

test('changes memories of a running and of a stopped persona', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/stop`)
  const { id } = await writeMemory(personaPath, 'person', 'They have a cat.')
  assert.is(
    (await sendPatch(`${personaPath}/memories/${id}`, { text: 'They have two cats.' }))[1].text,
    'They have two cats.',
  )
  assert.equal(await sendDelete(`${personaPath}/memories/${id}`), [200, null])
  await setup.post(`${personaPath}/start`)
  assert.equal(getTexts(await listMemories(personaPath)), ['They have two cats.'])
})

test('answers with memories written by the user and without forgotten ones', async () => {
  const personaPath = await setup.home()
  const { id } = await writeMemory(personaPath, 'person', 'They live in Lisbon.')
  assert.match(await setup.say(personaPath, 'Where do I live?'), /Lisbon/)
  await sendDelete(`${personaPath}/memories/${id}`)
  await setup.post(`${personaPath}/memories`, { document: 'person', text: 'They live in Porto.' })
  assert.match(await setup.say(personaPath, 'Where do I live?'), /Porto/)
})

test('names a wrong document, a missing or wrong field and a wrong source', async () => {
  const personaPath = await setup.home()
  const expectedError = `'person', 'traits', 'persona-trait', 'wishes', 'struggles', 'permissions' or 'self'`
  assert.equal(
    await setup.post(`${personaPath}/memories`, { document: 'diary', text: 'x' }),
    invalidBody('literal_error', ['body', 'document'], `Input should be ${expectedError}`, {
      input: 'diary',
      ctx: { expected: expectedError },
    }),
  )
  const types = async (answer: Promise<Answer>) => {
    const [status, { detail }] = await answer
    return [
      status,
      ...detail.map(({ type, loc }: { type: string; loc: readonly string[] }) => `${loc.join('.')} ${type}`),
    ]
  }
  assert.equal(await types(setup.post(`${personaPath}/memories`, {})), [
    422,
    'body.document missing',
    'body.text missing',
  ])
  assert.equal(await types(setup.post(`${personaPath}/memories`, { document: 'person', text: 5 })), [
    422,
    'body.text string_type',
  ])
  assert.equal(await types(setup.post(`${personaPath}/memories`, { document: 'person', text: '\ud800' })), [
    422,
    'body.text string_unicode',
  ])
  assert.equal(await types(sendPatch(`${personaPath}/memories/m1`, { text: 5, forgotten: 'x' })), [
    ...[422, 'body.text string_type', 'body.forgotten bool_parsing'],
  ])
  assert.equal(await types(setup.get(`${personaPath}/memories?source=x`)), [422, 'query.source int_parsing'])
  assert.equal(await types(setup.get(`${personaPath}/memories?source=0`)), [
    422,
    'query.source greater_than_equal',
  ])
})

test('refuses an empty and a too long text with a reason and stores nothing', async () => {
  const personaPath = await setup.home()
  const empty: Answer = [400, { detail: 'A memory needs a text.' }]
  const tooLong: Answer = [400, { detail: 'The memory is too long: 300 characters at most.' }]
  assert.equal(await setup.post(`${personaPath}/memories`, { document: 'person', text: ' \n' }), empty)
  assert.equal(
    await setup.post(`${personaPath}/memories`, { document: 'person', text: 'x'.repeat(301) }),
    tooLong,
  )
  const { id } = await writeMemory(personaPath, 'person', 'They have a cat.')
  assert.equal(await sendPatch(`${personaPath}/memories/${id}`, { text: '' }), empty)
  assert.equal(await sendPatch(`${personaPath}/memories/${id}`, { text: 'x'.repeat(301) }), tooLong)
  assert.equal(getTexts(await listMemories(personaPath)), ['They have a cat.'])
})

test('returns 404 for a missing persona and for a missing memory', async () => {
  const personaPath = await setup.home()
  for (const id of ['m404', 'constructor', '__proto__', '%00', 'x'.repeat(2000)]) {
    assert.equal(await sendPatch(`${personaPath}/memories/${id}`, { forgotten: true }), unknownMemory)
    assert.equal(await sendDelete(`${personaPath}/memories/${id}`), unknownMemory)
  }
  const nobodyPath = '/api/persona/nobody/memories'
  assert.equal(await setup.get(nobodyPath), unknownPersona)
  assert.equal(await setup.post(nobodyPath, { document: 'person', text: 'x' }), unknownPersona)
  assert.equal(await sendPatch(`${nobodyPath}/m1`, {}), unknownPersona)
  assert.equal(await sendDelete(`${nobodyPath}/m1`), unknownPersona)
})

test.run()
