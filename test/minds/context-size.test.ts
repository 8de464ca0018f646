import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { budgetIn } from '../../src/mind/prompt/prompt-part.ts'
import { openSetup } from './setup.ts'

const test = suite('one context size per model')

test('25 exchanges, probes and a night use one context size', async () => {
  const setup = await openSetup({
    context: 32_768,
    answer: ({ messages }) =>
      `Answer ${messages.length}. ${'They walked along the river and talked. '.repeat(40)}`,
  })
  try {
    const id = await setup.ada()
    for (let n = 0; n < 25; n++) await setup.say(id, `Message ${n}. ${'It rained all day. '.repeat(60)}`)
    const callCountBefore = setup.ollama.calls('/api/chat').length
    const { status } = await setup.post(`/api/persona/${id}/sleep`)
    assert.is(status, 200)
    await setup.waitForEvent(
      'the night',
      () => setup.ollama.calls('/api/chat').length > callCountBefore,
      1000,
    )
    const bodies = setup.ollama.calls('/api/chat').map(({ body }) => body)
    assert.ok(bodies.length > 26, String(bodies.length))
    assert.ok(bodies.some(({ format }) => format !== undefined))
    const sizes = bodies.map(({ options }) => (options as { num_ctx?: number } | undefined)?.num_ctx)
    assert.equal([...new Set(sizes)], [16_384])
    const longest = Math.max(...bodies.map(({ messages }) => JSON.stringify(messages).length / 4))
    assert.ok(longest < 16_384, String(longest))
  } finally {
    await setup.close()
  }
})

test('the shares of a prompt fit into the context, with a turn as long as the talk before it', () => {
  for (const context of [8192, 16_384, 32_768, 131_072]) {
    const { talk, knowledge, plans, consolidation } = budgetIn(context)
    assert.ok(2 * talk + knowledge + plans + 2500 <= context, String(context))
    assert.ok(consolidation + 2000 <= context, String(context))
    assert.ok(talk > 1000, String(talk))
  }
})

test.run()
