/** POST /api/persona/{persona_id}/speak, and the text of voice recordings. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MindError } from '../../packages/models/mind.ts'
import { waitFor } from '../calls.ts'
import { unknownUsage } from '../chat-only-models.ts'
import { standIn } from '../http/stand-in.ts'
import { wav } from '../stand-ins/media.ts'
import { invalidBody, notActive, shareSetup } from './setup.ts'
import { createUploads } from './uploads.ts'

const spokenTexts: string[] = []
let isBroken = false
const setup = shareSetup(test, {
  models: {
    ...standIn(),
    ear: () => ({ hear: async () => ({ text: 'How is it outside?', usage: unknownUsage }) }),
    mouth: () => ({
      speak: async (text) => {
        if (isBroken) throw new MindError('refused', 'It has no voice.')
        spokenTexts.push(text)
        return {
          bytes: wav,
          mime: 'audio/wav',
          usage: { ...unknownUsage, made: { unit: 'character', count: text.length } },
        }
      },
    }),
  },
})
const { sendFile } = createUploads(setup)
const mouth = { mouth_model: 'voice' }

const speak = async (path: string, text: string) =>
  setup.send({
    method: 'POST',
    path: `${path}/speak`,
    body: JSON.stringify({ text }),
    headers: { 'content-type': 'application/json' },
  })

test('says a text aloud, and stores nothing but the cost', async () => {
  const path = await setup.home(mouth)
  const { status, headers, text } = await speak(path, '  It rains in Graz.  ')
  assert.is(status, 200)
  assert.is(headers['content-type'], 'audio/wav')
  assert.is(headers['cache-control'], 'no-store')
  assert.is(text, wav.toString())
  assert.equal(spokenTexts, ['It rains in Graz.'])
  const facts = await setup.facts(path.split('/').at(-1) ?? '')
  const calls = facts.map((fact) => JSON.parse(fact)).filter(({ title }) => title === 'ModelAnswered')
  assert.equal(
    calls.map(({ details: { organ, cause, turn } }) => [organ, cause, turn]),
    [['mouth', 'api', null]],
  )
  assert.not.match(facts.join('\n'), 'Graz')
  assert.equal((await setup.get(`${path}/conversation`))[1].messages, [])
})

test('refuses a text that cannot be said, with the reason', async () => {
  const path = await setup.home()
  const post = (text: unknown) => setup.post(`${path}/speak`, { text })
  assert.is(
    (await post('Hello'))[1].detail,
    'The persona has no Mouth, which speaks. Add one under settings.',
  )
  assert.is((await post(''))[0], 422)
  assert.is((await post('x'.repeat(4001)))[0], 422)
  assert.equal(
    await setup.post(`${path}/speak`, {}),
    invalidBody('missing', ['body', 'text'], 'Field required', { input: {} }),
  )
  await setup.post(`${path}/update`, { mouth: { model: 'voice' } })
  isBroken = true
  const [status, { detail }] = await post('Hello')
  isBroken = false
  assert.equal([status, detail], [400, 'It has no voice.'])
  await setup.post(`${path}/stop`)
  assert.equal(await post('Hello'), notActive)
})

test('shows what the Ear understood of a recording, and lets the user correct it', async () => {
  const path = await setup.home({ ear_model: 'ear' })
  const read = async () => (await setup.get(`${path}/conversation`))[1].messages
  assert.is((await sendFile(path, 'hear', wav, 'voice.wav'))[0], 200)
  await waitFor('an answer', async () => (await read()).length === 2)
  const [clip] = await read()
  assert.is(clip.heard, 'How is it outside?')
  const editReply = await setup.send({
    method: 'PATCH',
    path: `${path}/messages/${clip.id}`,
    body: JSON.stringify({ content: 'How is it inside?' }),
    headers: { 'content-type': 'application/json' },
  })
  assert.is(editReply.status, 200)
  await waitFor('the new answer', async () => (await read()).at(-1).content === 'You said: How is it inside?')
  assert.is((await read()).length, 2)
})

test.run()
