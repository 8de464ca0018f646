/**
 * Attached files in legacy encodings: the prompt has the right text, and the reply names the guessed
 * encoding.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)

const rows = [
  ['meibo.csv', '96bc914f2c938c8b9e0d0a', '名前,東京', 'Shift-JIS'],
  ['konto.csv', '4e616d653b4265747261670d0a4dfc6c6c65723b31322c35300d0a', 'Müller;12,50', 'Windows-1252'],
  ['note.txt', 'c4e3bac3cac0bde70a', '你好世界', 'GB18030'],
] as const

test('decodes the text for the model and names the guessed encoding in the reply and the prompt', async () => {
  const ada = await setup.born('ollama', { researcher: 'ollama' })
  for (const [name, hex, words, encoding] of rows) {
    setup.forget()
    await ada.show(name, { bytes: Buffer.from(hex, 'hex') })
    const talk = (await ada.talk()).map(({ content }) => content).join('\n')
    const note = new RegExp(`Read as ${encoding}[^;]*; the file does not say its encoding\\.`, 'i')
    assert.match(talk, note, talk)
    const prompts = JSON.stringify(setup.calls)
    assert.ok(prompts.includes(words), name)
    assert.match(prompts, note, name)
  }
})

test.run()
