/** Statements that the system prompt has no room for are shown with a message that is about them. */
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import type { KeepMemory } from '../../src/persona/rules/memory.ts'
import { createWordParts, filterFacts, has, openStage, type Script, type Stage } from './stage.ts'

const keep = (stage: Stage, id: string, text: string, fields: Partial<KeepMemory> = {}) =>
  stage.execute({
    type: 'KeepMemory',
    id,
    document: 'person',
    text,
    sources: [],
    origin: 'person',
    ...fields,
  })

/** A stage whose system prompt has no room for the first statements. */
const withStage = async (script: Script, play: (stage: Stage) => Promise<void>) => {
  const stage = await openStage({ script, contextWindow: 4096 })
  try {
    await keep(stage, 'bees', 'Their sister Ana keeps bees in Porto.', { until: '2030' })
    await keep(stage, 'honey', 'Bo says that honeydew is [better] for bees.', {
      origin: 'consolidation',
      via: { from: 'forwarded', by: 'Bo' },
    })
    await keep(stage, 'wake', 'You may open the bees at night.', { document: 'permissions' })
    for (let n = 0; n < 8; n++) await keep(stage, `f${n}`, `They own ${`thing-${n} `.repeat(20)}`)
    // The system prompt shows the statements after a night.
    await stage.agents.sleep('ada')
    await play(stage)
  } finally {
    await stage.close()
  }
}

const say = async (stage: Stage, message: string) => {
  const countBefore = filterFacts(await stage.facts(), 'TurnEnded').length
  await stage.hear(message)
  await stage.until('an answer', has('TurnEnded', countBefore + 1))
  return stage.prompts.at(-1)
}

test('shows up to five statements with the message that is about them, and repeats them byte for byte', () =>
  withStage(
    () => createWordParts('Yes.'),
    async (stage) => {
      const first = await say(stage, 'How are the bees of my sister?')
      not.match(first?.system ?? '', /\[bees\]/)
      const [message] = first?.messages ?? []
      match(
        message?.content ?? '',
        /^\[you know: \[bees\] Their sister Ana keeps bees in Porto\. \(until 2030\)\]\n/,
      )
      match(
        message?.content ?? '',
        /\n\[you know: \[honey\] Bo says that honeydew is \(better\) for bees\. \(from a forwarded message: Bo\)\]\nHow are/,
      )
      not.match(message?.content ?? '', /at night/)
      const [began] = filterFacts(await stage.facts(), 'TurnBegan')
      is(began?.known?.length, 2)

      const second = await say(stage, 'And my sister Ana?')
      is(second?.messages[0]?.content, message?.content)
      not.match(String(second?.messages.at(-1)?.content), /you know/)

      const third = await say(stage, 'Hello, how are you?')
      not.match(String(third?.messages.at(-1)?.content), /you know/)
    },
  ))

test('hides a shown statement after the user has forgotten it', () =>
  withStage(
    () => createWordParts('Yes.'),
    async (stage) => {
      await say(stage, 'How are the bees of my sister?')
      await stage.execute({ type: 'AmendMemory', id: 'bees', text: null, forgotten: true })
      const prompt = await say(stage, 'And now?')
      not.match(JSON.stringify(prompt), /Ana keeps/)
      match(String(prompt?.messages[0]?.content), /honeydew/)
    },
  ))

test('keeps a correction beside the statement as it was shown', () =>
  withStage(
    () => createWordParts('Yes.'),
    async (stage) => {
      const first = await say(stage, 'How are the bees of my sister?')
      await stage.execute({
        type: 'AmendMemory',
        id: 'bees',
        text: 'Ana keeps bees in Faro.',
        forgotten: null,
      })
      const second = await say(stage, 'And now?')
      is(second?.messages[0]?.content, first?.messages[0]?.content)
      match(JSON.stringify(second?.messages), /corrected what you know: \[bees\] Ana keeps bees in Faro/)
    },
  ))

test('words of others in a shown statement stay words of others', () =>
  withStage(
    () => createWordParts('Honeydew it is.'),
    async (stage) => {
      await say(stage, 'How are the bees?')
      const [answer] = filterFacts(await stage.facts(), 'MessageSpoken').slice(-1)
      equal(answer?.borrowed, ['honeydew'])
    },
  ))

test('answers without statements if the search fails', async () => {
  const stage = await openStage({
    script: () => createWordParts('Yes.'),
    contextWindow: 4096,
    search: {
      rank: async () => {
        throw new Error('no index')
      },
    },
  })
  try {
    for (let n = 0; n < 9; n++) await keep(stage, `f${n}`, `They own ${`thing-${n} `.repeat(20)}`)
    await stage.agents.sleep('ada')
    const prompt = await say(stage, 'What about thing-1?')
    ok(prompt)
    is(filterFacts(await stage.facts(), 'TurnBegan')[0]?.known, undefined)
  } finally {
    await stage.close()
  }
})

test.run()
