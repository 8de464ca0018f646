/** Texts of the daemon in the talk: marked as notices, and hidden from every model. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { localTimeAt } from '../../packages/kit/time/local-time.ts'
import { MindError, type Part } from '../../packages/models/mind.ts'
import { isNotice } from '../../projections/message-parts.ts'
import { readNotice } from '../../projections/notice-codes.ts'
import { toOutageNotice, toSilenceNotice } from '../../src/agents/outage-notices.ts'
import { createFakeClock } from '../clock.ts'
import { calls, createWordParts, filterFacts, has, openStage } from './stage.ts'

const failures: readonly (readonly [string, MindError['kind']])[] = [
  ['an unreachable model', 'unreachable'],
  ['a refusal', 'refused'],
]

for (const [name, kind] of failures)
  test(`no later request contains the notice about ${name}, also not at night`, async () => {
    let fails = true
    const stage = await openStage({
      script: (): Iterable<Part> => {
        if (fails) throw new MindError(kind, 'Zebra.')
        return createWordParts('Good to hear from you.')
      },
    })
    try {
      await stage.hear('Are you there, in Lisbon?')
      const noticeFacts = await stage.waitForFacts('the notice', has('MessageSpoken'))
      const [message] = filterFacts(noticeFacts, 'MessageSpoken')
      assert.match(message?.content ?? '', /^The model (?:does not answer|did not answer this): Zebra\./)
      assert.is(message?.notice, true)
      fails = false
      await stage.hear('And now?')
      const answerFacts = await stage.waitForFacts('an answer', (facts) =>
        filterFacts(facts, 'TurnEnded').some(({ outcome }) => outcome === 'answered'),
      )
      assert.is(filterFacts(answerFacts, 'MessageSpoken').at(-1)?.notice, undefined)
      const begin = stage.prompts.length
      await stage.agents.sleep('ada')
      assert.ok(stage.prompts.length > begin, 'no request at night')
      const laterPrompts = JSON.stringify(stage.prompts.slice(1))
      assert.match(laterPrompts, /And now\?/)
      assert.not.match(laterPrompts, /Zebra/)
      assert.match(JSON.stringify(stage.prompts.slice(begin)), /Lisbon/)
    } finally {
      await stage.close()
    }
  })

test('sends a due reminder as a message of its own before the notice', async () => {
  const start = Date.parse('2026-11-23T10:15:00+01:00')
  const stage = await openStage({
    clock: createFakeClock(start, 'Europe/Berlin'),
    script: (): Iterable<Part> => {
      throw new MindError('refused', 'Zebra.')
    },
  })
  try {
    const wall = localTimeAt(start + 20_000, 'Europe/Berlin')
    await stage.execute({
      type: 'WriteEntry',
      entry: {
        id: 'p1',
        kind: 'reminder',
        wall,
        zone: 'Europe/Berlin',
        content: 'Call Tom',
        recurrence: null,
        anchor: wall,
      },
    })
    const facts = await stage.waitForFacts('the end of the turn', has('TurnEnded'))
    assert.equal(
      filterFacts(facts, 'MessageSpoken').map(({ content, notice }) => [/Call Tom/.test(content), notice]),
      [
        [true, undefined],
        [false, true],
      ],
    )
  } finally {
    await stage.close()
  }
})

// Fails if the turn ends after the last step with tools: the model then never gets the chance to answer.
test('asks once more for an answer without running the calls of the last step', async () => {
  const stage = await openStage({
    script: (_prompt, _signal, call) =>
      call <= 16
        ? calls('check_health', { n: call })
        : [{ type: 'words', text: 'This is what I found.' }, ...calls('check_health', { n: call })],
  })
  try {
    await stage.hear('Look at everything')
    const facts = await stage.until('the end', has('TurnEnded'))
    assert.is(stage.prompts.length, 17)
    assert.equal(stage.prompts[16]?.tools, stage.prompts[0]?.tools)
    assert.equal(
      stage.prompts[16]?.messages.slice(0, stage.prompts[15]?.messages.length),
      stage.prompts[15]?.messages,
    )
    assert.match(
      JSON.stringify(stage.prompts[16]?.messages.at(-1)),
      /No more tools can be used in this turn\. Answer now\./,
    )
    const results = filterFacts(facts, 'ToolAnswered')
    assert.is(results.length, 16)
    assert.is(results.filter(({ ok }) => !ok).length, 1)
    assert.equal(
      filterFacts(facts, 'MessageSpoken').map(({ content, notice }) => [content, notice]),
      [['This is what I found.', undefined]],
    )
    assert.equal(
      filterFacts(facts, 'TurnEnded').map(({ outcome }) => outcome),
      ['answered'],
    )
    await stage.hear('Thanks')
    await stage.until('another turn', has('TurnEnded', 2))
    assert.match(JSON.stringify(stage.prompts[17]?.messages), /This is what I found\./)
  } finally {
    await stage.close()
  }
})

test('recognises notices of older daemons by their text', () => {
  const channel = { type: 'web', name: 'ada' } as const
  const spokenFields = { type: 'MessageSpoken', channel, media: null, asks: null } as const
  const old =
    'I cannot think right now: No answer. Your message is kept, and I will answer when my mind is back.'
  assert.ok(isNotice({ ...spokenFields, turn: null, step: null, content: old }))
  assert.ok(isNotice({ ...spokenFields, turn: 3, step: null, content: 'I cannot answer this: No.' }))
  assert.not(isNotice({ ...spokenFields, turn: 3, step: 1, content: old }))
  // An answer to a program.
  assert.not(isNotice({ ...spokenFields, channel: null, turn: null, step: null, content: old }))
  assert.not(
    isNotice({ ...spokenFields, turn: null, step: null, content: 'You asked me to remind you: I cannot' }),
  )
})

// Fails if the text of a notice changes without its form.
test('gives notices a code and the values in them', () => {
  assert.equal(readNotice(toOutageNotice('The server at localhost does not answer.')), {
    notice_code: 'outage',
    notice_values: { reason: 'The server at localhost does not answer.' },
  })
  assert.equal(readNotice(toSilenceNotice(60)), { notice_code: 'silent', notice_values: { seconds: '60' } })
  assert.equal(readNotice('Something else.'), {})
})

test.run()
