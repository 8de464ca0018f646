/** Marks of prompts that models repeat in their answers. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { Mind, Prompt } from '../../packages/models/mind.ts'
import { withoutMarks } from '../../src/mind/prompt/answer-marks.ts'

const read = async (...pieces: readonly string[]): Promise<readonly string[]> => {
  const mind: Mind = {
    async *think() {
      for (const text of pieces) yield { type: 'words', text } as const
      yield { type: 'end', usage: { input: null, output: null } }
    },
  }
  const texts: string[] = []
  for await (const part of withoutMarks(mind).think({} as Prompt, new AbortController().signal))
    if (part.type === 'words') texts.push(part.text)
  return texts
}

/** The answer, and the text that the user sees. */
const table: readonly (readonly [string, string])[] = [
  ['(09:25) At 09:40 I will tell you.', 'At 09:40 I will tell you.'],
  ['(Saturday 28 November 2026, 10:00, 11 hours later)\nGood morning.', 'Good morning.'],
  ['[due] Pasta, Kati.', 'Pasta, Kati.'],
  ['[note] Noted.', 'Noted.'],
  ['Noted [m3eed6ba0].', 'Noted.'],
  ['You know [m1]: two ([p5d7d49f2]) plans [m1a2, m3b4].', 'You know: two plans.'],
  ['- [m1a2] You like tea.\n- [mf6562281] You like dogs.', '- You like tea.\n- You like dogs.'],
  ['[you know: [m1a2] They like tea. (until 2030)]\nTea, as ever?', 'Tea, as ever?'],
  ['Meet me (at 09:25) or [maybe] on [page 3].', 'Meet me (at 09:25) or [maybe] on [page 3].'],
  ['At (09:25) it rings. [1] [made]', 'At (09:25) it rings. [1] [made]'],
  ['(Sure, I can.) [yes', '(Sure, I can.) [yes'],
  ['```js\nlist = [m1]\n```\nand a[p1] [m1]', '```js\nlist = [m1]\n```\nand a[p1]'],
  ['', ''],
  ['[m1]', ''],
]

test('removes marks from an answer, however it is divided', async () => {
  for (const [answer, text] of table) {
    is((await read(answer)).join(''), text, answer)
    is((await read(...answer)).join(''), text, answer)
    for (let at = 1; at < answer.length; at++)
      is((await read(answer.slice(0, at), answer.slice(at))).join(''), text, `${answer} at ${at}`)
  }
})

test('holds back words only while they can become a mark', async () => {
  equal(await read('One (two', ' three) [four', '] five'), ['One (two', ' three) [four', '] five'])
})

test.run()
