/** POST /api/persona/migrate: the order of its errors, and the restored persona. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Unavailable } from '../../journal/log/errors.ts'
import type { Store, Stores } from '../../journal/log/store.ts'
import { pause, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import {
  createMigrationForm,
  type DiaryUpload,
  exportDiary,
  first,
  firstPhrase,
  foreign,
  migrate,
  readFileStates,
  readFrames,
} from './diaries.ts'
import { getTitles, invalidBody, joinKeys, json, shareSetup } from './setup.ts'
import { createUploads } from './uploads.ts'

/** Whether the disk refuses to move the staged folder into place, and whether it refuses writes. */
let refusesPlace = false
let refusesWrites = false
const withWriteFaults = (store: Store): Store => ({
  ...store,
  batch: async (ops, options) => {
    if (refusesWrites) throw new Unavailable('told to')
    await store.batch(ops, options)
  },
})
const withFaults = (all: Stores): Stores => ({
  ...all,
  open: async (id) => withWriteFaults(await all.open(id)),
  reopen: async (id, store) => withWriteFaults(await all.reopen(id, store)),
  stage: async (id, folder) => {
    const stagedFolder = await all.stage(id, folder)
    const place: typeof stagedFolder.place = async (old) => {
      if (refusesPlace) throw new Unavailable('told to')
      await stagedFolder.place(old)
    }
    return { ...stagedFolder, place }
  },
})

const clock = createFakeClock('2026-11-23T10:15:00+01:00')
const laterClock = createFakeClock('2026-11-23T12:15:00+01:00')
/** The old daemon and the new one. */
const oldSetup = shareSetup(test, { clock, newPhrase: firstPhrase })
const setup = shareSetup(test, { clock: laterClock, newPhrase: firstPhrase, stores: withFaults })
test.before.each(() => {
  refusesPlace = false
  refusesWrites = false
})
const uploads = createUploads(oldSetup)
const getPath = (id: string) => `/api/persona/${id}`
const migrateDiary = (parcel: DiaryUpload) => migrate(setup.daemon, parcel)
const getTalk = async (sourceSetup: typeof setup, id: string): Promise<readonly Record<string, unknown>[]> =>
  (await sourceSetup.get(`${getPath(id)}/conversation?limit=1000`))[1].messages
const getContents = async (sourceSetup: typeof setup, id: string) =>
  (await getTalk(sourceSetup, id)).map(({ content }) => content)
const listTitles = async (sourceSetup: typeof setup, id: string) =>
  getTitles((await readFrames(sourceSetup.daemon, id)).map((frame) => JSON.stringify(frame)))

/** Creates a persona with these messages on the old daemon and exports its diary. */
const createLife = async (...messages: readonly string[]) => {
  const id = await oldSetup.born()
  for (const text of messages) await oldSetup.say(getPath(id), text)
  return { id, diary: await exportDiary(oldSetup.daemon, id) }
}

/**
 * Asserts that nothing is left in the trash once the upload is removed, and that these personas have no
 * folder.
 */
const assertNothingLeft = async (...absentIds: readonly string[]) => {
  const trash = () => readdir(join(setup.daemon.home, 'trash')).catch((): string[] => [])
  await waitFor(
    'the upload to be removed',
    async () => !(await trash()).some((name) => name.startsWith('media-')),
  )
  assert.equal(await trash(), [])
  const folders = await readdir(join(setup.daemon.home, 'personas')).catch((): string[] => [])
  for (const id of absentIds) assert.not(folders.includes(id), `a folder of ${id}`)
}

test('requires diary, phrase and model by name and never echoes the phrase', async () => {
  const createMissing = (...loc: string[]) =>
    invalidBody('missing', ['body', ...loc], 'Field required', { input: null })
  assert.equal(await migrateDiary({}), createMissing('diary'))
  assert.equal(await migrateDiary({ diary: 'x', phrase: undefined }), createMissing('phrase'))
  assert.equal(await migrateDiary({ diary: 'x', model: undefined }), createMissing('model'))
  const { status, text } = await setup.send({
    method: 'POST',
    path: '/api/persona/migrate',
    headers: json,
    body: JSON.stringify({ phrase: first.phrase, model: 'llama' }),
  })
  assert.is(status, 422)
  assert.not.match(text, 'hamster')
  const [, { detail }] = await migrateDiary({ model: undefined })
  assert.equal(
    detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
    ['body.diary', 'body.model'],
  )
  const { body, headers } = createMigrationForm({ diary: 'x' })
  const twistedForm = Buffer.from(
    body.toString('latin1').replace('name="phrase"', 'name="phrase"; filename="a"'),
    'latin1',
  )
  const answer = await setup.send({
    method: 'POST',
    path: '/api/persona/migrate',
    body: twistedForm,
    headers: { ...headers, 'Content-Length': String(twistedForm.length) },
  })
  assert.equal([answer.status, /hamster/.test(answer.text)], [422, false])
  await assertNothingLeft()
})

const notRestored = 'Could not restore from diary. Please check the file and the recovery phrase.'
const notADiary = `${notRestored} This is not a diary. Choose the file whose name ends in .diary, as it was exported.`
const wrongPhrase = `${notRestored} This recovery phrase does not open this diary, or the first lines of the file are damaged. Try the words that were given for this persona, or another copy of the file.`
const damagedDiary = `${notRestored} This diary is damaged or incomplete. Nothing was changed. Try another copy of it.`
const words = first.phrase.split(' ')

// Fails if the phrase is checked before the format of the file, and if the unpacked folder is left behind.
test('reports the first error in order and changes no file', async () => {
  const { id, diary } = await createLife('I live in Lisbon.')
  const bystander = await setup.born({ name: 'Eva' })
  await setup.say(getPath(bystander), 'hello')
  const shortDiary = diary.subarray(0, diary.length - 1)
  const badPhrase = words.with(6, 'xylophonist').join(' ')
  setup.models.brokenMethods.prepare = 'No runtime answers.'
  const refusals: readonly (readonly [detail: string, sent: DiaryUpload])[] = [
    [
      'Provider must be one of: anthropic, openai, xai, gemini, or local.',
      { diary: 'no diary', phrase: badPhrase, provider: 'nobody' },
    ],
    ['A model name is required.', { diary: 'no diary', phrase: badPhrase, model: '' }],
    [
      'A model name is required when using a remote provider.',
      { diary: 'no diary', phrase: badPhrase, model: ' ', provider: 'openai' },
    ],
    [notADiary, { diary: 'no diary', phrase: badPhrase }],
    [notADiary, { diary: '', phrase: badPhrase }],
    [
      `${notRestored} A recovery phrase has 24 words, and these are 23. Look whether one is missing, or there twice.`,
      { diary: shortDiary, phrase: words.slice(1).join(' ') },
    ],
    [
      `${notRestored} A recovery phrase has 24 words, and these are 0. Look whether one is missing, or there twice.`,
      { diary: shortDiary, phrase: '' },
    ],
    [
      `${notRestored} Word 7 is not in the list. Look at how it is spelled.`,
      { diary: shortDiary, phrase: badPhrase },
    ],
    [
      `${notRestored} All 24 words are in the list, but not together like this. One may have been taken for another, or two have changed places: compare them with what you wrote down.`,
      {
        diary: shortDiary,
        phrase: words
          .with(0, words[1] ?? '')
          .with(1, words[0] ?? '')
          .join(' '),
      },
    ],
    [wrongPhrase, { diary: shortDiary, phrase: foreign.phrase }],
    [damagedDiary, { diary: shortDiary }],
    ['The Mind could not be prepared: No runtime answers.', { diary }],
  ]
  // The catalog is written shortly after the change.
  await pause(500)
  const filesBefore = await readFileStates(setup.daemon.home)
  for (const [detail, sent] of refusals) {
    assert.equal(await migrateDiary(sent), [400, { detail }])
    assert.equal(await readFileStates(setup.daemon.home), filesBefore, detail)
  }
  await assertNothingLeft(id)
  assert.equal(await readFileStates(setup.daemon.home), filesBefore)
  assert.is(await setup.view(id), undefined)
  assert.ok(!setup.models.doneCalls.some((action) => action.includes(id)))
})

test('restores id, name, birthday, memories, messages with their numbers, files and plans', async () => {
  const id = await oldSetup.born({ eye_model: 'llava', thinking_api_key: 'sk-of-the-old-home' })
  const personaPath = getPath(id)
  await oldSetup.say(personaPath, 'I live in Lisbon.')
  await uploads.sendFile(personaPath, 'attach', 'a letter', 'letter.txt')
  assert.is(
    (await oldSetup.post(`${personaPath}/memories`, { document: 'person', text: 'Lives in Lisbon.' }))[0],
    200,
  )
  const plan = async (entry: object) =>
    assert.is((await oldSetup.post(`${personaPath}/calendar`, entry))[0], 200, JSON.stringify(entry))
  await plan({ kind: 'reminder', when: '2026-11-23T11:00', content: 'water the plants' })
  await plan({ kind: 'schedule', when: '2026-12-01T09:00', content: 'the dentist', recurrence: 'weekly' })
  await oldSetup.post(`${personaPath}/update`, { name: 'Ada Augusta', idle_timeout: 60 })
  await oldSetup.post(`${personaPath}/update`, { status: 'hibernate' })
  const talk = await getTalk(oldSetup, id)
  const viewBefore = await oldSetup.view(id)
  const diary = await exportDiary(oldSetup.daemon, id)

  const [status, body] = await migrateDiary({
    diary,
    filename: 'a copy (2).bin',
    phrase: `\n 1. ${words.map((word) => word.slice(0, 4).toUpperCase()).join(',\r\n')}. `,
    api_key: 'sk-of-the-mind',
    url: '',
    ear_model: 'whisper-1',
    ear_provider: 'openai',
    ear_api_key: 'sk-of-the-ear',
    eye_model: '',
  })
  assert.is(status, 200, JSON.stringify(body))
  assert.is(joinKeys(body), 'persona')
  const { persona } = body
  assert.equal(
    [persona.id, persona.name, persona.birthday, persona.idle_timeout, persona.status],
    [id, 'Ada Augusta', viewBefore.birthday, 60, 'active'],
  )
  assert.equal(
    [persona.thinking.name, persona.thinking.api_key, persona.base_model],
    [`daimon-${id}`, 'sk-of-the-mind', 'llama'],
  )
  assert.equal([persona.ear.name, persona.ear.api_key, persona.eye], ['whisper-1', 'sk-of-the-ear', null])
  assert.equal(persona.channels, [])
  assert.ok(setup.models.doneCalls.includes(`wrap llama daimon-${id}`))
  assert.is((await setup.view(id)).running, true)

  const messagesAfter = await getTalk(setup, id)
  assert.equal(messagesAfter.slice(0, talk.length), talk)
  assert.equal((await setup.get(`${getPath(id)}/knowledge`))[1].memory, { person: '- Lives in Lisbon.' })
  const sentFile = talk.find(({ media }) => media !== null)?.media as { url: string }
  assert.equal((await setup.send({ path: sentFile.url })).text, 'a letter')
  const [, { destiny }] = await setup.get(`${getPath(id)}/calendar?start=2026-11-30&end=2026-12-31`)
  assert.equal(
    destiny.schedule.map(({ body, recurrence }: { body: string; recurrence: string }) => [body, recurrence]),
    [['the dentist', 'weekly']],
  )
  // A reminder that fell due in the meantime is reported.
  await waitFor('the reminder', async () =>
    (await listTitles(setup, id)).some((title) => title.startsWith('EntryDone')),
  )
  for (const text of (await readFrames(setup.daemon, id)).map((frame) => JSON.stringify(frame)))
    for (const secret of ['sk-of-the-mind', 'sk-of-the-ear', 'hamster', 'sk-of-the-old-home'])
      assert.not.match(text, secret)
  await assertNothingLeft()
})

// Fails if the night continues in the restored persona: it then begins twice.
test('restores a persona awake from a diary made during a night, answers waiting messages and does not sleep again', async () => {
  const id = await oldSetup.born()
  await oldSetup.say(getPath(id), 'One.')
  let asleep = false
  let wake = () => {}
  oldSetup.models.think = () =>
    new Promise((resolve) => {
      asleep = true
      wake = resolve
    })
  const pendingSleep = oldSetup.post(`${getPath(id)}/sleep`)
  await waitFor('the night to begin', () => asleep)
  const pendingReply = oldSetup.post(`${getPath(id)}/read?wait=20`, { message: 'Two?' })
  await waitFor('the message to be recorded', async () => (await getContents(oldSetup, id)).includes('Two?'))
  const diary = await exportDiary(oldSetup.daemon, id)
  oldSetup.models.think = async () => {}
  wake()
  await Promise.all([pendingSleep, pendingReply])

  assert.is((await migrateDiary({ diary }))[0], 200)
  await waitFor('the answer', async () => (await getContents(setup, id)).at(-1) === 'You said: Two?')
  assert.match(await setup.say(getPath(id), 'Three.'), /^You said: (?:\(.*\)\n)?Three\.$/)
  await laterClock.advance(120_000)
  // The echo may contain the line about the time.
  const contents = (await getContents(setup, id)).map((text) => String(text).replace(/\(.*\)\n/, ''))
  assert.equal(contents, ['One.', 'You said: One.', 'Two?', 'You said: Two?', 'Three.', 'You said: Three.'])
  assert.is((await listTitles(setup, id)).filter((title) => title.startsWith('SleepBegan')).length, 1)
})

// Fails if the wrapper of a failed migration stays registered, and if its key stays in an orphaned folder.
test('leaves no model and no key when saving fails, and reports why a restored persona could not start', async () => {
  const { id, diary } = await createLife('One.')
  refusesPlace = true
  const [status, { detail }] = await migrateDiary({ diary, api_key: 'sk-for-nothing' })
  assert.is(status, 500)
  assert.match(detail, /^JournalUnavailable: /)
  assert.equal(
    setup.models.doneCalls.filter((action) => action.includes(id)),
    [`wrap llama daimon-${id}`, `unwrap llama daimon-${id}`],
  )
  await assertNothingLeft(id)
  assert.is(await setup.view(id), undefined)
  refusesPlace = false
  refusesWrites = true
  const [code, reason] = await migrateDiary({ diary })
  assert.is(code, 500)
  assert.match(reason.detail, /^Persona migrated but failed to start: JournalUnavailable: [^:]*\.$/)
  refusesWrites = false
  assert.equal(await getContents(setup, id), ['One.', 'You said: One.'])
  assert.equal(await setup.post(`${getPath(id)}/start`), [200, { status: 'started' }])
  assert.match(await setup.say(getPath(id), 'Two.'), /^You said: (?:\(.*\)\n)?Two\.$/)
})

test('restores one whole persona from two concurrent requests with the same diary', async () => {
  const { id, diary } = await createLife('One.')
  const answers = await Promise.all([migrateDiary({ diary }), migrateDiary({ diary })])
  assert.equal(
    answers.map(([status]) => status),
    [200, 200],
  )
  assert.equal(await getContents(setup, id), ['One.', 'You said: One.'])
  assert.is((await setup.post(`${getPath(id)}/verify`))[1].intact, true)
  assert.is(
    (await setup.get('/api/personas'))[1].personas.filter((item: { id: string }) => item.id === id).length,
    1,
  )
  assert.match(await setup.say(getPath(id), 'Two.'), /^You said: (?:\(.*\)\n)?Two\.$/)
  await assertNothingLeft()
})

test.run()
