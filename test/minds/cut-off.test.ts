/** Answers that end at the model's token limit, from every provider. They must be marked as incomplete. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { forEachHost, withProviderSetup } from './provider-setup.ts'

const mark = ' …\n\n(My answer was cut off here: my mind had reached its limit. Ask me to go on.)'

// Verified to fail if a truncated answer is reported like any other.
test('marks an answer that was truncated at the token limit, in the stream and in the conversation', () =>
  withProviderSetup(
    { answer: ({ text }) => (text === 'Go on' ? 'a time.' : { text: 'Once upon', end: 'length' }) },
    async (setup) => {
      const personas = await setup.born()
      await setup.passing(
        forEachHost(personas, async (persona) => {
          const { outcome, texts } = await persona.say('Tell me a story')
          assert.equal([outcome, texts], ['answered', [`Once upon${mark}`]])
          const deltas = persona.listener.frames
            .filter(({ type }) => type === 'chat_delta')
            .map(({ delta }) => delta)
          assert.is(deltas.join(''), `Once upon${mark}`)
          assert.equal((await persona.say('Go on')).texts, ['a time.'])
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
