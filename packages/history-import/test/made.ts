/**
 * Small histories in the form of each export, with every trap known from real ones. All of them are made up.
 */
import { zip } from '../../documents/test/zip.ts'

type Json = Readonly<Record<string, unknown>>

/** Seconds, on 1 January 2026. */
const second = (n: number): number => 1_767_225_600 + n

interface Message {
  readonly id: string
  readonly parent: string | null
  readonly role?: string
  readonly content?: Json
  readonly at?: number | null
  readonly more?: Json
}

const text = (...parts: unknown[]): Json => ({ content_type: 'text', parts })

export const node = ({
  id,
  parent,
  role = 'user',
  content = text('…'),
  at = 0,
  more = {},
}: Message): readonly [string, Json] => [
  id,
  {
    id,
    parent,
    children: [],
    message: {
      id,
      author: { role, name: null, metadata: {} },
      create_time: at === null ? null : second(at),
      update_time: null,
      content,
      status: 'finished_successfully',
      end_turn: true,
      weight: 1,
      metadata: {},
      recipient: 'all',
      ...more,
    },
  },
]

export const tree = (
  title: string | null,
  tip: string | null,
  nodes: readonly (readonly [string, Json])[],
  fields: Json = {},
): Json => ({
  title,
  create_time: second(0),
  update_time: second(100.5),
  mapping: Object.fromEntries([
    ['root', { id: 'root', message: null, parent: null, children: [nodes[0]?.[0] ?? ''] }],
    ...nodes,
  ]),
  moderation_results: [],
  current_node: tip,
  conversation_id: `c-${title}`,
  id: `c-${title}`,
  ...fields,
})

export const toContent = text

/** An edited question, a second answer, calls of tools, thoughts, pictures, a voice, custom instructions. */
export const allFeatures: Json = tree('Everything', 'a4', [
  node({
    id: 's',
    parent: 'root',
    role: 'system',
    content: toContent(''),
    at: null,
    more: { weight: 0, metadata: { is_visually_hidden_from_conversation: true } },
  }),
  node({
    id: 'ci',
    parent: 's',
    at: null,
    content: {
      content_type: 'user_editable_context',
      user_profile:
        'The user provided the following information about themselves:\n```Preferred name: Mila```',
      user_instructions: 'The user said how to answer:\n```Be brief.```',
    },
    more: {
      metadata: {
        is_user_system_message: true,
        is_visually_hidden_from_conversation: true,
        user_context_message_data: {
          about_user_message: 'Preferred name: Mila',
          about_model_message: 'Be brief.',
        },
      },
    },
  }),
  node({ id: 'u1-old', parent: 'ci', at: 1, content: toContent('What I took back.') }),
  node({
    id: 'a1-old',
    parent: 'u1-old',
    role: 'assistant',
    at: 500,
    content: toContent('An abandoned answer.'),
  }),
  node({ id: 'u1', parent: 'ci', at: 2, content: toContent('Who was Ada?') }),
  node({
    id: 'th',
    parent: 'u1',
    role: 'assistant',
    at: 3,
    content: { content_type: 'thoughts', thoughts: [{ summary: 'S', content: 'a thought' }] },
  }),
  node({
    id: 'call',
    parent: 'th',
    role: 'assistant',
    at: 3,
    content: { content_type: 'code', language: 'unknown', text: 'search("Ada")' },
    more: { recipient: 'web.search' },
  }),
  node({
    id: 'tool',
    parent: 'call',
    role: 'tool',
    at: 3,
    content: { content_type: 'tether_quote', url: 'https://example.org', text: 'a quote' },
    more: { author: { role: 'tool', name: 'web.search' } },
  }),
  node({
    id: 'recap',
    parent: 'tool',
    role: 'assistant',
    at: 3,
    content: { content_type: 'reasoning_recap', content: 'Thought for 2 s' },
  }),
  node({
    id: 'a1',
    parent: 'recap',
    role: 'assistant',
    at: 4,
    content: toContent(
      '\uE200entity\uE202["people","Ada Lovelace","mathematician"]\uE201 wrote the first program\uE200cite\uE202turn0search1\uE201【12†source】.',
    ),
  }),
  node({
    id: 'u2',
    parent: 'a1',
    at: 5,
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1', width: 1 },
        'Is this her?',
      ],
    },
    more: {
      metadata: {
        attachments: [
          { name: 'ada.png', mime_type: 'image/png' },
          { name: 'notes.pdf', mime_type: 'application/pdf' },
        ],
      },
    },
  }),
  node({
    id: 'zero',
    parent: 'u2',
    role: 'assistant',
    at: 6,
    content: toContent('Weighs nothing.'),
    more: { weight: 0 },
  }),
  node({ id: 'a2', parent: 'zero', role: 'assistant', at: 7, content: toContent('Yes.', '', 'In 1840.') }),
  node({
    id: 'u3',
    parent: 'a2',
    at: 8,
    content: {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'audio_transcription', text: 'Tell me more.', direction: 'in' },
        { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_2' },
      ],
    },
  }),
  node({
    id: 'a3',
    parent: 'u3',
    role: 'assistant',
    at: 9,
    content: { content_type: 'multimodal_text', parts: [{ content_type: 'hologram', data: 1 }] },
  }),
  node({ id: 'u4', parent: 'a3', at: 10, content: toContent('   ') }),
  node({
    id: 'a4',
    parent: 'u4',
    role: 'assistant',
    at: 11,
    content: toContent('Nul\0 and a half \ud83d sign.'),
  }),
])

export const simple = (title: string, question = 'Hello', answer = 'Hi'): Json =>
  tree(title, 'a', [
    node({ id: 'u', parent: 'root', at: 1, content: toContent(question) }),
    node({ id: 'a', parent: 'u', role: 'assistant', at: 2, content: toContent(answer) }),
  ])

const chatGpt: readonly Json[] = [allFeatures, simple('Second'), tree('Nobody spoke', null, [])]

const claude: readonly Json[] = [
  {
    uuid: 'k-1',
    name: 'Garden',
    summary: 'A summary that is not told.',
    created_at: '2026-01-01T10:00:00.123456Z',
    updated_at: '2026-01-02T10:00:00.654321Z',
    account: { uuid: 'acct' },
    chat_messages: [
      {
        uuid: 'm-1',
        sender: 'human',
        text: 'When do I sow peas?',
        content: [{ type: 'text', text: 'When do I sow peas?', start_timestamp: null, citations: [] }],
        created_at: '2026-01-01T10:00:00Z',
        attachments: [
          { file_name: 'paste.txt', file_type: 'txt', file_size: 9, extracted_content: 'My soil is clay.' },
        ],
        files: [{ file_name: 'bed.jpg' }],
      },
      {
        uuid: 'm-2',
        sender: 'assistant',
        text: 'A thought.\n```\nThis block is not supported on your current device yet.\n```\n\nIn March.',
        content: [
          { type: 'thinking', thinking: 'A thought.' },
          { type: 'tool_use', name: 'web_search', input: {} },
          { type: 'tool_result', content: [{ type: 'text', text: 'found' }] },
          { type: 'text', text: 'In March.' },
        ],
        created_at: '2026-01-01T10:00:05Z',
      },
      {
        uuid: 'm-3',
        sender: 'human',
        text: '',
        content: [{ type: 'voice_note', title: 'Voice', text: 'And beans?' }],
        created_at: '2026-01-01T10:01:00Z',
      },
      {
        uuid: 'm-4',
        sender: 'assistant',
        text: 'In May.\n```\nThis block is not supported on your current device yet.\n```',
        created_at: '2026-01-01T10:01:05Z',
      },
      {
        uuid: 'm-5',
        sender: 'assistant',
        text: '```\nThis block is not supported on your current device yet.\n```',
        content: [{ type: 'tool_use' }],
        created_at: '2026-01-01T10:02:00Z',
      },
    ],
  },
  {
    uuid: 'k-2',
    name: '',
    created_at: '2026-01-03T10:00:00Z',
    updated_at: '2026-01-03T10:00:00Z',
    chat_messages: [],
  },
]

export const memories: readonly Json[] = [
  {
    conversations_memory: 'Grows peas on clay.',
    project_memories: { 'p-1': 'Plans a pond.' },
    memory_files: [],
    account_uuid: 'acct',
  },
]

const gemini: readonly Json[] = [
  {
    header: 'Gemini Apps',
    title: 'Prompted And tomorrow?',
    time: '2026-02-01T10:10:00.000Z',
    products: ['Gemini Apps'],
    safeHtmlItem: [{ html: '<p>Sun &amp; wind.</p>' }],
  },
  {
    header: 'Gemini Apps',
    title: 'Used an Assistant feature',
    time: '2026-02-01T10:05:00.000Z',
    products: ['Gemini Apps'],
  },
  {
    header: 'Gemini Apps',
    title: 'Prompted Will it rain?',
    time: '2026-02-01T10:00:00.000Z',
    products: ['Gemini Apps'],
    safeHtmlItem: [{ html: '<p>Yes,<br>a little.</p>' }],
  },
  {
    header: 'Gemini Apps',
    title: 'Prompted Long before',
    time: '2026-01-01T10:00:00.000Z',
    products: ['Gemini Apps'],
  },
  { header: 'YouTube', title: 'Watched a film', time: '2026-01-01T09:59:00.000Z', products: ['YouTube'] },
]

export const talk: readonly Json[] = [
  { role: 'system', content: 'You are helpful.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: 'data:,x' } },
    ],
  },
  { role: 'assistant', content: 'I see.', timestamp: 1_767_225_600_123 },
  { role: 'tool', content: '42' },
]

const bytes = (value: unknown): string => JSON.stringify(value)
const lines = (values: readonly unknown[]): string => values.map(bytes).join('\n')

export const chatGptZip = (): Buffer =>
  zip([
    { name: 'chat.html', bytes: '<html>' },
    { name: 'file-1.png', bytes: Buffer.from([0x89, 0x50]) },
    { name: 'user.json', bytes: bytes({ id: 'u', email: 'mila@example.org' }) },
    { name: '__MACOSX/._conversations-000.json', bytes: '\0\0' },
    { name: 'conversations-001.json', bytes: bytes([simple('Third')]) },
    { name: 'conversations-000.json', bytes: bytes(chatGpt) },
    { name: 'shared_conversations.json', bytes: bytes([{ id: 'x', title: 'shared' }]) },
  ])

export const claudeZip = (): Buffer =>
  zip([
    { name: 'users.json', bytes: bytes([{ uuid: 'acct', full_name: 'Mila' }]) },
    { name: 'conversations.json', bytes: bytes(claude) },
    { name: 'projects.json', bytes: bytes([{ uuid: 'p-1', prompt_template: 'You are a pond.', docs: [] }]) },
    { name: 'memories.json', bytes: bytes(memories) },
  ])

/** All that is read, by name. */
export const fixtures = (): Readonly<Record<string, Buffer>> => ({
  chatGpt: Buffer.from(bytes(chatGpt)),
  'chatGpt, wrapped': Buffer.from(
    JSON.stringify({ account: { name: 'conversations' }, conversations: chatGpt, more: ['[{"'] }, null, 2),
  ),
  'chatGpt, one': Buffer.from(bytes(allFeatures)),
  'chatGpt, lines': Buffer.from(lines(chatGpt)),
  'chatGpt, zip': chatGptZip(),
  claude: Buffer.from(JSON.stringify(claude, null, 1)),
  'claude, zip': claudeZip(),
  memories: Buffer.from(bytes(memories)),
  gemini: Buffer.from(bytes(gemini)),
  talk: Buffer.from(bytes(talk)),
  'talk, wrapped': Buffer.from(bytes({ messages: talk })),
  'talk, many': Buffer.from(bytes([{ messages: talk }, talk, { messages: talk }])),
  'talk, lines': Buffer.from(lines(talk)),
  'talk, wrapped lines': Buffer.from(`${lines([{ messages: talk }, { messages: talk }])}\n`),
  sharegpt: Buffer.from(
    bytes([
      {
        id: 'sg',
        conversations: [
          { from: 'human', value: 'Hello' },
          { from: 'gpt', value: 'Hi' },
        ],
      },
    ]),
  ),
  'sharegpt, lines': Buffer.from(
    lines(
      [1, 2].map((id) => ({
        id,
        conversations: [
          { from: 'human', value: 'Hello' },
          { from: 'gpt', value: 'Hi' },
        ],
      })),
    ),
  ),
  'utf-16': Buffer.from(`\ufeff${bytes([simple('Wide ✓')])}`, 'utf16le'),
  bom: Buffer.from(`\ufeff${bytes([simple('Marked')])}`),
})
