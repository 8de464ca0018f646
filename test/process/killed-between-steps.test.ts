/** The built daemon is killed between two steps of a turn whose model wants its reasoning back. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { endAll, newHome, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('killed between steps', { ends: [] })
test.after.each((world) => endAll(world))

interface Message {
  readonly role: string
  readonly reasoning_content?: string
}

const thoughts = 'They moved,\n it seems: Ünmark.'
const keep = JSON.stringify({ op: 'keep', document: 'person', text: 'lives in Lisbon' })
const tool = { index: 0, id: 'call_a', type: 'function', function: { name: 'remember', arguments: keep } }
const delta = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const callChunks = [
  delta({ role: 'assistant', content: '', reasoning_content: thoughts }),
  delta({ tool_calls: [tool] }),
  delta({}, 'tool_calls'),
]
const chunks = [delta({ role: 'assistant', content: 'Then we know.' }), delta({}, 'stop')]

/** Refuses a second step without the reasoning of the first. Does not answer it while `stalls` is true. */
const openStrict = async ({ ends }: World) => {
  const strictServer = { url: '', stalls: true, second: [] as Message[][], refused: 0 }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.method === 'GET') return void response.end(JSON.stringify({ data: [{ id: 'm' }] }))
    const { messages }: { readonly messages: Message[] } = JSON.parse(text)
    const isSecond = messages.some(({ role }) => role === 'tool')
    if (isSecond) strictServer.second.push(messages)
    if (isSecond && strictServer.stalls) return
    const assistantMessage = messages.findLast(({ role }) => role === 'assistant')
    if (isSecond && assistantMessage?.reasoning_content !== thoughts) {
      strictServer.refused++
      return void response.writeHead(400).end('{"error":{"message":"reasoning must be passed back"}}')
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const isCheck = text.includes('Say one word.')
    response.end([...(isSecond || isCheck ? chunks : callChunks), 'data: [DONE]\n\n'].join(''))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  strictServer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return strictServer
}

test('the turn that is resumed after SIGKILL sends the reasoning of its first step', async (world) => {
  const strict = await openStrict(world)
  const home = await newHome(world)
  const first = await startDaemonProcess(world, { home })
  const { status, body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_provider: 'openai',
    thinking_model: 'm',
    thinking_url: strict.url,
    thinking_api_key: 'sk-key-of-a-test',
  })
  assert.is(status, 200, JSON.stringify(body))
  const personaPath = `/api/persona/${body.persona.id}`
  await call(first.url, 'POST', `${personaPath}/read?wait=0`, { message: 'I live in Lisbon.' })
  await waitFor('the second step', () => strict.second.length > 0)
  await first.kill('SIGKILL')
  strict.stalls = false
  const callCount = strict.second.length

  const second = await startDaemonProcess(world, { home })
  await waitFor('the answer', async () => {
    const { messages = [] } = (await call(second.url, 'GET', `${personaPath}/conversation`)).body
    return messages.some(({ content }: { content: string }) => content === 'Then we know.')
  })
  assert.is(strict.refused, 0)
  const resumedRequests = strict.second.slice(callCount)
  assert.is(resumedRequests.length, 1)
  assert.is(resumedRequests[0]?.findLast(({ role }) => role === 'assistant')?.reasoning_content, thoughts)
})

test.run()
