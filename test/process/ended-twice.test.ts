/**
 * The built daemon is killed while it works on a message: once, and it continues; twice, and it reports this
 * instead.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simple } from '../../packages/history-import/test/made.ts'
import { call, type Reply, waitFor } from '../calls.ts'
import { type ChatRequest, createOllama } from '../stand-ins/ollama.ts'
import type { DaemonProcess } from './daemon.ts'
import { endAll, newHome, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('ended twice', { ends: [] })
test.after.each((world) => endAll(world))

/** A model that never answers prompts with this word, and counts them. */
const createStuckModel = async (world: World, word: string) => {
  let askedCount = 0
  const getTexts = ({ messages }: ChatRequest) =>
    messages.filter(({ role }) => role !== 'assistant').at(-1)?.content ?? ''
  const answer = (request: ChatRequest) => {
    if (!getTexts(request).includes(word))
      return request.messages[0]?.content.includes('# The talk')
        ? '{"summary": "So it was.", "operations": []}'
        : 'Fine.'
    askedCount++
    return new Promise<string>(() => undefined)
  }
  const ollama = await createOllama({ answer })
  world.ends.push(ollama.close)
  return { asked: () => askedCount, env: { OLLAMA_BASE_URL: ollama.url } }
}

const createPersona = async (daemon: DaemonProcess): Promise<string> => {
  const { status, body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  assert.is(status, 200, JSON.stringify(body))
  return `/api/persona/${body.persona.id}`
}

const getMessages = async (
  { url }: DaemonProcess,
  personaPath: string,
): Promise<readonly { role: string; content: string }[]> =>
  (await call(url, 'GET', `${personaPath}/conversation`)).body.messages ?? []

/** Retries while the persona is not running. */
const say = (daemon: DaemonProcess, personaPath: string, message: string, wait = 0): Promise<Reply> =>
  waitFor('the persona to run', async () => {
    const reply = await call(
      daemon.url,
      'POST',
      `${personaPath}/read?wait=${wait}`,
      { message },
      { timeoutMs: 60_000 },
    )
    return reply.status === 409 ? undefined : reply
  })

// Fails if deaths are not counted: the third start asked the model about it again, and so would every later
// one.
test('a turn is repeated after one kill; after two it is given up with a message, without a model call', async (world) => {
  const mind = await createStuckModel(world, 'riddle')
  const home = await newHome(world)
  const first = await startDaemonProcess(world, { home, env: mind.env })
  const personaPath = await createPersona(first)
  assert.is((await say(first, personaPath, 'Here is a riddle.')).status, 200)
  await waitFor('a model call', () => mind.asked() === 1)
  await first.kill('SIGKILL')

  const second = await startDaemonProcess(world, { home, env: mind.env })
  await waitFor('the turn to be repeated', () => mind.asked() === 2)
  await second.kill('SIGKILL')

  const third = await startDaemonProcess(world, { home, env: mind.env })
  const failureMessage = await waitFor('its end', async () =>
    (await getMessages(third, personaPath)).find(({ content }) => /ended twice/.test(content)),
  )
  assert.is(
    failureMessage.content,
    'The daemon ended twice without warning while it worked on this, so it does not try a third time. Your message is kept in the conversation, but it was not answered. Send it again, perhaps in smaller parts.',
  )
  assert.equal(
    (await getMessages(third, personaPath)).map(({ content }) => content),
    ['Here is a riddle.', failureMessage.content],
  )
  assert.match(third.stderr(), /a turn was given up/)
  const { body } = await say(third, personaPath, 'How are you?', 30)
  assert.is(body.reply?.content, 'Fine.')
  assert.is(mind.asked(), 2)
})

// Fails if orderly stops are counted: a persona that was stopped and started twice gave up the message.
test('an orderly stopped turn is repeated every time', async (world) => {
  const mind = await createStuckModel(world, 'riddle')
  const home = await newHome(world)
  let daemon = await startDaemonProcess(world, { home, env: mind.env })
  const personaPath = await createPersona(daemon)
  await say(daemon, personaPath, 'Here is a riddle.')
  for (let times = 1; times < 3; times++) {
    await waitFor('a model call', () => mind.asked() === times)
    assert.is((await daemon.kill('SIGTERM')).code, 0)
    daemon = await startDaemonProcess(world, { home, env: mind.env })
  }
  await waitFor('another model call', () => mind.asked() === 3)
  assert.is((await getMessages(daemon, personaPath)).length, 1)
})

const feed = async ({ url }: DaemonProcess, personaPath: string, text: string, query = ''): Promise<Reply> =>
  waitFor('the persona to run', async () => {
    const form = new FormData()
    form.append('source', 'chatgpt')
    form.append('history', new Blob([text]))
    const response = await fetch(`${url}${personaPath}/feed${query}`, { method: 'POST', body: form })
    const body = await response.json()
    return response.status === 409 ? undefined : { status: response.status, body }
  })

const refusal =
  'Could not parse the external data. Please check the file format. The daemon crashed twice while it imported this file, so it does not try a third time. The conversations that were imported before are kept. Send the rest in smaller files.'

// Fails without the marks: the third import began like the first two.
test('a history import during which the daemon died twice is refused the third time, and others are not', async (world) => {
  const mind = await createStuckModel(world, 'riddle')
  const home = await newHome(world)
  let daemon = await startDaemonProcess(world, { home, env: mind.env })
  const personaPath = await createPersona(daemon)
  const history = JSON.stringify([simple('One', 'I like tea.'), simple('Two', 'Here is a riddle.')])
  for (const times of [1, 2]) {
    const lostRequest = feed(daemon, personaPath, history).catch(() => 'lost')
    await waitFor('a model call of the import', () => mind.asked() === times)
    await daemon.kill('SIGKILL')
    assert.is(await lostRequest, 'lost')
    daemon = await startDaemonProcess(world, { home, env: mind.env })
  }
  for (const query of ['', '?preview=1'])
    assert.equal(await feed(daemon, personaPath, history, query), { status: 400, body: { detail: refusal } })
  assert.is(mind.asked(), 2)
  assert.match(daemon.stderr(), /ended twice/)
  const { status } = await feed(daemon, personaPath, JSON.stringify([simple('Three', 'I like bread.')]))
  assert.is(status, 200)
  const matches = (await call(daemon.url, 'GET', `${personaPath}/search?q=so+it+was&kind=history`)).body.found
  assert.equal(
    matches.map(({ text }: { text: string }) => text.split('\n')[0]),
    ['Three', 'One'],
  )
})

test.run()
