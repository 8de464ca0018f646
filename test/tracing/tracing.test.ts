/** Traces of a daemon, received by a collector over a real socket. */
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { defineTool } from '../../src/mind/tools/tool.ts'
import { call, waitFor } from '../calls.ts'
import { ask } from '../http/try.ts'
import { type ReceivedSpan, toTree } from '../stand-ins/collector.ts'
import { clientSpan, clientTrace, startTraced, traceparent } from './setup.ts'

const recallCall = { calls: [{ name: 'recall', arguments: { query: 'river' } }] }
const findNamed = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)
const parentOf = (spans: readonly ReceivedSpan[], { parentSpanId }: ReceivedSpan) =>
  spans.find(({ spanId }) => spanId === parentSpanId)

// Fails if one of the steps is not traced, or if a step loses the context of its command.
test('one trace of a client: request, command, append, publish, turn, model call and tool', async () => {
  const traced = await startTraced()
  const path = await traced.born()
  const answers = [recallCall, { content: 'By the river.' }]
  traced.answer = () => answers.shift() ?? ''
  const { reply } = await traced.post(`${path}/read?wait=20`, { message: 'Where do I walk?' }, traceparent)
  assert.is(reply.content, 'By the river.')
  const all = await traced.stop()
  const spans = all.filter(({ traceId }) => traceId === clientTrace)
  const root = spans.find(({ parentSpanId }) => parentSpanId === clientSpan)
  assert.ok(root)
  const written = [['journal append', ['journal sync']], ['publish']]
  const answered = ['command RecordAnswer', ...written]
  const called = ['chat llama3', ['POST']]
  // Preparing the model and storing parts of the prompt depend on their own time.
  const isVarying = (tree: unknown) => ['POST', 'journal sync'].includes((tree as string[])[0] ?? '')
  const [[, hear]] = [toTree(spans, root)] as [[string, unknown[]]]
  const publish = hear.at(-1) as unknown[]
  const turn = publish.at(-1) as unknown[]
  assert.equal(
    [root.name, ...hear.slice(0, -1)],
    ['POST /api/persona/{persona_id}/read', 'command Hear', written[0]],
  )
  assert.equal(
    publish.slice(0, -1).filter((tree) => !isVarying(tree)),
    ['publish', ['command BeginTurn', ...written]],
  )
  assert.equal(
    turn.filter((tree) => !isVarying(tree)),
    [
      'invoke_agent',
      called,
      answered,
      ['execute_tool recall'],
      ['command RecordToolAnswer', ...written],
      called,
      answered,
    ],
  )
  assert.equal(root.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/persona/{persona_id}/read',
    'http.response.status_code': 200,
  })
  const id = path.split('/').at(-1)
  assert.equal(findNamed(spans, 'chat llama3')[1]?.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'local',
    'gen_ai.request.model': 'llama3',
    'daimon.organ': 'thinking',
    'gen_ai.usage.input_tokens': 40,
    'gen_ai.usage.output_tokens': 3,
  })
  assert.is(findNamed(spans, 'invoke_agent')[0]?.attributes['gen_ai.agent.id'], id)
  assert.is(findNamed(spans, 'journal append')[0]?.attributes['daimon.append.facts'], 1)
  assert.ok(Number(findNamed(spans, 'journal sync')[0]?.attributes['daimon.append.bytes']) > 100)
  assert.is(traced.collector.resource['service.name'], 'daimon')
  // The runtime on this machine can continue the trace.
  const chats = traced.ollama
    .calls('/api/chat')
    .filter(({ traceparent: sent }) => sent?.includes(clientTrace))
  const posts = findNamed(spans, 'POST').map(({ spanId }) => `00-${clientTrace}-${spanId}-01`)
  assert.ok(chats.length >= 2)
  assert.ok(chats.every(({ traceparent: sent }) => posts.includes(sent ?? '')))
})

// Fails if a later turn stays in the trace of the first message, or if it forgets whom it answers.
test('a message during a turn gets a turn that is connected with its own request', async () => {
  const traced = await startTraced()
  const path = await traced.born()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isAsked = false
  traced.answer = async ({ messages }) => {
    if (!messages.some(({ content }) => content.includes('number one'))) return 'ok'
    isAsked = true
    await held
    return 'first'
  }
  const first = traced.post(`${path}/read?wait=20`, { message: 'number one' })
  await waitFor('the model call', () => isAsked)
  const second = traced.post(`${path}/read?wait=20`, { message: 'two' }, traceparent)
  await waitFor('the second message', async () => {
    const { messages } = await traced.get(`${path}/conversation`)
    return messages.length === 2
  })
  const heardAt = performance.now()
  await waitFor('a turn that is late', () => performance.now() > heardAt + 1100)
  traced.answer = () => 'second'
  release()
  await Promise.all([first, second])
  const spans = await traced.stop()
  const [firstTurn, secondTurn] = findNamed(spans, 'invoke_agent')
  assert.ok(firstTurn && secondTurn)
  assert.is(parentOf(spans, firstTurn)?.name, 'publish')
  assert.is(secondTurn.parentSpanId, undefined)
  assert.equal(
    secondTurn.links.map(({ traceId, spanId }) => [
      traceId,
      spans.find((span) => span.spanId === spanId)?.name,
    ]),
    [[clientTrace, 'publish']],
  )
})

// Fails if the append of a command is only in the trace of another one with which it shared a sync.
test('each of the commands that share a write has an append in its own trace', async () => {
  const traced = await startTraced()
  const path = await traced.born()
  await Promise.all(Array.from({ length: 8 }, (_, n) => traced.post(`${path}/update`, { name: `Ada ${n}` })))
  const spans = await traced.stop()
  const updates = spans.filter(({ name }) => name.endsWith('/update'))
  const appends = updates.map(({ traceId }) =>
    spans.filter((span) => span.traceId === traceId && span.name === 'journal append'),
  )
  assert.equal(
    appends.map(({ length }) => length),
    Array(8).fill(1),
  )
  const syncs = updates.filter(({ traceId }) =>
    spans.some((span) => span.traceId === traceId && span.name === 'journal sync'),
  )
  const linked = appends.flat().filter(({ links }) => links.length === 1)
  assert.is(syncs.length + linked.length, 8)
  for (const { links } of linked)
    assert.is(spans.find(({ spanId }) => spanId === links[0]?.spanId)?.name, 'journal append')
})

test('log lines of a traced request carry its ids', async () => {
  const broken = defineTool({
    name: 'recall',
    description: 'Fails.',
    input: z.object({}),
    run: () => Promise.reject(new Error('broken')),
  })
  const traced = await startTraced({ tools: [broken] })
  const path = await traced.born()
  const answers = [recallCall, { content: 'Sorry.' }]
  traced.answer = () => answers.shift() ?? ''
  await traced.post(`${path}/read?wait=20`, { message: 'Where do I walk?' }, traceparent)
  const spans = await traced.stop()
  const line = traced.logLines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'a tool failed')
  const [tool] = findNamed(spans, 'execute_tool recall')
  assert.equal([line?.trace_id, line?.span_id], [clientTrace, tool?.spanId])
  assert.equal([tool?.status.code, tool?.attributes['error.type']], [2, 'tool_failed'])
})

// Fails if a server does not get the ids of the trace, or if a client's `_meta` is not read.
test('passes the trace to tool servers and continues the trace of MCP clients', async () => {
  const traced = await startTraced()
  const path = await traced.born()
  const file = fileURLToPath(new URL('./meta-server.mjs', import.meta.url))
  await call(traced.daemon.url, 'PUT', `${path}/tools/meta`, { command: process.execPath, args: [file] })
  await traced.post(`${path}/tools/meta/probe`)
  await call(traced.daemon.url, 'PATCH', `${path}/tools/meta/look`, { mode: 'allow' })
  const answers = [{ calls: [{ name: 'meta__look', arguments: {} }] }, { content: 'Seen.' }]
  traced.answer = () => answers.shift() ?? ''
  const { reply } = await traced.post(`${path}/read?wait=20`, { message: 'Look!' })
  assert.is(reply.content, 'Seen.')
  const { messages } = await traced.get(`${path}/conversation`)
  const { steps } = await traced.get(`${path}/turns/${messages.at(-1).turn}`)
  const sent = JSON.parse(/\{.*\}/.exec(steps[0].tools[0].output.text)?.[0] ?? '{}')

  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'recall', arguments: { query: 'look' }, _meta: { traceparent } },
  }
  const { status } = await ask(traced.daemon.port, {
    method: 'POST',
    path: path.replace('/api/persona', '/mcp'),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify(message),
  })
  assert.is(status, 200)
  const spans = await traced.stop()
  const [asked] = spans.filter(({ name, kind }) => name === 'tools/call' && kind === 3)
  assert.ok(asked)
  assert.is(sent.traceparent, `00-${asked.traceId}-${asked.spanId}-01`)
  assert.is(parentOf(spans, asked)?.name, 'execute_tool meta__look')
  const [served] = spans.filter(({ name, kind }) => name === 'tools/call' && kind === 2)
  assert.equal([served?.traceId, served?.parentSpanId], [clientTrace, clientSpan])
  assert.is(spans.find(({ spanId }) => spanId === served?.links[0]?.spanId)?.name, 'POST /mcp/{persona_id}')
})

test.run()
