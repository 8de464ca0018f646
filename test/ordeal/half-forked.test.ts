/**
 * A fork is interrupted after any of its steps. After the next start the fork is absent or complete, and the
 * original is unchanged.
 */
// Runs alone: it replaces Node's file calls.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { toForm } from '../forms.ts'
import { standIn } from '../http/stand-in.ts'
import { ask } from '../http/try.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { createChance } from '../random.ts'
import { type Photograph, photograph } from './photographs.ts'

const clock = createFakeClock()
const start = (home: string) => startDaemon({ home, clock, models: standIn() })
const say = (daemon: TestDaemon, id: string, message: string) =>
  call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message })

/** Returns its messages and the content of its files. */
const getLines = async (daemon: TestDaemon, id: string): Promise<readonly string[]> => {
  const { body } = await call(daemon.url, 'GET', `/api/persona/${id}/conversation?limit=1000`)
  const lines: string[] = []
  for (const { content, media } of body.messages)
    lines.push(media ? `file ${(await call(daemon.url, 'GET', media.url)).body}` : content)
  return lines
}

/**
 * Starts a daemon on the copied home: the original is unchanged, the fork is absent or complete, and no
 * temporary files remain.
 */
const judge = async (
  { step, home }: Photograph,
  id: string,
  lines: readonly string[],
): Promise<'none' | 'whole'> => {
  const daemon = await start(home)
  try {
    assert.equal(await getLines(daemon, id), lines)
    const { personas } = (await call(daemon.url, 'GET', '/api/personas')).body
    const all: readonly string[] = personas.map((persona: { id: string }) => persona.id)
    assert.ok(all.includes(id) && all.length < 3)
    assert.equal((await readdir(join(home, 'personas'))).sort(), [...all].sort())
    assert.equal(await readdir(join(home, 'trash')).catch((): string[] => []), [])
    const forkId = all.find((personaId) => personaId !== id)
    for (const personaId of all)
      assert.is((await call(daemon.url, 'POST', `/api/persona/${personaId}/verify`)).body.intact, true)
    if (!forkId) return 'none'
    const names = await readdir(join(home, 'personas', forkId))
    assert.equal(
      names.filter((name) => /next|tmp|probe/.test(name)),
      [],
    )
    assert.equal(await getLines(daemon, forkId), lines)
    const restartReply = await call(daemon.url, 'POST', `/api/persona/${forkId}/restart`)
    assert.equal(restartReply, { status: 200, body: { status: 'restarted' } })
    assert.is((await say(daemon, forkId, 'Go on.')).body.reply?.content, 'You said: Go on.')
    return 'whole'
  } catch (error) {
    throw new Error(`${step}: ${(error as Error).message} ${(error as { details?: unknown }).details ?? ''}`)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
}

// Fails if the fork's journal is moved to its place before the fork's own first facts are in it.
test('an interrupted fork is complete or absent', async () => {
  const home = await tempHome()
  const daemon = await start(home)
  try {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama',
    })
    const { id } = body.persona
    const form = toForm([{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'letter' }])
    await ask(daemon.port, { method: 'POST', path: `/api/persona/${id}/attach?wait=20`, ...form })
    await say(daemon, id, 'One.')
    const lines = await getLines(daemon, id)
    const luck = createChance('half forked').pickBetween(0, 19)
    const camera = photograph(
      home,
      (step, n) => isWhole || /^rename journal|^sync [0-9a-f-]{36}$/.test(step) || n % 20 === luck,
    )
    let steps = 0
    let status = 0
    try {
      const fields = { thinking_model: 'qwen', thinking_api_key: 'sk-new' }
      ;({ status } = await call(daemon.url, 'POST', `/api/persona/${id}/fork`, fields))
    } finally {
      steps = camera.end()
    }
    assert.is(status, 200)
    const outcomes = new Set<string>()
    for (const snapshot of camera.shots) outcomes.add(await judge(snapshot, id, lines))
    assert.equal([...outcomes].sort(), ['none', 'whole'])
    printFigures('half forked', `${camera.shots.length} of ${steps} steps`)
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
