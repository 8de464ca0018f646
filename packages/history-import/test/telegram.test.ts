/** Exports of Telegram Desktop: one chat, and a whole account. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../../documents/test/place.ts'
import { zip } from '../../documents/test/zip.ts'
import { fromTelegram } from '../telegram.ts'
import { telegram } from './made-forms.ts'
import { countIn, pickResult, readAll, words } from './reading.ts'

type Json = Readonly<Record<string, unknown>>

let nextId = 0
const message = (from: string, id: string | number, text: unknown, fields: Json = {}): Json => {
  nextId += 1
  return {
    id: nextId,
    type: 'message',
    date: '2024-03-12T15:05:00',
    date_unixtime: String(1_710_252_300 + nextId * 60),
    from,
    from_id: id,
    text,
    text_entities: [],
    ...fields,
  }
}
const chat = (type: string, messages: readonly unknown[], fields: Json = {}): Json => ({
  name: 'Ben',
  type,
  id: 77,
  messages,
  ...fields,
})
const json = (value: unknown) => JSON.stringify(value, null, 1)
const ben = (text: unknown, fields: Json = {}) => message('Ben', 'user77', text, fields)
const mia = (text: unknown, fields: Json = {}) => message('Mia', 'user5', text, fields)
const service = {
  id: 1,
  type: 'service',
  date: '2024-03-12T15:00:00',
  actor: 'Ben',
  action: 'phone_call',
  text: '',
}

test('takes the person whose id differs from the id of a chat of two for the user', async () => {
  const file = await readAll(
    json(
      chat('personal_chat', [
        service,
        ben('Where do you live?'),
        mia(['I live in ', { type: 'bold', text: 'Porto' }, '.'], { reply_to_message_id: 2 }),
        mia('', { photo: '(File not included. Change data exporting settings to download.)', width: 1 }),
        ben('', { media_type: 'sticker', sticker_emoji: '👍', file: 'x.webp' }),
        mia('My plan', { file: 'files/plan.pdf', file_name: 'plan (2).pdf', mime_type: 'application/pdf' }),
      ]),
    ),
    { name: 'result.json' },
  )
  assert.equal(words(file), [
    'assistant: Ben: Where do you live?',
    'user: I live in Porto.',
    'user: (photo)',
    'assistant: Ben: (sticker 👍)',
    'user: (file: plan 2 .pdf)\n\nMy plan',
  ])
  const [conversation] = file.all
  assert.equal(
    [conversation?.kind, conversation?.title, conversation?.person],
    ['people', 'Telegram: Ben', 'Mia'],
  )
  assert.match(conversation?.messages[0]?.time ?? '', /^2024-03-12T14:06/)
  assert.match(file.notes.join(), '“Mia” was taken for you')
  assert.is(file.counts.notice, 1)
})

test('reads a whole account, and knows the user in groups by the id of the account', async () => {
  const account = {
    about: 'Here is the data you requested.',
    personal_information: { user_id: 5, first_name: 'Mia', phone_number: '+1' },
    contacts: { about: 'c', list: [{ user_id: 77, first_name: 'Ben' }] },
    chats: {
      about: 'This page lists all chats from this export.',
      list: [
        chat('personal_chat', [ben('Hi'), mia('Hello')]),
        chat('private_group', [ben('We meet.'), mia('I come.'), message('Ana', 'user9', 'I do not.')], {
          name: 'Team',
        }),
        {
          type: 'saved_messages',
          id: 5,
          messages: [mia('Buy milk'), mia('A poem', { forwarded_from: 'Ana' })],
        },
        chat('public_channel', [message('News', 'channel3', 'Rain')], { name: 'News' }),
      ],
    },
    left_chats: { about: 'l', list: [chat('private_supergroup', [mia('Bye')], { name: 'Old' })] },
  }
  for (const text of [json(account), JSON.stringify(account)]) {
    const file = await readAll(text)
    assert.equal(
      file.all.map(({ title }) => title),
      ['Telegram: Ben', 'Telegram: Team', 'Telegram: Saved messages', 'Telegram: News', 'Telegram: Old'],
    )
    assert.equal(words(file), [
      'assistant: Ben: Hi',
      'user: Hello',
      'assistant: Ben: We meet.',
      'user: I come.',
      'assistant: Ana: I do not.',
      'user: Buy milk',
      'assistant: Mia (forwarded from Ana): A poem',
      'assistant: News: Rain',
      'user: Bye',
    ])
  }
})

test('asks who the user is in a group that was exported alone, and takes the name that is given', async () => {
  const group = json(
    chat('private_supergroup', [
      ben('Who comes?'),
      message('Ana', 'user9', 'Not me'),
      mia('I do.', { reply_to_message_id: nextId - 1 }),
    ]),
  )
  const unknownUsers = await readAll(group)
  assert.match(unknownUsers.notes.join(), 'Which of them is you: “Ben”, “Ana”, “Mia”?')
  assert.equal(unknownUsers.people, ['Ben', 'Ana', 'Mia'])
  assert.not(words(unknownUsers).some((line) => line.startsWith('user')))
  for (const ownName of ['mia ', 'user5', '5']) {
    const file = await readAll(group, { me: ownName })
    assert.equal(words(file).at(-1), 'user: (in reply to Ben)\n\nI do.')
    assert.equal(file.people, [])
  }
  const other = await readAll(group, { me: 'Zoe' })
  assert.match(other.notes.join(), 'No one in them is called “Zoe”.')
})

test('reads a talk with a bot as a talk', async () => {
  const file = await readAll(
    json(chat('bot_chat', [mia('I paint.'), message('Helper', 'user77', 'Nice.')], { name: 'Helper' })),
  )
  assert.equal(words(file), ['user: I paint.', 'assistant: Nice.'])
  assert.is(file.all[0]?.kind, 'talk')
})

test('reads result.json in a zip of the folder, and no attachments', async () => {
  const file = await readAll(
    zip([
      { name: 'ChatExport_2026-01-01/files/notes.json', bytes: '[{"role":"user","content":"not mine"}]' },
      { name: 'ChatExport_2026-01-01/photos/a.jpg', bytes: 'x' },
      { name: 'ChatExport_2026-01-01/result.json', bytes: json(chat('personal_chat', [mia('Hello')])) },
    ]),
  )
  assert.equal(words(file), ['user: Hello'])
})

test('reads older exports, whose ids are numbers', async () => {
  const old = chat(
    'personal_chat',
    [message('Ben', 4_300_000_077, 'Hi'), message('Mia', 4_300_000_005, 'Hello')],
    {
      id: 4_300_000_077,
    },
  )
  assert.equal(words(await readAll(json(old))), ['assistant: Ben: Hi', 'user: Hello'])
})

test('never takes the words of a deleted account for those of the user', async () => {
  const leftChat = chat('personal_chat', [
    { id: 1, type: 'message', from: null, text: 'I live in Rome.' },
    mia('Hello'),
  ])
  assert.equal(words(await readAll(json(leftChat))), ['assistant: Unknown: I live in Rome.', 'user: Hello'])
})

test('leaves out and counts single messages of wrong types', async () => {
  const file = await readAll(
    json(
      chat('personal_chat', [
        null,
        7,
        'words',
        [mia('in a list')],
        mia({ text: 'an object' }),
        mia(12),
        mia(['kept ', 3, null, { text: 4 }, { text: 'too' }], {
          from_id: 'user5',
          date_unixtime: {},
          date: 9,
        }),
        { ...mia('kept'), reply_to_message_id: { a: 1 }, media_type: [], sticker_emoji: 3 },
        service,
      ]),
    ),
  )
  assert.equal(words(file), ['user: kept too', 'user: kept'])
  assert.equal([file.counts.bad_message, file.counts.notice], [6, 1])
})

test('refuses a file that was cut off anywhere, and finds nothing in an empty one', async () => {
  const wholeExport = json({
    personal_information: { user_id: 5 },
    chats: { about: 'a', list: [chat('personal_chat', [ben('Hi "you" \\ {['), mia('Hello')])] },
  })
  for (let size = 60; size < wholeExport.length; size += 7)
    assert.is((await readAll(wholeExport.slice(0, size))).failed, 'damaged', wholeExport.slice(0, size))
  for (const wrongExport of [
    wholeExport.replace('"Hello"', '"Hello'),
    wholeExport.replace('},', '}'),
    `${wholeExport}]`,
    `${wholeExport}{}`,
  ])
    assert.is((await readAll(wrongExport)).failed, 'damaged', wrongExport)
  for (const empty of [
    chat('personal_chat', []),
    { personal_information: { user_id: 5 }, chats: { about: 'a', list: [] } },
    { personal_information: { user_id: 5 }, chats: 3 },
  ])
    assert.equal(pickResult(await readAll(json(empty))), { all: [], failed: undefined })
})

test('reads the same wherever the chunks of a file are cut', async () => {
  const wordsBy = async (size: number) => {
    const chunks = async function* () {
      for (let start = 0; start < telegram.length; start += size)
        yield Buffer.from(telegram.slice(start, start + size))
    }
    const options = { maybeYield: () => undefined, me: undefined, onLeftOut: () => {} }
    const texts: string[] = []
    for await (const conversation of fromTelegram(chunks(), options))
      for await (const line of conversation.said(() => undefined)) texts.push(line?.content ?? '')
    return texts
  }
  const expectedTexts = ['Ben: Where?', 'In Porto', 'Ana: (photo)', 'I \\ "row" {[']
  for (const size of [1, 2, 3, 7, 64, 1000]) assert.equal(await wordsBy(size), expectedTexts, String(size))
})

test('cuts a chat beyond the limits of one conversation into several, and holds one at a time', async () => {
  const messageCount = 210_000
  const words = 'word '.repeat(50)
  const lines = async function* () {
    yield '{"name":"Ben","type":"personal_chat","id":77,"messages":['
    for (let start = 0; start < messageCount; start += 1000) {
      let text = ''
      for (let n = start; n < start + 1000; n++)
        text += `${n === 0 ? '' : ','}{"id":${n},"type":"message","date_unixtime":"${1_600_000_000 + n}","from":"${n % 2 ? 'Ben' : 'Mia'}","from_id":"user${n % 2 ? 77 : 5}","text":"m${n} ${words}"}`
      yield text
    }
    yield ']}'
  }
  const { createWriteStream } = await import('node:fs')
  const { pipeline } = await import('node:stream/promises')
  await withFile('', async (path) => {
    await pipeline(lines, createWriteStream(path))
    const rssBefore = process.memoryUsage().rss
    const counter = await countIn(path)
    assert.equal([counter.messages, counter.conversations], [messageCount, messageCount / 2000])
    const grownBytes = process.memoryUsage().rss - rssBefore
    assert.ok(grownBytes < 400 * 1024 * 1024, `grew by ${grownBytes} bytes`)
  })
})

test.run()
