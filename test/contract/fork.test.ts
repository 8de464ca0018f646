/**
 * POST /api/persona/{persona_id}/fork: copies the journal up to a point. Both personas then continue on their
 * own.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { recordSpan } from '../../journal/log/keys.ts'
import type { Store, Stores } from '../../journal/log/store.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal, spoilRecord } from '../damage-journal.ts'
import { toForm } from '../forms.ts'
import { listenTo } from '../listener.ts'
import { exportDiary, first, firstPhrase, migrate, second, unpacked } from './diaries.ts'
import { invalidBody, joinKeys, json, shareSetup, unknownPersona } from './setup.ts'

/** The open stores by persona id. */
const openStores = new Map<string, Store>()
const watchStores = (all: Stores): Stores => ({
  ...all,
  create: async (id, ops) => {
    const store = await all.create(id, ops)
    openStores.set(id, store)
    return store
  },
  open: async (id) => {
    const store = await all.open(id)
    openStores.set(id, store)
    return store
  },
})
const clock = createFakeClock('2026-11-23T10:15:00+01:00')
const phrases = [first, second]
let phraseCount = 0
const setup = shareSetup(test, {
  clock,
  stores: watchStores,
  newPhrase: async () => phrases[phraseCount++ % 2] ?? first,
})
const otherDaemon = shareSetup(test, { clock, newPhrase: firstPhrase })
test.before.each(() => {
  phraseCount = 0
})

const getPath = (id: string) => `/api/persona/${id}`
const fork = (id: string, fields: object = {}) => setup.post(`${getPath(id)}/fork`, fields)
/** Forks a persona and returns the id of the fork. */
const createFork = async (id: string, fields: object = {}): Promise<string> => {
  const [status, body] = await fork(id, fields)
  assert.is(status, 200, JSON.stringify(body))
  return body.persona.id
}
const readRecords = async (id: string): Promise<readonly string[]> => {
  // Opens the journal.
  await setup.get(`${getPath(id)}/conversation`)
  const records: string[] = []
  for await (const page of openStores.get(id)?.values(recordSpan(0)) ?? [])
    records.push(...page.map((value) => value.toString('hex')))
  return records
}
const getTalk = async (id: string): Promise<readonly Record<string, unknown>[]> =>
  (await setup.get(`${getPath(id)}/conversation?limit=1000`))[1].messages
const getContents = async (id: string) => (await getTalk(id)).map(({ content }) => content)
const listIds = async (): Promise<readonly string[]> =>
  (await setup.get('/api/personas'))[1].personas.map(({ id }: { id: string }) => id)
const getFacts = async (id: string) => (await setup.facts(id)).map((text) => JSON.parse(text))
const assertNothingLeft = async (...knownIds: readonly string[]) => {
  const { home } = setup.daemon
  assert.equal(await readdir(join(home, 'trash')).catch((): string[] => []), [])
  assert.equal((await readdir(join(home, 'personas'))).sort(), [...knownIds].sort())
}

test('returns a fork like a created persona and leaves the other personas unchanged', async () => {
  const id = await setup.born({ name: 'Ada' })
  await setup.say(getPath(id), 'My name is Kim.')
  const recordsBefore = await readRecords(id)
  await clock.advance(1000)
  const system = await listenTo(setup.daemon.url, '/ws/system')
  const { status, headers, text } = await setup.send({
    method: 'POST',
    path: `${getPath(id)}/fork`,
    headers: json,
    body: JSON.stringify({ name: 'Eva' }),
  })
  assert.is(status, 200, text)
  assert.is(headers['cache-control'], 'no-store')
  const body = JSON.parse(text)
  assert.is(joinKeys(body), 'persona recovery_phrase recipient')
  assert.is(body.recovery_phrase, second.phrase)
  const { persona } = body
  assert.is.not(persona.id, id)
  assert.equal([persona.name, persona.status, persona.channels], ['Eva', 'active', []])
  assert.is(persona.thinking.name, `daimon-${persona.id}`)
  assert.equal((await listIds()).slice(-2), [id, persona.id])
  await waitFor('the frame', () =>
    system.frames.some(
      ({ type, persona_id: personaId, persona: view }) =>
        type === 'persona_created' && personaId === persona.id && view?.name === 'Eva',
    ),
  )
  system.leave()

  const recordsAfter = await readRecords(persona.id)
  assert.equal(recordsAfter.slice(0, recordsBefore.length), recordsBefore)
  assert.equal(await readRecords(id), recordsBefore)
  assert.equal(await getContents(persona.id), await getContents(id))
  const forkFact = (await getFacts(persona.id)).find(({ seq }) => seq === recordsBefore.length + 1)
  assert.is(forkFact.title, 'PersonaForked')
  const { name, recipient, hash, ...source } = forkFact.details
  assert.equal([name, recipient], ['Eva', second.recipient])
  assert.equal(source, { id: persona.id, from: id, at: recordsBefore.length })
  assert.match(hash, /^[0-9a-f]{64}$/)
  for (const personaId of [id, persona.id])
    assert.is((await setup.post(`${getPath(personaId)}/verify`))[1].intact, true)
  assert.match(await setup.say(getPath(persona.id), 'And I am here.'), 'And I am here.')
  assert.match(await setup.say(getPath(id), 'And I stay.'), 'And I stay.')
  assert.not((await getContents(id)).includes('And I am here.'))
  assert.is((await setup.get(`${getPath(persona.id)}/diagnose`))[0], 200)
})

test('reports errors in the order of the contract and leaves no files', async () => {
  const id = await setup.born()
  const personaIds = await listIds()
  assert.equal(await setup.post(`${getPath('nobody')}/fork`, {}), unknownPersona)
  assert.equal(await setup.post(`${getPath('nobody')}/fork`, { at: 'tomorrow' }), unknownPersona)
  assert.equal(
    await setup.post(`${getPath(id)}/fork`),
    invalidBody('missing', ['body'], 'Field required', { input: null }),
  )
  for (const moment of [-1, 1.5, true, {}, [1]])
    assert.is((await fork(id, { at: moment }))[0], 422, String(moment))
  for (const field of ['name', 'thinking_model', 'eye_provider', 'model'])
    assert.is((await fork(id, { [field]: 5 }))[0], 422, field)
  assert.equal(await fork(id, { at: 'tomorrow' }), [
    ...[400, { detail: 'at must be a position in the journal or an ISO date' }],
  ])
  const notYetBorn = { detail: 'The persona did not exist at that moment.' }
  for (const moment of [0, '0', '2020-01-01']) assert.equal(await fork(id, { at: moment }), [404, notYetBorn])
  assert.is((await fork(id, { at: 0, thinking_model: 'x', thinking_provider: 'acme' }))[0], 404)
  assert.match(
    (await fork(id, { eye_model: 'x', eye_provider: 'acme' }))[1].detail,
    /^Provider must be one of/,
  )
  assert.equal(await fork(id, { thinking_provider: 'openai' }), [
    ...[400, { detail: 'A model name is required when using a remote provider.' }],
  ])
  assert.match((await fork(id, { name: 'n'.repeat(1001) }))[1].detail, /too long/)
  assert.is((await fork(id, { model: 'm', url: 'http://me:secret@host' }))[0], 400)
  setup.models.brokenMethods.prepare = 'it is not there'
  assert.equal(await fork(id), [400, { detail: 'The Mind could not be prepared: it is not there' }])
  assert.equal(await listIds(), personaIds)
  await assertNothingLeft(...personaIds)
})

// Fails if the key is copied, and if the current organs are used instead of those of the chosen point.
test('copies the organs of the chosen point that need no key, copies no key, and prepares named models first', async () => {
  const id = await setup.born({
    thinking_model: 'llama',
    eye_model: 'looker',
    ear_model: 'whisper',
    ear_provider: 'openai',
    ear_api_key: 'sk-ear',
  })
  await setup.post(`${getPath(id)}/update`, {
    thinking: { model: 'opus', provider: 'anthropic', api_key: 'sk-mind' },
    eye: { model: 'keyed', api_key: 'sk-eye' },
  })
  const personaIds = await listIds()
  assert.match((await fork(id))[1].detail, /^Its Mind at that moment cannot be used: it needs a key/)
  assert.equal(await listIds(), personaIds)
  setup.models.doneCalls.length = 0
  const [, { persona }] = await fork(id, { at: 1 })
  assert.equal(setup.models.doneCalls.slice(0, 3), [
    'prepare llama',
    'prepare looker',
    `wrap llama daimon-${persona.id}`,
  ])
  assert.equal([persona.base_model, persona.eye?.name, persona.ear], ['llama', 'looker', null])
  const fields = {
    thinking_model: 'gpt',
    thinking_provider: 'openai',
    thinking_api_key: 'sk-new',
    mouth_model: 'speaker',
  }
  const [, { persona: otherPersona }] = await fork(id, fields)
  assert.equal([otherPersona.thinking.name, otherPersona.thinking.api_key], ['gpt', 'sk-new'])
  assert.equal([otherPersona.mouth.name, otherPersona.eye, otherPersona.ear], ['speaker', null, null])
  const [, { persona: third }] = await fork(id, { model: 'qwen' })
  assert.is(third.base_model, 'qwen')
  for (const view of [persona, otherPersona, third]) {
    const { facts } = await unpacked(await exportDiary(setup.daemon, view.id), second).catch(async () =>
      unpacked(await exportDiary(setup.daemon, view.id), first),
    )
    assert.not.match(JSON.stringify([facts, view]), /sk-mind|sk-eye|sk-ear/)
  }
})

test('resolves a position, an instant or the current end to a whole commit', async () => {
  const id = await setup.born()
  await setup.say(getPath(id), 'One.')
  const instant = new Date(clock.now() + 30_000).toISOString()
  await clock.advance(60_000)
  await setup.say(getPath(id), 'Two.')
  const all = await getFacts(id)
  const ends = async (moment: unknown) => {
    const forkId = await createFork(id, { at: moment })
    const { seq } = (await getFacts(forkId)).find(({ title }) => title === 'PersonaForked')
    return seq - 1
  }
  const createdSeq = await ends(1)
  assert.ok(createdSeq > 1)
  for (let seq = 2; seq <= createdSeq; seq++) assert.is(await ends(seq), createdSeq)
  assert.is(await ends(String(createdSeq)), createdSeq)
  const [message] = (await getTalk(id)).filter(({ content }) => content === 'One.')
  assert.is(await ends(Number(message?.id)), Number(message?.id))
  const halfwaySeq = await ends(instant)
  assert.equal(halfwaySeq, all.findLast(({ time }) => Date.parse(time) <= Date.parse(instant))?.seq)
  assert.ok((await ends(1_000_000)) >= all.length)
})

// Fails if plans stay open in the fork: both personas then report the reminder.
test('cancels the plans in the fork and keeps them in the original', async () => {
  const id = await setup.born()
  const [status] = await setup.post(`${getPath(id)}/calendar`, {
    kind: 'reminder',
    content: 'Water the plants',
    when: new Date(clock.now() + 60_000).toISOString(),
  })
  assert.is(status, 200)
  const forkId = await createFork(id)
  const window = '?start=2026-11-01&end=2026-12-31'
  const [open, mine] = await Promise.all(
    [id, forkId].map(
      async (personaId) =>
        (await setup.get(`${getPath(personaId)}/calendar${window}`))[1].destiny.reminder.length,
    ),
  )
  assert.equal([open, mine], [1, 0])
  assert.ok((await getFacts(forkId)).some(({ title }) => title === 'EntryCancelled'))
  await clock.advance(120_000)
  await waitFor('the reminder', async () => (await getFacts(id)).some(({ title }) => title === 'EntryDue'))
  assert.not((await getFacts(forkId)).some(({ title }) => title === 'EntryDue'))
})

// Fails if the inbox of the original is copied.
test('does not answer earlier messages in a fork made during a turn, and finishes the turn in the original', async () => {
  const id = await setup.born()
  let go: (() => void) | undefined
  setup.models.think = () =>
    new Promise<void>((resolve) => {
      go = resolve
    })
  const pendingReply = setup.post(`${getPath(id)}/read?wait=20`, { message: 'Are you there?' })
  await waitFor('the turn', () => go !== undefined)
  const forkId = await createFork(id)
  setup.models.think = async () => {}
  go?.()
  assert.match((await pendingReply)[1].reply.content, 'Are you there?')
  assert.equal(await getContents(forkId), ['Are you there?'])
  const facts = await getFacts(forkId)
  const beganSeq = facts.find(({ title }) => title === 'TurnBegan').seq
  const [, turn] = await setup.get(`${getPath(forkId)}/turns/${beganSeq}`)
  assert.equal([turn.outcome, turn.spoken], ['hushed', []])
  assert.match(await setup.say(getPath(forkId), 'Something else.'), 'You said: Something else.')
  assert.equal(await getContents(forkId), ['Are you there?', 'Something else.', 'You said: Something else.'])
})

test('starts a fork made during a night awake, and continues the night of the original', async () => {
  const id = await setup.born()
  await setup.say(getPath(id), 'One.')
  let go: (() => void) | undefined
  setup.models.think = () =>
    new Promise<void>((resolve) => {
      go = resolve
    })
  const asleep = setup.post(`${getPath(id)}/sleep`)
  await waitFor('the night', () => go !== undefined)
  setup.models.think = async () => {}
  const forkId = await createFork(id)
  assert.match(await setup.say(getPath(forkId), 'Awake?'), 'You said: Awake?')
  const countFacts = async (personaId: string, kind: string) =>
    (await getFacts(personaId)).filter(({ title }) => title === kind).length
  assert.equal([await countFacts(forkId, 'SleepBegan'), await countFacts(forkId, 'SleepEnded')], [1, 0])
  go?.()
  assert.is((await asleep)[0], 200)
  assert.is((await setup.post(`${getPath(forkId)}/sleep`))[0], 200)
  assert.equal([await countFacts(id, 'SleepEnded'), await countFacts(forkId, 'SleepEnded')], [1, 1])
})

test('copies only the files that facts up to the chosen point name', async () => {
  const id = await setup.born()
  const show = async (content: string) => {
    const form = toForm([{ name: 'file', filename: `${content}.txt`, type: 'text/plain', content }])
    const { status } = await setup.send({ method: 'POST', path: `${getPath(id)}/attach?wait=20`, ...form })
    assert.is(status, 200)
  }
  await show('letter')
  const [{ id: lastSeq } = { id: 0 }] = (await getTalk(id)).slice(-1)
  await show('answer')
  const forkId = await createFork(id, { at: lastSeq })
  const files = (await getTalk(forkId)).flatMap(({ media }) =>
    media ? [(media as { url: string }).url] : [],
  )
  assert.is(files.length, 1)
  assert.match(files[0] ?? '', forkId)
  assert.is((await setup.send({ path: files[0] ?? '' })).text, 'letter')
  assert.is((await readdir(join(setup.daemon.home, 'personas', forkId, 'media'))).length, 1)
})

test('forks a stopped or hibernating persona and starts the fork', async () => {
  const id = await setup.born()
  await setup.post(`${getPath(id)}/stop`)
  const forkId = await createFork(id)
  await setup.post(`${getPath(id)}/update`, { status: 'hibernate' })
  const otherId = await createFork(id)
  for (const personaId of [forkId, otherId]) assert.is((await setup.view(personaId)).running, true)
  assert.is((await setup.view(id)).running, false)
})

test('keeps forks of forks, and their diaries, independent', async () => {
  const id = await setup.born()
  await setup.say(getPath(id), 'One.')
  const child = await createFork(id)
  await setup.say(getPath(child), 'Two.')
  const grandchild = await createFork(child, { name: 'Third' })
  await setup.say(getPath(grandchild), 'Three.')
  const keys = [first, second, first]
  for (const [n, personaId] of [id, child, grandchild].entries()) {
    const diary = await exportDiary(setup.daemon, personaId)
    const [status, body] = await migrate(otherDaemon.daemon, { diary, phrase: keys[n]?.phrase })
    assert.is(status, 200, JSON.stringify(body))
    assert.is(body.persona.id, personaId)
    assert.is((await otherDaemon.post(`${getPath(personaId)}/verify`))[1].intact, true)
    const messages = (await otherDaemon.get(`${getPath(personaId)}/conversation`))[1].messages
    assert.equal(
      messages.map(({ content }: { content: string }) => content),
      await getContents(personaId),
    )
    assert.match(await otherDaemon.say(getPath(personaId), 'Go on.'), 'You said: Go on.')
  }
  assert.is((await setup.post(`${getPath(id)}/delete`))[0], 200)
  assert.is((await getContents(grandchild)).length, 6)
})

test('reports damage found while copying, and then forks up to the damage', async () => {
  const id = await setup.born()
  for (const text of ['One.', 'Two.', 'Three.']) await setup.say(getPath(id), text)
  const message = (await getTalk(id)).find(({ content }) => content === 'Two.')
  const store = openStores.get(id)
  assert.ok(store)
  await spoilRecord(store, Number(message?.id))
  const personaIds = await listIds()
  const [status, { detail }] = await fork(id)
  assert.is(status, 500)
  assert.match(detail, /^JournalDamaged: /)
  assert.equal(await listIds(), personaIds)
  assert.is((await setup.view(id)).status, 'sick')
  assert.equal(await getContents(await createFork(id)), ['One.'])
})

test('forks a damaged persona up to the last whole commit', async () => {
  const home = await tempHome()
  const firstDaemon = await startDaemon({ home, models: setup.models })
  const callRoute = async (url: string, routePath: string, body: object = {}) =>
    (await call(url, 'POST', `/api/persona/${routePath}`, body)).body
  const { id } = (await callRoute(firstDaemon.url, 'create', { name: 'Ada', thinking_model: 'llama' }))
    .persona
  for (const message of ['One.', 'Two.', 'Three.'])
    await callRoute(firstDaemon.url, `${id}/read?wait=20`, { message })
  const listMessages = async (url: string, personaId: string) =>
    (await call(url, 'GET', `${getPath(personaId)}/conversation`)).body.messages
  const thirdMessage = (await listMessages(firstDaemon.url, id)).find(
    ({ content }: { content: string }) => content === 'Three.',
  )
  await firstDaemon.close()
  await damageJournal(home, id, thirdMessage.id)
  const secondDaemon = await startDaemon({ home, models: setup.models })
  try {
    await callRoute(secondDaemon.url, `${id}/start`)
    const forkId = (await callRoute(secondDaemon.url, `${id}/fork`)).persona.id
    assert.equal(
      (await listMessages(secondDaemon.url, forkId)).map(({ content }: { content: string }) => content),
      // The answer to the second message is dropped: the lost records would show whether its commit is whole.
      ['One.', 'You said: One.', 'Two.'],
    )
    assert.is((await callRoute(secondDaemon.url, `${forkId}/verify`)).intact, true)
    assert.is((await callRoute(secondDaemon.url, `${id}/verify`)).intact, false)
  } finally {
    await secondDaemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
