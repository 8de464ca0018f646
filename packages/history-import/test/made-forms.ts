/** Small files of other daemons, made after the shapes that theirs have. Nothing in them is real. */
import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { zip } from '../../documents/test/zip.ts'

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const lines = (values: readonly unknown[]): Buffer =>
  Buffer.from(`${values.map((value) => JSON.stringify(value)).join('\n')}\n`)

const grokResponse = (
  id: string,
  parent: string | null,
  sender: string,
  message: string,
  second: number,
) => ({
  response: {
    _id: id,
    conversation_id: 'g-1',
    message,
    sender,
    create_time: { $date: { $numberLong: String(1_767_225_600_000 + second * 1000) } },
    parent_response_id: parent,
    model: 'grok-3',
    metadata: {},
  },
  share_link: null,
})

const grok = {
  conversations: [
    {
      conversation: {
        id: 'g-1',
        title: 'Rome',
        create_time: '2026-01-01T00:00:00.000000Z',
        modify_time: '2026-01-02T00:00:00.000000Z',
        leaf_response_id: 'gone',
      },
      responses: [
        grokResponse('r1', null, 'human', 'Where did I walk?', 1),
        grokResponse('r2', 'r1', 'ASSISTANT', 'An abandoned answer.', 2),
        grokResponse('r3', 'r1', 'grok-3', 'In Rome<grok:render card_id="1">x</grok:render>.', 3),
        grokResponse('r4', 'r3', 'human', 'I live there.', 4),
      ],
    },
  ],
  projects: [],
  tasks: [],
}

const webUiMessage = (
  id: string,
  parentId: string | null,
  role: string,
  content: string,
  timestamp: number,
) => ({
  id,
  parentId,
  childrenIds: [],
  role,
  content,
  timestamp: 1_767_225_600 + timestamp,
})

const openWebUi = [
  {
    id: 'w-1',
    user_id: 'u',
    title: 'Peas',
    chat: {
      title: 'Peas',
      models: ['llama'],
      history: {
        currentId: 'b',
        messages: {
          a: {
            ...webUiMessage('a', null, 'user', 'When do I sow?', 1),
            files: [{ type: 'file', name: 'bed.txt' }],
          },
          b: webUiMessage(
            'b',
            'a',
            'assistant',
            '<details type="reasoning" done="true"><summary>Thought</summary>&gt; hm</details>\nIn March.',
            2,
          ),
          c: webUiMessage('c', 'a', 'assistant', 'A second answer.', 9),
        },
      },
      messages: [],
    },
    created_at: 1_767_225_600,
    updated_at: 1_767_225_700,
    archived: false,
    meta: {},
  },
]

const libreMessage = (messageId: string, parentMessageId: string, text: string, fields: object = {}) => ({
  messageId,
  parentMessageId,
  conversationId: 'l-1',
  text,
  error: false,
  isCreatedByUser: false,
  sender: 'GPT',
  ...fields,
})
const rootId = '00000000-0000-0000-0000-000000000000'
const ownFields = { isCreatedByUser: true, sender: 'User' }

const libreChat = {
  conversationId: 'l-1',
  endpoint: 'openAI',
  title: 'Boats',
  exportAt: '13:18:04 GMT+0000 (UTC)',
  branches: true,
  recursive: false,
  messages: [
    libreMessage('m1', rootId, 'I have a boat.', { ...ownFields, createdAt: '2026-01-01T10:00:00.000Z' }),
    libreMessage('m2', 'm1', 'An abandoned answer.', { createdAt: '2026-01-01T10:00:01.000Z' }),
    libreMessage('m3', 'm1', '', {
      createdAt: '2026-01-01T10:00:02.000Z',
      content: [
        { type: 'think', think: 'hm' },
        { type: 'text', text: { value: 'Nice.' } },
        { type: 'tool_call', tool_call: { name: 'x' } },
      ],
    }),
  ],
}

const libreTree = {
  ...libreChat,
  recursive: true,
  messages: [
    {
      ...libreMessage('m1', rootId, 'I have a boat.', ownFields),
      children: [
        { ...libreMessage('m2', 'm1', 'An abandoned answer.'), children: [] },
        { ...libreMessage('m3', 'm1', 'Nice.'), children: [] },
      ],
    },
  ],
}

const locomo = [
  {
    sample_id: 'conv-1',
    conversation: {
      speaker_a: 'Mila',
      speaker_b: 'Tom',
      session_2_date_time: '9 May, 2023',
      session_2: [{ speaker: 'Tom', dia_id: 'D2:1', text: 'How was it?' }],
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [
        { speaker: 'Tom', dia_id: 'D1:1', text: 'Hi!' },
        { speaker: 'Mila', dia_id: 'D1:2', text: 'I paint.', img_url: ['x'], blip_caption: 'a lake' },
      ],
    },
    qa: [],
  },
]

const chatLine = (name: string, is_user: boolean, mes: string, send_date: unknown, fields: object = {}) => ({
  name,
  is_user,
  is_system: false,
  send_date,
  mes,
  extra: {},
  ...fields,
})

export const tavernChat = lines([
  { user_name: 'Mila', character_name: 'Vera', create_date: '2023-6-7@21h33m05s', chat_metadata: {} },
  chatLine('Vera', false, 'Ahoy, stranger!', '2023-6-7 @21h 33m 5s 123ms'),
  chatLine('Mila', true, 'I was born in Porto.', 'June 7, 2023 9:34pm'),
  chatLine('Vera', false, 'A fine harbour.', '2023-06-07T21:35:00.000Z', {
    swipes: ['Another answer.', 'A fine harbour.'],
    swipe_id: 1,
  }),
  chatLine('SillyTavern', false, 'Checkpoint made.', 1_686_173_760_000, { is_system: true }),
])

const cardData = {
  name: 'Vera',
  description: '{{char}} is a retired sailor.',
  personality: 'gruff',
  scenario: '{{user}} meets her in a harbour.',
  first_mes: 'Ahoy, stranger!',
  mes_example: '<START>',
}
const card = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    ...cardData,
    system_prompt: 'You are now Vera.',
    post_history_instructions: 'You may do anything.',
    alternate_greetings: ['Hello.'],
    creator_notes: '',
    tags: [],
    extensions: {},
  },
}

const chunk = (type: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4)
  const sum = Buffer.alloc(4)
  const typedData = Buffer.concat([Buffer.from(type), data])
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typedData))
  return Buffer.concat([size, typedData, sum])
}
const base64 = (value: unknown): string => bytes(value).toString('base64')

/** Returns a picture of one black dot with these texts. */
export const png = (texts: readonly (readonly [type: string, data: Buffer])[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    ...texts.map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ])

const tEXt = (keyword: string, value: unknown) =>
  ['tEXt', Buffer.from(`${keyword}\0${base64(value)}`)] as const
const iTXt = (keyword: string, value: unknown) =>
  [
    'iTXt',
    Buffer.concat([Buffer.from(`${keyword}\0\x01\0en\0\0`), deflateSync(Buffer.from(base64(value)))]),
  ] as const

export const cardPng = (value: unknown = card): Buffer => png([tEXt('chara', value)])
const newCardPng = (): Buffer =>
  png([
    tEXt('chara', card),
    iTXt('ccv3', { ...card, spec: 'chara_card_v3', data: { ...card.data, name: 'Vera III' } }),
  ])

const note = (text: string): string => text

export const eternegoHome = [
  { name: 'config.json', bytes: '{"id":"e-1","name":"Ada","channels":[{"credentials":{"token":"secret"}}]}' },
  { name: 'person.md', bytes: note('Lives in Porto\nHas a sister named Ana\n') },
  { name: 'traits.md', bytes: note('') },
  { name: 'permissions.md', bytes: note('May send mail\n') },
  { name: 'persona-trait.md', bytes: note('Be brief\n') },
  { name: 'memory.json', bytes: '{"messages":[],"archive":[]}' },
  {
    name: 'history/conversation-20260101-100000.md',
    bytes:
      '[2026-01-01T10:00:00+00:00] person: I have a boat.\nNote: it is blue.\n[2026-01-01T10:00:05+00:00] persona: Nice.',
  },
  {
    name: 'conversation.jsonl',
    bytes: lines([
      { role: 'person', content: 'Hello', channel: null, time: '2026-01-02T10:00:00+00:00' },
      { role: 'persona', content: 'Hi', channel: null, time: '2026-01-02T10:00:01+00:00' },
    ]),
  },
] as const

export const workspace = [
  { name: 'workspace/AGENTS.md', bytes: 'You may delete files.' },
  { name: 'workspace/SOUL.md', bytes: 'Be bold.' },
  { name: 'workspace/USER.md', bytes: '# About\n- **Name:** Mila\n\n# Plans\n- Learns Greek\n' },
  { name: 'workspace/MEMORY.md', bytes: 'Mila lives in Porto.\n§\nMila has a boat,\nwhich is blue.' },
  { name: 'workspace/memory/2026-01-02.md', bytes: '- talked about boats' },
  { name: 'workspace/package.json', bytes: '{"name":"x","description":"y"}' },
] as const

export const sillyTavern = [
  { name: 'default-user/settings.json', bytes: '{"username":"Mila"}' },
  { name: 'default-user/characters/Vera.png', bytes: cardPng() },
  { name: 'default-user/chats/Vera/Vera - 2023-6-7.jsonl', bytes: tavernChat },
] as const

export const log = `DATE: 1:56 pm on 8 May, 2023
Mila: I paint lakes.
And hills.
Tom: Nice! Two things: why, and how?

## 2023-05-10
Mila: I sold one.
Tom: Well done.
`

export const words = 'one two three'
export const diaryId = '3f1c2f0e-0000-4000-8000-000000000001'

/** As Eternego locks the zip of a home. */
export const diary = (): Buffer => {
  const key = pbkdf2Sync(words, diaryId, 480_000, 32, 'sha256')
  const iv = Buffer.alloc(16, 7)
  const cipher = createCipheriv('aes-128-cbc', key.subarray(16), iv)
  const time = Buffer.alloc(8)
  time.writeUInt32BE(1_767_225_600, 4)
  const head = Buffer.concat([Buffer.from([0x80]), time, iv])
  const signedBytes = Buffer.concat([head, cipher.update(zip(eternegoHome)), cipher.final()])
  const tag = createHmac('sha256', key.subarray(0, 16)).update(signedBytes).digest()
  const token = Buffer.concat([signedBytes, tag]).toString('base64')
  return Buffer.from(token.replaceAll('+', '-').replaceAll('/', '_'))
}

export const takeoutPage =
  '<html><head><title>Meine Aktivitäten</title><style>.mdl-grid{}</style></head><body>Gemini-Apps</body></html>'

/** A whole account of Telegram Desktop: a chat of two, and a group. */
export const telegram = JSON.stringify({
  about: 'Here is the data you requested.',
  personal_information: { user_id: 5, first_name: 'Mia' },
  chats: {
    about: 'This page lists all chats from this export.',
    list: [
      {
        name: 'Ben',
        type: 'personal_chat',
        id: 77,
        messages: [
          { id: 1, type: 'service', date: '2024-03-12T14:05:00', action: 'phone_call', text: '' },
          {
            id: 2,
            type: 'message',
            date: '2024-03-12T14:05:00',
            from: 'Ben',
            from_id: 'user77',
            text: 'Where?',
          },
          {
            id: 3,
            type: 'message',
            date_unixtime: '1710252300',
            from: 'Mia',
            from_id: 'user5',
            text: ['In ', { type: 'bold', text: 'Porto' }],
            reply_to_message_id: 2,
          },
        ],
      },
      {
        name: 'Team',
        type: 'private_group',
        id: 9,
        messages: [
          { id: 1, type: 'message', from: 'Ana', from_id: 'user9', text: '', photo: 'photos/a.jpg' },
          { id: 2, type: 'message', from: 'Mia', from_id: 'user5', text: 'I \\ "row" {[' },
        ],
      },
    ],
  },
})

export const discord = [
  { name: 'account/user.json', bytes: '{"id":"1","username":"mia"}' },
  { name: 'messages/index.json', bytes: '{"100200300400500600":"Direct Message with ben#0"}' },
  { name: 'messages/c100200300400500600/channel.json', bytes: '{"id":"100200300400500600","type":"DM"}' },
  {
    name: 'messages/c100200300400500600/messages.json',
    bytes: '[{"ID":1,"Timestamp":"2025-01-16 18:47:37","Contents":"I paint.","Attachments":""}]',
  },
  {
    name: 'messages/c200300400500600700/messages.csv',
    bytes: 'ID,Timestamp,Contents,Attachments\r\n1,2020-05-01 10:00:00,"I ""swim"",\ntoo",\r\n',
  },
] as const

export const copilot =
  '\ufeffConversation,Time,Author,Message\r\n"Boats",2026-07-26T23:21:10,AI,"Nice,\n""very"""\r\n"Boats",2026-07-26T23:21:10,Human,I row.\r\n'

/** Forms of JSON, by name. */
export const jsonForms = (): Readonly<Record<string, Buffer>> => ({
  grok: bytes(grok),
  'open webui': bytes(openWebUi),
  librechat: bytes(libreChat),
  'librechat, tree': bytes(libreTree),
  locomo: bytes(locomo),
  tavern: tavernChat,
  card: bytes(card),
  'card, first': bytes(cardData),
})

/** All others, by name. */
export const otherForms = (): Readonly<Record<string, Buffer>> => ({
  'card, png': cardPng(),
  'card, newer png': newCardPng(),
  'eternego, zip': zip(eternegoHome),
  'workspace, zip': zip(workspace),
  'tavern, zip': zip(sillyTavern),
  log: Buffer.from(log),
  telegram: Buffer.from(telegram),
  'discord, zip': zip(discord),
  'discord, csv': Buffer.from(discord[4].bytes),
  copilot: Buffer.from(copilot),
})
