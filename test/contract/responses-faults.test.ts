/** /v1/responses with clients that leave, several clients, large bodies, erased facts, a restored diary. */
import type OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import type { ChatRequest } from '../stand-ins/ollama.ts'
import { exportDiary, firstPhrase, migrate } from './diaries.ts'
import { createClient, getApiError, type Setup, shareSetup } from './v1-setup.ts'

const setup = shareSetup(test, { newPhrase: firstPhrase })

const cleanups: (() => Promise<unknown>)[] = []
test.after.each(async () => {
  for (const close of cleanups.splice(0)) await close()
})

const create = (body: object) =>
  setup.client.responses.create(body as OpenAI.Responses.ResponseCreateParamsNonStreaming)
const read = (id: string) => setup.client.responses.retrieve(id) as Promise<OpenAI.Responses.Response>
const openCalls = (count: number) => waitFor(`${count} model calls`, () => setup.ollama.open() === count)
const readJournal = async (id: string) =>
  JSON.stringify((await setup.get(`/api/persona/${id}/journal?type=ResponseBegan,ResponseEnded`)).body)

test('cancels the model call of a client that leaves, and stores nothing', async () => {
  const model = await setup.born()
  setup.answer = () => 'one two three'
  for (const [hangs, stream] of [
    [true, false],
    [true, true],
    [1, true],
  ] as const) {
    setup.ollama.faults.hangs = hangs
    const leaving = new AbortController()
    const work = fetch(`${setup.daemon.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Gone aardvark', stream }),
      signal: leaving.signal,
    }).then((response) => response.text())
    await openCalls(1)
    leaving.abort()
    assert.instance(await work.catch((error: unknown) => error), DOMException)
    await openCalls(0)
  }
  assert.not.match(await readJournal(model), 'ResponseBegan')
})

test('answers two clients at once, which continue the same response differently', async () => {
  const model = await setup.born()
  setup.answer = ({ messages }) => `Echo of ${messages.at(-1)?.content}`
  const root = await create({ model, input: 'root' })
  const branches = await Promise.all(
    ['left', 'right'].map((input) => create({ model, input, previous_response_id: root.id })),
  )
  assert.equal(
    branches.map(({ output_text: text }) => text),
    ['Echo of left', 'Echo of right'],
  )
  const leaf = await create({ model, input: 'leaf', previous_response_id: branches[1]?.id })
  assert.is(leaf.output_text, 'Echo of leaf')
  assert.equal(
    setup
      .getRequests()
      .at(-1)
      ?.messages.slice(1)
      .map(({ content }) => content),
    ['root', 'Echo of root', 'right', 'Echo of right', 'leaf'],
  )
  const background = await Promise.all(
    [1, 2, 3, 4].map((n) => create({ model, input: `b${n}`, background: true })),
  )
  for (const [n, { id }] of background.entries()) {
    const response = await waitFor('the answer', async () => {
      const response = await read(id)
      return response.status === 'completed' && response
    })
    assert.is(response.output_text, `Echo of b${n + 1}`)
  }
})

test('refuses bodies that are too large, and takes a large request that is not stored', async () => {
  const model = await setup.born()
  const items = Array.from({ length: 4 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }))
  const error = await getApiError(create({ model, input: items }))
  assert.equal([error.status, error.code], [413, 'body_too_large'])
  assert.match(error.message, 'send "store": false')
  assert.is((await create({ model, input: items, store: false })).status, 'completed')
  const response = await fetch(`${setup.daemon.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"model":"${model}","input":"${'x'.repeat(21 * 1024 * 1024)}"}`,
  })
  assert.is(response.status, 413)
  const { error: body } = (await response.json()) as { error: { code: string } }
  assert.is(body.code, 'body_too_large')
})

// Fails if the stored answer has no limit: the commit is refused.
test('returns a long answer whole, and stores its beginning', async () => {
  const model = await setup.born()
  setup.answer = () => '€'.repeat(200_000)
  const { id, output_text: text } = await create({ model, input: 'x'.repeat(200_000) })
  assert.is(text.length, 200_000)
  assert.is((await read(id)).output_text.length, 60_000)
})

/** A model that never answers certain prompts, and answers all others, also those that check it. */
const hangAt = (words: RegExp) =>
  ((request: ChatRequest) =>
    words.test(JSON.stringify(request.messages)) ? new Promise(() => {}) : 'ok') as unknown as Setup['answer']

test('fails a response whose request was erased, and one that was interrupted three times', async () => {
  const model = await setup.born()
  setup.answer = hangAt(/aardvark|bumblebee/)
  const [erased, interrupted] = [
    await create({ model, input: 'Erased aardvark', background: true }),
    await create({ model, input: 'Interrupted bumblebee', background: true }),
  ]
  await openCalls(2)
  const { body } = await setup.get(`/api/persona/${model}/journal?type=ResponseBegan`)
  const facts = String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const seqs = facts.flatMap(({ seq, payload }) => (payload.id === erased.id ? [seq] : []))
  assert.is((await setup.post(`/api/persona/${model}/erase`, { seqs })).status, 200)
  assert.is((await getApiError(read(erased.id))).status, 404)
  for (let n = 0; n < 2; n++) {
    await openCalls(1)
    await setup.post(`/api/persona/${model}/restart`)
  }
  const failed = await waitFor('the failure', async () => {
    const response = await read(interrupted.id)
    return response.status === 'failed' && response
  })
  assert.is(failed.error?.code, 'interrupted')
  assert.not.match(await readJournal(model), 'aardvark')
  await openCalls(0)
})

test('restores stored responses from a diary, without those that were open', async () => {
  const model = await setup.born()
  const kept = await create({ model, input: 'Kept' })
  setup.answer = hangAt(/aardvark/)
  const open = await create({ model, input: 'Open aardvark', background: true })
  await openCalls(1)
  const diary = await exportDiary(setup.daemon, model)
  await setup.client.responses.cancel(open.id)
  const other = await startDaemon({ env: { OLLAMA_BASE_URL: setup.ollama.url } })
  cleanups.push(() => other.close())
  const callsBefore = setup.ollama.log.length
  const [status] = await migrate(other, { diary, model: 'llama3' })
  assert.is(status, 200)
  const client = createClient(other)
  assert.is(((await client.responses.retrieve(kept.id)) as OpenAI.Responses.Response).output_text, 'ok')
  const left = (await client.responses.retrieve(open.id)) as OpenAI.Responses.Response
  assert.is(left.status, 'failed')
  const next = await client.responses.create({ model, input: 'x', previous_response_id: kept.id })
  assert.is(next.status, 'completed')
  assert.not.match(JSON.stringify(setup.ollama.log.slice(callsBefore)), 'aardvark')
  assert.is((await call(other.url, 'POST', `/api/persona/${model}/verify`)).status, 200)
})

// Fails if the tools or the items are read before they are counted: 60 000 tools took 10 s.
test('refuses too many tools and references before it reads them', async () => {
  const model = await setup.born()
  const tools = Array.from({ length: 60_000 }, (_, n) => ({ type: 'function', name: `t${n}` }))
  const begin = performance.now()
  const error = await getApiError(create({ model, input: 'x', tools }))
  const chatTools = tools.map(({ type, name }) => ({ type, function: { name } }))
  const chatError = await getApiError(
    setup.client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'x' }],
      tools: chatTools as unknown as OpenAI.Chat.ChatCompletionTool[],
    }),
  )
  assert.ok(performance.now() - begin < 5000)
  for (const refused of [error, chatError]) {
    assert.equal([refused.status, refused.param], [422, 'tools'])
    assert.match(refused.message, 'at most 128 tools')
  }
  const input = Array.from({ length: 1001 }, () => ({ type: 'item_reference', id: 'msg_1' }))
  assert.match((await getApiError(create({ model, input }))).message, 'at most 1000 item_reference')
})

// Fails if each reference reads its response again, or if only new items count.
test('limits the bytes of referenced and continued items', async () => {
  const model = await setup.born()
  const text = 'x'.repeat(200_000)
  let { id } = await create({ model, input: text })
  const { data } = await setup.client.responses.inputItems.list(id)
  const reference = { type: 'item_reference', id: data[0]?.id ?? '' }
  const refer = (count: number) =>
    create({ model, store: false, input: Array.from({ length: count }, () => reference) })
  assert.is((await refer(5)).status, 'completed')
  const error = await getApiError(refer(1000))
  assert.equal([error.status, error.code], [413, 'body_too_large'])
  for (let n = 0; n < 4; n++) id = (await create({ model, input: text, previous_response_id: id })).id
  const refused = await getApiError(create({ model, input: text, previous_response_id: id }))
  assert.equal([refused.status, refused.code], [413, 'body_too_large'])
  assert.match(refused.message, 'with the items that it continues')
  assert.is((await create({ model, input: 'x', previous_response_id: id })).status, 'completed')
})

test.run()
