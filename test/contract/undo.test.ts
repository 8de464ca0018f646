/** POST …/undo: reverts the effect of one fact by new facts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakePlatform, createToken } from '../channels/platform.ts'
import { type Answer, getTitles, invalidBody, shareSetup, unknownPersona } from './setup.ts'

const telegram = createFakePlatform('telegram', ['ada_bot'])
const setup = shareSetup(test, { platforms: [telegram] })
const { get, post, view } = setup

const getId = (personaPath: string) => personaPath.split('/').at(-1) ?? ''
const undo = (personaPath: string, seq: unknown) => post(`${personaPath}/undo`, { seq })
const refusal = (reason: string): Answer => [400, { detail: `It cannot be undone. ${reason}` }]
/** Returns the positions of the persona's facts with this title, oldest first. */
const getSeqs = async (personaPath: string, title: string): Promise<number[]> =>
  (await setup.facts(getId(personaPath)))
    .map((text) => JSON.parse(text))
    .flatMap((frame) => (frame.title === title ? [frame.seq] : []))
const getLastSeq = async (personaPath: string, title: string) => (await getSeqs(personaPath, title)).at(-1)
const sendJson = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const bodyOptions =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const { status, text } = await setup.send({ method, path, ...bodyOptions })
  return [status, JSON.parse(text)]
}
const listMemories = async (personaPath: string) =>
  (await get(`${personaPath}/memories`))[1].memories.map(
    ({ text, forgotten }: { text: string; forgotten: boolean }) => [text, forgotten],
  )

test('reverts a new name, then the revert, and returns which fact reverted which', async () => {
  const personaPath = await setup.home()
  await post(`${personaPath}/update`, { name: 'Bea' })
  const givenSeq = (await getSeqs(personaPath, 'Renamed'))[0] as number
  // Reading the facts has renamed the persona since.
  assert.match(
    (await undo(personaPath, givenSeq))[1].detail,
    /^It was changed again, at \d+\. Undo that first\.$/,
  )
  await post(`${personaPath}/update`, { name: 'Cleo' })
  const [status, answer] = await undo(personaPath, (await get(`${personaPath}/diagnose`))[1].journal.events)
  assert.equal([status, Object.keys(answer).join(' ')], [200, 'undone by'])
  assert.match((await view(getId(personaPath))).name, /^mark/)
  const [by] = answer.by
  assert.equal(await undo(personaPath, answer.undone), [
    400,
    { detail: `It was undone already, at ${by}. Undo that to have it again.` },
  ])
  assert.is((await undo(personaPath, by))[0], 200)
  assert.is((await view(getId(personaPath))).name, 'Cleo')
  assert.is((await post(`${personaPath}/verify`))[1].intact, true)
})

test('reverts a memory that was kept, corrected and forgotten', async () => {
  const personaPath = await setup.home()
  const [, { id }] = await post(`${personaPath}/memories`, { document: 'person', text: 'Likes tea.' })
  await sendJson('PATCH', `${personaPath}/memories/${id}`, { text: 'Likes coffee.' })
  await sendJson('DELETE', `${personaPath}/memories/${id}`)
  assert.equal(await listMemories(personaPath), [['Likes coffee.', true]])
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'MemoryForgotten')))[0], 200)
  assert.equal(await listMemories(personaPath), [['Likes coffee.', false]])
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'MemoryRevised')))[0], 200)
  assert.equal(await listMemories(personaPath), [['Likes tea.', false]])
  const [status, { by }] = await undo(personaPath, await getLastSeq(personaPath, 'MemoryKept'))
  assert.is(status, 200)
  assert.equal(await listMemories(personaPath), [['Likes tea.', true]])
  assert.is((await undo(personaPath, by[0]))[0], 200)
  assert.equal(await listMemories(personaPath), [['Likes tea.', false]])
})

test('reverts a pin, and restores the pin of a forgotten memory', async () => {
  const personaPath = await setup.home()
  const [, { id }] = await post(`${personaPath}/memories`, { document: 'person', text: 'Likes tea.' })
  const getState = async () => {
    const [memory] = (await get(`${personaPath}/memories`))[1].memories
    return [memory.pinned, memory.forgotten]
  }
  await sendJson('PATCH', `${personaPath}/memories/${id}`, { pinned: true })
  const [status, { by }] = await undo(personaPath, await getLastSeq(personaPath, 'MemoryPinned'))
  assert.is(status, 200)
  assert.equal(await getState(), [false, false])
  assert.is((await undo(personaPath, by[0]))[0], 200)
  assert.equal(await getState(), [true, false])
  // The pin does not prevent that the memory itself is taken back.
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'MemoryKept')))[0], 200)
  assert.equal(await getState(), [false, true])
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'MemoryForgotten')))[0], 200)
  assert.equal(await getState(), [true, false])
})

test('reverts a plan that was created, moved and cancelled', async () => {
  const personaPath = await setup.home()
  const wall = `${new Date().getFullYear() + 1}-05-01T09:00`
  const [, entry] = await post(`${personaPath}/calendar`, {
    kind: 'reminder',
    when: wall,
    content: 'call mum',
  })
  const contents = async () => {
    const year = wall.slice(0, 4)
    const [, calendar] = await get(`${personaPath}/calendar?start=${year}-01-01&end=${year}-12-31`)
    return JSON.stringify(calendar).match(/call (mum|dad)/g) ?? []
  }
  await sendJson('PATCH', `${personaPath}/calendar/${entry.id}`, { content: 'call dad' })
  await sendJson('DELETE', `${personaPath}/calendar/${entry.id}`)
  assert.equal(await contents(), [])
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'EntryCancelled')))[0], 200)
  assert.equal(await contents(), ['call dad'])
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'EntryMoved')))[0], 200)
  assert.equal(await contents(), ['call mum'])
  const [plannedSeq] = await getSeqs(personaPath, 'EntryPlanned')
  assert.is((await undo(personaPath, plannedSeq))[0], 200)
  assert.equal(await contents(), [])
})

test('restores the previous organ after preparing it, and restarts the persona for a Mind as an update does', async () => {
  const personaPath = await setup.home()
  const local = { model: 'llava' }
  await post(`${personaPath}/update`, { eye: local })
  await post(`${personaPath}/update`, { thinking: { model: 'llama', profile: 'compact' } })
  await post(`${personaPath}/update`, { thinking: { model: 'qwen' } })
  const mind = await getLastSeq(personaPath, 'OrganReplaced')
  setup.models.brokenMethods.prepare = 'No runtime answers.'
  const [, { detail }] = await undo(personaPath, mind)
  assert.is(detail, 'The Mind could not be prepared: No runtime answers.')
  assert.is((await view(getId(personaPath))).base_model, 'qwen')
  delete setup.models.brokenMethods.prepare
  setup.models.doneCalls.length = 0
  assert.is((await undo(personaPath, mind))[0], 200)
  assert.ok(setup.models.doneCalls.includes('prepare llama'))
  assert.is((await view(getId(personaPath))).base_model, 'llama')
  assert.is((await view(getId(personaPath))).thinking.profile, 'compact')
  const titles = getTitles(await setup.facts(getId(personaPath)))
  assert.ok(titles.lastIndexOf('Woke 5') > titles.lastIndexOf('OrganReplaced'), titles.join())

  const eye = (await getSeqs(personaPath, 'OrganReplaced'))[1]
  assert.is((await undo(personaPath, eye))[0], 200)
  assert.is((await view(getId(personaPath))).eye, null)
})

test('restores the last Mind with its key, and only that one', async () => {
  const personaPath = await setup.home()
  const update = async (thinking: object) =>
    assert.is((await post(`${personaPath}/update`, { thinking }))[0], 200)
  const readMinds = async () =>
    (await get(`${personaPath}/conversation?minds=true`))[1].minds.map(
      ({ model, undoable }: { model: string; undoable: boolean }) => `${model} ${undoable}`,
    )
  await update({ provider: 'openai', model: 'gpt-4o', api_key: 'sk-former-key' })
  await update({ provider: 'anthropic', model: 'claude', api_key: 'sk-new-key' })
  const change = await getLastSeq(personaPath, 'OrganReplaced')
  assert.equal((await readMinds()).slice(1), ['gpt-4o false', 'claude true'])
  const [status, answer] = await undo(personaPath, change)
  assert.equal([status, answer.note], [200, undefined])
  assert.equal((await view(getId(personaPath))).thinking.provider, 'openai')
  assert.equal((await readMinds()).slice(1), ['gpt-4o false', 'claude false', 'gpt-4o true'])
  // Another key of the same model is no change of the Mind. Then the former one cannot be restored.
  await update({ provider: 'openai', model: 'gpt-4o', api_key: 'sk-other-key' })
  assert.equal((await readMinds()).at(-1), 'gpt-4o false')
})

test('restores an organ without its deleted key and adds a note', async () => {
  const personaPath = await setup.home()
  const eye = { provider: 'openai', model: 'gpt-4o', api_key: 'sk-former-key' }
  await post(`${personaPath}/update`, { eye })
  await post(`${personaPath}/update`, { clear_eye: true })
  const [status, answer] = await undo(personaPath, await getLastSeq(personaPath, 'OrganRemoved'))
  assert.equal([status, answer.note], [200, 'The key of the Eye is gone: its key must be entered again.'])
  const { organs } = (await get(`${personaPath}/diagnose`))[1]
  assert.is(organs.eye.key_missing, true)
  assert.not.match(JSON.stringify(await setup.facts(getId(personaPath))), /sk-former-key/)
})

test('restores the previous status and starts the persona', async () => {
  const personaPath = await setup.home()
  await post(`${personaPath}/update`, { status: 'hibernate' })
  assert.is((await view(getId(personaPath))).running, false)
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'StatusSet')))[0], 200)
  const { status, running } = await view(getId(personaPath))
  assert.equal([status, running], ['active', true])
  await post(`${personaPath}/update`, { status: 'active' })
  assert.equal(
    await undo(personaPath, await getLastSeq(personaPath, 'StatusSet')),
    refusal('It has changed nothing.'),
  )
})

test('removes an added channel, and refuses to restore a removed one without its token', async () => {
  const personaPath = await setup.home()
  await post(`${personaPath}/channels`, { kind: 'telegram', credentials: { token: createToken('ada_bot') } })
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'ChannelAdded')))[0], 200)
  assert.is((await view(getId(personaPath))).channels.length, 1)
  assert.equal(
    await undo(personaPath, await getLastSeq(personaPath, 'ChannelRemoved')),
    refusal('Its token is gone: add the channel again.'),
  )
})

test('refuses to revert messages, turns and starts, with a reason', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const { messages } = (await get(`${personaPath}/conversation`))[1]
  const [question, reply] = messages
  const seqs = [
    1,
    question.id,
    reply.id,
    reply.turn,
    reply.turn + 1,
    await getLastSeq(personaPath, 'StartAsked'),
  ]
  for (const seq of [
    ...seqs,
    await getLastSeq(personaPath, 'Woke'),
    await getLastSeq(personaPath, 'TurnEnded'),
  ]) {
    const [status, { detail }] = await undo(personaPath, seq)
    assert.equal([seq, status], [seq, 400])
    assert.match(detail, /^It cannot be undone\. \S.*\.$/)
  }
})

test('works for a stopped persona and reports invalid requests', async () => {
  const personaPath = await setup.home()
  await post(`${personaPath}/stop`)
  await post(`${personaPath}/update`, { idle_timeout: 60 })
  assert.is((await undo(personaPath, await getLastSeq(personaPath, 'IdleTimeoutSet')))[0], 200)
  assert.is((await view(getId(personaPath))).running, false)

  assert.equal(await undo('/api/persona/nobody', 3), unknownPersona)
  assert.equal(await undo(personaPath, 9999), [404, { detail: 'Fact not found.' }])
  assert.equal(await undo(personaPath, 2 ** 53 - 1), [404, { detail: 'Fact not found.' }])
  assert.equal(
    await post(`${personaPath}/undo`, {}),
    invalidBody('missing', ['body', 'seq'], 'Field required', { input: {} }),
  )
  for (const invalidSeq of ['x', 0, -1, 1.5, null, [1], 1e300]) {
    const [status, { detail }] = await undo(personaPath, invalidSeq)
    assert.equal([status, detail[0].loc], [422, ['body', 'seq']], JSON.stringify(invalidSeq))
  }
})

test.run()
