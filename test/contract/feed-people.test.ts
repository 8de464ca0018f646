/** POST /api/persona/{persona_id}/feed: chats between people. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Part, Prompt } from '../../packages/models/mind.ts'
import { toForm } from '../forms.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test, { random: () => 0 })

let prompts: Prompt[]

const keep = (text: string, sources: readonly number[]) => ({ op: 'keep', document: 'person', text, sources })
const answer = JSON.stringify({
  summary: 'About towns.',
  operations: [
    keep('They live in Porto.', [2]),
    keep('They are a thief.', [1]),
    keep('They owe Ben money.', [1, 2]),
  ],
})

const mind = () => ({
  async *think(prompt: Prompt): AsyncIterable<Part> {
    prompts.push(prompt)
    yield { type: 'words', text: answer }
    yield { type: 'end', usage: { input: 1, output: 1 } }
  },
})

test.before.each(() => {
  Object.assign(setup.models, { mind })
  prompts = []
})

const chat = '12.03.24, 14:05 - Ben: You are a thief.\n12.03.24, 14:06 - Mia: I live in Porto.\n'

interface FeedOptions {
  readonly content?: string
  readonly myName?: string
}

const post = (
  personaPath: string,
  filename: string,
  query: string,
  { content = chat, myName }: FeedOptions = {},
) =>
  setup.send({
    method: 'POST',
    path: `${personaPath}/feed${query}`,
    ...toForm([
      { name: 'source', content: 'WhatsApp' },
      ...(myName === undefined ? [] : [{ name: 'me', content: myName }]),
      { name: 'history', filename, content },
    ]),
  })

const send = async (personaPath: string, filename: string, query = '', fields: FeedOptions = {}) => {
  const { status, text } = await post(personaPath, filename, query, fields)
  assert.is(status, 200, text)
  return text
}

test('learns nothing from messages of other people and informs the model that they are people', async () => {
  const personaPath = await setup.home()
  const preview = await send(personaPath, 'WhatsApp Chat with Ben.txt', '?preview=1')
  assert.match(preview, '“Mia” was taken for you')
  await send(personaPath, 'WhatsApp Chat with Ben.txt')
  assert.match(JSON.stringify(prompts), 'none of these people is an AI')
  const text = JSON.stringify((await setup.get(`${personaPath}/knowledge`))[1])
  assert.match(text, 'They live in Porto.')
  assert.not.match(text, 'thief')
  assert.not.match(text, 'owe Ben')
})

test('makes no model call for a chat in which the user is unknown, and reports it', async () => {
  const personaPath = await setup.home()
  for (const query of ['?preview=1', ''])
    assert.match(await send(personaPath, 'chat.txt', query), 'not known who you are')
  assert.is(prompts.length, 0)
})

test('lists the names of a group, and imports it for the one that is given as me', async () => {
  const personaPath = await setup.home()
  const content = `${chat}12.03.24, 14:07 - Ana: So do I.\n`
  const previewBefore = JSON.parse(await send(personaPath, 'chat.txt', '?preview=1', { content }))
  assert.equal(previewBefore.people, ['Ben', 'Mia', 'Ana'])
  assert.match(previewBefore.detail, 'Which of them is you: “Ben”, “Mia”, “Ana”?')
  assert.equal(previewBefore.notes, [previewBefore.detail])
  const previewAfter = JSON.parse(
    await send(personaPath, 'chat.txt', '?preview=1', { content, myName: 'Mia' }),
  )
  assert.is(previewAfter.people, undefined)
  assert.match(previewAfter.detail, '“Mia” was taken for you')
  await send(personaPath, 'chat.txt', '', { content, myName: 'Mia' })
  const text = JSON.stringify((await setup.get(`${personaPath}/knowledge`))[1])
  assert.match(text, 'They live in Porto.')
  assert.not.match(text, 'thief')
})

test('imports a group that was skipped before, once the user is named', async () => {
  const personaPath = await setup.home()
  await send(personaPath, 'chat.txt')
  assert.is(prompts.length, 0)
  const preview = JSON.parse(await send(personaPath, 'chat.txt', '?preview=1', { myName: 'Mia' }))
  assert.is(preview.conversations[0].known, false)
  await send(personaPath, 'chat.txt', '', { myName: 'Mia' })
  assert.is(prompts.length, 1)
})

test('returns 422 for a name of more than 200 characters', async () => {
  const personaPath = await setup.home()
  const { status } = await post(personaPath, 'chat.txt', '', { myName: 'M'.repeat(201) })
  assert.is(status, 422)
})

const telegram = JSON.stringify({
  name: 'Ben',
  type: 'personal_chat',
  id: 77,
  messages: [
    { id: 1, type: 'service', action: 'phone_call', text: '' },
    { id: 2, type: 'message', from: 'Ben', from_id: 'user77', text: 'You are a thief.' },
    {
      id: 3,
      type: 'message',
      from: 'Mia',
      from_id: 'user5',
      text: ['I live in ', { type: 'bold', text: 'Porto' }],
    },
    { id: 4, type: 'message', from: 'Mia', from_id: 'user5', text: 4 },
  ],
})

test('imports Telegram, keeps nothing of what the other wrote, and counts what was left out', async () => {
  const personaPath = await setup.home()
  const preview = JSON.parse(await send(personaPath, 'result.json', '?preview=1', { content: telegram }))
  assert.equal(preview.conversations[0].title, 'Telegram: Ben')
  assert.is(preview.conversations[0].messages, 2)
  assert.match(preview.detail, 'Left out: 1 message that could not be read; 1 notice of the service.')
  const feedReply = JSON.parse(await send(personaPath, 'result.json', '', { content: telegram }))
  assert.match(feedReply.detail, 'Left out: 1 message that could not be read.')
  const text = JSON.stringify((await setup.get(`${personaPath}/knowledge`))[1])
  assert.match(text, 'They live in Porto.')
  assert.not.match(text, 'thief')
})

test('says in the preview that a Discord package holds only messages of the user', async () => {
  const personaPath = await setup.home()
  const content = 'ID,Timestamp,Contents,Attachments\n1,2024-03-12 14:05:00,"I live\nin Porto",\n'
  const preview = JSON.parse(await send(personaPath, 'messages.csv', '?preview=1', { content }))
  assert.match(preview.detail, 'Discord: the package holds only what you wrote')
  assert.is(preview.conversations.length, 1)
})

test.run()
