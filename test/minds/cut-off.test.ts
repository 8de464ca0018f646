/**
 * An answer that ended at the model's limit, from every provider: nobody takes half a sentence for a whole
 * one.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { each, within } from './provider-setup.ts'

const mark = ' …\n\n(My answer was cut off here: my mind had reached its limit. Ask me to go on.)'

// Seen failing with a cut answer that is told like any other.
test('words that were cut at the limit of a model are marked, as they come and as they are kept, and the next answer is not', () =>
  within(
    { answer: ({ text }) => (text === 'Go on' ? 'a time.' : { text: 'Once upon', end: 'length' }) },
    async (setup) => {
      const hosted = await setup.born()
      await setup.passing(
        each(hosted, async (persona) => {
          const { outcome, words } = await persona.say('Tell me a story')
          assert.equal([outcome, words], ['answered', [`Once upon${mark}`]])
          const deltas = persona.listener.frames
            .filter(({ type }) => type === 'chat_delta')
            .map(({ delta }) => delta)
          assert.is(deltas.join(''), `Once upon${mark}`)
          assert.equal((await persona.say('Go on')).words, ['a time.'])
          assert.equal((await persona.talk()).slice(1), [
            `assistant: Once upon${mark}`,
            'person: Go on',
            'assistant: a time.',
          ])
        }),
      )
    },
  ))

test.run()
