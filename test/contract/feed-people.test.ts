/** POST /api/persona/{persona_id}/feed: chats between people. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Part, Prompt } from '../../packages/models/mind.ts'
import { formOf } from '../forms.ts'
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

const send = async (at: string, filename: string, query = '') => {
  const { status, text } = await setup.send({
    method: 'POST',
    path: `${at}/feed${query}`,
    ...formOf([
      { name: 'source', content: 'WhatsApp' },
      { name: 'history', filename, content: chat },
    ]),
  })
  assert.is(status, 200, text)
  return text
}

test('learns nothing from messages of other people and informs the model that they are people', async () => {
  const at = await setup.home()
  const preview = await send(at, 'WhatsApp Chat with Ben.txt', '?preview=1')
  assert.match(preview, '“Mia” was taken for you')
  await send(at, 'WhatsApp Chat with Ben.txt')
  assert.match(JSON.stringify(prompts), 'none of them is an AI')
  const text = JSON.stringify((await setup.get(`${at}/knowledge`))[1])
  assert.match(text, 'They live in Porto.')
  assert.not.match(text, 'thief')
  assert.not.match(text, 'owe Ben')
})

test('makes no model call for a chat in which the user is unknown, and reports it', async () => {
  const at = await setup.home()
  for (const query of ['?preview=1', ''])
    assert.match(await send(at, 'chat.txt', query), 'not known who you are')
  assert.is(prompts.length, 0)
})

test.run()
