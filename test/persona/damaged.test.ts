import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { WebSocket } from 'ws'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'

const api = (daemon: TestDaemon) => {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${daemon.url}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: object) => call('POST', path, body),
  }
}

/** Flips one bit of a message's text in a LevelDB file. */
const spoil = async (home: string, id: string, text: string) => {
  const folder = join(home, 'personas', id, 'journal')
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name))
    const offset = bytes.indexOf(text)
    if (offset < 0) continue
    bytes[offset] = (bytes[offset] ?? 0) ^ 1
    await writeFile(join(folder, name), bytes)
    return
  }
  throw new Error(`${text} is nowhere on disk`)
}

// Fails if a damaged journal is opened for writing: the persona is shown as active although it cannot run.
test('a persona with a damaged journal is sick and readable up to the damage, and others run', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const ids: string[] = []
  for (const name of ['Ada', 'Bo']) {
    const { body } = await api(first).post('/api/persona/create', {
      name,
      thinking_model: 'embedded/practice',
    })
    ids.push(body.persona.id)
  }
  const [ada, bo] = ids as [string, string]
  for (const message of ['hello there', 'the roses are in bloom', 'thank you'])
    for (const id of ids) await api(first).post(`/api/persona/${id}/read?wait=30`, { message })
  await first.close()
  await spoil(home, ada, 'the roses are in bloom')

  const second = await startDaemon({ home })
  try {
    const { get, post } = api(second)
    const isSettled = async () => {
      const [firstPersona, secondPersona] = (await get('/api/personas')).body.personas
      return firstPersona.status === 'sick' && secondPersona.running
    }
    for (let i = 0; i < 250 && !(await isSettled()); i++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const personas = (await get('/api/personas')).body.personas
    equal(
      personas.map(({ status, running }: { status: string; running: boolean }) => ({ status, running })),
      [
        { status: 'sick', running: false },
        { status: 'active', running: true },
      ],
    )
    const start = await post(`/api/persona/${ada}/start`)
    is(start.status, 400)
    match(start.body.detail, /record \d+/)
    const update = await post(`/api/persona/${ada}/update`, { name: 'Eve' })
    is(update.status, 500)
    match(update.body.detail, /^JournalDamaged: /)
    const talk = await get(`/api/persona/${ada}/conversation`)
    is(talk.status, 200)
    equal(talk.body.messages[0]?.content, 'hello there')
    ok(!JSON.stringify(talk.body).includes('roses are'))
    const otherReply = await post(`/api/persona/${bo}/read?wait=30`, { message: 'are you well?' })
    ok(otherReply.body.reply?.content)

    const socket = new WebSocket(`ws://127.0.0.1:${second.port}/ws/${ada}`)
    const setup = new WebSocket(`ws://127.0.0.1:${second.port}/ws/system`)
    await Promise.all([once(socket, 'open'), once(setup, 'open')])
    const firstFrame = new Promise((resolve) => {
      setup.on('message', (data) => {
        const frame = JSON.parse(data.toString())
        if (frame.type === 'persona_deleted') resolve(frame.persona_id)
      })
    })
    const whenClosed = once(socket, 'close')
    is((await post(`/api/persona/${ada}/delete`)).status, 400)
    is((await post(`/api/persona/${ada}/delete?force=true`)).status, 200)
    is((await whenClosed)[0], 4404)
    is(await firstFrame, ada)
    is((await get('/api/personas')).body.personas.length, 1)
    setup.close()
  } finally {
    await second.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
