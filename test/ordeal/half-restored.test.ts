/**
 * A restore is interrupted after any of its steps. After the next start the persona is as before, or as in
 * the diary, and nothing between.
 */
// Runs alone: it replaces Node's file calls.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { exportDiary, firstPhrase, migrate } from '../contract/diaries.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { toForm } from '../forms.ts'
import { standIn } from '../http/stand-in.ts'
import { ask } from '../http/try.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { createChance } from '../random.ts'
import { type Photograph, photograph } from './photographs.ts'

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('half restored', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const clock = createFakeClock()
const start = (home: string, models = standIn()) =>
  startDaemon({ home, clock, models, newPhrase: firstPhrase })
const say = (daemon: TestDaemon, id: string, message: string) =>
  call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const show = async ({ port }: TestDaemon, id: string, content: string) => {
  const form = toForm([{ name: 'file', filename: `${content}.txt`, type: 'text/plain', content }])
  const { status } = await ask(port, { method: 'POST', path: `/api/persona/${id}/attach?wait=20`, ...form })
  assert.is(status, 200)
}

/** Returns its messages and the content of its files. */
const getLines = async (daemon: TestDaemon, id: string): Promise<readonly string[] | undefined> => {
  const { status, body } = await call(daemon.url, 'GET', `/api/persona/${id}/conversation?limit=1000`)
  if (status === 404) return undefined
  assert.is(status, 200, JSON.stringify(body))
  const lines: string[] = []
  for (const { content, media } of body.messages)
    lines.push(media ? `file ${(await call(daemon.url, 'GET', media.url)).body}` : content)
  return lines
}

interface EndedOutcome {
  readonly id: string
  readonly linesBefore: readonly string[] | undefined
  readonly linesAfter: readonly string[]
}

/**
 * Starts a daemon on the copied home: one of the two states is complete, with its own key, and no temporary
 * files remain.
 */
const judge = async (
  { step, home }: Photograph,
  { id, linesBefore, linesAfter }: EndedOutcome,
): Promise<'before' | 'after'> => {
  const models = standIn()
  const daemon = await start(home, models)
  try {
    const linesNow = await getLines(daemon, id)
    const state = JSON.stringify(linesNow) === JSON.stringify(linesAfter) ? 'after' : 'before'
    if (state === 'before') assert.equal(linesNow, linesBefore)
    const folders = await readdir(join(home, 'personas')).catch((): string[] => [])
    assert.equal(folders, linesNow ? [id] : [])
    for (const name of await readdir(join(home, 'trash')).catch((): string[] => []))
      assert.match(name, new RegExp(`^parted-${id}-`))
    if (!linesNow) return state
    const names = await readdir(join(home, 'personas', id))
    assert.equal(
      names.filter((name) => /next|tmp|probe/.test(name)),
      [],
    )
    assert.is((await call(daemon.url, 'POST', `/api/persona/${id}/verify`)).body.intact, true)
    models.keys.length = 0
    const restartReply = await call(daemon.url, 'POST', `/api/persona/${id}/restart`)
    assert.equal(restartReply, { status: 200, body: { status: 'restarted' } })
    assert.is(models.keys.at(-1), state === 'after' ? 'sk-new' : 'sk-old')
    assert.is((await say(daemon, id, 'Go on.')).body.reply?.content, 'You said: Go on.')
    return state
  } catch (error) {
    throw new Error(`${step}: ${(error as Error).message} ${(error as { details?: unknown }).details ?? ''}`)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
}

const testEveryStep = async (
  label: string,
  daemon: TestDaemon,
  id: string,
  diary: Buffer,
  linesAfter: readonly string[],
) => {
  const chance = createChance(`half restored: ${label}`)
  const luck = chance.pickBetween(0, 19)
  // The steps that replace a journal, the step after each, and a twentieth of the others.
  const camera = photograph(
    daemon.home,
    (step, n) => isWhole || /^rename journal/.test(step) || step === `sync ${id}` || n % 20 === luck,
  )
  const linesBefore = await getLines(daemon, id)
  let steps = 0
  try {
    const [status, body] = await migrate(daemon, { diary, api_key: 'sk-new' })
    assert.is(status, 200, JSON.stringify(body))
  } finally {
    steps = camera.end()
  }
  assert.equal(await getLines(daemon, id), linesAfter)
  const outcomes = new Set<string>()
  for (const snapshot of camera.shots) outcomes.add(await judge(snapshot, { id, linesBefore, linesAfter }))
  assert.equal([...outcomes].sort(), ['after', 'before'])
  printFigures(`half restored: ${label}`, `${camera.shots.length} of ${steps} steps`)
}

/** Creates a persona in one daemon and migrates it to another one, which then receives a file for it. */
const twoSetups = async (ends: Ends['ends']) => {
  const firstHome = await tempHome()
  const otherHome = await tempHome()
  ends.push(() =>
    Promise.all([firstHome, otherHome].map((home) => rm(home, { recursive: true, force: true }))),
  )
  const firstDaemon = await start(firstHome)
  const otherDaemon = await start(otherHome)
  ends.push(firstDaemon.close, otherDaemon.close)
  const { body } = await call(firstDaemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama',
    thinking_api_key: 'sk-old',
  })
  const { id } = body.persona
  await show(firstDaemon, id, 'letter')
  assert.is((await migrate(otherDaemon, { diary: await exportDiary(firstDaemon, id) }))[0], 200)
  await show(otherDaemon, id, 'answer')
  await say(otherDaemon, id, 'One.')
  return {
    firstDaemon,
    otherDaemon,
    id,
    diary: await exportDiary(otherDaemon, id),
    after: (await getLines(otherDaemon, id)) ?? [],
  }
}

/**
 * Fails if the old journal is moved away before the new one is ready (the persona is missing), if files are
 * moved only after the swap (messages refer to missing files), and if the prepared files are not removed at
 * the start.
 */
test('replaces an existing persona', async ({ ends }) => {
  const { firstDaemon, id, diary, after } = await twoSetups(ends)
  await call(firstDaemon.url, 'POST', `/api/persona/${id}/restart`)
  await testEveryStep('over one who lives here', firstDaemon, id, diary, after)
})

// Fails if files are moved to their place before the journal: a folder without a persona remains.
test('restores into an empty home', async ({ ends }) => {
  const { id, diary, after } = await twoSetups(ends)
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  const empty = await start(home)
  ends.push(empty.close)
  await testEveryStep('where nobody lives', empty, id, diary, after)
})

test.run()
