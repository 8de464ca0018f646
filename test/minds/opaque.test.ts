/**
 * Opaque data that a model requires with the next step of a turn. Each stand-in rejects a second step with
 * 400 unless the data is returned unchanged.
 */
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { createModels } from '../../src/open-models.ts'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { listenTo } from '../listener.ts'
import { providerUrls } from '../provider-urls.ts'
import { wordsOfHome } from '../secrets/search.ts'
import { valuesHolding } from '../words-on-disk.ts'

type Body = Readonly<Record<string, unknown>>

interface Form {
  readonly what: string
  readonly provider: 'openai' | 'anthropic'
  /** The stream events of a first step that calls a tool. */
  readonly first: readonly string[]
  readonly second: readonly string[]
  /** Extracts the data from a request. */
  readonly getReturned: (body: Body) => unknown
  readonly expectedValue: unknown
  /** A string that occurs only in the data. */
  readonly mark: string
}

const data = (json: unknown) => `data: ${JSON.stringify(json)}\n\n`
const delta = (delta: unknown, finish_reason: unknown = null) =>
  data({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const keep = JSON.stringify({ op: 'keep', document: 'person', text: 'lives in Lisbon' })
const tool = { index: 0, id: 'call_a', type: 'function', function: { name: 'remember', arguments: keep } }
const endMark = 'data: [DONE]\n\n'
const chunks = [delta({ role: 'assistant', content: 'Then we know.' }), delta({}, 'stop'), endMark]
const createCallChunks = (...thoughts: readonly unknown[]) => [
  delta({ role: 'assistant', content: '' }),
  ...thoughts.map((thoughtPart) => delta(thoughtPart)),
  delta({ tool_calls: [tool] }),
  delta({}, 'tool_calls'),
  endMark,
]
// biome-ignore lint/suspicious/noExplicitAny: a body that is looked into
const getReply = (body: Body): any => (body.messages as any[]).findLast(({ role }) => role === 'assistant')
const event = (json: { readonly type: string }) => `event: ${json.type}\n${data(json)}`
const block = (index: number, content_block: Body, ...deltas: readonly Body[]) => [
  event({ type: 'content_block_start', index, content_block } as never),
  ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta } as never)),
  event({ type: 'content_block_stop', index } as never),
]
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
}
const answer = (stop_reason: string, ...blocks: readonly string[]) => [
  event({
    type: 'message_start',
    message: { ...message, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 1 } },
  } as never),
  ...blocks,
  event({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 9 },
  } as never),
  event({ type: 'message_stop' }),
]
const textEvents = (index: number, text: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text })

const packed = Buffer.from('a packed mark').toString('base64')
const forms: readonly Form[] = [
  ...(['reasoning_content', 'reasoning'] as const).map(
    (name): Form => ({
      what: name,
      provider: 'openai',
      first: createCallChunks({ [name]: 'They moved,\n ' }, { [name]: 'it seems: Ünmark. ' }),
      second: chunks,
      getReturned: (body) => getReply(body)[name],
      expectedValue: 'They moved,\n it seems: Ünmark. ',
      mark: 'Ünmark',
    }),
  ),
  {
    what: 'reasoning_details',
    provider: 'openai',
    first: createCallChunks(
      { reasoning_details: [{ type: 'reasoning.text', text: 'They ', index: 0, format: 'f' }] },
      { reasoning_details: [{ type: 'reasoning.text', text: 'moved.', index: 0, signature: null }] },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'sIgMaRk+/=', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: packed, id: 'a', index: 1 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'ZGVm', id: 'b', index: 1 }] },
    ),
    second: chunks,
    getReturned: (body) => getReply(body).reasoning_details,
    expectedValue: [
      { type: 'reasoning.text', text: 'They moved.', index: 0, format: 'f', signature: 'sIgMaRk+/=' },
      { type: 'reasoning.encrypted', data: packed, id: 'a', index: 1 },
      { type: 'reasoning.encrypted', data: 'ZGVm', id: 'b', index: 1 },
    ],
    mark: 'sIgMaRk',
  },
  {
    what: 'thought signatures of calls',
    provider: 'openai',
    first: [
      delta({
        role: 'assistant',
        tool_calls: [{ ...tool, extra_content: { google: { thought_signature: 'EmArK+/==' } } }],
      }),
      delta({}, 'tool_calls'),
      endMark,
    ],
    second: chunks,
    getReturned: (body) => getReply(body).tool_calls[0].extra_content,
    expectedValue: { google: { thought_signature: 'EmArK+/==' } },
    mark: 'EmArK',
  },
  {
    what: 'thinking blocks',
    provider: 'anthropic',
    first: answer(
      'tool_use',
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'They ' },
        { type: 'thinking_delta', thinking: 'moved: blockmark.' },
        { type: 'signature_delta', signature: 'EqQB+/==' },
      ),
      ...block(1, { type: 'redacted_thinking', data: 'EmwK+/==' }),
      ...textEvents(2, 'Noted.'),
      ...block(
        3,
        { type: 'tool_use', id: 'toolu_1', name: 'remember', input: {} },
        { type: 'input_json_delta', partial_json: keep },
      ),
    ),
    second: answer('end_turn', ...textEvents(0, 'Then we know.')),
    getReturned: (body) => getReply(body).content.slice(0, 3),
    expectedValue: [
      { type: 'thinking', thinking: 'They moved: blockmark.', signature: 'EqQB+/==' },
      { type: 'redacted_thinking', data: 'EmwK+/==' },
      { type: 'text', text: 'Noted.' },
    ],
    mark: 'blockmark',
  },
]

interface Strict {
  readonly url: string
  readonly requests: readonly Body[]
  /** The second step does not finish. */
  stalls: boolean
}

const test = suite<{ servers: Server[] }>('opaque data', { servers: [] })
test.after.each(async ({ servers }) => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const isSecond = (body: Body): boolean => /"role":"tool"|"tool_result"/.test(JSON.stringify(body))

const thoughtsError = 'The thoughts of the last step must be passed back.'

const openStrict = async (
  servers: Server[],
  form: Form,
  strict = true,
  detail = thoughtsError,
): Promise<Strict> => {
  const requests: Body[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method === 'GET')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ id: 'm' }, { id: 'other' }] }))
    const body: Body = JSON.parse(text)
    // The check at the creation of the persona is not recorded.
    if (!text.includes('Say one word.')) requests.push(body)
    if (isSecond(body) && strictServer.stalls) return
    if (isSecond(body) && strict && !isDeepStrictEqual(form.getReturned(body), form.expectedValue))
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: detail } }))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end((isSecond(body) ? form.second : form.first).join(''))
  }
  const server = createServer((request, response) => void answer(request, response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const strictServer = { url, requests, stalls: false }
  return strictServer
}

const start = (home: string) =>
  startDaemon({
    home,
    models: createModels({ urls: providerUrls(), env: {}, network: createNetwork({ env: {} }) }),
  })

const create = async (url: string, { provider }: Form, strict: Strict, model = 'm'): Promise<string> => {
  const { status, body } = await call(url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_provider: provider,
    thinking_model: model,
    thinking_url: strict.url,
    thinking_api_key: 'sk-key-of-a-test',
  })
  assert.is(status, 200, JSON.stringify(body))
  return body.persona.id
}

const getTalk = async (url: string, id: string): Promise<readonly string[]> => {
  const { body } = await call(url, 'GET', `/api/persona/${id}/conversation`)
  return body.messages.map(({ content }: { content: string }) => content)
}

const tell = (url: string, id: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=0`, { message: 'I live in Lisbon.' })

const waitForAnswer = (url: string, id: string) =>
  waitFor('the answer', async () => (await getTalk(url, id)).includes('Then we know.'))

for (const form of forms) {
  test(`${form.what}: returned unchanged, never shown, and removed when the call is erased`, async ({
    servers,
  }) => {
    const home = await tempHome()
    const strict = await openStrict(servers, form)
    const daemon = await start(home)
    try {
      const id = await create(daemon.url, form, strict)
      const listener = await listenTo(daemon.url, `/ws/${id}`)
      await tell(daemon.url, id)
      await waitForAnswer(daemon.url, id)
      assert.equal(form.getReturned(strict.requests.at(-1) ?? {}), form.expectedValue)

      const persona = `/api/persona/${id}`
      const { body: lines } = await call(daemon.url, 'GET', `${persona}/journal`)
      const facts = (typeof lines === 'string' ? lines.trim().split('\n') : []).map((line) =>
        JSON.parse(line),
      )
      const { seq: turn } = facts.find(({ type }) => type === 'TurnBegan')
      const { seq, payload } = facts.find(({ type }) => type === 'ModelAnswered')
      assert.match(payload.opaque, /^[0-9a-f]{64}$/)
      const { body: turnBody } = await call(daemon.url, 'GET', `${persona}/turns/${turn}?bodies=1`)
      // biome-ignore lint/suspicious/noExplicitAny: a body that is looked into
      const bodies = turnBody.bodies as any[]
      assert.equal(
        bodies.map(({ verified }) => verified),
        [true, true],
      )
      const shownTexts = [turnBody, lines, listener.texts, await getTalk(daemon.url, id)]
      assert.not.ok(JSON.stringify(shownTexts).includes(form.mark))

      const { status } = await call(daemon.url, 'POST', `${persona}/erase`, { seqs: [seq] })
      assert.is(status, 200)
      await daemon.close()
      assert.equal(await valuesHolding(home, id, form.mark), [])
    } finally {
      await daemon.close()
      await rm(home, { recursive: true, force: true })
    }
  })

  test(`${form.what}: returned after a restart of the daemon during the turn`, async ({ servers }) => {
    const home = await tempHome()
    const strict = await openStrict(servers, form)
    let daemon = await start(home)
    try {
      const id = await create(daemon.url, form, strict)
      strict.stalls = true
      await tell(daemon.url, id)
      await waitFor('the second step', () => strict.requests.some(isSecond))
      await daemon.close()
      assert.is.not((await valuesHolding(home, id, form.mark)).length, 0)
      // The search for secrets looks into opaque data, and into base64 in it.
      const homeTexts = await wordsOfHome(home)
      assert.ok(homeTexts.some((text) => text.includes(form.mark)))
      if (form.what === 'reasoning_details')
        assert.ok(homeTexts.some((text) => text.includes('a packed mark')))
      strict.stalls = false
      daemon = await start(home)
      await waitForAnswer(daemon.url, id)
      assert.equal(form.getReturned(strict.requests.at(-1) ?? {}), form.expectedValue)
      assert.is(strict.requests.filter((body) => !isSecond(body)).length, 1)
    } finally {
      await daemon.close()
      await rm(home, { recursive: true, force: true })
    }
  })

  test(`${form.what}: not sent to another model or another address`, async ({ servers }) => {
    const home = await tempHome()
    const strict = await openStrict(servers, form)
    const otherStrict = await openStrict(servers, form, false)
    const daemon = await start(home)
    try {
      for (const [model, at] of [
        ['other', strict],
        ['m', otherStrict],
      ] as const) {
        const id = await create(daemon.url, form, strict)
        strict.stalls = true
        const countBefore = strict.requests.filter(isSecond).length
        await tell(daemon.url, id)
        await waitFor('the second step', () => strict.requests.filter(isSecond).length > countBefore)
        strict.stalls = at === strict
        const { status } = await call(daemon.url, 'POST', `/api/persona/${id}/update`, {
          thinking: { provider: form.provider, model, url: at.url, api_key: 'sk-key-of-a-test' },
        })
        assert.is(status, 200)
        const secondBody = await waitFor('the other model', () =>
          at.requests.find((body) => isSecond(body) && (at === otherStrict || body.model === model)),
        )
        assert.not.ok(JSON.stringify(secondBody).includes(form.mark))
        await call(daemon.url, 'POST', `/api/persona/${id}/delete`)
      }
    } finally {
      await daemon.close()
      await rm(home, { recursive: true, force: true })
    }
  })
}

test('sends no reasoning to a server that rejects it', async ({ servers }) => {
  const [form] = forms
  if (!form) return assert.unreachable()
  const home = await tempHome()
  const detail = "property 'reasoning_content' is unsupported"
  const strict = await openStrict(servers, { ...form, expectedValue: undefined }, true, detail)
  const daemon = await start(home)
  try {
    const id = await create(daemon.url, form, strict)
    await tell(daemon.url, id)
    await waitForAnswer(daemon.url, id)
    assert.equal(
      strict.requests.filter(isSecond).map((body) => form.getReturned(body)),
      [form.expectedValue, undefined],
    )
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
