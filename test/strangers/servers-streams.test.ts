/** Streams that differ from the protocol in form only, one per row. The answer is read with one request. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hello, mindFailure, think } from '../models/cloud-stage.ts'
import {
  assertReadsRow,
  chunk,
  close,
  done,
  hi,
  json,
  line,
  openMind,
  openServer,
  prompt,
  type Row,
  stop,
  type World,
} from './odd-server.ts'

const test = suite<World>('servers: streams', { closers: [] })
test.after.each(close)

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const callChunk = (call: object) => chunk({ tool_calls: [call] })
const first = { type: 'function', function: { name: 'recall', arguments: '{"query":"fox"}' } }
const second = { type: 'function', function: { name: 'recall', arguments: '{"query":"owl"}' } }

const rows: readonly Row[] = [
  { what: 'choices null', says: line({ choices: null }) + hi + stop + done },
  { what: 'usage without choices', says: hi + stop + line({ usage }) + done },
  { what: 'error null beside choices', says: hi.replace('"id"', '"error":null,"id"') + stop + done },
  { what: 'data null', says: `data: null\n\n${hi}data: null\n\n${stop}${done}` },
  { what: 'an empty delta', says: chunk({}) + chunk(null) + hi + stop + done },
  { what: 'comments', says: `: OPENROUTER PROCESSING\n\n${hi}: OPENROUTER PROCESSING\n\n${stop}${done}` },
  { what: 'a keep-alive as data', says: `data: ping\n\n${hi}data:\n\n${stop}${done}` },
  { what: 'an unknown role', says: chunk({ role: 'model', content: 'hello' }) + stop + done },
  { what: 'no finish reason', says: hi + done },
  {
    what: 'no finish reason ever, and no end mark',
    says: line({ choices: [{ index: 0, delta: { content: 'hello' } }] }),
  },
  { what: 'no end mark', says: hi + stop },
  { what: 'an empty finish reason in each chunk', says: hi.replace('null', '""') + stop + done },
  { what: 'only an empty finish reason', says: hi + chunk({}, '') + done },
  { what: 'an unknown finish reason', says: hi + chunk({}, 'eos') + done },
  {
    what: 'calls without index',
    says:
      callChunk({ ...first, id: 'a' }) + callChunk({ ...second, id: 'b' }) + chunk({}, 'tool_calls') + done,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'calls without id',
    says:
      callChunk({ ...first, index: 0 }) + callChunk({ ...second, index: 1 }) + chunk({}, 'tool_calls') + done,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'calls without index, id and finish reason',
    says: callChunk(first) + callChunk(second) + done,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'arguments as an object',
    says:
      callChunk({ index: 0, id: 'a', function: { name: 'recall', arguments: { query: 'fox' } } }) +
      chunk({}, 'tool_calls') +
      done,
    text: '',
    queries: ['fox'],
  },
  {
    what: 'a thought with its closing only',
    says: chunk({ content: 'They greet me.\n</think>\n\nhello' }) + stop + done,
  },
  {
    what: 'a thought with its closing only, over several chunks',
    says: ['They ', 'greet me.\n</th', 'ink', '>\n', '\nhel', 'lo']
      .map((content) => chunk({ content }))
      .concat(stop, done)
      .join(''),
  },
  { what: 'a finish reason that is always null, and no end mark', says: hi + chunk({}) },
  { what: 'lines that end as in HTTP', says: (hi + stop + done).replaceAll('\n', '\r\n') },
  { what: 'a byte order mark', says: `\ufeff${hi}${stop}${done}` },
  { what: 'keep-alives without choices', says: line({ choices: [] }) + hi + line({}) + stop + done },
  { what: 'no role', says: chunk({ content: 'hello' }) + stop + done },
  {
    what: 'words that are null beside calls',
    says: chunk({ content: null, tool_calls: [{ ...first, index: 0, id: 'a' }] }, 'tool_calls') + done,
    text: '',
    queries: ['fox'],
  },
  {
    what: 'the whole message as the only event',
    says: line({ choices: [{ index: 0, message: { content: 'hello' }, finish_reason: 'stop' }] }) + done,
  },
  {
    what: 'usage beside the words',
    says: line({ usage, choices: [{ delta: { content: 'hello' } }] }) + stop,
  },
  {
    what: 'a whole answer where a stream was asked for',
    says: json({ choices: [{ message: { content: 'hello', tool_calls: [{ ...first, id: 'a' }] } }] }),
    queries: ['fox'],
  },
  { what: 'a stream that is called JSON', says: { body: hi + stop + done, type: 'application/json' } },
  { what: 'a stream that is called plain text', says: { body: hi + stop + done, type: 'text/plain' } },
  {
    what: 'a closing that the answer quotes',
    says: chunk({ content: 'It ends with `</think>`.' }) + stop + done,
    text: 'It ends with `</think>`.',
  },
]

for (const row of rows) test(`reads ${row.what} with one request`, (world) => assertReadsRow(world, row))

test('throws the error inside a stream with the message of the server', async (world) => {
  const body = hi + line({ error: { message: 'the card is out of memory', code: 500 } }) + done
  const { url } = await openServer(world, () => ({ body }))
  const error = await mindFailure(() => think(openMind(world, url), hello))
  assert.match(error.message, 'out of memory')
})

test('accepts a stream without an end mark if the transfer is complete and the server sends no end marks', async (world) => {
  const bodies = [hi, hi + stop + done]
  const { url, asked: requests } = await openServer(world, (_, at) => ({ body: bodies[at - 1] ?? hi }))
  const mind = openMind(world, url)
  assert.is((await think(mind, hello)).text, 'hello')
  assert.is(requests.length, 1)
  assert.is((await think(mind, hello)).text, 'hello')
  assert.is(requests.length, 2)
  await mindFailure(() => think(mind, hello))
  assert.is(requests.length, 4)
})

test('requests a stream again if only the close of the connection ended it, because it may be cut off', async (world) => {
  const { url, asked: requests } = await openServer(world, () => ({ body: hi, unframed: true }))
  await mindFailure(() => think(openMind(world, url), hello))
  assert.is(requests.length, 2)
})

test('rejects half a tool call at the end of a stream', async (world) => {
  const part = { index: 0, id: 'a', function: { name: 'recall', arguments: '{"que' } }
  const body = line({ choices: [{ index: 0, delta: { tool_calls: [part] } }] }) + done
  const { url, asked: requests } = await openServer(world, () => ({ body }))
  await mindFailure(() => think(openMind(world, url), prompt))
  assert.is(requests.length, 2)
})

test.run()
