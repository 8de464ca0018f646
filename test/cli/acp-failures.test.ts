/** `daimon acp` when the daemon, the persona or the editor fails: a clear error, and no message twice. */

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { methods } from '@agentclientprotocol/sdk'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type WebSocket, WebSocketServer } from 'ws'
import { waitFor } from '../calls.ts'
import { nowhereUrl } from '../daemon.ts'
import {
  type AcpProcess,
  type AcpSetup,
  getError,
  killEditors,
  openEditor,
  startAcp,
  withAcp,
} from './acp-editor.ts'

test.after(killEditors)

// biome-ignore lint/suspicious/noExplicitAny: replies are looked into by tests
const readLines = ({ child }: AcpProcess): readonly any[] => {
  const lines: unknown[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) lines.push(JSON.parse(line))
  })
  return lines
}

const countMessages = async ({ api }: AcpSetup, content: string) =>
  (await api('GET', 'conversation')).messages.filter(
    (message: { role: string; content: string }) => message.role === 'person' && message.content === content,
  ).length

test('answers broken lines, unknown methods and requests before initialize with errors, and works on', async () => {
  const acp = startAcp(nowhereUrl, 'Ada')
  const lines = readLines(acp)
  const send = (line: string) => void acp.child.stdin?.write(`${line}\n`)
  const answerTo = (id: number | null, n = 0) =>
    waitFor(`an answer to ${id}`, () => lines.filter((line) => line.id === id)[n])
  send('not json')
  assert.is((await answerTo(null)).error.code, -32700)
  send('[]')
  assert.is((await answerTo(null, 1)).error.code, -32600)
  send('7')
  assert.is((await answerTo(null, 2)).error.code, -32600)
  send('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}')
  assert.is((await answerTo(1)).error.code, -32600)
  send('{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"one"}}')
  assert.is((await answerTo(2)).error.code, -32602)
  send('{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":99}}')
  const { result } = await answerTo(3)
  assert.is(result.protocolVersion, 1)
  assert.equal(result.authMethods, [])
  assert.equal(result.agentCapabilities.promptCapabilities, { image: true, embeddedContext: true })
  assert.ok(result.agentCapabilities.loadSession)
  send('{"jsonrpc":"2.0","id":4,"method":"session/steal","params":{}}')
  assert.is((await answerTo(4)).error.code, -32601)
  send('{"jsonrpc":"2.0","id":99,"result":{}}')
  send('{"jsonrpc":"2.0","id":5,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}')
  const { error } = await answerTo(5)
  assert.is(error.code, -32011)
  assert.match(error.message, /no daemon answers at http:\/\/127\.0\.0\.1:9 .*start it with `daimon serve`/)
  acp.child.stdin?.end()
  assert.is(await acp.whenEnded, 0)
  assert.ok(lines.every(({ jsonrpc }) => jsonrpc === '2.0'))
})

// Fails if the process reads a line of any length into memory.
test('ends with an error for a line that is too long', async () => {
  const acp = startAcp(nowhereUrl, 'Ada')
  const lines = readLines(acp)
  const piece = 'x'.repeat(1024 * 1024)
  for (let sent = 0; sent < 65; sent += 1)
    await new Promise((resolve) => acp.child.stdin?.write(piece, resolve))
  assert.is(await acp.whenEnded, 1)
  assert.is(lines.at(-1)?.error.code, -32600)
  assert.match(acp.stderr(), 'larger than')
})

test('ends within a second when the editor closes, and the turn goes on in the daemon', () =>
  withAcp(async (setup) => {
    const { openEditor, addLetters, api, release } = setup
    await addLetters()
    const quickly = async (close: () => Promise<number | null>) => {
      const startMs = performance.now()
      assert.is(await close(), 0)
      assert.ok(performance.now() - startMs < 1000)
    }
    const idle = await openEditor()
    await quickly(idle.close)
    const withSession = await openEditor()
    await withSession.newSession()
    await quickly(withSession.close)

    const answering = await openEditor()
    const sessionId = await answering.newSession()
    answering.prompt(sessionId, 'wait').catch(() => undefined)
    await waitFor('the first words', () => answering.text() !== '')
    await quickly(answering.close)
    release()
    await waitFor('the answer', async () => (await api('GET', 'conversation')).messages.length === 2)

    const asking = await openEditor()
    await asking.newSession()
    asking.prompt(sessionId, 'send Ines').catch(() => undefined)
    await waitFor('a question', () => asking.questions.length === 1)
    await quickly(asking.close)
    const { approvals } = await api('GET', 'approvals')
    assert.is(approvals.length, 1)
    await api('POST', `approvals/${approvals[0].id}`, { decision: 'once' })
    await waitFor('the answer', async () => (await api('GET', 'conversation')).messages.length === 4)

    // The editor closes right after it has sent a prompt.
    const hasty = await openEditor()
    await hasty.newSession()
    const params = { sessionId, prompt: [{ type: 'text', text: 'last words' }] }
    const request = { jsonrpc: '2.0', id: 77, method: 'session/prompt', params }
    hasty.child.stdin?.write(`${JSON.stringify(request)}\n`)
    await quickly(hasty.close)
    await waitFor('the message', async () => (await countMessages(setup, 'last words')) === 1)
  }))

test('refuses a prompt while the persona does not run, and says how to start it', () =>
  withAcp(async ({ openEditor, api, id }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    await api('POST', 'stop')
    const [code, message] = await getError(editor.prompt(sessionId, 'Hello'))
    assert.is(code, -32010)
    assert.is(message, `Ada is not running. Start it with \`daimon start ${id}\` or on its page`)
    await api('POST', 'start')
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')

    editor.clear()
    const stoppedAnswer = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text().trim() === 'One')
    await api('POST', 'stop')
    assert.match((await getError(stoppedAnswer))[1], 'Ada was stopped. The message is stored')
    await api('POST', 'start')
    await waitFor('the end of the turn', async () => (await api('POST', 'hush')).status === 'hushed')

    editor.clear()
    const deleted = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text().trim() === 'One')
    await api('POST', 'delete')
    assert.match((await getError(deleted))[1], 'Ada was deleted')
    assert.is((await getError(editor.newSession()))[0], -32002)
  }))

test('reports a model that cannot be reached, and shows its answer when it follows', () =>
  withAcp(async ({ openEditor }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const [code, message] = await getError(editor.prompt(sessionId, 'away'))
    assert.is(code, -32010)
    assert.match(message, /no answer: .*The message is stored/)
    assert.match(editor.text(), '⚠ ')
  }))

test('waits for a daemon that restarts, and continues the answer without a second message', () =>
  withAcp(async (setup) => {
    const { openEditor, stop, restart, release } = setup
    const editor = await openEditor()
    const other = await openEditor()
    const sessionId = await editor.newSession()
    await other.newSession()
    const answer = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text() !== '')
    await stop()
    release()
    await restart()
    assert.is(await answer, 'end_turn')
    assert.is(editor.text(), 'One two.')
    assert.is(await countMessages(setup, 'wait'), 1)
    await waitFor('the answer in the other editor', () => other.text().endsWith('One two.'))
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')

    await stop()
    assert.is((await getError(editor.prompt(sessionId, 'Are you there?')))[0], -32011)
    await restart()
    await waitFor('the connection', () => editor.prompt(sessionId, 'Back?').catch(() => false))
  }))

test('fails a prompt if the daemon does not come back', () =>
  withAcp(async ({ openEditor, stop }) => {
    const editor = await openEditor()
    const sessionId = await editor.newSession()
    const answer = editor.prompt(sessionId, 'wait')
    await waitFor('the first words', () => editor.text() !== '')
    await stop()
    const [code, message] = await getError(answer)
    assert.is(code, -32011)
    assert.is(message, 'the daemon does not answer any more. The message is stored')
    assert.is(await editor.close(), 0)
  }))

// A proxy drops the response to the message, so the agent sends it again.
test('sends a message once if the response to it is lost', () =>
  withAcp(async (setup) => {
    const { daemon, id } = setup
    let droppedCount = 0
    const proxy = await startProxy(daemon.url, (path) => path.endsWith('/read') && droppedCount++ === 0)
    try {
      const editor = await openEditor(proxy.url, id)
      const sessionId = await editor.newSession()
      assert.is(await editor.prompt(sessionId, 'Only once'), 'end_turn')
      assert.is(editor.text(), 'I hear you.')
      assert.is(droppedCount, 2)
      assert.is(await countMessages(setup, 'Only once'), 1)
      assert.is(await editor.close(), 0)
    } finally {
      await proxy.close()
    }
  }))

test('reports a server that is no daemon', async () => {
  const server = createServer((_, response) => response.end('<html>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const editor = await openEditor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'Ada')
  try {
    const [code, message] = await getError(editor.newSession())
    assert.is(code, -32012)
    assert.match(message, 'is not a daemon')
    assert.is(await editor.close(), 0)
  } finally {
    server.close()
  }
})

// Fails if a frame of another shape ends the process.
test('survives frames that cannot be read, and a history that is replaced', async () => {
  const fake = await startFakeDaemon()
  const { sendAll, toFrame, web, sockets } = fake
  const editor = await openEditor(fake.url, 'Ada')
  try {
    const sessionId = await editor.newSession()
    fake.onRead = () => {
      for (const text of ['', '7', 'null', '[]', '{"type":"event"}', '{"type":"approval","state":"asked"}'])
        sendAll(text)
      sendAll(toFrame(6, { type: 'person_message', content: 'Hello', media: null, channel: web }))
      const stimuli = { after: 0, upTo: 6, due: [] }
      sendAll(toFrame(7, { type: 'event', title: 'TurnBegan', details: { channel: web, stimuli } }))
      sendAll(toFrame(8, { type: 'chat_message', content: 'Hi.', turn: 7, step: 1, channel: web }))
      sendAll(toFrame(9, { type: 'event', title: 'TurnEnded', details: { turn: 7, outcome: 'answered' } }))
    }
    assert.is(await editor.prompt(sessionId, 'Hello'), 'end_turn')
    assert.is(editor.text(), 'Hi.')
    fake.onRead = () => {
      sendAll(toFrame(null, { type: 'reset' }))
      sendAll(toFrame(8, { type: 'chat_message', content: 'Hi.', turn: 7, step: 1, channel: web }))
    }
    const [, message] = await getError(editor.prompt(sessionId, 'Hello'))
    assert.match(message, 'the history of the persona has changed')
    // The facts after a reset are not shown again.
    assert.match(editor.text(), /^Hi\.\s+⚠ The history of Ada has changed\.[^⚠]+$/)
    await waitFor('another connection', () => sockets.length === 2)
    assert.is(await editor.close(), 0)
  } finally {
    fake.close()
  }
})

test('shows each message once, in order, if messages come while the history is read', async () => {
  const fake = await startFakeDaemon()
  const { sendAll, toFrame, web, id, sockets } = fake
  const editor = await openEditor(fake.url, 'Ada')
  try {
    await editor.newSession()
    fake.onConversation = async () => {
      sendAll(toFrame(6, { type: 'person_message', content: 'Hello', media: null, channel: web }))
      sendAll(toFrame(8, { type: 'chat_message', content: 'Hi.', turn: 7, step: 1, channel: web }))
      // The frames have arrived when the ping behind them is answered.
      for (const socket of sockets) socket.ping()
      await Promise.all(sockets.map((socket) => once(socket, 'pong')))
    }
    fake.messages = [{ id: 6, role: 'person', content: 'Hello', media: null }]
    await editor.agent.request(methods.agent.session.load, { sessionId: id, cwd: '/', mcpServers: [] })
    await waitFor('both messages', () => editor.updates.length >= 2)
    assert.equal(
      editor.updates.map(({ sessionUpdate }) => sessionUpdate),
      ['user_message_chunk', 'agent_message_chunk'],
    )
    assert.is(await editor.close(), 0)
  } finally {
    fake.close()
  }
})

/** A server that sends what a test wants. */
const startFakeDaemon = async () => {
  const id = '5f0c1f0e-0000-4000-8000-000000000000'
  const sockets: WebSocket[] = []
  const fake = {
    id,
    web: { type: 'web', name: id },
    url: '',
    sockets,
    messages: [] as readonly object[],
    onRead: () => {},
    onConversation: async () => {},
    sendAll: (text: string) => {
      for (const socket of sockets) socket.send(text)
    },
    toFrame: (seq: number | null, fields: object) =>
      JSON.stringify({ seq, time: '', persona_id: id, ...fields }),
    close: () => {
      for (const socket of sockets) socket.terminate()
      accepting.close()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/api/personas')
      return void response.end(JSON.stringify({ personas: [{ id, name: 'Ada' }] }))
    if (path.includes('/journal')) return void response.end('{"seq":5}\n')
    if (path.includes('/conversation'))
      return void fake.onConversation().then(() => response.end(JSON.stringify({ messages: fake.messages })))
    response.end('{"status":"received"}')
    fake.onRead()
  })
  const accepting = new WebSocketServer({ server })
  accepting.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

/** Forwards requests and sockets. Drops the response to a request if `drops` returns true. */
const startProxy = async (target: string, drops: (path: string) => boolean) => {
  const proxy = createServer((incoming, response) => {
    const path = incoming.url ?? '/'
    const forwarded = request(target + path, { method: incoming.method ?? 'GET', headers: incoming.headers })
    forwarded.on('response', (answer) => {
      if (drops(path)) return void answer.resume().on('end', () => response.destroy())
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  const sockets = new Set<Duplex>()
  proxy.on('upgrade', (incoming, socket, head) => {
    const { hostname, port } = new URL(target)
    sockets.add(socket)
    const upstream = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.reduce(
        (text, value, n) => text + value + (n % 2 === 0 ? ': ' : '\r\n'),
        '',
      )
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${headers}\r\n`)
      upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      proxy.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

test.run()
