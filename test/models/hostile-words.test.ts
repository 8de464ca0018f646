/**
 * Feeds 1 MB of worst-case text to the hand-written parsers and the bounded regular expressions. They may use
 * a few seconds of CPU time.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PromptData } from '../../packages/models/prompt-data.ts'
import { createSpokenWords } from '../../packages/models/spoken-words.ts'
import { createPractice } from '../../packages/practice-mind/practice.ts'
import {
  collectAnswer,
  createLine,
  createPrompt,
  createUtterance,
  overPrompt,
} from '../../packages/practice-mind/test/world.ts'
import { toTelegramHtml } from '../../src/channels/telegram/html.ts'

const maxSeconds = 5
const megabyte = (text: string, end = '') => `${text.repeat(Math.ceil(1_000_000 / text.length))}${end}`

const assertFast = async (description: string, work: () => unknown): Promise<void> => {
  const cpuBefore = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  assert.ok((user + system) / 1e6 < maxSeconds, `${description}: ${(user + system) / 1e6} s`)
}

const turn = {
  kind: 'turn',
  name: 'Ada',
  statements: [],
  plans: [],
  laterPlans: 0,
  carried: '',
  now: '2026-11-23T10:15',
} as const
const tools = ['remember', 'recall', 'plan', 'plan add', 'plan cancel', 'plan list']
const mind = createPractice()

const answerFor = async (content: string): Promise<string> => {
  const data: PromptData = { ...turn, talk: [createUtterance(content)] }
  return (await collectAnswer(mind, createPrompt(data, tools))).text
}

// Verified to fail if the regular expressions are not linear, and if text is not cut.
test('the practice mind answers 1 MB of any text', async () => {
  const pieces = [
    '<file ',
    '<file>x',
    '<note>a</note',
    '!',
    '?',
    ' ',
    '\n',
    'at ',
    'and i ',
    'my ',
    ', ',
    'today ',
    'remind me to ',
    'i like a, ',
    '“a ',
    '``` ',
  ]
  for (const piece of pieces) await assertFast(piece, () => answerFor(megabyte(piece, 'x')))
  assert.match(await answerFor(`${'My name is Mira. '.repeat(3)}${megabyte('and so on ')}`), /\S/)
})

test('the practice mind consolidates 1 MB of any text', async () => {
  for (const piece of ['> ', '[1] 2026-11-23T10:15 ', '\n', '```', '“a '])
    await assertFast(piece, () =>
      collectAnswer(mind, overPrompt({}, [createLine({ seq: 1, words: megabyte(piece) })])),
    )
})

test('removes a thought of a million chunks in every form', async () => {
  await assertFast('pieces', () => {
    for (const piece of [' ', 'x', '<']) {
      const spokenWords = createSpokenWords()
      let text = spokenWords.next(piece === ' ' ? '' : '<think>')
      for (let n = 0; n < 1_000_000; n += 1) text += spokenWords.next(piece)
      text += spokenWords.next('<think>in</thi') + spokenWords.next('nk>\n\nout') + spokenWords.end()
      assert.is(text, 'out')
    }
  })
  const blank = createSpokenWords()
  assert.is(blank.next(' ') + blank.next('\n') + blank.next('said') + blank.end(), ' \nsaid')
})

test('formats a full Telegram message quickly and leaves longer text unformatted', async () => {
  for (const piece of ['```\n', '**a', '*a ', '_a ', '`', '[a](http://', '~~a', '**`a` ']) {
    assert.is(toTelegramHtml(megabyte(piece)), null)
    await assertFast(piece, () => toTelegramHtml(piece.repeat(Math.floor(4096 / piece.length))))
  }
})

test.run()
