/** Streams that differ from the protocol in form only, one per row. The answer is read with one request. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hello, mindFailure, think } from '../models/cloud-stage.ts'
import {
  assertReadsRow,
  chunk,
  close,
  doneEvent,
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
  { what: 'choices null', answer: line({ choices: null }) + hi + stop + doneEvent },
  { what: 'usage without choices', answer: hi + stop + line({ usage }) + doneEvent },
  { what: 'error null beside choices', answer: hi.replace('"id"', '"error":null,"id"') + stop + doneEvent },
  { what: 'data null', answer: `data: null\n\n${hi}data: null\n\n${stop}${doneEvent}` },
  { what: 'an empty delta', answer: chunk({}) + chunk(null) + hi + stop + doneEvent },
  {
    what: 'comments',
    answer: `: OPENROUTER PROCESSING\n\n${hi}: OPENROUTER PROCESSING\n\n${stop}${doneEvent}`,
  },
  { what: 'a keep-alive as data', answer: `data: ping\n\n${hi}data:\n\n${stop}${doneEvent}` },
  { what: 'an unknown role', answer: chunk({ role: 'model', content: 'hello' }) + stop + doneEvent },
  { what: 'no finish reason', answer: hi + doneEvent },
  {
    what: 'no finish reason ever, and no end mark',
    answer: line({ choices: [{ index: 0, delta: { content: 'hello' } }] }),
  },
  { what: 'no end mark', answer: hi + stop },
  { what: 'an empty finish reason in each chunk', answer: hi.replace('null', '""') + stop + doneEvent },
  { what: 'only an empty finish reason', answer: hi + chunk({}, '') + doneEvent },
  { what: 'an unknown finish reason', answer: hi + chunk({}, 'eos') + doneEvent },
  {
    what: 'calls without index',
    answer:
      callChunk({ ...first, id: 'a' }) +
      callChunk({ ...second, id: 'b' }) +
      chunk({}, 'tool_calls') +
      doneEvent,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'calls without id',
    answer:
      callChunk({ ...first, index: 0 }) +
      callChunk({ ...second, index: 1 }) +
      chunk({}, 'tool_calls') +
      doneEvent,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'calls without index, id and finish reason',
    answer: callChunk(first) + callChunk(second) + doneEvent,
    text: '',
    queries: ['fox', 'owl'],
  },
  {
    what: 'arguments as an object',
    answer:
      callChunk({ index: 0, id: 'a', function: { name: 'recall', arguments: { query: 'fox' } } }) +
      chunk({}, 'tool_calls') +
      doneEvent,
    text: '',
    queries: ['fox'],
  },
  {
    what: 'a thought with its closing only',
    answer: chunk({ content: 'They greet me.\n</think>\n\nhello' }) + stop + doneEvent,
  },
  {
    what: 'a thought with its closing only, over several chunks',
    answer: ['They ', 'greet me.\n</th', 'ink', '>\n', '\nhel', 'lo']
      .map((content) => chunk({ content }))
      .concat(stop, doneEvent)
      .join(''),
  },
  { what: 'a finish reason that is always null, and no end mark', answer: hi + chunk({}) },
  { what: 'lines that end as in HTTP', answer: (hi + stop + doneEvent).replaceAll('\n', '\r\n') },
  { what: 'a byte order mark', answer: `\ufeff${hi}${stop}${doneEvent}` },
  { what: 'keep-alives without choices', answer: line({ choices: [] }) + hi + line({}) + stop + doneEvent },
  { what: 'no role', answer: chunk({ content: 'hello' }) + stop + doneEvent },
  {
    what: 'words that are null beside calls',
    answer: chunk({ content: null, tool_calls: [{ ...first, index: 0, id: 'a' }] }, 'tool_calls') + doneEvent,
    text: '',
    queries: ['fox'],
  },
  {
    what: 'the whole message as the only event',
    answer:
      line({ choices: [{ index: 0, message: { content: 'hello' }, finish_reason: 'stop' }] }) + doneEvent,
  },
  {
    what: 'usage beside the words',
    answer: line({ usage, choices: [{ delta: { content: 'hello' } }] }) + stop,
  },
  {
    what: 'a whole answer where a stream was asked for',
    answer: json({ choices: [{ message: { content: 'hello', tool_calls: [{ ...first, id: 'a' }] } }] }),
    queries: ['fox'],
  },
  { what: 'a stream that is called JSON', answer: { body: hi + stop + doneEvent, type: 'application/json' } },
  { what: 'a stream that is called plain text', answer: { body: hi + stop + doneEvent, type: 'text/plain' } },
  {
    what: 'a closing that the answer quotes',
    answer: chunk({ content: 'It ends with `</think>`.' }) + stop + doneEvent,
    text: 'It ends with `</think>`.',
  },
]

for (const row of rows) test(`reads ${row.what} with one request`, (world) => assertReadsRow(world, row))

test('throws the error inside a stream with the message of the server', async (world) => {
  const body = hi + line({ error: { message: 'the card is out of memory', code: 500 } }) + doneEvent
  const { url } = await openServer(world, () => ({ body }))
  const error = await mindFailure(() => think(openMind(world, url), hello))
  assert.match(error.message, 'out of memory')
})

test('accepts a stream without an end mark if the transfer is complete and the server sends no end marks', async (world) => {
  const bodies = [hi, hi + stop + doneEvent]
  const { url, asked: requests } = await openServer(world, (_, index) => ({ body: bodies[index - 1] ?? hi }))
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
  const body = line({ choices: [{ index: 0, delta: { tool_calls: [part] } }] }) + doneEvent
  const { url, asked: requests } = await openServer(world, () => ({ body }))
  await mindFailure(() => think(openMind(world, url), prompt))
  assert.is(requests.length, 2)
})

test.run()
