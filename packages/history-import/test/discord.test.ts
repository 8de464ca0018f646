/** Data packages of Discord, in which only the messages of the user are. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { zip } from '../../documents/test/zip.ts'
import { readAll, words } from './reading.ts'

const dm = '100200300400500600'
const server = '200300400500600700'
const json = (value: unknown) => JSON.stringify(value)
const onlyYours = 'only what you wrote'

/** The newest message is first. IDs are numbers that JSON cannot hold exactly. */
const newestCsv = `[{"ID": 1199999999999999999, "Timestamp": "2025-01-16 18:50:00", "Contents": "I paint, \\"mostly\\".", "Attachments": ""},
{"ID": 1199999999999999998, "Timestamp": "2025-01-16 18:47:37", "Contents": "", "Attachments": "https://cdn.discordapp.com/attachments/1/2/lake%201.png?ex=1 https://cdn.discordapp.com/attachments/1/2/b.pdf"}]`
const table =
  '\ufeffID,Timestamp,Contents,Attachments\r\n2,2020-05-01 10:01:00.123000+00:00,"I live\nin ""Porto"", yes",\r\n1,2020-05-01 10:00:00,Hi,https://cdn.discordapp.com/attachments/1/2/a.jpg\r\n'

const account = { name: 'account/user.json', bytes: json({ id: '1', username: 'mia.p', global_name: 'Mia' }) }
const inPackage = (folder: string, prefix: string) =>
  zip([
    { name: 'README.txt', bytes: 'Welcome to your Discord Data Package!\nUser: hello\nAssistant: hi' },
    account,
    { name: 'servers/index.json', bytes: json({ [server]: 'Not this' }) },
    { name: 'activity/analytics/events-2025.json', bytes: '{"event_type":"x"}\n' },
    { name: `${folder}/index.json`, bytes: json({ [dm]: 'Direct Message with ben#0', [server]: null }) },
    {
      name: `${folder}/${prefix}${dm}/channel.json`,
      bytes: json({ id: dm, type: 'DM', recipients: ['1', '2'] }),
    },
    { name: `${folder}/${prefix}${dm}/messages.json`, bytes: newestCsv },
    {
      name: `${folder}/${prefix}${server}/channel.json`,
      bytes: json({ id: server, type: 'GUILD_TEXT', name: 'art', guild: { id: '9', name: 'Painters' } }),
    },
    { name: `${folder}/${prefix}${server}/messages.csv`, bytes: table },
    { name: `${folder}/${prefix}300400500600700800/messages.json`, bytes: '[]' },
  ])

test('reads the messages of a package as those of the user, and says that the others are not in it', async () => {
  for (const [folder, prefix] of [
    ['messages', 'c'],
    ['package/Nachrichten', 'c'],
    ['messages', ''],
  ] as const) {
    const file = await readAll(inPackage(folder, prefix))
    assert.equal(
      file.all.map(({ title, person, kind }) => [title, person, kind]),
      [
        ['Discord: Direct Message with ben#0', 'Mia', 'people'],
        ['Discord: art in Painters', 'Mia', 'people'],
      ],
    )
    assert.equal(words(file), [
      'user: (file: lake%201.png)\n(file: b.pdf)',
      'user: I paint, "mostly".',
      'user: (file: a.jpg)\n\nHi',
      'user: I live\nin "Porto", yes',
    ])
    assert.is(file.all[1]?.messages[1]?.time, '2020-05-01T10:01:00.123Z')
    assert.is(file.notes.filter((note) => note.includes(onlyYours)).length, 1)
    assert.match(file.notes.join(), '“Mia” was taken for you')
  }
})

test('reads a file of one channel by itself', async () => {
  for (const [bytes, name] of [
    [newestCsv, 'messages.json'],
    [table, 'messages.csv'],
    [table, 'table'],
    [Buffer.from(table, 'utf16le'), 'messages.csv'],
  ] as const) {
    const file = await readAll(bytes, { name })
    assert.is(words(file).length, 2, name)
    assert.match(file.notes.join(), onlyYours)
  }
})

test('reads columns in any order, and with semicolons', async () => {
  const turnedCsv = 'Contents;Attachments;Extra;ID;Timestamp\n"a; b";;x;1;2020-05-01 10:00:00\n'
  assert.equal(words(await readAll(turnedCsv, { name: 'messages.csv' })), ['user: a; b'])
})

test('leaves out and counts single messages of wrong types', async () => {
  const list = json([
    { ID: 1, Timestamp: '2025-01-16 18:47:37', Contents: 'kept', Attachments: null },
    { ID: 2, Timestamp: {}, Contents: 'kept too', Attachments: 3 },
    { ID: 3, Timestamp: '2025-01-16 18:47:37', Contents: null },
    { ID: 4, Timestamp: '2025-01-16 18:47:37', Contents: ['a'] },
    null,
    'words',
    [],
  ])
  const file = await readAll(list)
  assert.equal(words(file), ['user: kept', 'user: kept too'])
  assert.is(file.counts.bad_message, 5)
})

test('reads a package whose lists of names are damaged', async () => {
  const bytes = zip([
    { name: 'account/user.json', bytes: '{"username":' },
    { name: 'messages/index.json', bytes: '[1]' },
    { name: `messages/c${dm}/channel.json`, bytes: 'no' },
    { name: `messages/c${dm}/messages.json`, bytes: newestCsv },
  ])
  const file = await readAll(bytes)
  assert.is(file.all[0]?.title, `Discord: channel ${dm}`)
  assert.is(words(file).length, 2)
})

test('refuses messages that were cut off, and reads an empty package as nothing', async () => {
  const readCut = (bytes: string, ending: string) =>
    readAll(zip([account, { name: `messages/c${dm}/messages.${ending}`, bytes }]))
  for (let size = 1; size < newestCsv.length; size += 9)
    assert.is((await readCut(newestCsv.slice(0, size), 'json')).failed, 'damaged', newestCsv.slice(0, size))
  assert.is(
    (await readCut('ID,Timestamp,Contents,Attachments\n1,2020-05-01 10:00:00,"never', 'csv')).failed,
    'damaged',
  )
  for (const [bytes, ending] of [
    ['[]', 'json'],
    ['', 'json'],
    ['ID,Timestamp,Contents,Attachments\n', 'csv'],
  ] as const) {
    const { all, failed } = await readCut(bytes, ending)
    assert.equal([all.length, failed], [0, undefined], ending)
  }
})

test.run()
