/** Exported histories: which parts of them are read. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../../documents/test/place.ts'
import { type ZipEntry, zip } from '../../documents/test/zip.ts'
import { readHistory } from '../exported-history.ts'
import { type Conversation, toPreview } from '../imported-conversation.ts'
import { Unreadable } from '../unreadable.ts'
import { allFeatures, fixtures, memories, node, simple, toContent, tree } from './made.ts'

interface Read {
  readonly all: readonly Conversation[]
  readonly leftOut: readonly string[]
  readonly failed?: string
}

const read = (bytes: Uint8Array | string): Promise<Read> =>
  withFile(bytes, async (path) => {
    const all: Conversation[] = []
    const leftOut: string[] = []
    try {
      const { signal } = new AbortController()
      for await (const conversation of readHistory(path, {
        signal,
        onLeftOut: (reason) => leftOut.push(reason),
      }))
        all.push(conversation)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return { all, leftOut, failed: error.reason }
    }
    return { all, leftOut }
  })

const readJson = (value: unknown): Promise<Read> => read(JSON.stringify(value))
const fixture = (name: string): Promise<Read> => read(fixtures()[name] ?? '')
const first = ({ all }: Read): Conversation => all[0] as Conversation
const words = ({ messages }: Conversation): readonly string[] =>
  messages.map(({ role, content }) => `${role}: ${content}`)
const titles = ({ all }: Read): readonly string[] => all.map(({ title }) => title)

test('reads a conversation of ChatGPT from its tip to its root, without branches, tools, thoughts and hidden messages', async () => {
  const conversation = first(await fixture('chatGpt'))
  assert.equal(words(conversation), [
    'user: About me: Preferred name: Mila\n\nHow I want to be answered: Be brief.',
    'user: Who was Ada?',
    'assistant: Ada Lovelace wrote the first program.',
    'user: [a picture]\n\nIs this her?\n\n[a file: notes.pdf]',
    'assistant: Yes.\n\nIn 1840.',
    'user: Tell me more.',
    'assistant: [something of the kind hologram]',
    'assistant: Nul and a half \ufffd sign.',
  ])
  assert.is(conversation.id, 'c-Everything')
  assert.is(conversation.updated, '2026-01-01T00:01:40.500Z')
  assert.is(conversation.messages[1]?.time, '2026-01-01T00:00:02.000Z')
  assert.is(conversation.skipped, 7)
})

test('reads conversations in the objects and lists that tools put around them, and a shared one', async () => {
  const wrappedTalk = simple('Wrapped')
  for (const value of [
    { data: wrappedTalk },
    { data: [wrappedTalk] },
    { conversation: wrappedTalk },
    [[wrappedTalk]],
    [{ conversation: wrappedTalk }],
  ])
    assert.equal(titles(await readJson(value)), ['Wrapped'], JSON.stringify(value).slice(0, 30))
  for (const value of [
    { data: { conversations: [wrappedTalk, simple('2')] } },
    { data: [wrappedTalk, simple('2')] },
  ])
    assert.equal(titles(await readJson(value)), ['Wrapped', '2'])
  const message = (role: string, text: string) => ({
    message: { author: { role }, content: { content_type: 'text', parts: [text] } },
  })
  const sharedTalk = { title: 'Shared', linear_conversation: [{ id: 'root' }, message('user', 'I sail.')] }
  assert.equal((await readJson({ data: sharedTalk })).all.map(words), [['user: I sail.']])
  assert.is((await readJson({ data: { name: 'x' } })).failed, 'unknown_form')
})

test('skips conversations without text', async () => {
  assert.equal(titles(await fixture('chatGpt')), ['Everything', 'Second'])
  assert.equal(titles(await fixture('claude')), ['Garden'])
})

test('reads the same conversations of ChatGPT from an array, an object around it, lines and a zip of shards in their order', async () => {
  const plain = await fixture('chatGpt')
  for (const name of ['chatGpt, wrapped', 'chatGpt, lines']) assert.equal(await fixture(name), plain, name)
  assert.equal((await fixture('chatGpt, one')).all, [first(plain)])
  assert.equal(await fixture('chatGpt, zip'), {
    all: [...plain.all, first(await readJson([simple('Third')]))],
    leftOut: ['other_file'],
  })
})

const branchedNodes = [
  node({ id: 'u', parent: 'root', at: 1, content: toContent('Question') }),
  node({ id: 'old', parent: 'u', role: 'assistant', at: 2, content: toContent('Old answer') }),
  node({ id: 'new', parent: 'u', role: 'assistant', at: 3, content: toContent('New answer') }),
]

test('follows the newest leaf where the tip is absent or broken', async () => {
  for (const tip of [null, 'gone', '__proto__']) {
    assert.equal(words(first(await readJson([tree('T', tip, branchedNodes)]))), [
      'user: Question',
      'assistant: New answer',
    ])
  }
})

/** Verified to fail without the set of visited nodes: it does not end. */
test('ends in a tree that is a circle', async () => {
  const circle = [
    node({ id: 'u', parent: 'a', at: 1, content: toContent('Question') }),
    node({ id: 'a', parent: 'u', role: 'assistant', at: 2, content: toContent('Answer') }),
  ]
  for (const tip of ['a', null])
    assert.equal(words(first(await readJson([tree('T', tip, circle)]))), [
      'user: Question',
      'assistant: Answer',
    ])
})

test('finds the parent of a node that does not name it in the lists of children', async () => {
  const mapping = {
    root: { children: ['u'] },
    u: { children: ['a'], message: { author: { role: 'user' }, content: { parts: ['Question'] } } },
    a: { message: { author: { role: 'assistant' }, content: { parts: ['Answer'] } } },
  }
  assert.equal(words(first(await readJson([{ mapping, current_node: 'a' }]))), [
    'user: Question',
    'assistant: Answer',
  ])
})

test('reads custom instructions without the text around them if the plain text is missing', async () => {
  const content = {
    content_type: 'user_editable_context',
    user_profile: 'They said:\n```\nI am Mila.\n```',
    user_instructions: 'Be brief.',
  }
  const instructions = await readJson([tree('T', 'u', [node({ id: 'u', parent: 'root', content })])])
  assert.equal(words(first(instructions)), [
    'user: About me: I am Mila.\n\nHow I want to be answered: Be brief.',
  ])
})

test('names a conversation without a title by its first words, and dates one without a date by its last message', async () => {
  const longTitle = `${'many '.repeat(30)}words`
  const { title, updated, id } = first(
    await readJson([
      { ...simple('x', longTitle), title: null, update_time: null, id: 7, conversation_id: null },
    ]),
  )
  assert.is(title, `${'many '.repeat(12).slice(0, 59)}…`)
  assert.is(updated, '2026-01-01T00:00:02.000Z')
  assert.is(id, null)
})

/** Seen failing with `\s*` before the `Attached` of Gemini's titles: it did not end within a minute. */
test('reads in linear time a text on which a careless pattern would backtrack', async () => {
  const blank = ' '.repeat(900_000)
  const marks = '\uE200'.repeat(300_000) + '【1'.repeat(300_000)
  const record = { header: 'Gemini Apps', title: `Prompted a${blank}b`, time: '2026-01-01T10:00:00Z' }
  assert.is((await readJson([record])).all.length, 1)
  for (const text of [blank, marks, '```\n'.repeat(200_000)]) {
    assert.is((await readJson([simple('T', `a${text}b`)])).all.length, 1)
    assert.is(
      (await readJson([{ messages: [{ role: 'user', content: `This block is not supported${text}b` }] }])).all
        .length,
      1,
    )
  }
})

test('returns null for an impossible time', async () => {
  for (const time of [-1, 1e300, 'yesterday', '2026-13-45', {}, true, 0]) {
    const { updated, messages } = first(
      await readJson([{ messages: [{ role: 'user', content: 'Hi', created_at: time }], updated_at: time }]),
    )
    assert.equal([updated, messages[0]?.time], [null, null], String(time))
  }
})

test('reads messages to Claude: blocks before text, pasted files, and no placeholders, thoughts and tools', async () => {
  const garden = first(await fixture('claude'))
  assert.equal(words(garden), [
    'user: When do I sow peas?\n\n[a file: paste.txt]\nMy soil is clay.\n\n[a file: bed.jpg]',
    'assistant: In March.',
    'user: And beans?',
    'assistant: In May.',
  ])
  assert.is(garden.id, 'k-1')
  assert.is(garden.updated, '2026-01-02T10:00:00.654Z')
  assert.is(garden.skipped, 1)
})

test('reads the memory of Claude before the conversations, from a list, an object, and the zip of the export', async () => {
  const expectedWords = ['assistant: Grows peas on clay.', 'assistant: Plans a pond.']
  assert.equal(titles(await fixture('claude, zip')), ['Memories', 'Garden'])
  assert.equal(words(first(await fixture('claude, zip'))), expectedWords)
  assert.equal(words(first(await readJson(memories[0]))), expectedWords)
  const separateMemories = zip([{ name: 'memories/acct.json', bytes: JSON.stringify(memories[0]) }])
  assert.equal(words(first(await read(separateMemories))), expectedWords)
})

test('keeps of edits in Claude the branch that was spoken last, and all where the tree is torn', async () => {
  const message = (uuid: string, parent: string | null, minute: number, text: string) => {
    const created_at = `2026-01-01T10:0${minute}:00Z`
    return { uuid, parent_message_uuid: parent, sender: 'human', text, created_at }
  }
  const origin = '00000000-0000-4000-8000-000000000000'
  const chat_messages = [
    message('a', origin, 0, 'A'),
    message('b', 'a', 1, 'B'),
    message('c', 'a', 2, 'C'),
    message('d', origin, 1, 'D'),
  ]
  assert.equal(words(first(await readJson([{ chat_messages }]))), ['user: A', 'user: C'])
  assert.equal(words(first(await readJson([{ chat_messages, current_leaf_message_uuid: 'b' }]))), [
    'user: A',
    'user: B',
  ])
  const tornMessages = [...chat_messages, message('e', 'lost', 3, 'E')]
  assert.is(first(await readJson([{ chat_messages: tornMessages }])).messages.length, 5)
})

test('reads messages as models are spoken to, alone, wrapped, many, and as lines', async () => {
  const expectedWords = ['user: Look:\n\n[a picture]', 'assistant: I see.']
  for (const [name, times] of Object.entries({
    talk: 1,
    'talk, wrapped': 1,
    'talk, many': 3,
    'talk, lines': 1,
    'talk, wrapped lines': 2,
  })) {
    const { all } = await fixture(name)
    assert.equal(
      all.map(words),
      Array.from({ length: times }, () => expectedWords),
      name,
    )
    assert.is(all[0]?.messages[1]?.time, '2026-01-01T00:00:00.123Z')
    assert.is(all[0]?.skipped, 2)
  }
  for (const name of ['sharegpt', 'sharegpt, lines'])
    assert.equal(words(first(await fixture(name))), ['user: Hello', 'assistant: Hi'])
  assert.is((await fixture('sharegpt, lines')).all.length, 2)
})

test('puts exchanges with Gemini that follow closely together, in the order they were spoken', async () => {
  const { all } = await fixture('gemini')
  assert.equal(all.map(words), [
    ['user: Will it rain?', 'assistant: Yes,\na little.', 'user: And tomorrow?', 'assistant: Sun & wind.'],
    ['user: Long before'],
  ])
})

const activity = (title: string, answer?: string) => ({
  header: 'Gemini',
  title,
  time: '2026-01-01T10:00:00.000Z',
  products: ['Gemini'],
  ...(answer === undefined ? {} : { safeHtmlItem: [{ html: `<p>${answer}</p>` }] }),
})

test('reads prompts of Gemini in any language, also without an answer, and no other activity', async () => {
  const german = [
    activity('Eingegebener Prompt: Ich wohne in Bonn', 'Schön'),
    activity('Eingegebener Prompt: Mein Hund heißt Bello'),
    activity('Eingegebener Prompt: Ich bin Lehrerin'),
  ]
  assert.equal((await readJson(german)).all.map(words), [
    ['user: Ich bin Lehrerin', 'user: Mein Hund heißt Bello', 'user: Ich wohne in Bonn', 'assistant: Schön'],
  ])
  const japanese = [
    activity('京都に住んでいると入力しました', 'はい'),
    activity('Gemini アプリを使用しました'),
    activity('犬がいますと入力しました', 'はい'),
    activity('私は教師と入力しました', 'はい'),
    activity('猫もいますと入力しました'),
  ]
  const [conversation] = (await readJson(japanese)).all
  assert.equal(
    conversation?.messages.filter(({ role }) => role === 'user').map(({ content }) => content),
    ['猫もいます', '私は教師', '犬がいます', '京都に住んでいる'],
  )
  assert.equal((await readJson([activity('Il pleut ?', 'Oui'), activity('Gemini ouvert')])).all.map(words), [
    ['user: Il pleut ?', 'assistant: Oui'],
  ])
})

test('reads UTF-16 and marks at the beginning, and replaces bytes that are no characters of a file in UTF-8', async () => {
  assert.equal(titles(await fixture('utf-16')), ['Wide ✓'])
  assert.equal(titles(await fixture('bom')), ['Marked'])
  const swappedBytes = Buffer.from(fixtures()['utf-16'] ?? '').swap16()
  assert.equal(titles(await read(swappedBytes)), ['Wide ✓'])
  assert.equal(titles(await read(swappedBytes.subarray(2))), ['Wide ✓'])
  assert.equal(titles(await read(swappedBytes.subarray(2).swap16())), ['Wide ✓'])
  const brokenText = Buffer.from(JSON.stringify([simple('Bro~ken ✓ ✓')]))
  brokenText[brokenText.indexOf('~')] = 0xff
  assert.equal(titles(await read(brokenText)), ['Bro\ufffdken ✓ ✓'])
})

// Seen failing with every byte that is no UTF-8 replaced: “Gr\ufffd\ufffde”.
test('reads Latin-1 and Windows-1252 where letters are no UTF-8, alone and in a zip', async () => {
  const text = JSON.stringify([simple('Grüße', 'Schön, für 5 € – “äh”?')])
  const windows = Buffer.from([...text].map((sign) => windows1252.get(sign) ?? sign.charCodeAt(0)))
  for (const bytes of [windows, zip([{ name: 'conversations.json', bytes: windows }])]) {
    const conversation = first(await read(bytes))
    assert.is(conversation.title, 'Grüße')
    assert.is(words(conversation)[0], 'user: Schön, für 5 € – “äh”?')
  }
  const lateUmlaut = JSON.stringify([simple('Plain', 'a'.repeat(600_000)), simple('Größe')])
  assert.equal(titles(await read(Buffer.from(lateUmlaut, 'latin1'))), ['Plain', 'Größe'])
})

/** The bytes that differ from Latin-1. */
const windows1252 = new Map([
  ['€', 0x80],
  ['–', 0x96],
  ['“', 0x93],
  ['”', 0x94],
])

test('gives the same hash for the same words in another file, and another for others', async () => {
  const firstImport = first(await readJson([simple('Same')]))
  const secondImport = first(
    await read(
      JSON.stringify(
        { conversations: [{ ...simple('Same'), update_time: 1_800_000_000, is_archived: true }] },
        null,
        2,
      ),
    ),
  )
  assert.is(secondImport.hash, firstImport.hash)
  assert.is.not(secondImport.updated, firstImport.updated)
  assert.is.not(first(await readJson([simple('Same', 'Hello!')])).hash, firstImport.hash)
  assert.match(firstImport.hash, /^[0-9a-f]{64}$/)
})

test('previews a conversation by its title, how many messages it has and when it was', async () => {
  assert.equal(toPreview(first(await readJson([simple('Look')]))), {
    title: 'Look',
    messages: 2,
    time: '2026-01-01T00:01:40.500Z',
  })
})

test('finds no conversation in an empty file of a known form, without an error', async () => {
  const emptyForms = [
    [],
    {},
    [[]],
    [null, {}],
    null,
    { conversations: [] },
    { chats: [] },
    [{ chat_messages: [] }],
    [{ mapping: {} }],
    { messages: [{ role: 'constructor', content: 'x' }] },
  ]
  for (const value of emptyForms)
    assert.equal(await readJson(value), { all: [], leftOut: [] }, JSON.stringify(value))
})

// Seen failing: each was read as a history without conversations.
test('refuses JSON in no form that is known, and reads on past it where something is', async () => {
  for (const value of [
    [1, 'a', null],
    'text',
    12,
    { messages: {} },
    [{ mapping: [] }],
    [{ role: 1 }],
    { total: 3 },
    [{ header: 'YouTube' }],
  ])
    assert.equal(
      await readJson(value),
      { all: [], leftOut: [], failed: 'unknown_form' },
      JSON.stringify(value),
    )
  assert.is((await read(zip([{ name: 'data.json', bytes: '[{"a":1}]' }]))).failed, 'unknown_form')
  assert.equal(titles(await readJson([{ total: 3 }, simple('One'), 12])), ['One'])
})

// Verified to fail: “[a sound]” and “[something of the kind voice]” instead of the transcript.
test('reads the transcript of a spoken message from every field that may have it', async () => {
  const spokenMessages = [
    { sender: 'human', text: '', content: [{ type: 'voice_note', title: 'Voice', text: 'One.' }] },
    { sender: 'human', text: '', content: [{ type: 'voice_note', transcript: 'Two.' }] },
    { sender: 'human', text: 'Three.', content: [{ type: 'voice', duration: 3 }] },
    {
      sender: 'human',
      text: '',
      content: [
        { type: 'voice_transcript', transcription: 'Four.' },
        { type: 'text', text: 'And more.' },
      ],
    },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: '', transcript: 'Five.' } }] },
    { sender: 'human', text: '', content: [{ type: 'voice_note', text: '' }] },
    {
      sender: 'human',
      text: '',
      attachments: [{ file_name: 'memo.m4a', extracted_content: 'Six.' }],
      content: [],
    },
  ]
  assert.equal(words(first(await readJson([{ uuid: 'v', name: 'Voice', chat_messages: spokenMessages }]))), [
    'user: One.',
    'user: Two.',
    'user: Three.',
    'user: Four.\n\nAnd more.',
    'user: Five.',
    'user: [a sound]',
    'user: [a file: memo.m4a]\nSix.',
  ])
})

test('leaves out a conversation with more characters than the limit', async () => {
  const messages = Array.from({ length: 17 }, () => ({ role: 'user', content: 'x'.repeat(1_000_000) }))
  const { all, leftOut } = await readJson([{ messages }, simple('One')])
  assert.equal([all.map(({ title }) => title), leftOut], [['One'], ['too_large']])
})

test('refuses files that are not JSON, cut off, or empty', async () => {
  const refusedFiles: Readonly<Record<string, string>> = {
    '': 'empty',
    ' \n': 'empty',
    '\ufeff': 'empty',
    'Dear diary': 'not_json',
    '\u0089PNG\r\n': 'not_json',
    '<html>': 'not_json',
    ']': 'not_json',
    'true story': 'not_json',
    nothing: 'damaged',
    '[{"a":1}': 'damaged',
    '[{"a":1}}': 'damaged',
    '[1,]': 'damaged',
    '[,1]': 'damaged',
    '[1 2]': 'damaged',
    '{"a":tru}': 'damaged',
    '{"conversations":[1,2}': 'damaged',
    '{"conversations":[1]': 'damaged',
    '["open': 'damaged',
    '{},{}': 'damaged',
  }
  for (const [bytes, reason] of Object.entries(refusedFiles))
    assert.equal(await read(bytes), { all: [], leftOut: [], failed: reason }, bytes)
})

test('yields the conversations before the place where a file is damaged', async () => {
  const wholeText = JSON.stringify([simple('One'), simple('Two')])
  const { all, failed } = await read(wholeText.slice(0, -5))
  assert.equal([all.map(({ title }) => title), failed], [['One'], 'damaged'])
})

const nestArrays = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

test('leaves out a conversation that is too large, too deep or of too many values, and continues after it', async () => {
  const sound = JSON.stringify(simple('Sound'))
  const largeObject = `{"mapping":{},"fill":"${'x'.repeat(64 * 1024 * 1024)}"}`
  const manyValues = `{"mapping":{},"fill":[${'0,'.repeat(1_000_001)}0]}`
  for (const [badItem, reason] of [
    [largeObject, 'too_large'],
    [manyValues, 'too_large'],
    [nestArrays(201), 'too_deep'],
  ] as const) {
    const { all, leftOut, failed } = await read(`[${sound},${badItem},${sound}]`)
    assert.equal([all.length, leftOut, failed], [2, [reason], undefined])
  }
  assert.equal((await read(nestArrays(100_000))).leftOut, ['too_deep'])
  assert.is((await read('['.repeat(100_000))).failed, 'damaged')
})

test('parses a large conversation in pieces to the same value', async () => {
  const nodes = Array.from({ length: 3000 }, (_, index) =>
    node({
      id: `n${index}`,
      parent: index === 0 ? 'root' : `n${index - 1}`,
      role: index % 2 ? 'assistant' : 'user',
      at: index,
      content: toContent(`${index} ${'é"\\'.repeat(80)}`),
    }),
  )
  const longText = 'y'.repeat(5 * 1024 * 1024)
  const mapping = Object.fromEntries([
    ...nodes,
    node({ id: 'last', parent: 'n2999', content: toContent(longText), at: 5000 }),
  ])
  const wholeTalk = JSON.stringify({ ...tree('Large', 'last', nodes), mapping })
  const { messages } = first(await read(`[${wholeTalk}]`))
  assert.is(messages.length, 3001)
  assert.is(messages[2999]?.content, `2999 ${'é"\\'.repeat(80)}`)
  assert.is(messages[3000]?.content.length, 1_000_000)
})

test('rejects with the reason of the signal when it aborts', async () => {
  const abort = new AbortController()
  await withFile(JSON.stringify([simple('One'), simple('Two'), simple('Three')]), async (path) => {
    const history = readHistory(path, { signal: abort.signal })
    await history.next()
    abort.abort(new Error('enough'))
    try {
      while (!(await history.next()).done);
      assert.unreachable()
    } catch (error) {
      assert.is((error as Error).message, 'enough')
    }
  })
})

const goodEntry: ZipEntry = { name: 'conversations.json', bytes: JSON.stringify([simple('One')]) }

/** Seen failing with the limit on the ratio of sizes taken away: the bomb was read to its end. */
test('refuses zips that are bombs, lie, are locked, lead out of themselves, or hold too much', async () => {
  const bomb = Buffer.alloc(80 * 1024 * 1024, ' ')
  const refusedFiles: readonly (readonly [what: string, bytes: Uint8Array, reason: string])[] = [
    ['a bomb', zip([{ name: 'conversations.json', bytes: bomb }]), 'too_large'],
    ['a size that lies', zip([{ ...goodEntry, says: 5 }]), 'damaged'],
    ['locked', zip([{ ...goodEntry, encrypted: true }]), 'encrypted'],
    ['out of itself', zip([goodEntry, { name: '../conversations.json', bytes: '[]' }]), 'damaged'],
    ['70 000 entries', zip([goodEntry], { count: 70_000 }), 'too_many_entries'],
    ['cut off', zip([goodEntry]).subarray(0, 60), 'damaged'],
    ['no history', zip([{ name: 'word/document.xml', bytes: '<a/>' }]), 'no_history'],
    ['nothing', zip([]), 'no_history'],
    ['a history that is no JSON', zip([{ ...goodEntry, bytes: 'PK' }]), 'not_json'],
  ]
  for (const [caseName, bytes, reason] of refusedFiles)
    assert.equal(await read(bytes), { all: [], leftOut: [], failed: reason }, caseName)
})

test('reads zips in a zip of no known name, and JSON of any name where no known one is there', async () => {
  const inner: ZipEntry = { name: 'more.zip', bytes: zip([goodEntry]), stored: true }
  assert.equal(titles(await read(zip([inner, goodEntry]))), ['One'])
  assert.equal(titles(await read(zip([inner]))), ['One'])
  const wrap = (bytes: Buffer): Buffer => zip([{ name: 'User Online Activity.zip', bytes, stored: true }])
  assert.equal(titles(await read(wrap(wrap(zip([goodEntry]))))), ['One'])
  assert.is((await read(wrap(wrap(wrap(zip([goodEntry])))))).failed, 'no_history')
  const pictures: ZipEntry = { name: 'a.zip', bytes: zip([{ name: 'a.bin', bytes: 'x' }]), stored: true }
  assert.equal(titles(await read(zip([pictures, inner]))), ['One'])
  const bomb = zip([{ name: 'conversations.json', bytes: Buffer.alloc(20 * 1024 * 1024, 0x20) }])
  assert.is((await read(wrap(bomb))).failed, 'too_large')
  assert.is((await read(wrap(zip([goodEntry]).subarray(0, 60)))).failed, 'damaged')
  const shadow: ZipEntry = { name: '__MACOSX/my chats/._spring.jsonl', bytes: '\0\0' }
  assert.equal(titles(await read(zip([shadow, { ...goodEntry, name: 'my chats/spring.jsonl' }]))), ['One'])
  assert.equal(await read(zip([{ name: 'projects/p-1.json', bytes: '{"prompt_template":"","docs":[]}' }])), {
    all: [],
    leftOut: ['other_file'],
  })
})

test('contains nothing of a file in its errors', async () => {
  const { failed } = await read(`[{"mapping":{"secret":${JSON.stringify(allFeatures).slice(0, 200)}}]`)
  assert.is(failed, 'damaged')
  assert.not.match(new Unreadable('damaged').message, /secret/)
})

test.run()
