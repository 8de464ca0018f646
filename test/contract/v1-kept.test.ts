/** Facts about API chats: the cost is always stored, the messages only on request. */
import { rm } from 'node:fs/promises'
import OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { createSecret, filesWith, isIn, wordsOfHome } from '../secrets/search.ts'
import { png } from '../stand-ins/media.ts'
import { type ChatRequest, createOllama } from '../stand-ins/ollama.ts'
import { createClient, getApiError, shareSetup, user } from './v1-setup.ts'

const setup = shareSetup(test)

const readLedger = async (id: string) =>
  (await setup.facts(id)).filter(({ title }) => /^Model(Answered|Failed)$/.test(title))
const getTalk = async (id: string) =>
  (await setup.get(`/api/persona/${id}/conversation`)).body.messages.map(
    ({ role, content, channel }: { role: string; content: string; channel: unknown }) => [
      role,
      content,
      channel,
    ],
  )

/** Calls the calendar tool first. The next answer hangs. */
const callToolFirst = (text: string) => (request: ChatRequest) => {
  if (request.messages.at(-1)?.role !== 'tool') return { calls: [{ name: 'check_calendar', arguments: {} }] }
  setup.ollama.faults.hangs = 1
  return text
}

test('stores only the cost of a chat without store', async () => {
  const id = await setup.born()
  await setup.client.chat.completions.create({ model: id, messages: [user('Hello')] })
  setup.ollama.faults.fails = 3
  await getApiError(
    setup.client.chat.completions.create({ model: id, messages: [user('Hello')], store: true }),
  )
  assert.equal(await getTalk(id), [])
  const facts = await setup.facts(id)
  const first = facts.findIndex(({ title }) => title === 'DiaryWritten') + 1
  // At the next full minute the model is probed again.
  assert.equal(
    facts.slice(first, first + 3).map(({ title }) => title),
    ['ModelAnswered', 'ModelFailed', 'OrganFailed'],
  )
  const [answered, failed] = await readLedger(id)
  const { turn, step, cause, organ, model, usage, calls, recipe, answer } = answered.details
  assert.equal([turn, step, cause, organ, model, calls], [null, null, 'api', 'thinking', 'llama3', 1])
  assert.equal([usage.input, usage.output, recipe, answer], [20, 1, null, null])
  assert.equal([failed.details.cause, failed.details.calls], ['api', 3])
  const { causes } = (await setup.get(`/api/persona/${id}/usage`)).body
  assert.equal(
    causes.map(({ cause, calls, failed, input }: Record<string, unknown>) => [cause, calls, failed, input]),
    [['api', 2, 1, 20]],
  )
})

test('stores the newest message and its answer only, and remembers them', async () => {
  const id = await setup.born()
  setup.answer = () => 'A fine name for a cat.'
  const messages = [
    user('I have a dog.'),
    { role: 'assistant' as const, content: 'Good.' },
    user('My cat is called Ziggy.'),
  ]
  await setup.client.chat.completions.create({ model: id, messages, store: true })
  assert.equal(await getTalk(id), [
    ['person', 'My cat is called Ziggy.', null],
    ['assistant', 'A fine name for a cat.', null],
  ])
  await setup.post(`/api/persona/${id}/read?wait=20`, { message: 'What is my cat called?' })
  assert.equal(
    setup
      .getRequests()
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content),
    ['My cat is called Ziggy.', 'A fine name for a cat.', 'What is my cat called?'],
  )
})

// Fails if the prompt of an Eye is stored as a recipe, if an error that quotes the message is stored, and if
// earlier messages are stored.
test('writes no word of an unstored message to disk', async () => {
  const home = await tempHome()
  let answer = (_: ChatRequest): string | { calls: { name: string; arguments: unknown }[] } => ''
  const ollama = await createOllama({ answer: (request) => answer(request) })
  const seeing = await createOllama({
    capabilities: ['vision'],
    answer: () => 'On it stands: wombat-described.',
  })
  const daemon = await startDaemon({ home, random: () => 0, env: { OLLAMA_BASE_URL: ollama.url } })
  try {
    const fields = { name: 'Ada', thinking_model: 'llama3', eye_model: 'llama3', eye_url: seeing.url }
    await call(daemon.url, 'POST', '/api/persona/create', fields)
    const client = createClient(daemon)
    const ask = (messages: OpenAI.ChatCompletionMessageParam[], store = false) =>
      client.chat.completions.create({ model: 'Ada', messages, store })
    const picture = {
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${png.toString('base64')}` },
    }
    const earlier = [
      { role: 'system' as const, content: 'wombat-noted' },
      user('wombat-earlier'),
      { role: 'assistant' as const, content: 'wombat-said' },
    ]
    answer = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? 'I answer wombat-answered.'
        : { calls: [{ name: 'recall', arguments: { query: 'wombat-recalled' } }] }
    await ask([...earlier, { role: 'user', content: [{ type: 'text', text: 'wombat-heard' }, picture] }])
    Object.assign(ollama.faults, {
      fails: 3,
      failWords: 'cannot make sense of: tell me wombat-quoted please',
    })
    await getApiError(ask([user('Tell me wombat-quoted, please!')]))
    answer = () => 'The answer is ocelot-answered.'
    await ask([...earlier, user('ocelot-heard')], true)
  } finally {
    await daemon.close()
    for (const stand of [ollama, seeing]) await stand.close()
  }
  const texts = await wordsOfHome(home)
  const isStored = (marker: string) => texts.some((text) => isIn(createSecret(marker, marker), text))
  assert.equal(
    [isStored('ocelot-heard'), isStored('ocelot-answered')],
    [true, true],
    'stored messages are found',
  )
  assert.not.ok(isStored('wombat'), 'no word is in a fact or a part')
  assert.equal(await filesWith(createSecret('wombat', 'wombat'), home), [])
  await rm(home, { recursive: true })
})

// Fails if an API chat is not aborted when its client disconnects.
test('aborts the provider call when the client disconnects, and records the usage until then', async () => {
  const id = await setup.born()
  for (const stream of [true, false]) {
    setup.answer = callToolFirst('Let me think of it')
    setup.ollama.faults.hangs = false
    const controller = new AbortController()
    const callCountBefore = setup.getRequests().length
    const pendingReply = setup.client.chat.completions.create(
      { model: id, messages: [user('x')], store: true, stream },
      { signal: controller.signal },
    )
    const readReply = pendingReply.then(async (answer) => {
      if ('controller' in answer) for await (const _ of answer);
    })
    await waitFor(
      'the second step',
      () => setup.getRequests().length === callCountBefore + 2 && setup.ollama.open() > 0,
    )
    controller.abort()
    await readReply.catch((error: unknown) => assert.instance(error, OpenAI.APIUserAbortError))
    await waitFor('the end of the call', () => setup.ollama.open() === 0)
  }
  await waitFor('the recorded usage', async () => (await readLedger(id)).length === 2)
  assert.equal(await getTalk(id), [], 'no answer was complete')
})

// Fails if an API chat is not aborted when the life of the persona ends.
test('aborts running chats on stop, restart and deletion, and records the known usage', async () => {
  for (const action of ['stop', 'restart', 'delete']) {
    const id = await setup.born()
    setup.answer = callToolFirst('Let me think of it')
    setup.ollama.faults.hangs = false
    const pendingError = getApiError(
      setup.client.chat.completions.create({ model: id, messages: [user('x')] }),
    )
    await waitFor('the second step', () => setup.getRequests().length === 2 && setup.ollama.open() > 0)
    setup.ollama.faults.hangs = false
    assert.is((await setup.post(`/api/persona/${id}/${action}`)).status, 200)
    const error = await pendingError
    assert.equal([error.status, error.code], [409, 'life_over'], action)
    await waitFor('the end of the call', () => setup.ollama.open() === 0)
    if (action === 'delete') continue
    const titles = (await setup.facts(id)).map(({ title }) => title)
    assert.ok(titles.includes('ModelAnswered'), action)
    assert.ok(titles.indexOf('ModelAnswered') < titles.indexOf('Stopped'), 'within its life')
  }
})

test('answers concurrent chats during a turn that waits for its model', async () => {
  const id = await setup.born()
  setup.ollama.faults.hangs = true
  const turn = setup.post(`/api/persona/${id}/read?wait=20`, { message: 'Take your time.' })
  await waitFor('the turn', () => setup.getRequests().length === 1)
  setup.ollama.faults.hangs = false
  setup.answer = ({ messages }) => `You said ${messages.at(-1)?.content}.`
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  const answers = await Promise.all(
    numbers.map((n) =>
      setup.client.chat.completions.create({
        model: id,
        messages: [user(`number ${n}`)],
        store: n % 2 === 0,
      }),
    ),
  )
  assert.equal(
    answers.map(({ choices }) => choices[0]?.message.content),
    numbers.map((n) => `You said number ${n}.`),
  )
  const talkMessages = await getTalk(id)
  assert.is(talkMessages.length, 1 + 20)
  for (const [n, [role, content]] of talkMessages.slice(1).entries())
    if (role === 'person')
      assert.is(talkMessages[n + 2]?.[1], `You said ${content}.`, 'message and answer are adjacent')
  assert.is((await readLedger(id)).length, 20)
  await setup.post(`/api/persona/${id}/hush`)
  await turn
})

test.run()
