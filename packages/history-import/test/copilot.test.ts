/** The activity history of Microsoft Copilot as CSV. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../../documents/test/place.ts'
import { zip } from '../../documents/test/zip.ts'
import { countIn, readAll, words } from './reading.ts'

const name = 'copilot-activity-history.csv'
const header = '\ufeffConversation,Time,Author,Message\r\n'
/** The newest row is first, and an answer has the time of its prompt. */
const history = `${header}"Boats",2026-07-26T23:21:10,AI,"**Yes**, ""blue"", she said:
- a
- b"\r
"Boats",2026-07-26T23:21:10,Human,"Is it, really?"\r
Peas,2026-07-26T23:00:00,AI,In March.\r
Peas,2026-07-26T23:00:00,Human,When do I sow peas?\r
"Boats",2026-07-20T10:00:00,AI,Nice.\r
"Boats",2026-07-20T10:00:00,Human,I have a boat.\r
`

test('reads conversations by title, the oldest message first, each prompt before its answer', async () => {
  for (const [bytes, options] of [
    [history, { name }],
    [history, {}],
    [history.slice(1).replaceAll('\r\n', '\n'), { name: 'export.csv' }],
    [zip([{ name: `Microsoft/${name}`, bytes: history }]), {}],
    [zip([{ name: 'export.csv', bytes: history }]), {}],
  ] as const) {
    const file = await readAll(bytes, options)
    assert.equal(
      file.all.map(({ title, kind, updated }) => [title, kind, updated]),
      [
        ['Boats', 'talk', '2026-07-26T23:21:10.000Z'],
        ['Peas', 'talk', '2026-07-26T23:00:00.000Z'],
      ],
    )
    assert.equal(words(file), [
      'user: I have a boat.',
      'assistant: Nice.',
      'user: Is it, really?',
      'assistant: **Yes**, "blue", she said:\n- a\n- b',
      'user: When do I sow peas?',
      'assistant: In March.',
    ])
  }
})

test('reads columns in any order and with any delimiter, and rows that are in the order of time', async () => {
  const turnedRows = [
    'Message;Author;Extra;Time;Conversation',
    '"I row; daily";Human;x;2026-07-20T10:00:00;Boats',
    'Good.;AI;x;2026-07-20T10:00:05;Boats',
  ]
  for (const rows of [
    turnedRows,
    turnedRows.map((row) => row.replace('I row; daily', 'I row').replaceAll(';', '\t')),
  ]) {
    const file = await readAll(rows.join('\n'), { name })
    assert.match(words(file)[0] ?? '', /^user: I row/)
    assert.is(words(file)[1], 'assistant: Good.')
  }
})

test('takes rows without a title for a conversation a day', async () => {
  const rows = `${header},2026-07-21T10:00:00,AI,B\r\n,2026-07-21T10:00:00,Human,b\r\n,2026-07-20T10:00:00,AI,A\r\n,2026-07-20T10:00:00,Human,a\r\n`
  const file = await readAll(rows, { name })
  assert.equal(
    file.all.map(({ title, messages }) => [title, messages.length]),
    [
      ['b', 2],
      ['a', 2],
    ],
  )
})

test('leaves out and counts rows of another form', async () => {
  const rows = `${header}a,2026-07-20T10:00:00,System,x\r\na,2026-07-20T10:00:00,constructor,x\r\na,b\r\na,2026-07-20T10:00:00,Human,\r\na,no time,Human,kept,more\r\na,2026-07-20T10:00:00,Human,a "quoted" word\r\n`
  const file = await readAll(rows, { name })
  assert.equal(words(file), ['user: kept', 'user: a "quoted" word'])
  assert.is(file.counts.bad_message, 4)
})

test('refuses a file that ends inside a field, and other tables; finds nothing in an empty one', async () => {
  assert.is((await readAll(history.slice(0, history.indexOf('- b')), { name })).failed, 'damaged')
  assert.is((await readAll('a,b\n1,2\n', { name })).failed, 'unknown_form')
  assert.is((await readAll('')).failed, 'empty')
  const { all, failed } = await readAll(header, { name })
  assert.equal([all.length, failed], [0, undefined])
})

test('reads more rows than it holds at once', async () => {
  const messageCount = 10_000
  const rows = async function* () {
    yield header
    for (let start = 0; start < messageCount; start += 1000) {
      let text = ''
      for (let n = start; n < start + 1000; n++)
        text += `"T ${n >> 7}",2026-07-20T10:00:00,Human,"m${n} ${'word '.repeat(400)}"\r\n`
      yield text
    }
  }
  await withFile('', async (path) => {
    await pipeline(rows, createWriteStream(path))
    const rssBefore = process.memoryUsage().rss
    const { messages, conversations } = await countIn(path, { name })
    assert.is(messages, messageCount)
    // A conversation is split where the rows that are held are handed over.
    assert.ok(
      conversations >= messageCount / 128 && conversations <= messageCount / 128 + 4,
      String(conversations),
    )
    assert.ok(process.memoryUsage().rss - rssBefore < 500 * 1024 * 1024)
  })
})

test.run()
