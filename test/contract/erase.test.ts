/** POST /api/persona/{persona_id}/erase */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { filesHolding, tablesHolding, valuesHolding } from '../words-on-disk.ts'
import { exportDiary, first, firstPhrase, migrate } from './diaries.ts'

const secretWord = 'quinquireme'

const createPersona = async (url: string, name = 'Ada'): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id
const say = (url: string, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const getMessages = async (url: string, id: string) =>
  (await call(url, 'GET', `/api/persona/${id}/conversation`)).body.messages as {
    id: number
    role: string
    content: string
  }[]

test('removes the words of a message, and of all facts derived from it, from every byte of the home', async () => {
  const home = await tempHome()
  const daemon = await startDaemon({ home })
  const { url } = daemon
  const ada = await createPersona(url)
  const bea = await createPersona(url, 'Bea')
  await say(url, ada, 'I live in Lisbon.')
  await say(url, ada, `Please remember that my password at work is ${secretWord}.`)
  await say(url, ada, `Remind me tomorrow at 9 to change ${secretWord}.`)
  await say(url, ada, 'What is my password at work?')
  await say(url, bea, 'I live in Porto.')
  await call(url, 'POST', `/api/persona/${ada}/sleep`)
  const statusBefore = await getMessages(url, ada)
  const seqs = statusBefore.filter(({ content }) => content.includes(secretWord)).map(({ id }) => id)
  assert.ok(seqs.length >= 2)
  assert.ok((await call(url, 'GET', `/api/persona/${ada}/search?q=${secretWord}`)).body.found.length > 0)

  const { status, body } = await call(url, 'POST', `/api/persona/${ada}/erase`, {
    seqs,
    also: true,
    diaries: true,
  })
  assert.is(status, 200, JSON.stringify(body))
  assert.equal(body.erased, seqs)
  assert.ok(body.also.length > 0)
  // The next search rebuilds the index.
  assert.not.ok((await readdir(join(home, 'personas', ada))).includes('search'))
  assert.is(body.diaries, 1)
  assert.match(body.held_in[0], /^\d{4}-\d\d-\d\dT/)

  const messagesAfter = await getMessages(url, ada)
  assert.ok(messagesAfter.every(({ content }) => !content.includes(secretWord)))
  assert.ok(messagesAfter.some(({ content }) => content.includes('Lisbon')))
  assert.is((await call(url, 'GET', `/api/persona/${ada}/search?q=${secretWord}`)).body.found.length, 0)
  for (const path of ['knowledge', 'memories', 'diagnose', 'calendar?start=2020-01-01&end=2090-01-01'])
    assert.not.match(
      JSON.stringify((await call(url, 'GET', `/api/persona/${ada}/${path}`)).body),
      secretWord,
      path,
    )
  assert.ok((await call(url, 'POST', `/api/persona/${ada}/verify`)).body.intact)
  assert.match((await say(url, ada, 'Where do I live?')).body.reply.content, /Lisbon/)
  assert.match((await say(url, bea, 'Where do I live?')).body.reply.content, /Porto/)
  await daemon.close()
  assert.equal(await filesHolding(home, secretWord), [])
  assert.equal(await valuesHolding(home, ada, secretWord), [])
  assert.equal(await tablesHolding(join(home, 'personas', ada, 'journal'), secretWord), [])

  const restartedDaemon = await startDaemon({ home })
  assert.ok((await call(restartedDaemon.url, 'POST', `/api/persona/${ada}/verify`)).body.intact)
  assert.match((await say(restartedDaemon.url, ada, 'Where do I live?')).body.reply.content, /Lisbon/)
  await restartedDaemon.close()
})

test('names the facts derived from the words and keeps them unless they are included', async () => {
  const { url, close } = await startDaemon()
  try {
    const ada = await createPersona(url)
    await say(url, ada, `Please remember that I own a ${secretWord}.`)
    const [question] = (await getMessages(url, ada)).filter(({ role }) => role === 'person')
    const eraseFields = { seqs: [question?.id] }
    const first = await call(url, 'POST', `/api/persona/${ada}/erase`, eraseFields)
    assert.is(first.status, 200)
    const memories = (await call(url, 'GET', `/api/persona/${ada}/memories`)).body.memories
    assert.match(JSON.stringify(memories), secretWord)
    assert.ok(first.body.also.includes(memories[0].seq ?? memories[0].id) || first.body.also.length > 0)
    // Repeating the request changes nothing and returns the same.
    const events = (await call(url, 'POST', `/api/persona/${ada}/verify`)).body.events
    const second = await call(url, 'POST', `/api/persona/${ada}/erase`, eraseFields)
    assert.equal(second.body.erased, first.body.erased)
    assert.ok((await call(url, 'POST', `/api/persona/${ada}/verify`)).body.events >= events)
    const third = await call(url, 'POST', `/api/persona/${ada}/erase`, { ...eraseFields, also: true })
    assert.equal(third.status, 200)
    assert.not.match(
      JSON.stringify((await call(url, 'GET', `/api/persona/${ada}/memories`)).body),
      secretWord,
    )
  } finally {
    await close()
  }
})

test('migrates a diary and creates a fork of an earlier point without the erased words', async () => {
  const source = await startDaemon({ newPhrase: firstPhrase })
  const otherDaemon = await startDaemon()
  try {
    const { url } = source
    const ada = await createPersona(url)
    await say(url, ada, `Remember that I own a ${secretWord}.`)
    const seqs = (await getMessages(url, ada)).map(({ id }) => id)
    const seqBefore = Math.max(...seqs)
    await say(url, ada, 'I live in Lisbon.')
    const eraseReply = await call(url, 'POST', `/api/persona/${ada}/erase`, { seqs: [seqs[0]], also: true })
    assert.is(eraseReply.status, 200)
    const lines = JSON.stringify((await call(url, 'GET', `/api/persona/${ada}/journal`)).body)
    assert.not.match(lines, secretWord)
    assert.match(lines, 'erased')
    const forkReply = await call(url, 'POST', `/api/persona/${ada}/fork`, {
      at: seqBefore,
      thinking_model: 'embedded/practice',
    })
    assert.is(forkReply.status, 200, JSON.stringify(forkReply.body))
    const fork = forkReply.body.persona.id
    assert.ok((await call(url, 'POST', `/api/persona/${fork}/verify`)).body.intact)
    assert.not.match(JSON.stringify(await getMessages(url, fork)), secretWord)
    const [status] = await migrate(otherDaemon, {
      diary: await exportDiary(source, ada),
      phrase: first.phrase,
      model: 'embedded/practice',
    })
    assert.is(status, 200)
    assert.ok((await call(otherDaemon.url, 'POST', `/api/persona/${ada}/verify`)).body.intact)
    assert.not.match(JSON.stringify(await getMessages(otherDaemon.url, ada)), secretWord)
    assert.match((await say(otherDaemon.url, ada, 'Where do I live?')).body.reply.content, /Lisbon/)
    const pastReply = await call(url, 'GET', `/api/persona/${ada}/history?at=${seqBefore}`)
    assert.is(pastReply.status, 200)
    assert.not.match(JSON.stringify(pastReply.body), secretWord)
  } finally {
    await Promise.all([source.close(), otherDaemon.close()])
  }
})

test('does not answer a waiting message that is erased, and answers the one that is left', async () => {
  const { url, close } = await startDaemon()
  try {
    const ada = await createPersona(url)
    await say(url, ada, 'Hello.')
    const wait = (message: string) => call(url, 'POST', `/api/persona/${ada}/read`, { message })
    await Promise.all([wait(`Say ${secretWord}!`), wait('Say something else!')])
    const all = await getMessages(url, ada)
    const seq = all.find(({ role, content }) => role === 'person' && content.includes(secretWord))?.id
    const { status } = await call(url, 'POST', `/api/persona/${ada}/erase`, { seqs: [seq], also: true })
    assert.is(status, 200)
    assert.match((await say(url, ada, 'Where are you?')).body.reply.content, /./)
    assert.not.match(JSON.stringify(await getMessages(url, ada)), secretWord)
    assert.ok((await call(url, 'POST', `/api/persona/${ada}/verify`)).body.intact)
  } finally {
    await close()
  }
})

test('lets a concurrent night, export, turn and journal stream end properly', async () => {
  const { url, close } = await startDaemon()
  try {
    const ada = await createPersona(url)
    await say(url, ada, `Remember that I own a ${secretWord}.`)
    const seqs = (await getMessages(url, ada)).map(({ id }) => id)
    const followEnd = new AbortController()
    const following = await fetch(`${url}/api/persona/${ada}/journal?follow=1`, { signal: followEnd.signal })
    const [erased, night, diary, turn] = await Promise.all([
      call(url, 'POST', `/api/persona/${ada}/erase`, { seqs, also: true }),
      call(url, 'POST', `/api/persona/${ada}/sleep`),
      // An export that has begun would contain the words.
      fetch(`${url}/api/persona/${ada}/export`)
        .then(async (response) =>
          response.status === 200 ? '' : `${response.status} ${await response.text()}`,
        )
        .catch(() => 'cut off'),
      say(url, ada, 'I live in Lisbon.'),
    ])
    followEnd.abort()
    await following.body?.cancel().catch(() => undefined)
    assert.is(erased.status, 200)
    assert.match(diary, /^(|cut off|409 .*cut off.*)$/)
    assert.ok([200, 400, 409].includes(night.status), `${night.status}`)
    assert.ok([200, 409].includes(turn.status), `${turn.status}`)
    assert.match((await say(url, ada, 'I live in Porto.')).body.reply.content, /./)
    assert.ok((await call(url, 'POST', `/api/persona/${ada}/verify`)).body.intact)
    assert.not.match(JSON.stringify(await getMessages(url, ada)), secretWord)
  } finally {
    await close()
  }
})

test('refuses invalid requests with a reason', async () => {
  const { url, close } = await startDaemon()
  try {
    const ada = await createPersona(url)
    const erasePath = `/api/persona/${ada}/erase`
    assert.is((await call(url, 'POST', erasePath, {})).status, 422)
    assert.is((await call(url, 'POST', erasePath, { seqs: [] })).status, 422)
    assert.is((await call(url, 'POST', erasePath, { seqs: ['1'] })).status, 422)
    assert.is((await call(url, 'POST', erasePath, { seqs: [0] })).status, 422)
    assert.equal(await call(url, 'POST', erasePath, { seqs: [100_000] }), {
      status: 404,
      body: { detail: 'Fact not found.' },
    })
    assert.equal(await call(url, 'POST', erasePath, { seqs: [1] }), {
      status: 400,
      body: { detail: 'Fact 1 (PersonaCreated) contains no text to erase.' },
    })
    assert.equal(await call(url, 'POST', '/api/persona/nobody/erase', { seqs: [1] }), {
      status: 404,
      body: { detail: 'Persona not found.' },
    })
  } finally {
    await close()
  }
})

test('previews the erasure without erasing', async () => {
  const daemon = await startDaemon()
  const { url } = daemon
  const ada = await createPersona(url)
  await say(url, ada, `Please remember that my password at work is ${secretWord}.`)
  const [message] = await getMessages(url, ada)
  const path = `/api/persona/${ada}/erase`
  const previewReply = await call(url, 'POST', path, { seqs: [message?.id], preview: true })
  assert.is(previewReply.status, 200, JSON.stringify(previewReply.body))
  assert.ok(previewReply.body.also.length > 0)
  assert.ok((await getMessages(url, ada)).some(({ content }) => content.includes(secretWord)))
  const eraseReply = await call(url, 'POST', path, { seqs: [message?.id], also: true })
  assert.equal(eraseReply.body, previewReply.body)
  assert.is((await call(url, 'POST', path, { seqs: [99_999], preview: true })).status, 404)
  await daemon.close()
})

interface ForkReport {
  readonly id: string
  readonly name: string
  readonly facts: readonly number[]
  readonly outcome: string
  readonly reason: string | null
}

// Fails if forks are ignored: the words then stay in each of them, unreported.
test('names the forks that hold the words, in both directions, and erases them on request', async () => {
  const home = await tempHome()
  const daemon = await startDaemon({ home })
  const { url } = daemon
  try {
    const ada = await createPersona(url)
    const bea = await createPersona(url, 'Bea')
    await say(url, bea, 'I live in Porto.')
    await say(url, ada, `My boat is a ${secretWord}.`)
    const fork = async (source: string, name: string): Promise<string> =>
      (await call(url, 'POST', `/api/persona/${source}/fork`, { name, thinking_model: 'embedded/practice' }))
        .body.persona.id
    const forkBefore = await fork(ada, 'Eve')
    const ofFork = await fork(forkBefore, 'Fay')
    const earlySeq = (await getMessages(url, ada))[0]?.id ?? 0
    await say(url, ada, `And my ${secretWord} is blue.`)
    const lateFork = await fork(ada, 'Gil')
    const [first, , second] = (await getMessages(url, ada)).map(({ id }) => id)
    const preview = async (id: string, seqs: readonly (number | undefined)[]) =>
      (await call(url, 'POST', `/api/persona/${id}/erase`, { seqs, preview: true })).body
        .forks as readonly ForkReport[]
    const ids = (forks: readonly ForkReport[]) => forks.map(({ id }) => id).sort()
    assert.equal(ids(await preview(ada, [first])), [forkBefore, ofFork, lateFork].sort())
    assert.equal(ids(await preview(ada, [second])), [lateFork])
    assert.equal(ids(await preview(ofFork, [earlySeq])), [ada, forkBefore, lateFork].sort())
    assert.equal(ids(await preview(bea, [(await getMessages(url, bea))[0]?.id])), [])
    assert.ok(
      (await preview(ada, [first])).every(({ outcome, facts }) => outcome === 'kept' && facts[0] === first),
    )

    // Without the request they are named and stay unchanged.
    const eraseReply = await call(url, 'POST', `/api/persona/${ada}/erase`, {
      seqs: [first, second],
      also: true,
    })
    assert.is(eraseReply.status, 200, JSON.stringify(eraseReply.body))
    assert.equal(ids(eraseReply.body.forks), [forkBefore, ofFork, lateFork].sort())
    for (const id of [forkBefore, ofFork, lateFork])
      assert.match(JSON.stringify(await getMessages(url, id)), secretWord)

    // Now with a request for two of them. The damaged fork does not prevent the erasure in the other.
    await call(url, 'POST', `/api/persona/${forkBefore}/stop`)
    await daemon.close()
    await damageJournal(home, forkBefore, (first ?? 0) + 3)
    const restartedDaemon = await startDaemon({ home })
    try {
      const eraseBody = { seqs: [first, second], also: true, diaries: true, forks: [forkBefore, lateFork] }
      const { status, body } = await call(restartedDaemon.url, 'POST', `/api/persona/${ada}/erase`, eraseBody)
      assert.is(status, 200, JSON.stringify(body))
      const forksById = Object.fromEntries(
        (body.forks as readonly ForkReport[]).map((fork) => [fork.id, fork]),
      )
      assert.is(forksById[lateFork]?.outcome, 'erased')
      assert.is(forksById[ofFork]?.outcome, 'kept')
      assert.is(forksById[forkBefore]?.outcome, 'refused')
      assert.match(forksById[forkBefore]?.reason ?? '', /^JournalDamaged/)
      assert.not.match(JSON.stringify(await getMessages(restartedDaemon.url, lateFork)), secretWord)
      assert.match(JSON.stringify(await getMessages(restartedDaemon.url, ofFork)), secretWord)
      assert.is((await call(restartedDaemon.url, 'POST', `/api/persona/${forkBefore}/salvage`)).status, 200)
      const all = await call(restartedDaemon.url, 'POST', `/api/persona/${ada}/erase`, {
        ...eraseBody,
        forks: true,
      })
      assert.ok(
        all.body.forks.every(({ outcome }: ForkReport) => outcome === 'erased'),
        JSON.stringify(all.body),
      )
      const last = await call(restartedDaemon.url, 'POST', `/api/persona/${ada}/erase`, {
        seqs: [first],
        preview: true,
      })
      assert.equal(last.body.forks, [])
      for (const id of [ada, forkBefore, ofFork, lateFork]) {
        assert.not.match(JSON.stringify(await getMessages(restartedDaemon.url, id)), secretWord)
        assert.ok((await call(restartedDaemon.url, 'POST', `/api/persona/${id}/verify`)).body.intact)
      }
      assert.match((await say(restartedDaemon.url, lateFork, 'Hello.')).body.reply.content, /./)
    } finally {
      await restartedDaemon.close()
    }
    assert.equal(await filesHolding(home, secretWord), [])
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
