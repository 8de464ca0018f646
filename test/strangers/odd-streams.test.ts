/** Streams that differ from the protocol in form only: the answer comes with one request. A row each. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createModels } from '../../src/models/open-models.ts'
import { createNetwork } from '../../src/network/network.ts'
import { hello, mindFailure, recall, think } from '../models/cloud-stage.ts'

const test = suite<{ servers: Server[] }>('odd streams', { servers: [] })
test.after.each(async ({ servers }) => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const line = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`
const chunk = (delta: unknown, finish_reason: unknown = null) =>
  line({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const done = 'data: [DONE]\n\n'
const hi = chunk({ role: 'assistant', content: 'hello' })
const stop = chunk({}, 'stop')
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const called = (call: object) => chunk({ tool_calls: [call] })
const first = { type: 'function', function: { name: 'recall', arguments: '{"query":"fox"}' } }
const second = { type: 'function', function: { name: 'recall', arguments: '{"query":"owl"}' } }

const rows: readonly {
  readonly what: string
  readonly stream: string
  readonly text?: string
  readonly queries?: readonly string[]
}[] = [
  { what: 'choices null', stream: line({ choices: null }) + hi + stop + done },
  { what: 'usage without choices', stream: hi + stop + line({ usage }) + done },
  { what: 'error null beside choices', stream: hi.replace('"id"', '"error":null,"id"') + stop + done },
  { what: 'data null', stream: `data: null\n\n${hi}data: null\n\n${stop}${done}` },
  { what: 'an empty delta', stream: chunk({}) + chunk(null) + hi + stop + done },
  { what: 'comments', stream: `: OPENROUTER PROCESSING\n\n${hi}: OPENROUTER PROCESSING\n\n${stop}${done}` },
  { what: 'a keep-alive as data', stream: `data: ping\n\n${hi}data:\n\n${stop}${done}` },
  { what: 'an unknown role', stream: chunk({ role: 'model', content: 'hello' }) + stop + done },
  { what: 'no finish reason', stream: hi + done },
  {
    what: 'no finish reason ever, and no end mark',
    stream: line({ choices: [{ index: 0, delta: { content: 'hello' } }] }),
  },
  { what: 'no end mark', stream: hi + stop },
  { what: 'an empty finish reason in each chunk', stream: hi.replace('null', '""') + stop + done },
  { what: 'only an empty finish reason', stream: hi + chunk({}, '') + done },
  { what: 'an unknown finish reason', stream: hi + chunk({}, 'eos') + done },
  {
    what: 'calls without index',
    stream: called({ ...first, id: 'a' }) + called({ ...second, id: 'b' }) + chunk({}, 'tool_calls') + done,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'calls without id',
    stream: called({ ...first, index: 0 }) + called({ ...second, index: 1 }) + chunk({}, 'tool_calls') + done,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'calls without index, id and finish reason',
    stream: called(first) + called(second) + done,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'arguments as an object',
    stream:
      called({ index: 0, id: 'a', function: { name: 'recall', arguments: { query: 'fox' } } }) +
      chunk({}, 'tool_calls') +
      done,
    text: '',
    queries: ['fox'],
  },
  {
    what: 'a thought with its closing only',
    stream: chunk({ content: 'They greet me.\n</think>\n\nhello' }) + stop + done,
  },
  {
    what: 'a thought with its closing only, over several chunks',
    stream: ['They ', 'greet me.\n</th', 'ink', '>\n', '\nhel', 'lo']
      .map((content) => chunk({ content }))
      .concat(stop, done)
      .join(''),
  },
  {
    what: 'a closing that the answer quotes',
    stream: chunk({ content: 'It ends with `</think>`.' }) + stop + done,
    text: 'It ends with `</think>`.',
  },
]

const open = async (servers: Server[], stream: string) => {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    asked++
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(stream)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = { local: url, anthropic: '', openai: '', gemini: '', xai: '' }
  const models = createModels({ urls, env: {}, network: createNetwork({ env: {} }) })
  const mind = models.mind({ provider: 'openai', model: 'm', url, apiKey: 'k' }, null)
  return { mind, asked: () => asked, close: () => models.close() }
}

for (const { what, stream, text = 'hello', queries = [] } of rows)
  test(`${what}: is read with one request`, async ({ servers }) => {
    const { mind, asked, close } = await open(servers, stream)
    try {
      const answer = await think(mind, { ...hello, tools: [recall] })
      const said = answer.parts.reduce(
        (words, part) => (part.type === 'again' ? '' : part.type === 'words' ? words + part.text : words),
        '',
      )
      assert.is(said, text)
      assert.equal(
        answer.calls.map(({ input }) => (input as { query: string }).query),
        queries,
      )
      assert.is(asked(), 1)
    } finally {
      await close()
    }
  })

test('an error inside a stream stays an error, with the words of the server', async ({ servers }) => {
  const stream = hi + line({ error: { message: 'the card is out of memory', code: 500 } }) + done
  const { mind, close } = await open(servers, stream)
  try {
    assert.match((await mindFailure(() => think(mind, hello))).message, 'out of memory')
  } finally {
    await close()
  }
})

test('a stream that names finish reasons and ends without one was cut off: it is asked for once more', async ({
  servers,
}) => {
  const { mind, asked, close } = await open(servers, hi)
  try {
    await mindFailure(() => think(mind, hello))
    assert.is(asked(), 2)
  } finally {
    await close()
  }
})

test('half a call at the end of a stream is not an answer', async ({ servers }) => {
  const part = { index: 0, id: 'a', function: { name: 'recall', arguments: '{"que' } }
  const half = line({ choices: [{ index: 0, delta: { tool_calls: [part] } }] }) + done
  const { mind, asked, close } = await open(servers, half)
  try {
    await mindFailure(() => think(mind, { ...hello, tools: [recall] }))
    assert.is(asked(), 2)
  } finally {
    await close()
  }
})

test.run()
