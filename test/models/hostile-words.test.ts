/** A megabyte of the worst, given to what reads words by hand or by expressions that are bounded: the time of this process it may take is a few seconds. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { htmlOf } from '../../src/channels/telegram/html.ts'
import type { Prompt } from '../../src/models/mind.ts'
import { filesIn, wordsIn } from '../../src/models/practice/files-in-prompt.ts'
import { createPractice } from '../../src/models/practice/practice.ts'
import { readTranscript } from '../../src/models/practice/transcript.ts'
import { createSpokenWords } from '../../src/models/spoken-words.ts'

const most = 5
const megabyte = (words: string, end = '') => `${words.repeat(Math.ceil(1_000_000 / words.length))}${end}`

const costing = async (what: string, work: () => unknown): Promise<void> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1e6 < most, `${what}: ${(user + system) / 1e6} s`)
}

const system = '# You\n\nYou are Ada.\n\n# Now\n\n2026-11-23T10:15\n'
const tools = ['remember', 'plan', 'cancel_plan', 'recall', 'check_calendar'].map((name) => ({ name, description: '', input: {} }))

const heard = async (content: string): Promise<string> => {
  let said = ''
  const prompt = { system, messages: [{ role: 'user', content }], tools } as unknown as Prompt
  for await (const part of createPractice().think(prompt, new AbortController().signal)) if (part.type === 'words') said += part.text
  return said
}

// Seen failing with expressions that are not linear, with words that are not cut, and with files that are looked for anew from each beginning.
test('the practice mind answers a megabyte of anything', async () => {
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
  for (const piece of pieces) await costing(piece, () => heard(megabyte(piece, 'x')))
  assert.match(await heard(`${'My name is Mira. '.repeat(3)}${megabyte('and so on ')}`), /\S/)
})

test('files and voices are found among a hundred thousand that never end', async () => {
  const open = megabyte('<file name="a" file="b">')
  const whole = '<file name="n.txt" file="f1" perceived-by="researcher">\nwords\n</file>'
  await costing('beginnings', () => assert.equal(filesIn(open), []))
  assert.equal(filesIn(`${whole} and ${megabyte('<voice>')}`), [{ name: 'n.txt', file: 'f1', by: 'researcher', text: 'words' }])
  assert.is(wordsIn(`Hello ${whole}\n<voice>\nfrom here\n</voice> <note>\nx\n</note>`), 'Hello \nfrom here')
  assert.is(wordsIn('<file> is a tag, <voice>heard</voice>'), '<file> is a tag, heard')
  await costing('transcript', () => readTranscript(megabyte('[1] 2026-11-23T10:15 person: <file \n')))
})

test('a thought of a million pieces is left out, however it comes', async () => {
  await costing('pieces', () => {
    for (const piece of [' ', 'x', '<']) {
      const spoken = createSpokenWords()
      let said = spoken.next(piece === ' ' ? '' : '<think>')
      for (let n = 0; n < 1_000_000; n += 1) said += spoken.next(piece)
      said += spoken.next('<think>in</thi') + spoken.next('nk>\n\nout') + spoken.end()
      assert.is(said, 'out')
    }
  })
  const blank = createSpokenWords()
  assert.is(blank.next(' ') + blank.next('\n') + blank.next('said') + blank.end(), ' \nsaid')
})

test('what is longer than a message of Telegram is not formed, and what fills one is at once', async () => {
  for (const piece of ['```\n', '**a', '*a ', '_a ', '`', '[a](http://', '~~a', '**`a` ']) {
    assert.is(htmlOf(megabyte(piece)), null)
    await costing(piece, () => htmlOf(piece.repeat(Math.floor(4096 / piece.length))))
  }
})

test.run()
