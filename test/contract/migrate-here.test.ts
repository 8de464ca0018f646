/** POST /api/persona/migrate for a persona that already exists here: which of the two histories is kept. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openHomeStores } from '../../home/home-stores.ts'
import { clearParted, partedNames } from '../../journal/leveldb/trash.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { createHome } from '../create-journal.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { standIn } from '../http/stand-in.ts'
import { listenTo } from '../listener.ts'
import {
  exportDiary,
  first,
  firstPhrase,
  migrate,
  readFileStates,
  readFrames,
  second,
  unpacked,
} from './diaries.ts'
import { shareSetup } from './setup.ts'
import { createUploads } from './uploads.ts'

/** The phrase of the next created persona. */
let phrase: typeof first | typeof second = first
const clock = createFakeClock('2026-11-23T10:15:00+01:00')
const setup = shareSetup(test, { clock, newPhrase: async () => phrase })
const otherDaemon = shareSetup(test, { clock, newPhrase: firstPhrase })
test.before.each(() => {
  phrase = first
})
const cleanups: (() => unknown)[] = []
test.after.each(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

type Setup = typeof setup
const uploads = createUploads(setup)
const getPath = (id: string) => `/api/persona/${id}`
const migrateDiary = (diary: Buffer, targetSetup: Setup = setup) => migrate(targetSetup.daemon, { diary })
const getTalk = async (id: string, sourceSetup: Setup = setup): Promise<readonly string[]> =>
  (await sourceSetup.get(`${getPath(id)}/conversation?limit=1000`))[1].messages.map(
    ({ content }: { content: string }) => content,
  )
const listTrashFolder = (...path: string[]) =>
  readdir(join(setup.daemon.home, 'trash', ...path)).catch((): string[] => [])
/** Returns the names in the trash. Uploads are removed after the response, so this waits for it. */
const listTrash = async () => {
  await waitFor(
    'the upload to be removed',
    async () => !(await listTrashFolder()).some((name) => isSent(name)),
  )
  return listTrashFolder()
}
const isSent = (name: string) => name.startsWith('media-')
const isIntact = async (id: string) => (await setup.post(`${getPath(id)}/verify`))[1].intact
const withReplies = (...messages: readonly string[]) =>
  messages.flatMap((message) => [message, `You said: ${message}`])
const sayAll = async (id: string, ...messages: readonly string[]) => {
  for (const text of messages) await setup.say(getPath(id), text)
}
// Fails if the diary replaces the local journal, and if the recipient of the diary is used.
test('keeps a local journal that continues the diary, with its newer messages and phrase, and restores a lost file', async () => {
  const id = await setup.born({ eye_model: 'llava' })
  await sayAll(id, 'One.')
  await uploads.sendFile(getPath(id), 'attach', 'a letter', 'letter.txt')
  const diary = await exportDiary(setup.daemon, id)
  await sayAll(id, 'Two.')
  phrase = second
  assert.is((await setup.post(`${getPath(id)}/phrase`))[0], 200)
  const countBefore = await readFrames(setup.daemon, id)
  const talk = await getTalk(id)
  const [file = ''] = await uploads.listMedia(getPath(id))
  await rm(join(setup.daemon.home, 'personas', id, 'media', file))
  assert.is((await setup.get(`${getPath(id)}/media/${file}`))[0], 404)

  const [status, { persona }] = await migrateDiary(diary)
  assert.equal([status, persona.id, persona.eye], [200, id, null])
  assert.equal(await getTalk(id), talk)
  assert.is((await setup.send({ path: `${getPath(id)}/media/${file}` })).text, 'a letter')
  const framesAfter = await readFrames(setup.daemon, id)
  assert.equal(framesAfter.slice(0, countBefore.length), countBefore)
  assert.ok(framesAfter.slice(countBefore.length).some(({ title }) => title === 'PersonaRestored'))
  assert.is(
    (await unpacked(await exportDiary(setup.daemon, id), second)).manifest.persona.recipient,
    second.recipient,
  )

  // Again during a turn: the turn is ended and the waiting message is answered.
  let pondering = false
  setup.models.think = () => {
    pondering = true
    return new Promise(() => {})
  }
  const pendingReply = setup.post(`${getPath(id)}/read?wait=20`, { message: 'Three?' })
  await waitFor('the model call', () => pondering)
  setup.models.think = async () => {}
  assert.is((await migrateDiary(diary))[0], 200)
  await pendingReply
  await waitFor('the answer', async () => (await getTalk(id)).at(-1) === 'You said: Three?')
  assert.equal(await getTalk(id), [...talk, ...withReplies('Three?')])
  assert.ok(await isIntact(id))
  assert.equal(await listTrash(), [])
})

// Fails if the replaced journal is deleted, and if messages count as technical facts: the messages of one
// side are then lost.
test('continues from the diary if only technical facts follow here, and refuses if both sides have new messages', async () => {
  const id = await setup.born()
  await sayAll(id, 'One.')
  await setup.post(`${getPath(id)}/stop`)
  assert.is((await migrateDiary(await exportDiary(setup.daemon, id), otherDaemon))[0], 200)
  await otherDaemon.say(getPath(id), 'Two.')
  assert.is((await migrateDiary(await exportDiary(otherDaemon.daemon, id)))[0], 200)
  assert.equal(await getTalk(id), withReplies('One.', 'Two.'))
  assert.equal(await listTrash(), [])
  assert.ok(await isIntact(id))

  await otherDaemon.say(getPath(id), 'Three.')
  await setup.post(`${getPath(id)}/restart`)
  const system = await listenTo(setup.daemon.url, '/ws/system')
  const [status, { persona }] = await migrateDiary(await exportDiary(otherDaemon.daemon, id))
  assert.equal([status, persona.status], [200, 'active'])
  assert.equal(await getTalk(id), withReplies('One.', 'Two.', 'Three.'))
  await waitFor('the frame', () =>
    system.frames.some((frame) => frame.type === 'persona_created' && frame.persona?.id === id),
  )
  await waitFor('the persona to run', () =>
    system.frames.some(
      (frame) => frame.type === 'persona_changed' && frame.persona?.id === id && frame.persona.running,
    ),
  )
  system.leave()
  const [keptName = '', ...otherNames] = await listTrash()
  assert.equal(otherNames, [])
  assert.match(keptName, new RegExp(`^parted-${id}-\\d{8}T\\d{9}Z$`))
  assert.ok((await listTrashFolder(keptName)).includes('CURRENT'))
  assert.ok(await isIntact(id))

  await otherDaemon.say(getPath(id), 'Four.')
  await sayAll(id, 'Five.')
  const countBefore = await readFrames(setup.daemon, id)
  const files = await listTrash()
  const diary = await exportDiary(otherDaemon.daemon, id)
  setup.models.doneCalls.length = 0
  const detail =
    'The persona here and this diary diverged on 2026-11-23, and both have changed since. To keep the persona here, do not restore the diary. To use the diary, export the persona here, delete it, and restore the diary again.'
  assert.equal(await migrateDiary(diary), [400, { detail }])
  assert.is((await setup.view(id)).running, true)
  assert.equal(await readFrames(setup.daemon, id), countBefore)
  assert.equal(setup.models.doneCalls, [])
  assert.equal(await listTrash(), files)
  // The way out that the error suggests.
  assert.equal(await setup.post(`${getPath(id)}/delete`), [200, null])
  assert.equal(await listTrash(), [])
  assert.is((await migrateDiary(diary))[0], 200)
  assert.equal(await getTalk(id), withReplies('One.', 'Two.', 'Three.', 'Four.'))
})

// Fails if damage is checked only before the journal is opened: 500 without advice.
test('keeps a different persona with the same id, and refuses to compare with a damaged journal', async () => {
  const models = standIn()
  const homes = [await createHome([]), await createHome([])] as const
  cleanups.push(() => Promise.all(homes.map((home) => rm(home, { recursive: true }))))
  const firstDaemon = await startDaemon({ home: homes[0], clock, models })
  cleanups.push(firstDaemon.close)
  const diary = await createForeignDiary(homes[1])
  const send = (daemon: typeof firstDaemon) => migrate(daemon, { diary })
  const framesBefore = await readFrames(firstDaemon, 'ada')
  const detail =
    'Another persona here has the id of this diary. To keep the persona here, do not restore the diary. To use the diary, export the persona here, delete it, and restore the diary again.'
  assert.equal(await send(firstDaemon), [400, { detail }])
  assert.equal(await readFrames(firstDaemon, 'ada'), framesBefore)
  await firstDaemon.close()

  await damageJournal(homes[0], 'ada', 1)
  const damagedDaemon = await startDaemon({ home: homes[0], clock, models })
  cleanups.push(damagedDaemon.close)
  // The damage is detected only here.
  const refusal = await send(damagedDaemon)
  assert.equal(
    [refusal[0], /^Its journal here is damaged, /.test(refusal[1].detail)],
    [400, true],
    JSON.stringify(refusal),
  )
  const files = await readFileStates(join(homes[0], 'personas'))
  assert.equal(await send(damagedDaemon), refusal)
  assert.equal(await readFileStates(join(homes[0], 'personas')), files)
})

/** Returns a diary encrypted for the first phrase. */
const createForeignDiary = async (home: string): Promise<Buffer> => {
  const daemon = await startDaemon({ home, clock, newPhrase: firstPhrase })
  assert.is((await call(daemon.url, 'POST', '/api/persona/ada/phrase')).status, 200)
  const diary = await exportDiary(daemon, 'ada')
  await daemon.close()
  return diary
}

// Fails if the trash is emptied at every start, and if it is never emptied.
test('keeps a replaced journal across a start and deletes it when its time is over', async () => {
  const home = await tempHome()
  const listParted = () => readdir(join(home, 'trash'))
  const young = 'parted-ada-20261123T101500000Z'
  const expired = 'parted-ada-20251123T101500000Z'
  for (const name of [young, expired, randomUUID()])
    await mkdir(join(home, 'trash', name), { recursive: true })
  await openHomeStores(home)
  assert.equal((await listParted()).sort(), [expired, young])
  assert.equal([...(await partedNames(join(home, 'trash')))].sort(), [expired, young])
  await clearParted(join(home, 'trash'), (name) => name === expired)
  assert.equal(await listParted(), [young])
  await rm(home, { recursive: true })
})

test.run()
