/** What a small model sees of the changes of a statement, and how its calls are carried out. */
import { test } from 'uvu'
import { is, match, not, ok } from 'uvu/assert'
import { calls, createWordParts, filterFacts, has, openStage, type Script, type Stage } from './stage.ts'

const thinking = { model: 'qwen3:4b', provider: null, url: null, key: null }

const withStage = async (script: Script, play: (stage: Stage) => Promise<void>) => {
  const stage = await openStage({ script, organs: { thinking } })
  try {
    await stage.execute({
      type: 'KeepMemory',
      id: 'emil',
      document: 'person',
      text: 'Their son is Emil (8).',
      sources: [],
      origin: 'person',
    })
    // The system prompt shows the statement after a night.
    await stage.agents.sleep('ada')
    await play(stage)
  } finally {
    await stage.close()
  }
}

/** Returns the last request of the turn. */
const say = async (stage: Stage, words: string) => {
  const before = filterFacts(await stage.facts(), 'TurnEnded').length
  await stage.hear(words)
  await stage.until('an answer', has('TurnEnded', before + 1))
  const prompt = stage.prompts.at(-1)
  ok(prompt)
  return prompt
}

test('removes a statement from the system prompt as soon as the persona has forgotten it', () =>
  withStage(
    ({ messages }) =>
      messages.at(-1)?.role === 'user'
        ? calls('forget', { id: 'emil' })
        : createWordParts('It is forgotten.'),
    async (stage) => {
      const { system, tools, messages } = await say(stage, 'Forget what you know of Emil, my son.')
      ok(tools.some(({ name }) => name === 'cancel_plan'))
      match(JSON.stringify(messages), /forgotten/)
      not.match(system, /Emil/)
    },
  ))

test('shows a correction of the user in the system prompt of a small model, and as a note', () =>
  withStage(
    () => createWordParts('Yes.'),
    async (stage) => {
      match((await say(stage, 'Hello.')).system, /\[emil\] Their son is Emil \(8\)/)
      await stage.execute({
        type: 'AmendMemory',
        id: 'emil',
        text: 'Their son is Emil (9).',
        forgotten: null,
      })
      const { system, messages } = await say(stage, 'How old is he?')
      match(system, /\[emil\] Their son is Emil \(9\)/)
      not.match(system, /Emil \(8\)/)
      match(JSON.stringify(messages), /corrected what you know: \[emil\] Their son is Emil \(9\)/)
    },
  ))

test('shows and stores no mark that the model repeats', () =>
  withStage(
    () => createWordParts('(09:2', '5) Emil is eight [em', 'il] or [m3eed', '6ba0].'),
    async (stage) => {
      await say(stage, 'How old is he?')
      is(filterFacts(await stage.facts(), 'MessageSpoken').at(-1)?.content, 'Emil is eight [emil] or.')
      const streamed = stage.signs.flatMap((sign) => (sign.type === 'delta' ? JSON.stringify(sign) : []))
      ok(streamed.length > 0)
      not.match(streamed.join(''), /09:2|m3eed/)
    },
  ))

test.run()
