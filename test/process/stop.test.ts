import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, pause, waitFor } from '../calls.ts'
import { createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { type DaemonProcess, walk } from './daemon.ts'
import { endAll, newHome, personas, runProcess, startDaemonProcess, type World } from './setup.ts'

/**
 * Fails if every second signal ends the process immediately, if nothing is closed at the end, and if an agent
 * is stopped without an abort.
 */
const test = suite<World>('stopping', { ends: [] })
test.after.each(endAll)

/** A request whose body never comes: a server that ends waits for it for a while. */
const openHalfRequest = async ({ ends }: World, port: number): Promise<Socket> => {
  const socket = dial(port, '127.0.0.1')
  socket.on('error', () => undefined)
  ends.push(() => socket.destroy())
  const head = [
    'POST /api/persona/create HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Content-Length: 1000',
  ]
  socket.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'))
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), '100 Continue')
  return socket
}

/** Starts a daemon with a persona that received a message which its model has not answered. */
const startWithTurn = async (
  world: World,
): Promise<{ daemon: DaemonProcess; ollama: OllamaStandIn; id: string; env: Record<string, string> }> => {
  const ollama = await createOllama({ answer: () => 'one two three' })
  world.ends.push(ollama.close)
  const env = { OLLAMA_BASE_URL: ollama.url }
  const daemon = await startDaemonProcess(world, { env })
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  const { id } = body.persona
  ollama.faults.hangs = 1
  const chats = ollama.calls('/api/chat').length
  await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=0`, { message: 'Are you there?' })
  await waitFor('a model call', () => ollama.calls('/api/chat').length > chats)
  return { daemon, ollama, id, env }
}

test('ends in order on SIGTERM during a turn, which is repeated after the next start', async (world) => {
  const { daemon, ollama, id, env } = await startWithTurn(world)
  const startedAt = Date.now()
  const pendingReply = call(daemon.url, 'POST', `/api/persona/${id}/read?wait=60`, {
    message: 'And now?',
  }).catch(String)
  await pause(50)
  const { code, stderr } = await daemon.kill('SIGTERM')
  assert.is(code, 0)
  assert.ok(Date.now() - startedAt < 10_000)
  assert.not.match(stderr, /"level":"(error|fatal)"/)
  // The pendingReply client gets a response: the message was received, and there is no reply yet.
  assert.equal(await pendingReply, { status: 200, body: { status: 'received', reply: null } })
  await waitFor('the model call to be aborted', () => ollama.open() === 0)
  assert.not.ok((await walk(daemon.home)).some(({ path }) => path === 'daemon'))

  ollama.faults.hangs = false
  const secondDaemon = await startDaemonProcess(world, { home: daemon.home, env })
  const messages = await waitFor('both to be answered', async () => {
    const { body } = await call(secondDaemon.url, 'GET', `/api/persona/${id}/conversation`)
    return (
      body.messages.filter(({ role }: { role: string }) => role === 'assistant').length > 1 && body.messages
    )
  })
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['Are you there?', 'And now?', 'one two three', 'one two three'],
  )
})

// Fails if signals are handled only after the listening line is written (ten of twelve processes died).
test('ends in order on a signal right after its first line, and answers pending requests', async (world) => {
  for (let n = 0; n < 4; n++) {
    const home = await newHome(world)
    const { child, stdout, whenEnded: exit } = runProcess(world, { home })
    await once(child.stdout as Readable, 'data')
    const url = /http:\S+/.exec(stdout())?.[0]
    const isAsking = n % 2 === 1
    const response = isAsking ? call(url ?? '', 'GET', '/api/personas').catch(() => undefined) : undefined
    if (isAsking) await pause(n)
    child.kill('SIGTERM')
    const { code, signal, stderr } = await exit
    assert.equal([code, signal, stderr], [0, null, ''])
    assert.not.ok((await walk(home)).some(({ path }) => path === 'daemon'))
    const answer = await response
    if (answer) assert.is(answer.status, 200)
  }
})

test('ends in order while a model is pulled for a new persona, and leaves nothing of the persona', async (world) => {
  const ollama = await createOllama({ models: [], faults: { pullPause: 12_000 } })
  world.ends.push(ollama.close)
  const daemon = await startDaemonProcess(world, { env: { OLLAMA_BASE_URL: ollama.url } })
  const creating = call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
    thinking_api_key: 'key-of-the-host',
  }).catch(() => undefined)
  await waitFor('the pull', () => ollama.calls('/api/pull').length > 0)
  const startedAt = Date.now()
  assert.is((await daemon.kill('SIGTERM')).code, 0)
  assert.ok(Date.now() - startedAt < 10_000)
  // The request fails or is interrupted, but never succeeds.
  assert.is.not((await creating)?.status, 200)
  const next = await startDaemonProcess(world, { home: daemon.home })
  assert.equal(await personas(next.url), [])
  assert.not.ok((await walk(daemon.home)).some(({ path }) => path.startsWith('personas/')))
})

test('ends in order while it waits for an endpoint that does not answer', async (world) => {
  const ollama = await createOllama()
  world.ends.push(ollama.close)
  const env = { OLLAMA_BASE_URL: ollama.url }
  const first = await startDaemonProcess(world, { env })
  assert.is(
    (await call(first.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama3' })).status,
    200,
  )
  await first.kill('SIGTERM')
  ollama.faults.hangs = true
  const second = await startDaemonProcess(world, { home: first.home, env })
  await waitFor('the probe', () => ollama.open() > 0)
  const startedAt = Date.now()
  assert.is((await second.kill('SIGTERM')).code, 0)
  assert.ok(Date.now() - startedAt < 5000)
})

test('treats two immediate signals as one, as npm forwards every Ctrl-C twice', async (world) => {
  const check = async (second: NodeJS.Signals) => {
    const daemon = await startDaemonProcess(world)
    const busy = await openHalfRequest(world, daemon.port)
    daemon.child.kill('SIGINT')
    await pause(1)
    const ending = daemon.kill(second)
    await pause(400)
    assert.is(daemon.child.exitCode, null)
    busy.destroy()
    const { code, signal } = await ending
    assert.equal([code, signal], [0, null])
    assert.not.ok((await walk(daemon.home)).some(({ path }) => path === 'daemon'))
  }
  await Promise.all([check('SIGINT'), check('SIGTERM')])
})

test('ends immediately on a later second signal', async (world) => {
  const daemon = await startDaemonProcess(world)
  await openHalfRequest(world, daemon.port)
  daemon.child.kill('SIGINT')
  await pause(600)
  assert.is(daemon.child.exitCode, null)
  const secondSignalAt = Date.now()
  const { code } = await daemon.kill('SIGINT')
  assert.is(code, 1)
  assert.ok(Date.now() - secondSignalAt < 1000)
  // A hurried exit leaves no more behind than a crash.
  const next = await startDaemonProcess(world, { home: daemon.home })
  assert.equal(await personas(next.url), [])
})

test.run()
