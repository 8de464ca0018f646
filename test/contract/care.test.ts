/** /api/persona/{persona_id}/care, and the help in the conversation */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { type Answer, json, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const get = async (path: string) => (await setup.get(path))[1]
const put = async (path: string, body: object): Promise<Answer> => {
  const { status, text } = await setup.send({
    method: 'PUT',
    path,
    body: JSON.stringify(body),
    headers: json,
  })
  return [status, JSON.parse(text)]
}

test('shows and changes the country of the help', async () => {
  const path = await setup.home()
  const before = await get(`${path}/care`)
  assert.equal([before.country, before.help], [null, true])
  assert.ok(before.countries.includes('DE'))
  const [status, changed] = await put(`${path}/care`, { country: 'AT', help: true })
  assert.equal([status, changed.country], [200, 'AT'])
  assert.match(changed.texts.de, /TelefonSeelsorge: 142, Tag und Nacht/)
  assert.match(changed.texts.en, /call 112/)
})

test('switches the help off only if the user confirms that they are an adult', async () => {
  const path = await setup.home()
  const [refused] = await put(`${path}/care`, { country: null, help: false })
  assert.is(refused, 422)
  assert.is((await get(`${path}/care`)).help, true)
  const [status, { help }] = await put(`${path}/care`, { country: null, help: false, adult: true })
  assert.equal([status, help], [200, false])
  const [, checked] = await setup.post(`${path}/care/check`, { text: 'I want to die' })
  assert.equal(checked, { help: null })
})

test('returns 422 for a country that is none, and 404 for a missing persona', async () => {
  const path = await setup.home()
  for (const country of ['Germany', 'de', '', 7])
    assert.is((await put(`${path}/care`, { country, help: true }))[0], 422)
  assert.equal(await put('/api/persona/nobody/care', { country: null, help: true }), unknownPersona)
  assert.equal(await setup.post('/api/persona/nobody/care/check', { text: '' }), unknownPersona)
})

test('checks words without storing them', async () => {
  const path = await setup.home()
  await put(`${path}/care`, { country: 'CH', help: true })
  const readJournal = async () => (await setup.send({ path: `${path}/journal` })).text
  const before = await readJournal()
  const [, { help }] = await setup.post(`${path}/care/check`, { text: 'Ich will nicht mehr leben' })
  assert.equal([help.country, /143/.test(help.text)], ['CH', true])
  const [, harmless] = await setup.post(`${path}/care/check`, { text: 'Ich sterbe vor Neugier' })
  assert.equal(harmless, { help: null })
  assert.is(await readJournal(), before)
})

test('shows the help in the conversation, not in the reply of the persona', async () => {
  const path = await setup.home()
  await put(`${path}/care`, { country: 'DE', help: true })
  assert.is(await setup.say(path, 'I want to die'), 'You said: I want to die')
  const { messages } = await get(`${path}/conversation`)
  const { help, notice, content } = messages.at(-1)
  assert.equal([help, notice, /0800 1110111/.test(content)], ['DE', true, true])
})

test('shows the help although the user stops the answer', async () => {
  const path = await setup.home()
  await put(`${path}/care`, { country: 'DE', help: true })
  setup.models.think = () => new Promise(() => {})
  const pendingReply = setup.post(`${path}/read?wait=20`, { message: 'I want to die' })
  await waitFor('a turn to hush', async () => (await setup.post(`${path}/hush`))[1].status === 'hushed')
  await pendingReply
  setup.models.think = async () => {}
  assert.is((await get(`${path}/conversation`)).messages.at(-1).help, 'DE')
})

test.run()
