/** Sessions of coding agents, prompts of Google AI Studio, chats of Character.AI, agent files of Letta. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../../documents/test/place.ts'
import { zip } from '../../documents/test/zip.ts'
import { readHistory } from '../exported-history.ts'
import type { Conversation } from '../imported-conversation.ts'
import { Unreadable } from '../unreadable.ts'

const read = (bytes: Uint8Array | string): Promise<readonly Conversation[]> =>
  withFile(bytes, async (path) => {
    const all: Conversation[] = []
    const { signal } = new AbortController()
    for await (const conversation of readHistory(path, { signal })) all.push(conversation)
    return all
  })

const lines = (...values: readonly object[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n')
const words = ({ messages }: Conversation) => messages.map(({ role, content }) => `${role}: ${content}`)

const claudeLine = (type: string, message: object, fields: object = {}) => ({
  type,
  message,
  uuid: 'u-1',
  sessionId: 's-1',
  timestamp: '2026-01-02T03:04:05.678Z',
  ...fields,
})

const claudeSession = lines(
  { type: 'summary', summary: 'Fix the gate', leafUuid: 'u-9' },
  { type: 'file-history-snapshot', messageId: 'm-1', snapshot: {} },
  claudeLine('user', { role: 'user', content: '<command-name>/clear</command-name>' }),
  claudeLine('user', { role: 'user', content: 'Caveat: do not answer' }, { isMeta: true }),
  claudeLine('user', {
    role: 'user',
    content: [{ type: 'text', text: '<system-reminder>Be quick.</system-reminder>I build a garden gate.' }],
  }),
  claudeLine('assistant', {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Of wood?' },
      { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
    ],
  }),
  claudeLine('user', {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't', content: 'secret' }],
  }),
  claudeLine('user', { role: 'user', content: 'Ask the subagent' }, { isSidechain: true }),
  claudeLine('user', { role: 'user', content: 'Yes, of oak.' }),
)

test('reads a Claude Code session without tools, subagents and text of the program', async () => {
  const [conversation, ...otherConversations] = await read(claudeSession)
  assert.equal(otherConversations, [])
  assert.equal(conversation && words(conversation), [
    'user: I build a garden gate.',
    'assistant: Of wood?',
    'user: Yes, of oak.',
  ])
  assert.is(conversation?.title, 'Fix the gate')
  assert.is(conversation?.messages[0]?.time, '2026-01-02T03:04:05.678Z')
})

const codexItem = (role: string, type: string, text: string) => ({
  timestamp: '2026-02-03T04:05:06.000Z',
  type: 'response_item',
  payload: { type: 'message', role, content: [{ type, text }] },
})

const codexSession = lines(
  { timestamp: '2026-02-03T04:05:06.000Z', type: 'session_meta', payload: { id: 'x', cwd: '/home/mia' } },
  codexItem('developer', 'input_text', 'You are an agent.'),
  codexItem('user', 'input_text', '<environment_context>\n<cwd>/home/mia</cwd>'),
  codexItem('user', 'input_text', 'My boat needs a log book.'),
  {
    timestamp: 't',
    type: 'event_msg',
    payload: { type: 'user_message', message: 'My boat needs a log book.' },
  },
  {
    timestamp: 't',
    type: 'response_item',
    payload: { type: 'function_call', name: 'shell', arguments: '{}' },
  },
  {
    timestamp: 't',
    type: 'response_item',
    payload: { type: 'reasoning', summary: [], encrypted_content: 'x' },
  },
  codexItem('assistant', 'output_text', 'What is she called?'),
)

test('reads a Codex session once, though it records each message twice', async () => {
  const [conversation] = await read(codexSession)
  assert.equal(conversation && words(conversation), [
    'user: My boat needs a log book.',
    'assistant: What is she called?',
  ])
})

test('reads a Codex session of the time before payloads', async () => {
  const [conversation] = await read(
    lines(
      { id: 'x', timestamp: '2025-05-01T00:00:00Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I sail.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Where?' }] },
    ),
  )
  assert.equal(conversation && words(conversation), ['user: I sail.', 'assistant: Where?'])
})

test('reads a folder of sessions, one conversation per file', async () => {
  const all = await read(
    zip([
      { name: 'projects/-home-mia/1.jsonl', bytes: claudeSession },
      { name: 'sessions/2026/02/03/rollout-1.jsonl', bytes: codexSession },
    ]),
  )
  assert.equal(
    all.map(({ title }) => title),
    ['Fix the gate', 'My boat needs a log book.'],
  )
})

test('reads a prompt of Google AI Studio without thoughts', async () => {
  const chunks = [
    { text: 'I have two cats.', role: 'user', tokenCount: 5 },
    { driveImage: { id: 'd-1' }, role: 'user' },
    { text: 'They have cats.', role: 'model', isThought: true },
    { text: 'What are they called?', role: 'model', finishReason: 'STOP' },
  ]
  const [conversation] = await read(
    JSON.stringify({ runSettings: {}, systemInstruction: {}, chunkedPrompt: { chunks, pendingInputs: [] } }),
  )
  assert.equal(conversation && words(conversation), [
    'user: I have two cats.',
    'user: [a picture]',
    'assistant: What are they called?',
  ])
})

test('reads both forms of Character.AI in their order, without the greeting', async () => {
  const old = {
    info: { character: { name: 'Poe' } },
    histories: {
      histories: [
        {
          external_id: 'h-1',
          msgs: [
            { text: 'Welcome.', src: { is_human: false, name: 'Poe' }, created: '2024-01-01T00:00:00Z' },
            { text: 'I like ravens.', src: { is_human: true, name: 'Mia' }, created: '2024-01-01T00:00:01Z' },
            { text: 'Nevermore.', src: { is_human: false, name: 'Poe' }, created: '2024-01-01T00:00:02Z' },
          ],
        },
      ],
    },
  }
  const turn = (time: string, isHuman: boolean, ...texts: readonly string[]) => ({
    chat_id: 'c-1',
    create_time: time,
    author: { author_id: '1', ...(isHuman ? { is_human: true } : {}) },
    candidates: texts.map((raw_content, n) => ({ candidate_id: `${n}`, raw_content })),
    primary_candidate_id: `${texts.length - 1}`,
  })
  const recentForm = {
    turns: [
      turn('2025-01-01T00:00:02Z', false, 'Not taken.', 'Nevermore.'),
      turn('2025-01-01T00:00:01Z', true, 'I like ravens.'),
      turn('2025-01-01T00:00:00Z', false, 'Welcome.'),
    ],
  }
  for (const value of [old, recentForm]) {
    const [conversation] = await read(JSON.stringify(value))
    assert.equal(conversation && words(conversation), ['user: I like ravens.', 'assistant: Nevermore.'])
  }
  assert.is((await read(JSON.stringify(old)))[0]?.title, 'Poe')
})

const lettaMessages = [
  { role: 'system', content: [{ type: 'text', text: 'You are Letta.' }] },
  { role: 'user', content: [{ type: 'text', text: '{"type":"login","time":"now"}' }] },
  {
    role: 'user',
    content: [{ type: 'text', text: '{"type":"user_message","message":"I moved to Bern.","time":"now"}' }],
    created_at: '2025-06-01T10:00:00Z',
  },
  {
    role: 'assistant',
    content: [{ type: 'text', text: 'They moved.' }],
    tool_calls: [{ function: { name: 'send_message', arguments: '{"message":"How is it?"}' } }],
  },
  { role: 'tool', content: [{ type: 'text', text: '{"status":"OK"}' }] },
  { role: 'user', content: 'Quiet.' },
  { role: 'assistant', content: [{ type: 'text', text: 'Good.' }] },
]

test('reads an agent file of Letta: talk, and the memory block about the user', async () => {
  const blocks = [
    { label: 'human', value: 'Mia, 41.' },
    { label: 'persona', value: 'I am Letta.' },
  ]
  const talk = ['user: I moved to Bern.', 'assistant: How is it?', 'user: Quiet.', 'assistant: Good.']
  for (const value of [
    { agents: [{ id: 'a-1', name: 'Letta', messages: lettaMessages }], blocks },
    { name: 'Letta', agent_type: 'memgpt_agent', core_memory: blocks, messages: lettaMessages },
  ]) {
    const all = await read(JSON.stringify(value))
    assert.equal(all.map(words), [['assistant: Mia, 41.'], talk])
    assert.is(all[1]?.title, 'Letta')
  }
})

test('takes files of these shapes with wrong types for empty or unknown, never for an error', async () => {
  for (const value of [
    { chunkedPrompt: { chunks: [null, 3, { role: 5, text: {} }] } },
    { histories: { histories: [null, { msgs: 'none' }, { msgs: [null] }] } },
    { turns: [{ candidates: [null] }, null] },
    { agents: [null, { messages: 5 }], blocks: [null] },
    { type: 'user', uuid: 'u', sessionId: 5, message: { role: [], content: 7 } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: [null, 1] } },
  ])
    try {
      assert.equal(await read(JSON.stringify(value)), [], JSON.stringify(value))
    } catch (error) {
      assert.instance(error, Unreadable)
    }
})

test.run()
