/** Streams of Anthropic's protocol with new or missing parts. The answer is read with one request. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hello, mindFailure, think } from '../models/cloud-stage.ts'
import {
  assertReadsRow,
  block,
  close,
  createChunks,
  event,
  json,
  messageDelta,
  messageStart,
  messageStop,
  openMind,
  openServer,
  type Row,
  type World,
} from './odd-server.ts'

const test = suite<World>('servers: Anthropic', { closers: [] })
test.after.each(close)

const end = messageDelta('end_turn') + messageStop
const call = { type: 'tool_use', id: 'toolu_1', name: 'recall', input: {} }
const input = { type: 'input_json_delta', partial_json: '{"query":"fox"}' }
const withoutField = (text: string, field: string) => text.replace(new RegExp(`,"${field}":\\{[^}]*\\}`), '')

const rows: readonly Row[] = [
  {
    what: 'an unknown event',
    answer: messageStart + event({ type: 'mood', level: 3 }) + createChunks(0, 'hello') + end,
  },
  {
    what: 'an unknown block before the words',
    answer:
      messageStart +
      block(0, { type: 'hologram', data: {} }, { type: 'hologram_delta' }) +
      createChunks(1, 'hello') +
      end,
  },
  {
    what: 'an unknown block with deltas of a known kind',
    answer:
      messageStart +
      block(0, { type: 'aside' }, { type: 'text_delta', text: 'psst' }) +
      createChunks(1, 'hello') +
      end,
  },
  {
    what: 'a block of a tool of the server in an unknown form',
    answer:
      messageStart +
      block(0, { type: 'web_search_tool_result', content: 7 }) +
      createChunks(1, 'hello') +
      end,
  },
  {
    what: 'an unknown delta in a known block',
    answer:
      messageStart +
      block(
        0,
        { type: 'text', text: '' },
        { type: 'tone_delta', tone: 'warm' },
        { type: 'text_delta', text: 'hello' },
      ) +
      end,
  },
  {
    what: 'a citation of an unknown kind',
    answer:
      messageStart +
      block(
        0,
        { type: 'text', text: '' },
        { type: 'citations_delta', citation: { type: 'star' } },
        {
          type: 'text_delta',
          text: 'hello',
        },
      ) +
      end,
  },
  {
    what: 'no usage',
    answer: withoutField(messageStart, 'usage') + createChunks(0, 'hello') + withoutField(end, 'usage'),
  },
  {
    what: 'usage with a new kind of iteration',
    answer:
      messageStart +
      createChunks(0, 'hello') +
      end.replace('"output_tokens"', '"iterations":[{"type":"dream"}],"output_tokens"'),
  },
  { what: 'no last event', answer: messageStart + createChunks(0, 'hello') + messageDelta('end_turn') },
  { what: 'no reason at its end', answer: messageStart + createChunks(0, 'hello') + messageStop },
  {
    what: 'an end mark of another protocol',
    answer: `${messageStart}${createChunks(0, 'hello')}${end}data: [DONE]\n\n`,
  },
  {
    what: 'a call whose input is null at first',
    answer: messageStart + block(0, { ...call, input: null }, input) + messageDelta('tool_use') + messageStop,
    text: '',
    queries: ['fox'],
  },
  {
    what: 'a whole answer where a stream was asked for',
    answer: json({
      type: 'message',
      id: 'm',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [{ type: 'hologram' }, { type: 'text', text: 'hello' }, { ...call, input: { query: 'fox' } }],
    }),
    queries: ['fox'],
  },
]

for (const row of rows)
  test(`reads ${row.what} with one request`, (world) =>
    assertReadsRow(world, { provider: 'anthropic', ...row }))

test('requests an answer again without a stream if the last two events are missing', async (world) => {
  const wholeAnswer = json({
    type: 'message',
    content: [{ type: 'hologram' }, { type: 'text', text: 'hello' }],
  })
  const { url, asked: requests } = await openServer(world, ({ body }) =>
    body.stream ? { body: messageStart + createChunks(0, 'hel') } : wholeAnswer,
  )
  assert.is((await think(openMind(world, url, 'anthropic'), hello)).text, 'hello')
  assert.is(requests.length, 2)
})

test('throws the error inside a stream with the message of the server', async (world) => {
  const error = { type: 'overloaded_error', message: 'the house is full' }
  const body = messageStart + createChunks(0, 'hel') + event({ type: 'error', error })
  const { url } = await openServer(world, () => ({ body }))
  const failure = await mindFailure(() => think(openMind(world, url, 'anthropic'), hello))
  assert.match(failure.message, 'the house is full')
})

test.run()
