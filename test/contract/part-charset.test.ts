/** The `charset` of the media type of a part that holds a text, for attach and feed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Part, Prompt } from '../../packages/models/mind.ts'
import { type Part as FormPart, toForm } from '../forms.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)

let prompts: string[]
test.before.each(() => {
  prompts = []
  Object.assign(setup.models, {
    getAcceptedFiles: async () => ({ images: false, documents: true }),
    mind: () => ({
      async *think({ messages }: Prompt): AsyncIterable<Part> {
        prompts.push(messages.map(({ content }) => content).join('\n'))
        yield { type: 'words', text: '{"summary":"","operations":[]}' }
        yield { type: 'end', usage: { input: 1, output: 1 } }
      },
    }),
  })
})

const post = async (path: string, parts: readonly FormPart[]): Promise<void> => {
  const { status, text } = await setup.send({ method: 'POST', path, ...toForm(parts) })
  assert.is(status, 200, text)
}

/** Returns the prompts to the model for a text. */
const getAttachPrompts = async (content: Buffer, type: string): Promise<string> => {
  const personaPath = await setup.home()
  await post(`${personaPath}/attach?wait=20`, [{ name: 'file', filename: 'a.txt', type, content }])
  return prompts.join('\n')
}

/** Returns the prompts to the model for a conversation. */
const getFeedPrompts = async (content: Buffer, type: string): Promise<string> => {
  const personaPath = await setup.home()
  const history = Buffer.concat([Buffer.from('[{"role":"user","content":"'), content, Buffer.from('"}]')])
  await post(`${personaPath}/feed`, [
    { name: 'source', content: 'another AI' },
    { name: 'history', filename: 'talk.json', type, content: history },
  ])
  return prompts.join('\n')
}

/** Letters of windows-1251, and of shift_jis. */
const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0])
const japanese = Buffer.from([0x83, 0x8f, 0x83, 0x8b])

// Fails if the charset that the parser drops is not restored.
test('decodes an attached text with the charset of its part', async () => {
  assert.match(await getAttachPrompts(cyrillic, 'text/plain; charset=windows-1253'), 'Οπθβες μθπ')
  assert.match(
    await getAttachPrompts(cyrillic, 'text/plain;format=flowed; charset="windows-1251"'),
    'Привет мир',
  )
  assert.match(await getAttachPrompts(japanese, 'text/plain; charset=Shift_JIS'), 'ワル')
  assert.match(await getAttachPrompts(japanese, 'TEXT/PLAIN; CHARSET=windows-1252'), 'ƒ')
  // The bytes are valid UTF-8, too: the charset of the part wins.
  assert.match(await getAttachPrompts(Buffer.from('für'), 'text/plain; charset=windows-1252'), 'fÃ¼r')
})

// Fails if the charset that the parser drops is not restored.
test('decodes a history with the charset of its part', async () => {
  assert.match(await getFeedPrompts(cyrillic, 'text/plain; charset=windows-1253'), 'Οπθβες μθπ')
  assert.match(await getFeedPrompts(japanese, 'text/plain; charset=shift_jis'), 'ワル')
})

test('detects the encoding if the bytes contradict the charset, or if it is unknown', async () => {
  const text = Buffer.from('Grüße aus Köln')
  for (const charset of ['utf-8', 'us-ascii', 'klingon', '', 'utf-16le; x="'])
    assert.match(await getAttachPrompts(text, `text/plain; charset=${charset}`), 'Grüße aus Köln', charset)
  const marked = Buffer.from('\ufeffGrüße aus Köln')
  assert.match(await getAttachPrompts(marked, 'text/plain; charset=windows-1252'), 'Grüße aus Köln')
  const invalid = Buffer.from('Grüße aus Köln', 'latin1')
  assert.match(await getAttachPrompts(invalid, 'text/plain; charset=utf-8'), 'Grüße aus Köln')
  prompts = []
  assert.match(await getFeedPrompts(invalid, 'text/plain; charset=utf-8'), 'Grüße aus Köln')
})

test('decodes each of several files with the charset of its part', async () => {
  const personaPath = await setup.home()
  const parts = ['windows-1253', 'windows-1251'].map((charset, n) => ({
    name: 'file',
    filename: `${n}.txt`,
    type: `text/plain; charset=${charset}`,
    content: cyrillic,
  }))
  await post(`${personaPath}/attach?wait=20`, [...parts, { name: 'caption', content: 'both' }])
  const promptText = prompts.join('\n')
  assert.match(promptText, 'Οπθβες μθπ')
  assert.match(promptText, 'Привет мир')
})

test.run()
