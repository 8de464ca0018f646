/** Chats between people: who counts as the user, and which messages are read. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFile } from '../../documents/test/place.ts'
import { zip } from '../../documents/test/zip.ts'
import { readHistory } from '../exported-history.ts'
import type { Conversation } from '../imported-conversation.ts'

const read = (bytes: Uint8Array | string, name: string) =>
  withFile(bytes, async (path) => {
    const all: Conversation[] = []
    const notes: string[] = []
    const { signal } = new AbortController()
    const onNote = (note: string) => void notes.push(note)
    for await (const conversation of readHistory(path, { signal, name, onNote })) all.push(conversation)
    return { all, notes }
  })

const words = ({ all }: { readonly all: readonly Conversation[] }) =>
  all.flatMap(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`))
const times = ({ all }: { readonly all: readonly Conversation[] }) =>
  all.flatMap(({ messages }) => messages.map(({ time }) => time?.slice(0, 16)))

test('reads German WhatsApp chats of Android without notices, files and notes of edits', async () => {
  const chat = `12.03.24, 14:05 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.
12.03.24, 14:05 - Ben: Wo wohnst du?
12.03.24, 14:06 - Mia: In Köln.
Seit 2020.
12.03.24, 14:07 - Ben: <Medien ausgeschlossen>
12.03.24, 14:08 - Mia: Bis bald! <Diese Nachricht wurde bearbeitet.>
12.03.24, 14:09 - Ben: Diese Nachricht wurde gelöscht.
`
  const file = await read(chat, 'WhatsApp-Chat mit Ben.txt')
  assert.equal(words(file), [
    'assistant: Ben: Wo wohnst du?',
    'user: In Köln.\nSeit 2020.',
    'user: Bis bald!',
  ])
  assert.equal(times(file)[0], '2024-03-12T14:05')
  assert.equal([file.all[0]?.kind, file.all[0]?.title], ['people', 'WhatsApp: Ben'])
  assert.match(file.notes.join(), '“Mia” was taken for you')
})

test('reads WhatsApp chats of iOS in a zip that names the other person', async () => {
  const chat = `\u200e[3/12/24, 2:05:11\u202fPM] Ben: \u200eMessages and calls are end-to-end encrypted.
[3/12/24, 2:05:20\u202fPM] Ben: Hi
\u200e[3/12/24, 2:05:30\u202fPM] Mia: \u200eimage omitted
[3/13/24, 12:01:00\u202fAM] Mia: I moved to Porto. \u200e<This message was edited>
`
  const bytes = zip([{ name: '_chat.txt', bytes: chat }])
  const file = await read(bytes, 'WhatsApp Chat - Ben.zip')
  assert.equal(words(file), ['assistant: Ben: Hi', 'user: I moved to Porto.'])
  assert.equal(times(file), ['2024-03-12T14:05', '2024-03-13T00:01'])
})

test('decides the order of day and month over the whole file', async () => {
  const dates = async (...lines: readonly string[]) =>
    times(await read(lines.join('\n'), 'WhatsApp Chat with Ben.txt')).map((time) => time?.slice(0, 10))
  assert.equal(await dates('05/04/2024 10:00 - Ben: a', '13/04/2024 10:00 - Mia: b'), [
    '2024-04-05',
    '2024-04-13',
  ])
  assert.equal(await dates('01/02/24, 10:00 - Ben: a', '02/01/24, 10:00 - Mia: b'), [
    '2024-01-02',
    '2024-02-01',
  ])
  assert.equal(await dates('1/2/24, 9:00 PM - Ben: a', '1/2/24, 9:01 PM - Mia: b'), [
    '2024-01-02',
    '2024-01-02',
  ])
  assert.equal(await dates('2024-02-01, 09:00 - Ben: a', '2024-02-01, 09:01 - Mia: b'), [
    '2024-02-01',
    '2024-02-01',
  ])
})

test('reads Spanish clocks, and names of the user such as “Tú”', async () => {
  const spanish = `12/3/24, 2:05 p. m. - Ana: ¿Dónde vives?
13/3/24, 2:06 a. m. - Mia: En Lima. <Se editó este mensaje.>
13/3/24, 2:07 a. m. - Ana: <Multimedia omitido>
`
  const file = await read(spanish, 'Chat de WhatsApp con Ana.txt')
  assert.equal(words(file), ['assistant: Ana: ¿Dónde vives?', 'user: En Lima.'])
  assert.equal(times(file), ['2024-03-12T14:05', '2024-03-13T02:06'])
  const group = `12/03/2024 14:05 - Ana: Hola
12/03/2024 14:06 - Leo: Hola
12/03/2024 14:07 - Tú: Soy vegana.
`
  assert.equal(words(await read(group, 'x.txt')).at(-1), 'user: Soy vegana.')
})

test('leaves the user unknown in a group, or if the file name names no one', async () => {
  const groupChat = '12.03.24, 14:05 - Ben: Hallo\n12.03.24, 14:06 - Mia: Hallo Ben\n'
  for (const [chat, name] of [
    [groupChat, 'chat.txt'],
    [`${groupChat}12.03.24, 14:07 - Ana: Ich auch\n`, 'WhatsApp-Chat mit Ben.txt'],
  ] as const) {
    const file = await read(chat, name)
    assert.not(words(file).some((line) => line.startsWith('user')))
    assert.match(file.notes.join(), 'not known who you are')
  }
})

test('leaves logs of talks with an AI to the reader of logs', async () => {
  const twoLines = '[2026-01-31 10:00] Mia: I paint.\n[2026-01-31 10:01] Assistant: Nice.\n'
  const log = twoLines.repeat(2)
  for (const text of [log, log.replaceAll(' 10:', ', 10:')])
    assert.equal((await read(text, 'log.txt')).all[0]?.kind, 'talk')
})

test.run()
