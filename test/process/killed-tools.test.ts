/**
 * The built daemon is killed during a call of a tool server: the server must end, and the call must not be
 * repeated.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isAlive } from '../../packages/mcp-client/test/servers.ts'
import { call, waitFor } from '../calls.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { endAll, newHome, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('killed with tool servers', { ends: [] })
test.after.each((world) => endAll(world))

const hostile = fileURLToPath(new URL('../../packages/mcp-client/test/hostile-server.mjs', import.meta.url))

/** A model that calls the tool once and reports its result. */
const startModel = async ({ ends }: World) => {
  const answer = ({ messages }: { readonly messages: readonly { role: string; content: string }[] }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return `It came to this: ${last.content}`
    if (!last?.content.includes('use it')) return 'Fine.'
    return { calls: [{ name: 'bad__hang', arguments: {} }] }
  }
  const ollama = await createOllama({ answer })
  ends.push(ollama.close)
  return { OLLAMA_BASE_URL: ollama.url }
}

const send = async (url: string, method: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(url, { method, headers, body: JSON.stringify(body) })
  assert.is(status, 200)
}

// Fails without the shell that watches the servers: both processes continued to run.
test('a server that ignores the end of its input ends soon with its children, and its call is not repeated', async (world) => {
  const folder = await mkdtemp(join(tmpdir(), 'daimon-mcp-note-'))
  world.ends.push(() => rm(folder, { recursive: true, force: true }))
  const note = join(folder, 'note')
  const lines = async () => (await readFile(note, 'utf8').catch(() => '')).split('\n')
  const calls = async () => (await lines()).filter((line) => line === 'tools/call').length
  const options = { home: await newHome(world), env: await startModel(world) }

  const first = await startDaemonProcess(world, options)
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  const personaPath = `/api/persona/${body.persona.id}`
  const misdeeds = ['stays', 'ignores-signals', 'has-child']
  const server = { command: process.execPath, args: [hostile, ...misdeeds], env: { HOSTILE_NOTE: note } }
  await send(`${first.url}${personaPath}/tools/bad`, 'PUT', server)
  assert.is((await call(first.url, 'POST', `${personaPath}/tools/bad/probe`)).body.state, 'ready')
  await send(`${first.url}${personaPath}/tools/bad/hang`, 'PATCH', { mode: 'allow' })
  await call(first.url, 'POST', `${personaPath}/read?wait=0`, { message: 'use it' })
  await waitFor('the call', async () => (await calls()) === 1)
  const pids = (await lines()).flatMap((line) => /^(?:started|child) (\d+)/.exec(line)?.[1] ?? []).map(Number)
  world.ends.push(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
  })
  assert.is(pids.filter(isAlive).length, 2)
  await first.kill('SIGKILL')
  await waitFor('its server to end', () => !pids.some(isAlive))

  const second = await startDaemonProcess(world, options)
  const toolReport = await waitFor('an answer', async () => {
    const { messages = [] } = (await call(second.url, 'GET', `${personaPath}/conversation`)).body
    return messages.find(({ content }: { content: string }) => content.startsWith('It came to this'))?.content
  })
  assert.match(toolReport, 'it is unknown whether it happened')
  assert.is(await calls(), 1)
})

test.run()
