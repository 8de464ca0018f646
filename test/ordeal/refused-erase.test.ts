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
import { damageJournal } from '../damaged.ts'
import { toForm } from '../forms.ts'
import { ask } from '../http/try.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { createChance } from '../random.ts'
import { failOnce } from './failing-calls.ts'
import { seedHome } from './seeded.ts'
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
  const at = `/api/persona/${id}`
  const messages = await getMessages(url, id)
  const media = await Promise.all(
    messages.flatMap((message) =>
      message.media ? [fetch(new URL(message.media.url, url)).then(({ status }) => status)] : [],
    ),
  )
  const replies: Reply[] = []
  for (const path of ['knowledge', 'memories', 'diagnose'])
    replies.push(await call(url, 'GET', `${at}/${path}`))
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
  const at = `/api/persona/${id}`
  assert.is((await call(url, 'POST', `${at}/start`)).status, 200)
  const texts = Array.from({ length: 60 }, (_, n) => `Number ${n}: ${'abc '.repeat(n * 20)}`)
  for (const message of texts) await call(url, 'POST', `${at}/read?wait=10`, { message })
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
    const before = await getMessages(url, id)
    const target = before.find(({ role, content }) => role === 'person' && content !== '')
    await leave(room * 1024)
    const erased = await call(url, 'POST', `${at}/erase`, { seqs: [target?.id] })
    outcomes.push(erased.status)
    if (erased.status !== 200) {
      assert.is(erased.status, 500, `${room} KiB`)
      assert.match(
        erased.body.detail,
        /^JournalUnavailable: .*(disk|written|opened)/,
        `${room} KiB: ${erased.body.detail}`,
      )
    }
    // The disk is still as full as before.
    const conversation = await call(url, 'GET', `${at}/conversation?limit=1000`)
    assert.is(conversation.status, 200, `${room} KiB: ${JSON.stringify(conversation.body)}`)
    const target2 = conversation.body.messages.find((message: { id: number }) => message.id === target?.id)
    if (erased.status === 200) assert.not.ok(target2?.content, `${room} KiB`)
    else assert.is(target2?.content, target?.content, `${room} KiB`)
    for (const path of ['knowledge', 'diagnose'])
      assert.is((await call(url, 'GET', `${at}/${path}`)).status, 200, `${room} KiB: ${path}`)
    await rm(ballast, { force: true })
    await waitFor('the persona to run again', () => isRunning(url, id))
    const reply = await call(url, 'POST', `${at}/read?wait=20`, { message: `After ${room}.` })
    assert.is(reply.status, 200, `${room} KiB: ${JSON.stringify(reply.body)}`)
    assert.ok(reply.body.reply, `${room} KiB`)
  }
  assert.ok(outcomes.includes(200) && outcomes.includes(500), outcomes.join(' '))
  assert.ok((await call(url, 'POST', `${at}/verify`)).body.intact)
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
  round: (failing: () => ReturnType<typeof failOnce>, n: number) => Promise<string | null>,
): Promise<{ readonly tried: number; readonly failed: number }> => {
  const chance = createChance(luck)
  let triedCount = 0
  let failed = 0
  for (let n = isWhole ? 1 : chance.pickBetween(1, stride); ; n += isWhole ? 1 : stride) {
    const code = codes[chance.pickBetween(0, codes.length - 1)] ?? 'EIO'
    const step = await round(() => failOnce(home, n, code), n)
    if (step === null) return { tried: triedCount, failed }
    triedCount++
    if (step.startsWith('500')) failed++
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
  const at = `/api/persona/${id}`
  const { tried: triedCount, failed } = await everyCall(
    home,
    { luck: 'failing erase', stride: 12 },
    async (failing, n) => {
      await call(url, 'POST', `${at}/read?wait=20`, { message: `My ${word} is number ${n}.` })
      const form = toForm([
        { name: 'file', filename: `${n}.txt`, type: 'text/plain', content: `A ${word} sails ${n}.` },
      ])
      await ask(port, { method: 'POST', path: `${at}/attach?wait=20`, ...form })
      const seqs = (await getMessages(url, id)).flatMap((message) =>
        message.content?.includes(word) || message.media ? [message.id] : [],
      )
      const before = await getAnswers(url, id)
      const trap = failing()
      const erased = await call(url, 'POST', `${at}/erase`, { seqs, also: true }).finally(trap.end)
      const step = `${n}: ${trap.failed} ${JSON.stringify(erased)}`
      const after = await getAnswers(url, id)
      if (erased.status === 200) assert.not.match(JSON.stringify(after), word, step)
      else {
        assert.is(erased.status, 500, step)
        assert.match(erased.body.detail, /^JournalUnavailable: /, step)
        assert.not.match(erased.body.detail, home, step)
        assert.equal(after, before, step)
      }
      await waitFor(`the persona to run again after ${step}`, () => isRunning(url, id))
      const retry = await call(url, 'POST', `${at}/erase`, { seqs, also: true })
      assert.is(retry.status, 200, `${step} ${JSON.stringify(retry.body)}`)
      assert.not.match(JSON.stringify(await getAnswers(url, id)), word, step)
      assert.ok((await call(url, 'POST', `${at}/verify`)).body.intact, step)
      return trap.failed && `${erased.status} ${trap.failed}`
    },
  )
  printFigures('failing erase', `${triedCount} calls`, `${failed} refused`)
})

test('a salvage in which any disk call fails leaves the persona readable, and a retry succeeds', async ({
  ends,
}) => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  const { tried: triedCount, failed } = await everyCall(
    home,
    { luck: 'failing salvage', stride: 30 },
    async (failing, n) => {
      const daemonBefore = await startDaemon({ home })
      const id = await create(daemonBefore)
      const at = `/api/persona/${id}`
      for (const message of ['I live in Lisbon.', 'I like ships.', 'And trams.'])
        await call(daemonBefore.url, 'POST', `${at}/read?wait=20`, { message })
      const lastMessage = (await getMessages(daemonBefore.url, id)).findLast(({ role }) => role === 'person')
      await daemonBefore.close()
      await damageJournal(home, id, lastMessage?.id ?? 0)
      const daemon = await startDaemon({ home })
      const { url } = daemon
      try {
        await waitFor('the persona to be sick', async () => {
          const { body } = await call(url, 'GET', `${at}/diagnose`)
          return body.status === 'sick' || (await call(url, 'POST', `${at}/start`).then(() => false))
        })
        const before = await getAnswers(url, id)
        const trap = failing()
        const salvageReply = await call(url, 'POST', `${at}/salvage`).finally(trap.end)
        const step = `${n}: ${trap.failed} ${JSON.stringify(salvageReply)}`
        // One record was damaged: a call that failed once may not lose more.
        if (salvageReply.status === 200) assert.is(salvageReply.body.lost, 1, step)
        if (salvageReply.status !== 200) {
          assert.is(salvageReply.status, 500, step)
          assert.match(salvageReply.body.detail, /^Journal(Unavailable|Damaged): /, step)
          assert.equal(await getAnswers(url, id), before, step)
          const retry = await call(url, 'POST', `${at}/salvage`)
          assert.is(retry.status, 200, `${step} ${JSON.stringify(retry.body)}`)
        }
        await waitFor(`the persona to run again after ${step}`, () => isRunning(url, id))
        assert.ok((await call(url, 'POST', `${at}/verify`)).body.intact, step)
        await call(url, 'POST', `${at}/delete?purge=true`)
        return trap.failed && `${salvageReply.status} ${trap.failed}`
      } finally {
        await daemon.close()
      }
    },
  )
  printFigures('failing salvage', `${triedCount} calls`, `${failed} refused`)
})

test.run()
