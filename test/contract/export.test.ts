/** GET /api/persona/{persona_id}/export */
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, pause } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { exportDiary, first, firstPhrase, foreign, readFileStates, readFrames, unpacked } from './diaries.ts'
import { shareSetup, unknownPersona } from './setup.ts'
import { createUploads, getPersonaId } from './uploads.ts'

const clock = createFakeClock()
const setup = shareSetup(test, { clock, newPhrase: firstPhrase })
const uploads = createUploads(setup)
const readTexts = async (diary: Uint8Array) => (await unpacked(diary, first)).facts.flatMap(getTexts)
const getTexts = ({ content, parts }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(parts) ? parts.map((part: { readonly text: string }) => part.text) : [content ?? []].flat()

test('returns the current diary as a download named after the persona and the day, which must not be cached', async () => {
  const id = await setup.born()
  await setup.say(`/api/persona/${id}`, 'I live in Lisbon.')
  const { status, headers } = await setup.send({ path: `/api/persona/${id}/export` })
  assert.is(status, 200)
  assert.is(headers['content-type'], 'application/octet-stream')
  assert.match(
    String(headers['content-disposition']),
    new RegExp(
      `^attachment; filename="${id}\\.diary"; filename\\*=UTF-8''Ada%20\\d{4}-\\d\\d-\\d\\d\\.diary$`,
    ),
  )
  assert.is(headers['cache-control'], 'no-store')
  assert.is(headers['x-content-type-options'], 'nosniff')
})

test('returns a diary that standard tools open with the phrase, with every fact and every file', async () => {
  const personaPath = await setup.home({ eye_model: 'llava', thinking_api_key: 'sk-that-stays-here' })
  await setup.say(personaPath, 'I live in Lisbon.')
  await uploads.sendFile(personaPath, 'attach', 'a letter', 'letter.txt')
  const framesBefore = await readFrames(setup.daemon, getPersonaId(personaPath))
  const bytes = await exportDiary(setup.daemon, getPersonaId(personaPath))
  const { manifest, facts, head, media } = await unpacked(bytes, first)
  assert.equal(
    [
      manifest.format,
      manifest.product,
      manifest.persona.id,
      manifest.persona.name,
      manifest.persona.recipient,
    ],
    [1, 'daimon', getPersonaId(personaPath), 'Ada', first.recipient],
  )
  assert.is(manifest.made, new Date(clock.now()).toISOString())
  assert.equal([manifest.head.hash, manifest.head.seq, manifest.records], [head, facts.length, facts.length])
  assert.equal(
    facts.slice(0, framesBefore.length).map(({ type }) => type),
    framesBefore.map(({ type, title }) =>
      type === 'person_message' ? 'MessageHeard' : type === 'chat_message' ? 'MessageSpoken' : title,
    ),
  )
  assert.ok(facts.flatMap(getTexts).includes('I live in Lisbon.'))
  const [filename = ''] = await uploads.listMedia(personaPath)
  assert.equal([...media.keys()], [filename])
  assert.is(String(media.get(filename)), 'a letter')
  assert.not.match(JSON.stringify([manifest, facts]), 'sk-that-stays-here')

  const failure = await unpacked(bytes, foreign).catch(String)
  assert.match(String(failure), /no identity matched/)
})

/** Waits until no file changes: the catalog is written shortly after the change, later on a slow machine. */
const waitForRest = async (home: string) => {
  for (let snapshotBefore = await readFileStates(home); ; ) {
    await pause(500)
    const filesNow = await readFileStates(home)
    if (isDeepStrictEqual(filesNow, snapshotBefore)) return filesNow
    snapshotBefore = filesNow
  }
}

test('leaves a running persona running and a stopped one stopped, and writes nothing', async () => {
  const id = await setup.born()
  await setup.say(`/api/persona/${id}`, 'One.')
  for (const step of ['running', 'stopped']) {
    if (step === 'stopped') await setup.post(`/api/persona/${id}/stop`)
    const facts = await readFrames(setup.daemon, id)
    const view = await setup.view(id)
    const files = await waitForRest(setup.daemon.home)
    assert.ok((await readTexts(await exportDiary(setup.daemon, id))).includes('One.'), step)
    assert.equal(await setup.view(id), view)
    assert.equal(await readFileStates(setup.daemon.home), files)
    assert.equal(await readFrames(setup.daemon, id), facts)
  }
  assert.is(await setup.post(`/api/persona/${id}/start`).then(([status]) => status), 200)
})

test('includes the latest messages, also in concurrent exports', async () => {
  const id = await setup.born()
  await setup.say(`/api/persona/${id}`, 'One.')
  const [firstDiary, other, answer] = await Promise.all([
    exportDiary(setup.daemon, id),
    exportDiary(setup.daemon, id),
    setup.say(`/api/persona/${id}`, 'Two.'),
  ])
  assert.is(answer, 'You said: Two.')
  for (const bytes of [firstDiary, other]) assert.ok((await readTexts(bytes)).includes('One.'))
  assert.ok((await readTexts(await exportDiary(setup.daemon, id))).includes('You said: Two.'))
})

test('returns 404 for a missing persona', async () => {
  for (const id of ['nobody', '..%2F..', '%2e%2e'])
    assert.equal(await setup.get(`/api/persona/${id}/export`), unknownPersona, id)
})

// Fails if the readable part is encrypted: 200 and a valid diary with the one fact before the damage.
test('sends no byte of a damaged journal', async () => {
  const sound = await startDaemon({ home: setup.daemon.home.concat('-damaged') })
  const { body } = await call(sound.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
  })
  const { id } = body.persona
  await call(sound.url, 'POST', `/api/persona/${id}/stop`)
  await sound.close()
  await damageJournal(sound.home, id, 2)
  const { url, close } = await startDaemon({ home: sound.home })
  try {
    const errorReply = await call(url, 'GET', `/api/persona/${id}/export`)
    assert.is(errorReply.status, 500)
    assert.match(errorReply.body.detail, /^JournalDamaged: record 2: /)
    // The damage is known from here on.
    assert.equal(await call(url, 'GET', `/api/persona/${id}/export`), errorReply)
  } finally {
    await close()
    await rm(sound.home, { recursive: true })
  }
})

/** Starts a request that reads at least `most` bytes and then pauses. */
const startSlowRead = (path: string, maxBytes: number) =>
  new Promise<{ leave(): void; readonly whenGone: Promise<void>; took: () => number }>((resolve, reject) => {
    const httpRequest = request(
      { port: setup.daemon.port, host: '127.0.0.1', path, agent: false },
      (response) => {
        let took = 0
        response.on('data', (piece: Buffer) => {
          took += piece.length
          if (took >= maxBytes) response.pause()
        })
        const whenGone = new Promise<void>((resolveGone) => response.once('close', resolveGone))
        response.on('error', () => {})
        resolve({ leave: () => httpRequest.destroy(), whenGone: whenGone, took: () => took })
      },
    )
    httpRequest.on('error', reject)
    httpRequest.end()
  })

// Fails if the deletion waits for the export of a client that does not read.
test('blocks nothing when a client disconnects, or stops reading during a deletion', async () => {
  const personaPath = await setup.home()
  // More than pipes and sockets can buffer.
  await uploads.sendFile(personaPath, 'attach', randomBytes(12_000_000), 'a.bin')
  const slowRead = await startSlowRead(`${personaPath}/export`, 1000)
  slowRead.leave()
  await slowRead.whenGone
  assert.is(await setup.say(personaPath, 'Are you there?'), 'You said: Are you there?')
  assert.is(
    (
      await readFile(
        join(
          setup.daemon.home,
          'personas',
          getPersonaId(personaPath),
          'media',
          (await uploads.listMedia(personaPath))[0] ?? '',
        ),
      )
    ).length,
    12_000_000,
  )

  const slow = await startSlowRead(`${personaPath}/export`, 1000)
  assert.equal(await setup.post(`${personaPath}/delete?purge=true`), [200, null])
  slow.leave()
  assert.is(await setup.view(getPersonaId(personaPath)), undefined)
})

test.run()
