/**
 * PATCH /api/persona/{persona_id}/messages/{id}, POST …/turns/{id}/again and …/choose: another answer, the
 * rest of an answer, and edited and deleted messages.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Mind, MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import type { OrganAsk } from '../../packages/models/models.ts'
import { waitFor } from '../calls.ts'
import { standIn } from '../http/stand-in.ts'
import { notActive, shareSetup, unknownPersona } from './setup.ts'

interface Message {
  readonly id: number
  readonly role: string
  readonly content: string
  readonly turn: number | null
  readonly hidden?: string
  readonly model?: string
  readonly incomplete?: string
  readonly continues?: number
  readonly notice_code?: string
  readonly notice_values?: Readonly<Record<string, string>>
}

const prompts: Prompt[] = []
/** The next answers; afterwards the answers are numbered. */
const answers: (string | { readonly tool: string; readonly input: unknown } | 'never' | 'cut')[] = []
let answerCount = 0
/** The models that were called, with their keys. */
const askedModels: string[] = []

async function* think(prompt: Prompt, signal: AbortSignal): AsyncGenerator<Part> {
  prompts.push(prompt)
  const answer = answers.shift() ?? `Answer ${++answerCount}.`
  if (answer === 'cut') {
    yield { type: 'words', text: 'As far as it fits' }
    return yield { type: 'end', usage: { input: 1, output: 1 }, cut: true }
  }
  if (answer === 'never') {
    yield { type: 'words', text: 'The beginning of' }
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  } else if (typeof answer === 'string') yield { type: 'words', text: answer }
  else yield { type: 'call', call: { id: `call-${prompts.length}`, name: answer.tool, input: answer.input } }
  yield { type: 'end', usage: { input: 1, output: 1 } }
}

const mind = ({ model, apiKey }: OrganAsk): Mind => ({
  think: (prompt, signal) => {
    askedModels.push(apiKey === null ? model : `${model} with ${apiKey}`)
    if (model === 'broken') throw new MindError('unreachable', 'It is down.')
    return think(prompt, signal)
  },
})

const setup = shareSetup(test, { models: { ...standIn(), mind } })
test.before.each(() => {
  askedModels.length = 0
  prompts.length = 0
  answers.length = 0
  answerCount = 0
})

const talkOf = async (path: string, query = ''): Promise<readonly Message[]> =>
  (await setup.get(`${path}/conversation${query}`))[1].messages
const textsOf = async (path: string) => (await talkOf(path)).map(({ content }) => content)
const patch = async (path: string, body: unknown) => {
  const { status, text } = await setup.send({
    method: 'PATCH',
    path,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return [status, JSON.parse(text)] as const
}
const lastTurn = async (path: string): Promise<number> => (await talkOf(path)).at(-1)?.turn ?? 0
const toTexts = ({ messages }: Prompt) => messages.map(({ content }) => content.replace(/^\(.*\)\n/, ''))
const waitForAnswer = (path: string, text: string) =>
  waitFor(text, async () => (await textsOf(path)).at(-1) === text)

test('replaces the last answer by another one, which is all that is shown and sent to the model', async () => {
  const path = await setup.home()
  assert.is(await setup.say(path, 'hello'), 'Answer 1.')
  const first = await lastTurn(path)
  assert.equal(await setup.post(`${path}/turns/${first}/again`), [200, { status: 'asked' }])
  await waitForAnswer(path, 'Answer 2.')
  assert.equal(await textsOf(path), ['hello', 'Answer 2.'])
  const all = await talkOf(path, '?hidden=true')
  assert.equal(
    all.map(({ content, hidden }) => [content, hidden]),
    [
      ['hello', undefined],
      ['Answer 1.', 'replaced'],
      ['Answer 2.', undefined],
    ],
  )
  assert.equal(prompts.map(toTexts), [['hello'], ['hello']])
  await setup.say(path, 'and now?')
  assert.equal(toTexts(prompts[2] as Prompt), ['hello', 'Answer 2.', 'and now?'])
})

test('shows an earlier answer again until the next message', async () => {
  const path = await setup.home()
  await setup.say(path, 'hello')
  const first = await lastTurn(path)
  await setup.post(`${path}/turns/${first}/again`)
  await waitForAnswer(path, 'Answer 2.')
  const second = await lastTurn(path)
  await setup.post(`${path}/turns/${second}/again`)
  await waitForAnswer(path, 'Answer 3.')
  assert.equal(await setup.post(`${path}/turns/${first}/choose`), [200, { status: 'chosen' }])
  assert.equal(await setup.post(`${path}/turns/${first}/choose`), [200, { status: 'chosen' }])
  assert.equal(await textsOf(path), ['hello', 'Answer 1.'])
  await setup.say(path, 'and now?')
  assert.equal(toTexts(prompts[3] as Prompt), ['hello', 'Answer 1.', 'and now?'])
  const [status, { detail }] = await setup.post(`${path}/turns/${second}/choose`)
  assert.is(status, 409)
  assert.match(detail, 'Only the last messages')
})

// Fails if the tools of the first answer are forgotten: a reminder would be set twice.
test('keeps the tool calls of the first answer for the second one', async () => {
  const path = await setup.home()
  answers.push({ tool: 'plan', input: { kind: 'reminder', in_minutes: 90, content: 'water the plants' } })
  await setup.say(path, 'remind me')
  await setup.post(`${path}/turns/${await lastTurn(path)}/again`)
  await waitForAnswer(path, 'Answer 2.')
  assert.equal(
    prompts[2]?.messages.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  )
  assert.is((await setup.get(`${path}/calendar`))[1].upcoming?.length ?? 1, 1)
})

test('answers an edited message, and hides the old text and its answer', async () => {
  const path = await setup.home()
  await setup.say(path, 'My sister is called Marleen')
  const [message] = await talkOf(path)
  const [status, body] = await patch(`${path}/messages/${message?.id}`, {
    content: 'My sister is called Marlene',
  })
  assert.is(status, 200)
  assert.equal(body.learned, [])
  await waitForAnswer(path, 'Answer 2.')
  assert.equal(await textsOf(path), ['My sister is called Marlene', 'Answer 2.'])
  assert.is((await talkOf(path))[0]?.id, body.id)
  assert.equal(
    (await talkOf(path, '?hidden=true')).map(({ hidden }) => hidden),
    ['edited', 'edited', undefined, undefined],
  )
  assert.equal(toTexts(prompts[1] as Prompt), ['My sister is called Marlene'])
  assert.equal((await setup.get(`${path}/search?q=Marleen`))[1].found, [])
  assert.is((await patch(`${path}/messages/${message?.id}`, { content: 'again' }))[0], 404)
})

test('names the statements that come only from the old text of a message', async () => {
  const path = await setup.home()
  answers.push({ tool: 'remember', input: { op: 'keep', document: 'person', text: 'They live in Graz.' } })
  await setup.say(path, 'I live in Graz')
  const [message] = await talkOf(path)
  const [, { learned }] = await patch(`${path}/messages/${message?.id}`, { content: 'I live in Linz' })
  assert.equal(
    learned.map(({ text }: { text: string }) => text),
    ['They live in Graz.'],
  )
  await waitForAnswer(path, 'Answer 2.')
})

test('deletes a message from the talk, the search and the prompt, and restores it', async () => {
  const path = await setup.home()
  await setup.say(path, 'a secret about kumquats')
  await setup.say(path, 'something else')
  const [message] = await talkOf(path)
  const messagePath = `${path}/messages/${message?.id}`
  for (let times = 0; times < 2; times++)
    assert.equal(await patch(messagePath, { hidden: true }), [200, { id: message?.id, learned: [] }])
  assert.equal(await textsOf(path), ['Answer 1.', 'something else', 'Answer 2.'])
  assert.equal((await setup.get(`${path}/search?q=kumquats`))[1].found, [])
  await setup.say(path, 'go on')
  assert.equal(toTexts(prompts[2] as Prompt), ['Answer 1.', 'something else', 'Answer 2.', 'go on'])
  assert.is((await patch(messagePath, { hidden: false }))[0], 200)
  assert.is((await textsOf(path))[0], 'a secret about kumquats')
  assert.is((await setup.get(`${path}/search?q=kumquats`))[1].found.length, 1)
})

test('leaves deleted messages out of the consolidation', async () => {
  const path = await setup.home()
  await setup.say(path, 'a secret about kumquats')
  await setup.say(path, 'my garden has apples')
  const [message] = await talkOf(path)
  await patch(`${path}/messages/${message?.id}`, { hidden: true })
  await setup.post(`${path}/sleep`)
  const isOfNight = (prompt: Prompt) => prompt.tools.length === 0
  await waitFor('the consolidation', async () => prompts.some(isOfNight))
  const text = JSON.stringify(prompts.filter(isOfNight))
  assert.match(text, 'my garden has apples')
  assert.not.match(text, 'kumquats')
})

test('continues an answer that was stopped', async () => {
  const path = await setup.home()
  answers.push('never')
  const pendingReply = setup.post(`${path}/read?wait=20`, { message: 'tell me a story' })
  await waitFor('a running turn', async () => prompts.length === 1)
  await waitFor('the stop', async () => (await setup.post(`${path}/hush`))[1].status === 'hushed')
  await pendingReply
  answers.push('the story.')
  const turn = await lastTurn(path)
  const asked = await setup.post(`${path}/turns/${turn}/again?mode=continue`)
  assert.equal(asked, [200, { status: 'asked' }])
  await waitForAnswer(path, 'the story.')
  assert.equal(await textsOf(path), ['tell me a story', 'The beginning of', 'the story.'])
  const sent = toTexts(prompts[1] as Prompt)
  assert.equal(sent.slice(0, 2), ['tell me a story', 'The beginning of'])
  assert.match(sent[2] ?? '', 'Continue your last message')
})

test('shows which answers are not complete, also after later messages', async () => {
  const path = await setup.home()
  answers.push('never')
  const pendingReply = setup.post(`${path}/read?wait=20`, { message: 'tell me a story' })
  await waitFor('a running turn', async () => prompts.length === 1)
  await waitFor('the stop', async () => (await setup.post(`${path}/hush`))[1].status === 'hushed')
  await pendingReply
  answers.push('cut')
  await setup.say(path, 'a long one')
  await setup.say(path, 'hello')
  assert.equal(
    (await talkOf(path)).map(({ incomplete }) => incomplete),
    [undefined, 'stopped', undefined, 'cut', undefined, undefined],
  )
})

// Fails if each turn of a continued answer is a version of its own.
test('shows and hides a continued answer as one', async () => {
  const path = await setup.home()
  answers.push('cut', 'and the rest.')
  await setup.say(path, 'a long one')
  const first = await lastTurn(path)
  await setup.post(`${path}/turns/${first}/again?mode=continue`)
  await waitForAnswer(path, 'and the rest.')
  const rest = await lastTurn(path)
  await setup.post(`${path}/turns/${rest}/again`)
  await waitForAnswer(path, 'Answer 1.')
  assert.equal(
    (await talkOf(path, '?hidden=true')).map(({ continues }) => continues),
    [undefined, undefined, first, undefined],
  )
  for (const turn of [first, rest]) {
    await setup.post(`${path}/turns/${turn}/choose`)
    assert.is((await textsOf(path)).length, 3)
    assert.is((await textsOf(path)).at(-1), 'and the rest.')
  }
})

test('gets another answer from another model, and keeps the Mind', async () => {
  const path = await setup.home()
  await setup.say(path, 'hello')
  const first = await lastTurn(path)
  const organ = { provider: 'openai', model: 'gpt-4o', api_key: 'sk-other' }
  assert.equal(await setup.post(`${path}/turns/${first}/again/with`, organ), [200, { status: 'asked' }])
  await waitForAnswer(path, 'Answer 2.')
  assert.equal(
    (await talkOf(path, '?hidden=true')).map(({ model }) => model),
    [undefined, undefined, 'gpt-4o'],
  )
  const [, turn] = await setup.get(`${path}/turns/${await lastTurn(path)}`)
  assert.equal([turn.steps[0].provider, turn.steps[0].model], ['openai', 'gpt-4o'])
  await setup.post(`${path}/turns/${first}/choose`)
  assert.is((await textsOf(path)).at(-1), 'Answer 1.')
  await setup.say(path, 'and now?')
  assert.equal(askedModels, ['llama', 'gpt-4o with sk-other', 'llama'])
  const id = path.split('/').at(-1) ?? ''
  assert.is((await setup.view(id)).thinking.name, 'llama')
  assert.not.match((await setup.facts(id)).join('\n'), 'sk-other')
})

test('shows the earlier answer again if the other model fails, and leaves the Mind well', async () => {
  const path = await setup.home()
  await setup.say(path, 'hello')
  await setup.post(`${path}/turns/${await lastTurn(path)}/again/with`, { model: 'broken' })
  await waitFor('the notice', async () => (await textsOf(path)).length === 3)
  const [, answer, notice] = await textsOf(path)
  assert.is(answer, 'Answer 1.')
  assert.match(notice ?? '', /^broken did not answer this: .*It is down\./)
  const { notice_code: code, notice_values: values } = (await talkOf(path)).at(-1) ?? {}
  assert.equal([code, values?.model], ['other_model_refused', 'broken'])
  assert.is(await setup.say(path, 'still there?'), 'Answer 2.')
  const id = path.split('/').at(-1) ?? ''
  assert.is((await setup.view(id)).status, 'active')
  assert.not.match((await setup.facts(id)).join('\n'), 'OrganFailed')
})

// Fails if the chosen model or its key is kept in memory only.
test('gets the answer of the other model once, also after a stop', async () => {
  const path = await setup.home()
  await setup.say(path, 'hello')
  answers.push('never')
  const organ = { provider: 'openai', model: 'gpt-4o', api_key: 'sk-other' }
  await setup.post(`${path}/turns/${await lastTurn(path)}/again/with`, organ)
  await waitFor('the second turn', async () => prompts.length === 2)
  await setup.post(`${path}/stop`)
  await setup.post(`${path}/start`)
  await waitForAnswer(path, 'Answer 2.')
  assert.equal(askedModels, ['llama', 'gpt-4o with sk-other', 'gpt-4o with sk-other'])
  assert.equal(await textsOf(path), ['hello', 'Answer 2.'])
})

test('refuses another model that cannot be asked', async () => {
  const path = await setup.home()
  await setup.say(path, 'hello')
  const otherPath = `${path}/turns/${await lastTurn(path)}/again/with`
  assert.is((await setup.post(otherPath, {}))[0], 422)
  assert.is((await setup.post(otherPath))[0], 422)
  for (const organ of [
    { model: ' ' },
    { model: 'x', provider: 'nowhere' },
    { model: 'x', url: 'http://me:secret@localhost' },
    { model: 'x', api_key_from: 'eye' },
  ])
    assert.is((await setup.post(otherPath, organ))[0], 400)
  assert.is((await setup.post(`${path}/turns/1/again/with`, { model: 'x' }))[0], 404)
  assert.equal(await textsOf(path), ['hello', 'Answer 1.'])
})

test('gives another answer once, also if the persona is stopped meanwhile', async () => {
  const path = await setup.home()
  await setup.say(path, 'hello')
  answers.push('never')
  await setup.post(`${path}/turns/${await lastTurn(path)}/again`)
  await waitFor('the second turn', async () => prompts.length === 2)
  const [status] = await setup.post(`${path}/turns/${await lastTurn(path)}/again`)
  assert.is(status, 404)
  await setup.post(`${path}/stop`)
  await setup.post(`${path}/start`)
  await waitForAnswer(path, 'Answer 2.')
  assert.equal(await textsOf(path), ['hello', 'Answer 2.'])
})

test('refuses what cannot be changed, with a sentence', async () => {
  const path = await setup.home()
  await setup.say(path, 'one')
  const first = await lastTurn(path)
  await setup.say(path, 'two')
  const [message, , , answer] = await talkOf(path)
  assert.is((await setup.post(`${path}/turns/${first}/again`))[0], 409)
  assert.is((await patch(`${path}/messages/${message?.id}`, { content: 'three' }))[0], 409)
  for (const id of ['0', 'x', '1', '999999'])
    assert.equal(await setup.post(`${path}/turns/${id}/again`), [404, { detail: 'Turn not found.' }])
  for (const id of ['0', 'x', '1', '999999'])
    assert.is((await patch(`${path}/messages/${id}`, { hidden: true }))[0], 404)
  // An answer of the persona cannot be edited.
  assert.is((await patch(`${path}/messages/${answer?.id}`, { content: 'x' }))[0], 404)
  for (const content of ['', '  \n'])
    assert.is((await patch(`${path}/messages/${(await talkOf(path))[2]?.id}`, { content }))[0], 400)
  for (const body of [{}, { content: 'x', hidden: true }, { hidden: 'no' }])
    assert.is((await patch(`${path}/messages/${message?.id}`, body))[0], 422)
  assert.is((await setup.post(`${path}/turns/${await lastTurn(path)}/again?mode=x`))[0], 422)
  await setup.post(`${path}/stop`)
  assert.equal(await setup.post(`${path}/turns/${await lastTurn(path)}/again`), notActive)
  assert.equal(await setup.post('/api/persona/nobody/turns/1/choose'), unknownPersona)
})

test.run()
