/** POST …/undo: reverts the effect of one fact by new facts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakePlatform, tokenOf } from '../channels/platform.ts'
import { type Answer, getTitles, invalidBody, shareSetup, unknownPersona } from './setup.ts'

const telegram = createFakePlatform('telegram', ['ada_bot'])
const setup = shareSetup(test, { platforms: [telegram] })
const { get, post, view } = setup

const getId = (at: string) => at.split('/').at(-1) ?? ''
const undo = (at: string, seq: unknown) => post(`${at}/undo`, { seq })
const refusal = (reason: string): Answer => [400, { detail: `It cannot be undone. ${reason}` }]
/** Returns the positions of the persona's facts with this title, oldest first. */
const getSeqs = async (at: string, title: string): Promise<number[]> =>
  (await setup.facts(getId(at)))
    .map((text) => JSON.parse(text))
    .flatMap((frame) => (frame.title === title ? [frame.seq] : []))
const getLastSeq = async (at: string, title: string) => (await getSeqs(at, title)).at(-1)
const sendJson = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const bodyOptions =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const { status, text } = await setup.send({ method, path, ...bodyOptions })
  return [status, JSON.parse(text)]
}
const listMemories = async (at: string) =>
  (await get(`${at}/memories`))[1].memories.map(
    ({ text, forgotten }: { text: string; forgotten: boolean }) => [text, forgotten],
  )

test('reverts a new name, then the revert, and returns which fact reverted which', async () => {
  const at = await setup.home()
  await post(`${at}/update`, { name: 'Bea' })
  const givenSeq = (await getSeqs(at, 'Renamed'))[0] as number
  // Reading the facts has renamed the persona since.
  assert.match((await undo(at, givenSeq))[1].detail, /^It was changed again, at \d+\. Undo that first\.$/)
  await post(`${at}/update`, { name: 'Cleo' })
  const [status, answer] = await undo(at, (await get(`${at}/diagnose`))[1].journal.events)
  assert.equal([status, Object.keys(answer).join(' ')], [200, 'undone by'])
  assert.match((await view(getId(at))).name, /^mark/)
  const [by] = answer.by
  assert.equal(await undo(at, answer.undone), [
    400,
    { detail: `It was undone already, at ${by}. Undo that to have it again.` },
  ])
  assert.is((await undo(at, by))[0], 200)
  assert.is((await view(getId(at))).name, 'Cleo')
  assert.is((await post(`${at}/verify`))[1].intact, true)
})

test('reverts a memory that was kept, corrected and forgotten', async () => {
  const at = await setup.home()
  const [, { id }] = await post(`${at}/memories`, { document: 'person', text: 'Likes tea.' })
  await sendJson('PATCH', `${at}/memories/${id}`, { text: 'Likes coffee.' })
  await sendJson('DELETE', `${at}/memories/${id}`)
  assert.equal(await listMemories(at), [['Likes coffee.', true]])
  assert.is((await undo(at, await getLastSeq(at, 'MemoryForgotten')))[0], 200)
  assert.equal(await listMemories(at), [['Likes coffee.', false]])
  assert.is((await undo(at, await getLastSeq(at, 'MemoryRevised')))[0], 200)
  assert.equal(await listMemories(at), [['Likes tea.', false]])
  const [status, { by }] = await undo(at, await getLastSeq(at, 'MemoryKept'))
  assert.is(status, 200)
  assert.equal(await listMemories(at), [['Likes tea.', true]])
  assert.is((await undo(at, by[0]))[0], 200)
  assert.equal(await listMemories(at), [['Likes tea.', false]])
})

test('reverts a pin, and restores the pin of a forgotten memory', async () => {
  const at = await setup.home()
  const [, { id }] = await post(`${at}/memories`, { document: 'person', text: 'Likes tea.' })
  const getState = async () => {
    const [memory] = (await get(`${at}/memories`))[1].memories
    return [memory.pinned, memory.forgotten]
  }
  await sendJson('PATCH', `${at}/memories/${id}`, { pinned: true })
  const [status, { by }] = await undo(at, await getLastSeq(at, 'MemoryPinned'))
  assert.is(status, 200)
  assert.equal(await getState(), [false, false])
  assert.is((await undo(at, by[0]))[0], 200)
  assert.equal(await getState(), [true, false])
  // The pin does not prevent that the memory itself is taken back.
  assert.is((await undo(at, await getLastSeq(at, 'MemoryKept')))[0], 200)
  assert.equal(await getState(), [false, true])
  assert.is((await undo(at, await getLastSeq(at, 'MemoryForgotten')))[0], 200)
  assert.equal(await getState(), [true, false])
})

test('reverts a plan that was created, moved and cancelled', async () => {
  const at = await setup.home()
  const when = `${new Date().getFullYear() + 1}-05-01T09:00`
  const [, entry] = await post(`${at}/calendar`, { kind: 'reminder', when, content: 'call mum' })
  const contents = async () => {
    const year = when.slice(0, 4)
    const [, calendar] = await get(`${at}/calendar?start=${year}-01-01&end=${year}-12-31`)
    return JSON.stringify(calendar).match(/call (mum|dad)/g) ?? []
  }
  await sendJson('PATCH', `${at}/calendar/${entry.id}`, { content: 'call dad' })
  await sendJson('DELETE', `${at}/calendar/${entry.id}`)
  assert.equal(await contents(), [])
  assert.is((await undo(at, await getLastSeq(at, 'EntryCancelled')))[0], 200)
  assert.equal(await contents(), ['call dad'])
  assert.is((await undo(at, await getLastSeq(at, 'EntryMoved')))[0], 200)
  assert.equal(await contents(), ['call mum'])
  const [plannedSeq] = await getSeqs(at, 'EntryPlanned')
  assert.is((await undo(at, plannedSeq))[0], 200)
  assert.equal(await contents(), [])
})

test('restores the previous organ after preparing it, and restarts the persona for a Mind as an update does', async () => {
  const at = await setup.home()
  const local = { model: 'llava' }
  await post(`${at}/update`, { eye: local })
  await post(`${at}/update`, { thinking: { model: 'llama', profile: 'compact' } })
  await post(`${at}/update`, { thinking: { model: 'qwen' } })
  const mind = await getLastSeq(at, 'OrganReplaced')
  setup.models.broken.prepare = 'No runtime answers.'
  const [, { detail }] = await undo(at, mind)
  assert.is(detail, 'The Mind could not be prepared: No runtime answers.')
  assert.is((await view(getId(at))).base_model, 'qwen')
  delete setup.models.broken.prepare
  setup.models.done.length = 0
  assert.is((await undo(at, mind))[0], 200)
  assert.ok(setup.models.done.includes('prepare llama'))
  assert.is((await view(getId(at))).base_model, 'llama')
  assert.is((await view(getId(at))).thinking.profile, 'compact')
  const titles = getTitles(await setup.facts(getId(at)))
  assert.ok(titles.lastIndexOf('Woke 5') > titles.lastIndexOf('OrganReplaced'), titles.join())

  const eye = (await getSeqs(at, 'OrganReplaced'))[1]
  assert.is((await undo(at, eye))[0], 200)
  assert.is((await view(getId(at))).eye, null)
})

test('restores an organ without its deleted key and adds a note', async () => {
  const at = await setup.home()
  const eye = { provider: 'openai', model: 'gpt-4o', api_key: 'sk-former-key' }
  await post(`${at}/update`, { eye })
  await post(`${at}/update`, { clear_eye: true })
  const [status, answer] = await undo(at, await getLastSeq(at, 'OrganRemoved'))
  assert.equal([status, answer.note], [200, 'The key of the Eye is gone: its key must be entered again.'])
  const { organs } = (await get(`${at}/diagnose`))[1]
  assert.is(organs.eye.key_missing, true)
  assert.not.match(JSON.stringify(await setup.facts(getId(at))), /sk-former-key/)
})

test('restores the previous status and starts the persona', async () => {
  const at = await setup.home()
  await post(`${at}/update`, { status: 'hibernate' })
  assert.is((await view(getId(at))).running, false)
  assert.is((await undo(at, await getLastSeq(at, 'StatusSet')))[0], 200)
  const { status, running } = await view(getId(at))
  assert.equal([status, running], ['active', true])
  await post(`${at}/update`, { status: 'active' })
  assert.equal(await undo(at, await getLastSeq(at, 'StatusSet')), refusal('It has changed nothing.'))
})

test('removes an added channel, and refuses to restore a removed one without its token', async () => {
  const at = await setup.home()
  await post(`${at}/channels`, { kind: 'telegram', credentials: { token: tokenOf('ada_bot') } })
  assert.is((await undo(at, await getLastSeq(at, 'ChannelAdded')))[0], 200)
  assert.is((await view(getId(at))).channels.length, 1)
  assert.equal(
    await undo(at, await getLastSeq(at, 'ChannelRemoved')),
    refusal('Its token is gone: add the channel again.'),
  )
})

test('refuses to revert messages, turns and starts, with a reason', async () => {
  const at = await setup.home()
  await setup.say(at, 'hello')
  const { messages } = (await get(`${at}/conversation`))[1]
  const [question, reply] = messages
  const seqs = [1, question.id, reply.id, reply.turn, reply.turn + 1, await getLastSeq(at, 'StartAsked')]
  for (const seq of [...seqs, await getLastSeq(at, 'Woke'), await getLastSeq(at, 'TurnEnded')]) {
    const [status, { detail }] = await undo(at, seq)
    assert.equal([seq, status], [seq, 400])
    assert.match(detail, /^It cannot be undone\. \S.*\.$/)
  }
})

test('works for a stopped persona and reports invalid requests', async () => {
  const at = await setup.home()
  await post(`${at}/stop`)
  await post(`${at}/update`, { idle_timeout: 60 })
  assert.is((await undo(at, await getLastSeq(at, 'IdleTimeoutSet')))[0], 200)
  assert.is((await view(getId(at))).running, false)

  assert.equal(await undo('/api/persona/nobody', 3), unknownPersona)
  assert.equal(await undo(at, 9999), [404, { detail: 'Fact not found.' }])
  assert.equal(await undo(at, 2 ** 53 - 1), [404, { detail: 'Fact not found.' }])
  assert.equal(
    await post(`${at}/undo`, {}),
    invalidBody('missing', ['body', 'seq'], 'Field required', { input: {} }),
  )
  for (const invalidSeq of ['x', 0, -1, 1.5, null, [1], 1e300]) {
    const [status, { detail }] = await undo(at, invalidSeq)
    assert.equal([status, detail[0].loc], [422, ['body', 'seq']], JSON.stringify(invalidSeq))
  }
})

test.run()
