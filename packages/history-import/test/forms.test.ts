/** Files of other programs: which parts of them are read. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../../documents/test/place.ts'
import { zip } from '../../documents/test/zip.ts'
import { readHistory } from '../exported-history.ts'
import type { Conversation } from '../imported-conversation.ts'
import { Unreadable } from '../unreadable.ts'
import { simple } from './made.ts'
import * as made from './made-forms.ts'

interface Read {
  readonly all: readonly Conversation[]
  readonly failed?: string
}

const read = (
  bytes: Uint8Array | string,
  options: { readonly name?: string; readonly phrase?: string } = {},
): Promise<Read> =>
  withFile(bytes, async (path) => {
    const all: Conversation[] = []
    try {
      const { signal } = new AbortController()
      for await (const conversation of readHistory(path, { signal, ...options })) all.push(conversation)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return { all, failed: error.reason }
    }
    return { all }
  })

const form = async (name: string): Promise<readonly Conversation[]> => {
  const { all, failed } = await read({ ...made.jsonForms(), ...made.otherForms() }[name] ?? '')
  assert.is(failed, undefined, name)
  return all
}
const words = (conversation: Conversation | undefined): readonly string[] =>
  conversation?.messages.map(({ role, content }) => `${role}: ${content}`) ?? []
const times = (conversation: Conversation | undefined) => conversation?.messages.map(({ time }) => time)
const titles = (all: readonly Conversation[]) => all.map(({ title }) => title)

// Verified to fail if all responses are read in their order: “An abandoned answer.” is among them.
test('reads the last branch of a Grok conversation with its times, whatever name the model has', async () => {
  const [conversation, ...otherConversations] = await form('grok')
  assert.equal(words(conversation), ['user: Where did I walk?', 'assistant: In Rome.', 'user: I live there.'])
  assert.equal(
    [conversation?.id, conversation?.title, conversation?.updated],
    ['g-1', 'Rome', '2026-01-02T00:00:00.000Z'],
  )
  assert.equal(
    times(conversation),
    ['01', '03', '04'].map((second) => `2026-01-01T00:00:${second}.000Z`),
  )
  assert.equal(otherConversations, [])
})

// Seen failing with the newest leaf followed in place of `currentId`: “A second answer.”
test('reads Open WebUI up to the message that was viewed last, without thoughts', async () => {
  const [conversation] = await form('open webui')
  assert.equal(words(conversation), ['user: When do I sow?\n\n[a file: bed.txt]', 'assistant: In March.'])
  assert.equal(
    [conversation?.id, conversation?.title, conversation?.updated],
    ['w-1', 'Peas', '2026-01-01T00:01:40.000Z'],
  )
  assert.equal(times(conversation), ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z'])
})

test('reads LibreChat along its newest branch, side by side and as a tree', async () => {
  for (const name of ['librechat', 'librechat, tree']) {
    const [conversation] = await form(name)
    assert.equal(words(conversation), ['user: I have a boat.', 'assistant: Nice.'], name)
    assert.equal([conversation?.id, conversation?.title], ['l-1', 'Boats'])
  }
  const [libreConversation] = await form('librechat')
  assert.equal(times(libreConversation), ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:02.000Z'])
})

test('reads each session of LoCoMo as a conversation of its day, in their order', async () => {
  const all = await form('locomo')
  assert.equal(titles(all), ['Session 1', 'Session 2'])
  assert.equal(words(all[0]), ['assistant: Hi!', 'user: I paint.\n\n[a picture: a lake]'])
  assert.equal(
    all.map(({ updated }) => updated),
    ['2023-05-08T13:56:00.000Z', '2023-05-09T00:00:00.000Z'],
  )
})

test('reads a log of names and texts, its sessions and continued lines, and no prose with colons', async () => {
  const all = await form('log')
  assert.equal(words(all[0]), [
    'user: I paint lakes.\nAnd hills.',
    'assistant: Nice! Two things: why, and how?',
  ])
  assert.equal(words(all[1]), ['user: I sold one.', 'assistant: Well done.'])
  assert.equal(
    all.map(({ updated }) => updated),
    ['2023-05-08T13:56:00.000Z', '2023-05-10T00:00:00.000Z'],
  )
  const namedLog = await read('Ada: Hello, I am here.\nUser: I live in Rome.\nAssistant: Good.\nUser: Yes.')
  assert.equal(words(namedLog.all[0]), ['user: I live in Rome.', 'assistant: Good.', 'user: Yes.'])
  for (const prose of ['Dear diary', 'To: Ana\nFrom: Tom\nHello!', 'Note: buy milk', 'name: x\nversion: 1'])
    assert.is((await read(prose)).failed, 'not_json', prose)
})

// Verified to fail if swipes and the greeting are read.
test('reads a chat of SillyTavern without greeting, hidden lines and answers that were not taken', async () => {
  const [conversation] = await form('tavern')
  assert.equal(words(conversation), ['user: I was born in Porto.', 'assistant: A fine harbour.'])
  assert.is(conversation?.title, 'Vera')
  assert.equal(times(conversation), ['2023-06-07T21:34:00.000Z', '2023-06-07T21:35:00.000Z'])
  const greetingOnly = made.tavernChat.toString().split('\n').slice(0, 2).join('\n')
  assert.equal(await read(greetingOnly), { all: [] })
})

const vera = [
  'assistant: description: Vera is a retired sailor.',
  'assistant: personality: gruff',
  'assistant: scenario: the one who plays with them meets her in a harbour.',
]

// Verified to fail if all fields of a card are read: “You may do anything.” is among them.
test('reads of a character card who they are, of each version, and no greeting and no prompt', async () => {
  for (const name of ['card', 'card, first', 'card, png']) {
    const [conversation, ...otherConversations] = await form(name)
    assert.equal(words(conversation), vera, name)
    assert.equal(
      [conversation?.kind, conversation?.title, otherConversations.length],
      ['character', 'Vera', 0],
    )
  }
  assert.equal(titles(await form('card, newer png')), ['Vera III'])
})

// Seen failing with the sums of chunks not looked at.
test('refuses a picture that is damaged, that holds no card, or a card of another shape', async () => {
  const cardBytes = made.cardPng()
  const flippedBytes = Buffer.from(cardBytes)
  flippedBytes[60] = (flippedBytes[60] ?? 0) ^ 1
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['no card', made.png([]), 'unknown_form'],
    ['another shape', made.cardPng({ name: 'Vera' }), 'unknown_form'],
    ['a list', made.cardPng([1]), 'unknown_form'],
    ['a flipped bit', flippedBytes, 'damaged'],
    ['cut off', cardBytes.subarray(0, 80), 'damaged'],
    ['no JSON', made.png([['tEXt', Buffer.from('chara\0%%%%')]]), 'damaged'],
    ['no end of its keyword', made.png([['tEXt', Buffer.from('chara')]]), 'damaged'],
    ['not packed', made.png([['iTXt', Buffer.from('ccv3\0\x01\0\0\0xx')]]), 'damaged'],
  ]
  for (const [caseName, bytes, reason] of cases)
    assert.equal(await read(bytes), { all: [], failed: reason }, caseName)
})

// Verified to fail without the rows of `known-files.ts`: `config.json`, which has a token, is read.
test('reads the facts about the user and the messages of Eternego, but no permissions and instructions', async () => {
  const all = await form('eternego, zip')
  assert.equal(titles(all), ['person.md', 'I have a boat. Note: it is blue.', 'Hello'])
  assert.equal(words(all[0]), ['assistant: Lives in Porto\nHas a sister named Ana'])
  assert.equal(words(all[1]), ['user: I have a boat.\nNote: it is blue.', 'assistant: Nice.'])
  assert.equal(times(all[1]), ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:05.000Z'])
  assert.equal(words(all[2]), ['user: Hello', 'assistant: Hi'])
  assert.not.match(JSON.stringify(all), /May send|Be brief|secret/)
})

// Seen failing with the signature not looked at: other words ended in a raw error of the cipher.
test('opens a diary of Eternego with its words and under its name, and with no others', async () => {
  const bytes = made.diary()
  const name = `${made.diaryId}.diary`
  const open = (phrase?: string, fileName = name) =>
    read(bytes, { name: fileName, ...(phrase === undefined ? {} : { phrase }) })
  assert.equal(
    titles((await open(` ${made.words.replace(' ', '\n')} `)).all),
    titles(await form('eternego, zip')),
  )
  for (const [phrase, fileName] of [[], [' '], ['other words'], [made.words, 'renamed.diary']])
    assert.equal(await open(phrase, fileName), { all: [], failed: 'locked' })
  const cutBytes = bytes.subarray(0, bytes.length - 20)
  assert.equal(await read(cutBytes, { name, phrase: made.words }), { all: [], failed: 'locked' })
  assert.equal(await read('gAAAA', { name, phrase: made.words }), { all: [], failed: 'damaged' })
})

test('reads the memories of OpenClaw and Hermes as notes, an entry at a time, and none of their orders', async () => {
  const all = await form('workspace, zip')
  assert.equal(titles(all), ['SOUL.md', 'USER.md', 'MEMORY.md', '2026-01-02.md'])
  assert.equal(words(all[1]), ['assistant: # About\n- **Name:** Mila', 'assistant: # Plans\n- Learns Greek'])
  assert.equal(words(all[2]), [
    'assistant: Mila lives in Porto.',
    'assistant: Mila has a boat,\nwhich is blue.',
  ])
  assert.equal(times(all[3]), ['2026-01-02T00:00:00.000Z'])
  assert.not.match(JSON.stringify(all), /delete files/)
  for (const name of ['MEMORY.md', 'USER.md', 'person.md', '2026-01-02.md']) {
    const { all: shortNote } = await read('Mila lives in Porto.', { name })
    assert.equal([titles(shortNote), words(shortNote[0])], [[name], ['assistant: Mila lives in Porto.']])
  }
  const longNote = `${'word '.repeat(2000)}end`
  const { all: cutNote } = await read(longNote, { name: 'MEMORY.md' })
  assert.ok((cutNote[0]?.messages ?? []).every(({ content }) => content.length <= 1500))
  assert.match(words(cutNote[0]).at(-1) ?? '', /end$/)
})

test('reads cards and chats of a folder of SillyTavern, and not its settings', async () => {
  const all = await form('tavern, zip')
  assert.equal(
    all.map(({ title, kind }) => [title, kind]),
    [
      ['Vera', 'character'],
      ['Vera', 'talk'],
    ],
  )
})

test('refuses Takeout as a web page, alone and in a zip, in every language', async () => {
  const insideEntries = [
    { name: 'Takeout/archive_browser.html', bytes: '<html>' },
    { name: 'Takeout/Meine Aktivitäten/Gemini-Apps/MeineAktivitäten.html', bytes: made.takeoutPage },
    { name: 'Takeout/Meine Aktivitäten/Gemini-Apps/a.png', bytes: made.png([]) },
  ]
  for (const bytes of [made.takeoutPage, zip(insideEntries)])
    assert.equal(await read(bytes, { name: 'MyActivity.html' }), { all: [], failed: 'web_page' })
  assert.is((await read('<html>')).failed, 'not_json')
  const bothFormats = zip([
    ...insideEntries,
    { name: 'conversations.json', bytes: JSON.stringify([simple('One')]) },
  ])
  assert.equal(titles((await read(bothFormats)).all), ['One'])
})

test('refuses a package.json as an unknown form', async () => {
  const packageJson = '{"name":"x","version":"1.0.0","description":"y","scripts":{}}'
  assert.equal(await read(packageJson, { name: 'package.json' }), { all: [], failed: 'unknown_form' })
  assert.is((await read(zip([{ name: 'package.json', bytes: packageJson }]))).failed, 'unknown_form')
})

// Verified to fail if a log is always decoded as UTF-8.
test('reads logs and notes in UTF-16 and Latin-1', async () => {
  const text = 'Grüße: Schön, für dich – ja.\nÄnne: Wie süß, möchte ich.\nGrüße: Ähnlich.\nÄnne: Übel.'
  for (const bytes of [
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(text.replace('–', '-'), 'latin1'),
  ]) {
    const { all } = await read(bytes)
    assert.match(words(all[0])[0] ?? '', /^user: Schön, für dich [–-] ja\.$/)
    assert.equal(titles((await read(bytes, { name: 'MEMORY.md' })).all), ['MEMORY.md'])
  }
})

const lines = (...records: readonly unknown[]): string =>
  records.map((value) => JSON.stringify(value)).join('\n')

test('reads sessions of Claude Code without tools, side chains and words that the program sent', async () => {
  const record = (type: string, content: unknown, fields: object = {}) => ({
    type,
    message: { role: type, content },
    timestamp: '2026-01-01T10:00:00.000Z',
    sessionId: 's',
    ...fields,
  })
  const { all, failed } = await read(
    lines(
      { type: 'summary', summary: 'Boats', leafUuid: 'x' },
      record('user', '<command-name>/clear</command-name>'),
      record('user', 'I build boats in Porto.'),
      record('assistant', [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Nice.' },
        { type: 'tool_use', name: 'Read', input: {} },
      ]),
      record('user', [{ type: 'tool_result', tool_use_id: 't', content: 'SECRET FILE' }]),
      record('user', 'A task of the agent.', { isSidechain: true }),
      record('user', 'A caveat.', { isMeta: true }),
    ),
    { name: 's.jsonl' },
  )
  assert.is(failed, undefined)
  assert.equal(all.map(words), [['user: I build boats in Porto.', 'assistant: Nice.']])
  assert.equal(times(all[0]), ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00.000Z'])
})

test('reads sessions of Codex once, without its context and the calls of tools', async () => {
  const record = (type: string, payload: object) => ({ timestamp: '2026-01-01T10:00:00Z', type, payload })
  const message = (role: string, text: string) =>
    record('response_item', {
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    })
  const { all } = await read(
    lines(
      record('session_meta', { id: 'c', cwd: '/home/mia' }),
      message('developer', 'Rules.'),
      message('user', '<environment_context>\n<cwd>/home/mia</cwd>\n</environment_context>'),
      message('user', 'I build boats.'),
      record('event_msg', { type: 'user_message', message: 'I build boats.' }),
      record('response_item', { type: 'function_call_output', output: 'SECRET FILE' }),
      message('assistant', 'Nice.'),
    ),
    { name: 'rollout-2026-01-01.jsonl' },
  )
  assert.equal(all.map(words), [['user: I build boats.', 'assistant: Nice.']])
  assert.equal(await read(lines(record('session_meta', { id: 'c' }))), { all: [] })
})

test('reads a prompt of Google AI Studio without thoughts', async () => {
  const chunks = [
    { role: 'user', driveDocument: { id: 'd' } },
    { role: 'user', text: 'I live in Rome.' },
    { role: 'model', text: 'They say Rome.', isThought: true },
    { role: 'model', text: 'Good.' },
  ]
  const { all } = await read(JSON.stringify({ runSettings: {}, chunkedPrompt: { chunks } }))
  assert.equal(all.map(words), [['user: [a file]', 'user: I live in Rome.', 'assistant: Good.']])
  assert.equal(await read(JSON.stringify({ chunkedPrompt: { chunks: [] } })), { all: [] })
})

test.run()
