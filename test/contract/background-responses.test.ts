/** Responses in the background: answered without a waiting client, cancelled, continued after a restart. */
import type OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { createClient, getApiError, shareSetup } from './v1-setup.ts'

const setup = shareSetup(test)

type Event = OpenAI.Responses.ResponseStreamEvent

const begin = (model: string, input = 'x', client = setup.client) =>
  client.responses.create({ model, input, background: true })
const read = (id: string) => setup.client.responses.retrieve(id) as Promise<OpenAI.Responses.Response>
const waitForStatus = (id: string, status: string) =>
  waitFor(`the status ${status}`, async () => {
    const response = await read(id)
    return response.status === status && response
  })
const collect = async (stream: AsyncIterable<Event>) => {
  const events: Event[] = []
  for await (const event of stream) events.push(event)
  return events
}
const openCalls = (count: number) => waitFor(`${count} model calls`, () => setup.ollama.open() === count)

test('answers although the client does not wait', async () => {
  const model = await setup.born()
  setup.answer = () => 'A long thought.'
  const { id, status, output, background } = await begin(model, 'Think')
  assert.equal([output, background], [[], true])
  assert.ok(status === 'queued' || status === 'in_progress')
  const response = await waitForStatus(id, 'completed')
  assert.equal([response.output_text, response.usage?.output_tokens], ['A long thought.', 3])
  const next = await setup.client.responses.create({ model, input: 'And?', previous_response_id: id })
  assert.is(next.status, 'completed')
})

test('streams to several clients, one of which leaves, and resumes', async () => {
  const model = await setup.born()
  setup.answer = () => 'one two three'
  setup.ollama.faults.hangs = 2
  const stream = await setup.client.responses.create({ model, input: 'x', background: true, stream: true })
  const seen: Event[] = []
  for await (const event of stream) {
    seen.push(event)
    // The client disconnects after two words.
    if (seen.filter(({ type }) => type === 'response.output_text.delta').length === 2) break
  }
  const [created] = seen
  if (created?.type !== 'response.created') throw new Error('not created')
  const { id } = created.response
  const resuming = setup.client.responses.retrieve(id, { stream: true, starting_after: 4 })
  const whole = setup.client.responses.retrieve(id, { stream: true })
  const [second, first] = await Promise.all([resuming, whole])
  assert.is((await read(id)).status, 'in_progress')
  await setup.client.responses.cancel(id)
  const events = await collect(first)
  assert.equal(events.slice(0, seen.length), seen)
  assert.equal(
    events.map(({ sequence_number: number }) => number),
    events.map((_, n) => n),
  )
  assert.is(events.at(-1)?.type, 'response.failed')
  assert.equal(await collect(second), events.slice(5))
})

const resume = async (id: string, startingAfter: number) => {
  const events = await collect(
    await setup.client.responses.retrieve(id, { stream: true, starting_after: startingAfter }),
  )
  const numbers = events.map(({ sequence_number: number }) => number)
  assert.ok(numbers.every((number, n) => number > (numbers[n - 1] ?? startingAfter)))
  const text = events.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []))
  return { text: text.join(''), last: events.at(-1)?.type }
}

// Fails if the events of the second answer have the numbers of the first one.
test('resumes the stream of a response that was answered again', async () => {
  const model = await setup.born()
  setup.answer = () => 'one two three four'
  setup.ollama.faults.hangs = 3
  const stream = await setup.client.responses.create({ model, input: 'x', background: true, stream: true })
  let last: Event | undefined
  let id = ''
  for await (const event of stream) {
    last = event
    if (event.type === 'response.created') id = event.response.id
    if (event.sequence_number === 6) break
  }
  assert.is(last?.type, 'response.output_text.delta')
  setup.ollama.faults.hangs = false
  setup.answer = () => 'Another answer.'
  await setup.post(`/api/persona/${model}/restart`)
  await waitForStatus(id, 'completed')
  assert.equal(await resume(id, 6), { text: 'Another answer.', last: 'response.completed' })
  assert.equal(await resume(id, 5_000_000), { text: 'Another answer.', last: 'response.completed' })
})

// Fails if the pieces of a text that is stored in part are taken for those that were streamed.
test('resumes the stream of a long answer', async () => {
  const model = await setup.born()
  setup.answer = () => Array.from({ length: 40 }, () => 'x'.repeat(2000)).join(' ')
  const { id } = await begin(model)
  const { output_text: text } = await waitForStatus(id, 'completed')
  assert.is(text.length, 60_000)
  for (const startingAfter of [5, 20])
    assert.equal(await resume(id, startingAfter), { text, last: 'response.completed' })
})

test('cancels a response that is being answered, or waits, but none that has ended', async () => {
  const model = await setup.born()
  setup.ollama.faults.hangs = true
  const running = [await begin(model), await begin(model)]
  await openCalls(2)
  const queued = await begin(model)
  assert.is((await read(queued.id)).status, 'queued')
  for (const { id } of [queued, ...running]) {
    const cancelled = await setup.client.responses.cancel(id)
    assert.equal([cancelled.status, (await read(id)).status], ['cancelled', 'cancelled'])
  }
  await openCalls(0)
  setup.ollama.faults.hangs = false
  const { id } = await begin(model)
  await waitForStatus(id, 'completed')
  assert.is((await setup.client.responses.cancel(id)).status, 'completed')
  const foreground = await setup.client.responses.create({ model, input: 'x' })
  const error = await getApiError(setup.client.responses.cancel(foreground.id))
  assert.equal([error.status, error.code], [400, 'response_not_background'])
})

test('deletes a response that is being answered', async () => {
  const model = await setup.born()
  setup.ollama.faults.hangs = true
  const { id } = await begin(model, 'The secret question of mine.')
  await openCalls(1)
  await setup.client.responses.delete(id)
  await openCalls(0)
  assert.is((await getApiError(read(id))).status, 404)
  const { body } = await setup.get(`/api/persona/${model}/journal`)
  assert.not.match(JSON.stringify(body), 'secret question')
})

test('fails when the model fails, and when the persona is stopped', async () => {
  const model = await setup.born()
  setup.ollama.faults.fails = 99
  const { id } = await begin(model)
  const failed = await waitForStatus(id, 'failed')
  assert.is(failed.error?.code, 'model_failed')
  setup.ollama.faults.fails = 0
  setup.ollama.faults.hangs = true
  const stopped = await begin(model)
  await openCalls(1)
  await setup.post(`/api/persona/${model}/stop`)
  assert.is(
    (await waitForStatus(stopped.id, 'failed')).error?.message,
    'The persona was stopped before it had answered.',
  )
  setup.ollama.faults.hangs = false
  await setup.post(`/api/persona/${model}/start`)
  await waitFor('the end in the journal', async () =>
    JSON.stringify((await setup.get(`/api/persona/${model}/journal?type=ResponseEnded`)).body).includes(
      stopped.id,
    ),
  )
  assert.is((await read(stopped.id)).status, 'failed')
})

test('answers again after a restart of the daemon', async () => {
  const home = await tempHome()
  const ollama = await createOllama({ answer: () => 'Here I am.' })
  const options = { home, env: { OLLAMA_BASE_URL: ollama.url } }
  const first = await startDaemon(options)
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  const model = body.persona.id
  ollama.faults.hangs = true
  const { id } = await begin(model, 'Are you there?', createClient(first))
  await waitFor('the model call', () => ollama.open() === 1)
  await first.close()
  ollama.faults.hangs = false
  const callsBefore = ollama.log.length
  const second = await startDaemon(options)
  const client = createClient(second)
  const response = await waitFor('the answer', async () => {
    const found = (await client.responses.retrieve(id)) as OpenAI.Responses.Response
    return found.status === 'completed' && found
  })
  assert.is(response.output_text, 'Here I am.')
  const chats = ollama.log
    .slice(callsBefore)
    .filter((logged) => JSON.stringify(logged.body).includes('Are you there?'))
  assert.is(chats.length, 1)
  await second.close()
  await ollama.close()
})

// Fails if a response stays open whose answer cannot be stored.
test('fails a response whose calls are too large to store', async () => {
  const model = await setup.born()
  const name = 'write_file'
  setup.answer = () => ({ calls: [{ name, arguments: { text: 'x'.repeat(600_000) } }] })
  const tools: OpenAI.Responses.FunctionTool[] = [
    { type: 'function', name, strict: false, parameters: { type: 'object' } },
  ]
  const { id } = await setup.client.responses.create({ model, input: 'x', tools, background: true })
  assert.is((await waitForStatus(id, 'failed')).error?.code, 'too_large')
  const error = await getApiError(setup.client.responses.create({ model, input: 'x', tools }))
  assert.equal([error.status, error.code], [413, 'body_too_large'])
  assert.match(error.message, 'send "store": false')
})

test('remembers the message and the answer of a response in the background once', async () => {
  const model = await setup.born()
  setup.answer = () => 'An answer.'
  const { id } = await setup.client.responses.create({ model, input: 'Hi', store: true, background: true })
  await waitForStatus(id, 'completed')
  const { messages } = (await setup.get(`/api/persona/${model}/conversation`)).body
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['Hi', 'An answer.'],
  )
})

test.run()
