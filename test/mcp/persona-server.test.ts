/**
 * /mcp/{persona_id}: a persona as a server, called by the official client in both eras of the protocol, and
 * by plain JSON-RPC as other clients send it.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { shareSetup } from '../contract/v1-setup.ts'
import { ask, type Reply } from '../http/try.ts'

const setup = shareSetup(test, { env: { DAIMON_MAX_JSON: '20000', DAIMON_MAX_MESSAGE: '2000' } })

type Era = 'legacy' | 'auto'
const eras: readonly Era[] = ['legacy', 'auto']

const connectClient = async (id: string, era: Era = 'auto'): Promise<Client> => {
  const client = new Client({ name: 'notes', version: '1' }, { versionNegotiation: { mode: era } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${setup.daemon.url}/mcp/${id}`)))
  return client
}

interface ToolAnswer {
  readonly text: string
  readonly wrong: boolean
}
const use = async (client: Client, name: string, input: Record<string, unknown>): Promise<ToolAnswer> => {
  const { content, isError = false } = await client.callTool({ name, arguments: input })
  const texts = content.flatMap((block) => (block.type === 'text' ? block.text : []))
  return { text: texts.join('\n'), wrong: isError }
}
const getPersonaPath = (id: string) => `/api/persona/${id}`
const say = (id: string, message: string) => setup.post(`${getPersonaPath(id)}/read?wait=20`, { message })

/** Sends a request like a client without a library. */
const rpc = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  ask(setup.daemon.port, {
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, which say what they expect there
const readRpc = ({ text, headers }: Reply): any =>
  JSON.parse(
    /event-stream/.test(headers['content-type'] ?? '') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text,
  )
const call = (method: string, params: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

for (const era of eras)
  test(`${era}: the official client gets the persona's name and five tools with descriptions`, async () => {
    const client = await connectClient(await setup.born({ name: 'Ada Lovelace' }), era)
    assert.is(client.getServerVersion()?.title, 'Ada Lovelace')
    assert.match(client.getInstructions() ?? '', 'Ada Lovelace')
    const { tools } = await client.listTools()
    assert.equal(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['talk', false],
        ['recall', true],
        ['calendar', true],
        ['plan', false],
        ['remember', false],
      ],
    )
    assert.equal(tools[0]?.inputSchema.required, ['message'])
    await client.close()
  })

// Fails if talk always passes `store: true`.
for (const era of eras)
  test(`${era}: answers as the persona, and stores the talk only on request`, async () => {
    const id = await setup.born({ name: 'Ada' })
    const client = await connectClient(id, era)
    setup.answer = () => 'By the river.'
    assert.equal(await use(client, 'talk', { message: 'Where do you like to walk?' }), {
      text: 'By the river.',
      wrong: false,
    })
    const [modelRequest] = setup.getRequests()
    assert.match(modelRequest?.messages[0]?.content ?? '', /^You are Ada\./)
    assert.is(modelRequest?.messages.at(-1)?.content, 'Where do you like to walk?')
    const getMessages = async () => (await setup.get(`${getPersonaPath(id)}/conversation`)).body.messages
    assert.equal(await getMessages(), [])
    const earlier = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello there.' },
    ]
    await use(client, 'talk', { message: 'Keep this walk.', earlier, store: true })
    assert.equal(
      (await getMessages()).map(({ content }: { content: string }) => content),
      ['Keep this walk.', 'By the river.'],
    )
    assert.equal(
      setup
        .getRequests()
        .at(-1)
        ?.messages.slice(1)
        .map(({ content }) => content),
      ['Hello', 'Hello there.', 'Keep this walk.'],
    )
    await client.close()
  })

test('sends progress to a client that requests it', async () => {
  const client = await connectClient(await setup.born())
  setup.answer = () => 'One two three.'
  const seenSeqs: number[] = []
  await client.callTool(
    { name: 'talk', arguments: { message: 'Count.' } },
    { onprogress: ({ progress }) => void seenSeqs.push(progress) },
  )
  assert.ok(seenSeqs.length > 0)
  await client.close()
})

// Does not end if the signal of the request is not passed on.
test('cancels the model call when the client disconnects', async () => {
  const id = await setup.born()
  const client = await connectClient(id)
  setup.answer = () => 'Let me think of it'
  setup.ollama.faults.hangs = 1
  const controller = new AbortController()
  const requests = client
    .callTool({ name: 'talk', arguments: { message: 'Take long.' } }, { signal: controller.signal })
    .catch(() => 'left')
  await waitFor('its Mind is asked', () => setup.getRequests().length > 0 && setup.ollama.open() > 0)
  controller.abort()
  assert.is(await requests, 'left')
  await waitFor('the end of the call', () => setup.ollama.open() === 0)
  assert.equal((await setup.get(`${getPersonaPath(id)}/conversation`)).body.messages, [])
  await client.close()
})

test('a stopped persona returns a message that it cannot answer, and its read-only tools work', async () => {
  const id = await setup.born()
  setup.answer = () => 'A nice colour.'
  await say(id, 'My bicycle is turquoise.')
  await setup.post(`${getPersonaPath(id)}/stop`)
  const client = await connectClient(id)
  const talked = await use(client, 'talk', { message: 'Hello' })
  assert.is(talked.wrong, true)
  assert.match(talked.text, 'is not running')
  const foundEntries = JSON.parse((await use(client, 'recall', { query: 'turquoise' })).text).found
  assert.equal([foundEntries[0].role, foundEntries[0].content], ['person', 'My bicycle is turquoise.'])
  const { text } = await use(client, 'plan', { content: 'Oil the chain', when: '2031-05-04T09:00' })
  const { planned } = JSON.parse(text)
  const { zone, plans } = JSON.parse((await use(client, 'calendar', { from: '2031-05-04' })).text)
  assert.equal(
    plans.map(({ id: plan, content, kind }: Record<string, string>) => [plan, content, kind]),
    [[planned.id, 'Oil the chain', 'reminder']],
  )
  assert.is(zone, planned.zone)
  await client.close()
})

test('explains invalid input, and changes nothing', async () => {
  const id = await setup.born()
  const client = await connectClient(id)
  const wrong = async (name: string, input: Record<string, unknown>, pattern: RegExp) => {
    const result = await use(client, name, input)
    assert.is(result.wrong, true, name)
    assert.match(result.text, pattern)
  }
  const { body: verificationBefore } = await setup.post(`${getPersonaPath(id)}/verify`)
  await wrong('talk', {}, /message/)
  await wrong('talk', { message: 'x'.repeat(2001) }, /too large: 2000 bytes/)
  await wrong('plan', { content: 'x', when: 'tomorrow' }, /local date and time/)
  await wrong('plan', { content: 'x', when: '2001-01-01T09:00' }, /in the past/)
  await wrong('plan', { content: ' ', when: '2031-01-01T09:00' }, /needs a text/)
  await wrong('calendar', { from: 'soon' }, /local dates or times/)
  await wrong('remember', { document: 'diary', text: 'x' }, /document/)
  await wrong('remember', { document: 'person', text: ' . ' }, /needs a text/)
  await wrong('sing', {}, /sing/).catch((error: { message: string }) => assert.match(error.message, 'sing'))
  setup.ollama.faults.fails = 5
  await wrong('talk', { message: 'Hello' }, /./)
  const { body: verificationAfter } = await setup.post(`${getPersonaPath(id)}/verify`)
  // The cost of the failed call is in the ledger.
  assert.ok(verificationAfter.events - verificationBefore.events <= 2)
  await client.close()
})

test('its memory and its days are resources, page by page', async () => {
  const id = await setup.born()
  await setup.post(`${getPersonaPath(id)}/memories`, { document: 'person', text: 'They live in Porto.' })
  await setup.post(`${getPersonaPath(id)}/memories`, {
    document: 'wishes',
    text: 'They want to see the sea.',
  })
  setup.answer = () => 'We spoke of the sea.'
  await say(id, 'Let us speak of the sea.')
  await setup.post(`${getPersonaPath(id)}/sleep`)
  const client = await connectClient(id)
  const { resources, nextCursor } = await client.listResources()
  assert.is(nextCursor, undefined)
  const uris = resources.map(({ uri }) => uri.replace(`daimon://${id}/`, ''))
  assert.equal(uris.slice(0, 2), ['memories/person', 'memories/wishes'])
  assert.match(uris[2] ?? '', /^days\/\d{4}-\d\d-\d\d$/)
  const readResource = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    const [one] = contents
    return one && 'text' in one ? [one.mimeType, one.text] : []
  }
  assert.equal(await readResource(`daimon://${id}/memories/person`), [
    'text/markdown',
    '# person\n\n- They live in Porto.\n',
  ])
  assert.match((await readResource(resources[2]?.uri ?? ''))[1] ?? '', /^# \d{4}-\d\d-\d\d\n\n.+/)
  const missingUris = [
    `daimon://${id}/memories/traits`,
    `daimon://${id}/days/1999-01-01`,
    'file:///etc/passwd',
  ]
  for (const uri of [...missingUris, `daimon://${id}/days/2026-13-45`]) {
    const error = await readResource(uri).catch((caughtError: { code: number }) => caughtError)
    assert.is('code' in error && error.code, -32_602, uri)
  }
  await client.close()
})

// Fails if the rule stores a proposal immediately.
test('a statement from a client is a proposal that is unknown until the user accepts it', async () => {
  const id = await setup.born()
  const client = await connectClient(id)
  const text = 'They keep bees on the roof.'
  const { text: words, wrong } = await use(client, 'remember', { document: 'person', text })
  assert.is(wrong, false)
  assert.match(words, 'not known yet')
  await use(client, 'remember', { document: 'person', text: 'they keep  bees on the roof' })
  await use(client, 'remember', { document: 'wishes', text: 'They want a dog.' })
  const getMemories = async () => (await setup.get(`${getPersonaPath(id)}/memories`)).body
  const [bees, dog, ...others] = (await getMemories()).proposed
  assert.equal([bees.document, bees.text, bees.by, others], ['person', text, 'notes', []])
  assert.equal((await getMemories()).memories, [])
  assert.equal((await setup.get(`${getPersonaPath(id)}/knowledge`)).body.memory, {})
  setup.answer = () => 'ok'
  await say(id, 'What do you know?')
  await use(client, 'talk', { message: 'What do you know?' })
  assert.not.match(JSON.stringify(setup.getRequests()), 'bees')
  assert.equal(JSON.parse((await use(client, 'recall', { query: 'bees' })).text).found, [])
  assert.equal((await setup.get(`${getPersonaPath(id)}/search?q=bees`)).body.found, [])

  const patch = async (proposal: string, isAccepted: unknown) => {
    const { status, text: answer } = await ask(setup.daemon.port, {
      method: 'PATCH',
      path: `${getPersonaPath(id)}/proposals/${proposal}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accepted: isAccepted }),
    })
    return [status, JSON.parse(answer)]
  }
  const [status, { memory }] = await patch(bees.id, true)
  assert.equal([status, memory.id, memory.text, memory.origin], [200, bees.id, text, 'person'])
  assert.equal(await patch(dog.id, false), [200, { memory: null }])
  const { memories, proposed } = await getMemories()
  assert.equal([memories.length, proposed], [1, []])
  assert.equal((await setup.get(`${getPersonaPath(id)}/knowledge`)).body.memory, { person: `- ${text}` })
  const notFound = [404, { detail: 'Memory not found.' }]
  assert.equal(await patch(dog.id, true), notFound)
  assert.equal(await patch(bees.id, false), notFound)
  assert.is((await patch(bees.id, true))[0], 200)
  assert.is((await patch(bees.id, 'yes'))[0], 422)
  assert.match((await use(client, 'remember', { document: 'person', text })).text, 'known already')
  await client.close()
})

test('limits the number of pending proposals', async () => {
  const id = await setup.born()
  const client = await connectClient(id)
  for (let n = 0; n < 100; n++) await use(client, 'remember', { document: 'person', text: `Fact ${n}.` })
  const { text, wrong } = await use(client, 'remember', { document: 'person', text: 'One more.' })
  assert.is(wrong, true)
  assert.match(text, '100 proposals')
  await client.close()
})

test('plain JSON-RPC as other clients send it: initialize, initialized, tools, a call', async () => {
  const id = await setup.born()
  const path = `/mcp/${id}`
  const hello = await rpc(
    path,
    call('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'agents', version: '0' },
    }),
  )
  assert.is(hello.status, 200)
  assert.is(readRpc(hello).result.protocolVersion, '2025-06-18')
  assert.is(hello.headers['mcp-session-id'], undefined)
  assert.is(hello.headers['cache-control'], 'no-store')
  assert.is(hello.headers['x-content-type-options'], 'nosniff')
  const ready = await rpc(path, { jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.equal([ready.status, ready.text], [202, ''])
  assert.is(readRpc(await rpc(path, call('tools/list'))).result.tools.length, 5)
  setup.answer = () => 'Hello yourself.'
  const talked = readRpc(
    await rpc(path, call('tools/call', { name: 'talk', arguments: { message: 'Hello' } }, 'abc')),
  )
  assert.equal(talked, {
    jsonrpc: '2.0',
    id: 'abc',
    result: { content: [{ type: 'text', text: 'Hello yourself.' }] },
  })
  assert.is(readRpc(await rpc(path, call('tools/sing'))).error.code, -32_601)
})

test('refuses requests before the protocol handles them, in the documented order', async () => {
  const id = await setup.born()
  const send = (method: string, path: string, headers = {}) =>
    ask(setup.daemon.port, { method, path, headers })
  const list = call('tools/list', {}, 7)
  const expectRefusal = async (
    reply: Promise<Reply>,
    status: number,
    approvalSeq: number | null,
    pattern: RegExp,
  ) => {
    const { status: gotStatus, text } = await reply
    const { jsonrpc, id: about, error } = JSON.parse(text)
    assert.equal([gotStatus, jsonrpc, about, typeof error.code], [status, '2.0', approvalSeq, 'number'], text)
    assert.match(error.message, pattern)
  }
  const evil = { host: 'evil.test' }
  await expectRefusal(rpc('/mcp/nobody/x', list, evil), 403, null, /^The Host header/)
  await expectRefusal(rpc('/mcp/nobody', list, { origin: 'http://evil.test' }), 403, null, /other sites/)
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  await expectRefusal(send('GET', `/mcp/${id}`, link), 403, null, /other sites/)
  for (const path of ['/mcp', '/mcp/', `/mcp/${id}/`, `/mcp/${id}/x`])
    await expectRefusal(send('GET', path), 404, null, /^Not Found$/)
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    await expectRefusal(send(method, '/mcp/nobody'), 405, null, /^Method Not Allowed$/)
    assert.is((await send(method, `/mcp/${id}`)).headers.allow, 'POST')
  }
  await expectRefusal(rpc('/mcp/nobody', { ...list, pad: 'x'.repeat(20_000) }), 413, null, /20000 bytes/)
  await expectRefusal(
    rpc('/mcp/nobody', list, { 'content-type': 'text/plain' }),
    415,
    null,
    /application\/json/,
  )
  await expectRefusal(rpc('/mcp/nobody', '{"jsonrpc"'), 400, null, /JSON/)
  await expectRefusal(rpc('/mcp/nobody', list), 404, 7, /^Persona not found\.$/)
  await expectRefusal(rpc('/mcp/%E0%A4%A', list), 404, null, /^Not Found$/)
  await expectRefusal(rpc(`/mcp/${id}`, { hello: 1 }), 400, null, /./)
  await expectRefusal(rpc(`/mcp/${id}`, list, { accept: 'text/html' }), 406, null, /Accept/)
  assert.is((await send('GET', '/mcpx')).headers['content-type']?.startsWith('text/html'), true)
})

test('offers no export, deletion or setting', async () => {
  const client = await connectClient(await setup.born())
  const { tools } = await client.listTools()
  assert.not.match(JSON.stringify(tools.map(({ name }) => name)), /export|delete|update|setting|forget/)
  await client.close()
})

test.run()
