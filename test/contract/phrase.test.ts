/** POST /api/persona/{persona_id}/phrase */
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { listenTo } from '../listener.ts'
import { exportDiary, first, type Keys, readFrames, second, unpacked } from './diaries.ts'
import { invalidBody, joinKeys, shareSetup, unknownPersona } from './setup.ts'

/** The next phrase, and a promise that delays its creation. */
let nextKeys: Keys = first
let phraseDelay: Promise<void> | undefined
let callCount = 0
const logLines: string[] = []
const clock = createFakeClock()
const newPhrase = async () => {
  callCount++
  await phraseDelay
  return nextKeys
}
const setup = shareSetup(test, { clock, newPhrase, logTo: (line) => logLines.push(line) })
test.before.each(() => {
  nextKeys = first
  phraseDelay = undefined
})

const listDiaries = (id: string) => readdir(join(setup.daemon.home, 'diaries', id))
const readDiary = async (id: string, name: string) => readFile(join(setup.daemon.home, 'diaries', id, name))
const canOpen = (bytes: Uint8Array, keys: Keys): Promise<boolean> =>
  unpacked(bytes, keys).then(
    () => true,
    () => false,
  )
const changePhrase = async (id: string, query = '') => {
  nextKeys = second
  // Names of diaries have a resolution of one second.
  await clock.advance(1000)
  return setup.post(`/api/persona/${id}/phrase${query}`)
}

test('writes a first diary at creation, which the first phrase opens', async () => {
  const id = await setup.born()
  const [name = '', ...otherNames] = await listDiaries(id)
  assert.equal(otherNames, [])
  assert.ok(await canOpen(await readDiary(id, name), first))
  assert.ok((await readFrames(setup.daemon, id)).some(({ title }) => title === 'DiaryWritten'))
})

// Fails if the new diary is encrypted for the previous phrase.
test('encrypts new diaries for the new phrase only, and shows the phrase nowhere else', async () => {
  const id = await setup.born()
  const [old = ''] = await listDiaries(id)
  const system = await listenTo(setup.daemon.url, '/ws/system')
  await setup.say(`/api/persona/${id}`, 'I live in Lisbon.')
  const [status, body] = await changePhrase(id)
  assert.equal(
    [status, joinKeys(body), joinKeys(body.diary)],
    [200, 'recovery_phrase recipient diary older', 'time events bytes'],
  )
  assert.equal([body.recovery_phrase, body.older], [second.phrase, 1])
  const [name = ''] = (await listDiaries(id)).filter((diaryName) => diaryName !== old)
  const newDiary = await readDiary(id, name)
  assert.is(body.diary.bytes, newDiary.length)
  assert.is(Date.parse(body.diary.time), clock.now())
  const { facts, manifest } = await unpacked(newDiary, second)
  assert.equal([facts.length, manifest.persona.recipient], [body.diary.events, second.recipient])
  assert.ok(facts.some(({ content }) => content === 'You said: I live in Lisbon.'))
  assert.not(await canOpen(newDiary, first))
  assert.ok(await canOpen(await readDiary(id, old), first))
  const laterDiary = await exportDiary(setup.daemon, id)
  assert.equal([await canOpen(laterDiary, second), await canOpen(laterDiary, first)], [true, false])

  await waitFor('the frame', () => system.frames.some(({ title }) => title === 'PhraseChanged'))
  system.leave()
  const shownText = [
    ...logLines,
    ...system.texts,
    ...(await readFrames(setup.daemon, id)).map((frame) => JSON.stringify(frame)),
  ].join('\n')
  assert.ok(logLines.length > 0)
  for (const word of [
    second.phrase,
    second.identity,
    second.phrase.split(' ').slice(0, 3).join(' '),
    'panda',
    'gorilla',
  ])
    assert.not.match(shownText, word)
})

test('counts diaries that only an older phrase opens, and removes them on request', async () => {
  const id = await setup.born()
  const [old = ''] = await listDiaries(id)
  assert.is((await changePhrase(id, '?remove_older=false'))[1].older, 1)
  const diaryNames = await listDiaries(id)
  assert.equal([diaryNames.length, diaryNames.includes(old)], [2, true])
  assert.is((await changePhrase(id, '?remove_older=true'))[1].older, 0)
  for (const name of await listDiaries(id)) assert.ok(await canOpen(await readDiary(id, name), second), name)
  assert.not((await listDiaries(id)).includes(old))
})

test('leaves a stopped persona stopped, and rejects a missing persona and an invalid parameter', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  assert.is((await changePhrase(id))[0], 200)
  assert.is((await setup.view(id)).running, false)
  for (const unknownId of ['nobody', '..%2F..'])
    assert.equal(await setup.post(`/api/persona/${unknownId}/phrase`), unknownPersona)
  assert.equal(
    await setup.post(`/api/persona/${id}/phrase?remove_older=maybe`),
    invalidBody(
      'bool_parsing',
      ['query', 'remove_older'],
      'Input should be a valid boolean, unable to interpret input',
      { input: 'maybe' },
    ),
  )
})

// Fails if a disconnected client is not detected: diaries are then encrypted for a phrase that no one has
// received.
test('keeps phrase and diaries when the client disconnects before the end', async () => {
  const id = await setup.born()
  const names = await listDiaries(id)
  const facts = await readFrames(setup.daemon, id)
  let go = () => {}
  phraseDelay = new Promise((resolve) => {
    go = resolve
  })
  nextKeys = second
  const callCountBefore = callCount
  const httpRequest = request({
    port: setup.daemon.port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/persona/${id}/phrase`,
    agent: false,
  })
  httpRequest.on('error', () => {})
  httpRequest.end()
  await waitFor('the request for a phrase', () => callCount > callCountBefore)
  httpRequest.destroy()
  // Requests are handled in order: after these the disconnect has been noticed.
  for (let n = 0; n < 3; n++) await setup.get('/api/personas')
  go()
  // Commands of a persona run one at a time: this one waits for the phrase.
  assert.is((await setup.post(`/api/persona/${id}/update`, { idle_timeout: 60 }))[0], 200)
  // The draft is deleted after the response.
  await waitFor('its diaries', async () => (await listDiaries(id)).join() === names.join())
  assert.equal(
    (await readFrames(setup.daemon, id)).filter(({ title }) => title !== 'IdleTimeoutSet'),
    facts,
  )
  assert.ok(await canOpen(await exportDiary(setup.daemon, id), first))
})

const getPhrase = async (id: string) => (await setup.get(`/api/persona/${id}/phrase`))[1]
const confirmPhrase = (id: string, body: object = {}) => setup.post(`/api/persona/${id}/phrase/confirm`, body)
const countConfirmations = async (id: string) =>
  (await readFrames(setup.daemon, id)).filter(({ title }) => title === 'PhraseConfirmed').length

// Fails if a new phrase counts as confirmed.
test('records one confirmation, valid until the phrase changes', async () => {
  const id = await setup.born()
  assert.equal(await getPhrase(id), { recipient: first.recipient, confirmed: false })
  assert.equal(await confirmPhrase(id), [200, { recipient: first.recipient, confirmed: true }])
  assert.equal(await confirmPhrase(id, { recipient: first.recipient }), [
    200,
    { recipient: first.recipient, confirmed: true },
  ])
  assert.is(await countConfirmations(id), 1)
  await changePhrase(id)
  assert.equal(await getPhrase(id), { recipient: second.recipient, confirmed: false })
})

// Fails if the rule ignores which phrase is confirmed.
test('does not confirm a previous phrase', async () => {
  const id = await setup.born()
  await changePhrase(id)
  const [status, body] = await confirmPhrase(id, { recipient: first.recipient })
  assert.is(status, 409)
  assert.match(body.detail, /was renewed/)
  assert.equal(await getPhrase(id), { recipient: second.recipient, confirmed: false })
  assert.is((await confirmPhrase(id, { recipient: second.recipient }))[1].confirmed, true)
})

test('gives a fork a new, unconfirmed phrase', async () => {
  const id = await setup.born()
  await confirmPhrase(id)
  const forkId = (await setup.post(`/api/persona/${id}/fork`, { model: 'llama' }))[1].persona.id
  assert.is((await getPhrase(forkId)).confirmed, false)
  assert.is((await getPhrase(id)).confirmed, true)
})

test('returns 404 for a missing persona', async () => {
  for (const unknownId of ['nobody', '..%2F..']) {
    assert.equal(await setup.get(`/api/persona/${unknownId}/phrase`), unknownPersona)
    assert.equal(await confirmPhrase(unknownId), unknownPersona)
  }
})

test.run()
