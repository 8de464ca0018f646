/**
 * The disk refuses an erase, a salvage, a restore or a deletion at any of its steps: the persona is served as
 * before, runs again by itself, and a retry succeeds.
 */
// Runs alone: it replaces Node's file calls.
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, type Reply, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { toForm } from '../forms.ts'
import { ask } from '../http/try.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { createChance } from '../random.ts'
import { failOnce } from './failing-calls.ts'
import { seedHome } from './seed-home.ts'
import { openSmallDisk } from './small-disk.ts'

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('a refused erase', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const word = 'quinquireme'

const getMessages = async (url: string, id: string) =>
  (await call(url, 'GET', `/api/persona/${id}/conversation?limit=1000`)).body.messages as {
    id: number
    role: string
    content: string
    media: { url: string } | null
  }[]

/** Returns everything that can be read about it, with statuses but without times and URLs. */
const getAnswers = async (url: string, id: string): Promise<unknown> => {
  const personaPath = `/api/persona/${id}`
  const messages = await getMessages(url, id)
  const media = await Promise.all(
    messages.flatMap((message) =>
      message.media ? [fetch(new URL(message.media.url, url)).then(({ status }) => status)] : [],
    ),
  )
  const replies: Reply[] = []
  for (const path of ['knowledge', 'memories', 'diagnose'])
    replies.push(await call(url, 'GET', `${personaPath}/${path}`))
  return {
    messages: messages.map(({ role, content }) => `${role}: ${content}`),
    media,
    statuses: replies.map(({ status }) => status),
  }
}

const isRunning = async (url: string, id: string): Promise<boolean> =>
  (await call(url, 'GET', `/api/persona/${id}/diagnose`)).body?.running === true

test('on a disk with little space an erase is done or refused with a message; the persona can be read, and runs again by itself', async ({
  ends,
}) => {
  const disk = await openSmallDisk(32)
  if (!disk) {
    printFigures('refused erase', 'no disk can be mounted here')
    return
  }
  ends.push(disk.close)
  const [id = ''] = await seedHome(disk.home, createFakeClock(), 1)
  const { url } = await disk.start()
  const personaPath = `/api/persona/${id}`
  assert.is((await call(url, 'POST', `${personaPath}/start`)).status, 200)
  const texts = Array.from({ length: 60 }, (_, n) => `Number ${n}: ${'abc '.repeat(n * 20)}`)
  for (const message of texts) await call(url, 'POST', `${personaPath}/read?wait=10`, { message })
  const ballast = join(disk.home, '..', 'ballast')
  const leave = async (bytes: number, attempts = 5): Promise<void> => {
    await rm(ballast, { force: true })
    const { bavail, bsize } = await statfs(disk.home)
    try {
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)))
    } catch (error) {
      // The daemon wrote something after the free space was measured.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC' || attempts === 1) throw error
      await leave(bytes, attempts - 1)
    }
  }
  const outcomes: number[] = []
  const step = isWhole ? 32 : 512
  for (let room = 0; room <= 8192; room += room < 2048 ? step : 4 * step) {
    const messagesBefore = await getMessages(url, id)
    const target = messagesBefore.find(({ role, content }) => role === 'person' && content !== '')
    await leave(room * 1024)
    const eraseReply = await call(url, 'POST', `${personaPath}/erase`, { seqs: [target?.id] })
    outcomes.push(eraseReply.status)
    if (eraseReply.status !== 200) {
      assert.is(eraseReply.status, 500, `${room} KiB`)
      assert.match(
        eraseReply.body.detail,
        /^JournalUnavailable: .*(disk|written|opened)/,
        `${room} KiB: ${eraseReply.body.detail}`,
      )
    }
    // The disk is still as full as before.
    const conversation = await call(url, 'GET', `${personaPath}/conversation?limit=1000`)
    assert.is(conversation.status, 200, `${room} KiB: ${JSON.stringify(conversation.body)}`)
    const target2 = conversation.body.messages.find((message: { id: number }) => message.id === target?.id)
    if (eraseReply.status === 200) assert.not.ok(target2?.content, `${room} KiB`)
    else assert.is(target2?.content, target?.content, `${room} KiB`)
    for (const path of ['knowledge', 'diagnose'])
      assert.is((await call(url, 'GET', `${personaPath}/${path}`)).status, 200, `${room} KiB: ${path}`)
    await rm(ballast, { force: true })
    await waitFor('the persona to run again', () => isRunning(url, id))
    const reply = await call(url, 'POST', `${personaPath}/read?wait=20`, { message: `After ${room}.` })
    assert.is(reply.status, 200, `${room} KiB: ${JSON.stringify(reply.body)}`)
    assert.ok(reply.body.reply, `${room} KiB`)
  }
  assert.ok(outcomes.includes(200) && outcomes.includes(500), outcomes.join(' '))
  assert.ok((await call(url, 'POST', `${personaPath}/verify`)).body.intact)
  printFigures(
    'refused erase',
    `${outcomes.length} amounts of free space`,
    `${outcomes.filter((status) => status === 500).length} refused`,
  )
})

const codes = ['ENOSPC', 'EIO', 'EMFILE', 'EACCES'] as const

/** Fails each call of a command once, or a part of the calls. */
const everyCall = async (
  home: string,
  { luck, stride }: { luck: string; stride: number },
  round: (openFailure: () => ReturnType<typeof failOnce>, n: number) => Promise<string | null>,
): Promise<{ readonly attemptCount: number; readonly failureCount: number }> => {
  const chance = createChance(luck)
  let triedCount = 0
  let failureCount = 0
  for (let n = isWhole ? 1 : chance.pickBetween(1, stride); ; n += isWhole ? 1 : stride) {
    const code = codes[chance.pickBetween(0, codes.length - 1)] ?? 'EIO'
    const step = await round(() => failOnce(home, n, code), n)
    if (step === null) return { attemptCount: triedCount, failureCount: failureCount }
    triedCount++
    if (step.startsWith('500')) failureCount++
  }
}

const create = async ({ url }: TestDaemon): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'embedded/practice' })).body
    .persona.id

// Fails if the system's own error is returned.
test('an erase in which any disk call fails is done completely or not at all, and a retry succeeds', async ({
  ends,
}) => {
  const home = await tempHome()
  const daemon = await startDaemon({ home })
  ends.push(
    () => rm(home, { recursive: true, force: true }),
    () => daemon.close(),
  )
  const { url, port } = daemon
  const id = await create(daemon)
  const personaPath = `/api/persona/${id}`
  const { attemptCount: triedCount, failureCount } = await everyCall(
    home,
    { luck: 'failing erase', stride: 12 },
    async (openFailure, n) => {
      await call(url, 'POST', `${personaPath}/read?wait=20`, { message: `My ${word} is number ${n}.` })
      const form = toForm([
        { name: 'file', filename: `${n}.txt`, type: 'text/plain', content: `A ${word} sails ${n}.` },
      ])
      await ask(port, { method: 'POST', path: `${personaPath}/attach?wait=20`, ...form })
      const seqs = (await getMessages(url, id)).flatMap((message) =>
        message.content?.includes(word) || message.media ? [message.id] : [],
      )
      const answersBefore = await getAnswers(url, id)
      const trap = openFailure()
      const eraseReply = await call(url, 'POST', `${personaPath}/erase`, { seqs, also: true }).finally(
        trap.end,
      )
      const step = `${n}: ${trap.failedCall} ${JSON.stringify(eraseReply)}`
      const answersAfter = await getAnswers(url, id)
      if (eraseReply.status === 200) assert.not.match(JSON.stringify(answersAfter), word, step)
      else {
        assert.is(eraseReply.status, 500, step)
        assert.match(eraseReply.body.detail, /^JournalUnavailable: /, step)
        assert.not.match(eraseReply.body.detail, home, step)
        assert.equal(answersAfter, answersBefore, step)
      }
      await waitFor(`the persona to run again after ${step}`, () => isRunning(url, id))
      const retry = await call(url, 'POST', `${personaPath}/erase`, { seqs, also: true })
      assert.is(retry.status, 200, `${step} ${JSON.stringify(retry.body)}`)
      assert.not.match(JSON.stringify(await getAnswers(url, id)), word, step)
      assert.ok((await call(url, 'POST', `${personaPath}/verify`)).body.intact, step)
      return trap.failedCall && `${eraseReply.status} ${trap.failedCall}`
    },
  )
  printFigures('failing erase', `${triedCount} calls`, `${failureCount} refused`)
})

test('a salvage in which any disk call fails leaves the persona readable, and a retry succeeds', async ({
  ends,
}) => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  const { attemptCount: triedCount, failureCount } = await everyCall(
    home,
    { luck: 'failing salvage', stride: 30 },
    async (openFailure, n) => {
      const daemonBefore = await startDaemon({ home })
      const id = await create(daemonBefore)
      const personaPath = `/api/persona/${id}`
      for (const message of ['I live in Lisbon.', 'I like ships.', 'And trams.'])
        await call(daemonBefore.url, 'POST', `${personaPath}/read?wait=20`, { message })
      const lastMessage = (await getMessages(daemonBefore.url, id)).findLast(({ role }) => role === 'person')
      await daemonBefore.close()
      await damageJournal(home, id, lastMessage?.id ?? 0)
      const daemon = await startDaemon({ home })
      const { url } = daemon
      try {
        await waitFor('the persona to be sick', async () => {
          const { body } = await call(url, 'GET', `${personaPath}/diagnose`)
          return body.status === 'sick' || (await call(url, 'POST', `${personaPath}/start`).then(() => false))
        })
        const answersBefore = await getAnswers(url, id)
        const trap = openFailure()
        const salvageReply = await call(url, 'POST', `${personaPath}/salvage`).finally(trap.end)
        const step = `${n}: ${trap.failedCall} ${JSON.stringify(salvageReply)}`
        // One record was damaged: a call that failed once may not lose more.
        if (salvageReply.status === 200) assert.is(salvageReply.body.lost, 1, step)
        if (salvageReply.status !== 200) {
          assert.is(salvageReply.status, 500, step)
          assert.match(salvageReply.body.detail, /^Journal(Unavailable|Damaged): /, step)
          assert.equal(await getAnswers(url, id), answersBefore, step)
          const retry = await call(url, 'POST', `${personaPath}/salvage`)
          assert.is(retry.status, 200, `${step} ${JSON.stringify(retry.body)}`)
        }
        await waitFor(`the persona to run again after ${step}`, () => isRunning(url, id))
        assert.ok((await call(url, 'POST', `${personaPath}/verify`)).body.intact, step)
        await call(url, 'POST', `${personaPath}/delete?purge=true`)
        return trap.failedCall && `${salvageReply.status} ${trap.failedCall}`
      } finally {
        await daemon.close()
      }
    },
  )
  printFigures('failing salvage', `${triedCount} calls`, `${failureCount} refused`)
})

test.run()
