/** POST /v1/chat/completions as a stream: with the client library of OpenAI, and byte by byte. */
import { once } from 'node:events'
import { request } from 'node:http'
import OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { getApiError, shareSetup, user } from './v1-setup.ts'

const setup = shareSetup(test)

interface Streaming {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Returns everything received so far. */
  text(): string
  readonly whenEnded: Promise<unknown>
}

/** Opens a stream with the client of Node, which hides nothing. */
const openStream = async (port: number, body: object): Promise<Streaming> => {
  const httpRequest = request({
    host: '127.0.0.1',
    port,
    path: '/v1/chat/completions',
    method: 'POST',
    agent: false,
  })
  httpRequest.setHeader('content-type', 'application/json')
  httpRequest.end(JSON.stringify({ stream: true, ...body }))
  const [response] = await once(httpRequest, 'response')
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    text: () => text,
    whenEnded: once(response, 'end'),
  }
}

test('streams an answer that the helpers of the client reassemble, with its usage', async () => {
  const id = await setup.born()
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { content: ' It is well\nwith  all of them. ' }
      : { content: 'Let me look. ', calls: [{ name: 'check_health', arguments: {} }] }
  const params = { model: id, messages: [user('How are your organs?')] }
  const completion = await setup.client.chat.completions.create(params)
  const stream = setup.client.chat.completions.stream({ ...params, stream_options: { include_usage: true } })
  let wordCount = 0
  stream.on('content', () => wordCount++)
  const { choices, usage } = await stream.finalChatCompletion()
  assert.is(choices[0]?.message.content, 'Let me look.\n\nIt is well\nwith  all of them.')
  assert.is(choices[0]?.finish_reason, 'stop')
  assert.equal(
    [completion.choices[0]?.message.content, completion.usage],
    [choices[0]?.message.content, usage],
  )
  assert.ok(wordCount > 5, 'words arrive one by one')
})

test('sends an event stream: role, words, finish reason, usage, end', async () => {
  const id = await setup.born()
  setup.answer = () => 'One two'
  const stream = await openStream(setup.daemon.port, {
    model: id,
    messages: [user('x')],
    stream_options: { include_usage: true },
  })
  await stream.whenEnded
  assert.equal(
    [stream.status, stream.headers['content-type'], stream.headers['cache-control']],
    [200, 'text/event-stream; charset=utf-8', 'no-store'],
  )
  const events = stream.text().split('\n\n')
  assert.equal(events.splice(-2), ['data: [DONE]', ''])
  assert.ok(events.every((event) => /^data: \{.*\}$/.test(event)))
  const chunks = events.map((event) => JSON.parse(event.slice(6)))
  assert.equal(
    chunks.flatMap(({ choices }) => choices),
    [
      { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
      { index: 0, delta: { content: 'One' }, logprobs: null, finish_reason: null },
      { index: 0, delta: { content: ' two' }, logprobs: null, finish_reason: null },
      { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' },
    ],
  )
  assert.equal(
    chunks.map(({ usage }) => usage?.total_tokens ?? usage),
    [null, null, null, null, 22],
  )
  assert.equal(
    [...new Set(chunks.map(({ model, object }) => `${model} ${object}`))],
    [`${id} chat.completion.chunk`],
  )
  assert.is(new Set(chunks.map((chunk) => chunk.id)).size, 1)

  const streamReply = await openStream(setup.daemon.port, { model: id, messages: [user('x')] })
  await streamReply.whenEnded
  assert.not.match(streamReply.text(), 'usage')
})

test('sends words while the model is still answering', async () => {
  const id = await setup.born()
  setup.answer = () => 'one two three'
  setup.ollama.faults.hangs = 2
  const stream = await openStream(setup.daemon.port, { model: id, messages: [user('x')] })
  await waitFor('two words of three', () => /"content":"one".*"content":" two"/s.test(stream.text()))
  await setup.post(`/api/persona/${id}/stop`)
  await stream.whenEnded
  const last = JSON.parse(stream.text().trimEnd().split('\n\n').at(-1)?.slice(6) ?? '')
  assert.equal(
    [last.error.code, last.error.message, last.detail],
    ['life_over', 'Persona is not active.', 'Persona is not active.'],
  )
  assert.not.match(stream.text(), 'DONE')
})

test('sends a keep-alive every fifteen seconds until the first word', async () => {
  const clock = createFakeClock(Date.now())
  const ollama = await createOllama()
  const daemon = await startDaemon({ clock, env: { OLLAMA_BASE_URL: ollama.url } })
  await call(daemon.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama3' })
  ollama.faults.hangs = true
  const openedStream = openStream(daemon.port, { model: 'Ada', messages: [user('x')] })
  await waitFor('the model call', () => ollama.open() === 1)
  await clock.advance(15_000)
  const stream = await openedStream
  await waitFor('a keep-alive', () => stream.text().includes(': thinking\n\n'))
  assert.match(stream.text(), /^data: \{.*"role":"assistant".*\}\n\n: thinking\n\n$/)
  await clock.advance(15_000)
  await waitFor('another keep-alive', () => stream.text().split(': thinking').length === 3)
  await daemon.close()
  await ollama.close()
})

test('returns a status for an error before the first byte and sends a later one as the last event', async () => {
  const id = await setup.born()
  const streamText = async () => {
    let text = ''
    for await (const { choices } of await setup.client.chat.completions.create({
      model: id,
      messages: [user('x')],
      stream: true,
    }))
      text += choices[0]?.delta.content ?? ''
    return text
  }
  setup.ollama.faults.fails = 99
  assert.instance(await getApiError(streamText()), OpenAI.BadRequestError)
  setup.ollama.faults.fails = 0
  assert.is((await openStream(setup.daemon.port, { model: 'nobody', messages: [user('x')] })).status, 404)

  setup.answer = () => 'Well, I'
  setup.ollama.faults.errorLine = 'it broke'
  const error = await getApiError(streamText())
  assert.equal([error.status, error.code], [undefined, 'model_failed'])
  assert.match(error.message, 'it broke')
})

test('does not repeat words after a retry, and announces a different answer', async () => {
  const id = await setup.born()
  const stream = async (first: string, second: string) => {
    let calls = 0
    setup.answer = () => {
      calls++
      setup.ollama.faults.errorLine = calls === 1 ? 'it broke' : null
      return calls === 1 ? first : second
    }
    const params = { model: id, messages: [user('x')] }
    const runner = setup.client.chat.completions.stream(params)
    return (await runner.finalChatCompletion()).choices[0]?.message.content
  }
  assert.is(await stream('Good morning', 'Good morning to you'), 'Good morning to you')
  assert.is(
    await stream('Good morning', 'Hello'),
    'Good\n\n[I was interrupted here and start again.]\n\nHello',
  )
})

// Fails if an API chat is not aborted when the daemon stops.
test('sends an error to waiting clients when the daemon stops, without waiting for them', async () => {
  const ollama = await createOllama({ answer: () => 'one two' })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url } })
  await call(daemon.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama3' })
  ollama.faults.hangs = 1
  const stream = await openStream(daemon.port, { model: 'Ada', messages: [user('x')] })
  await waitFor('the first word', () => stream.text().includes('one'))
  const pendingReply = call(daemon.url, 'POST', '/v1/chat/completions', {
    model: 'Ada',
    messages: [user('x')],
  })
  await waitFor('both', () => ollama.open() === 2)
  await daemon.close()
  await stream.whenEnded
  assert.match(stream.text(), '"code":"cut_short"')
  assert.is((await pendingReply).status, 503)
  await waitFor('the end of the calls', () => ollama.open() === 0)
  await ollama.close()
})

test.run()
