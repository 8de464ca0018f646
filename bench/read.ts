/** Messages acknowledged at 16 clients while its Mind answers nothing. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawnDaemon } from './daemon.ts'
import type { Figure } from './figure.ts'
import { load, once } from './load.ts'

export const read = async (): Promise<readonly Figure[]> => {
  const runtime = await silentRuntime()
  const daemon = await spawnDaemon({ OLLAMA_BASE_URL: runtime.url })
  const post = (path: string, body: object) =>
    once(undefined, {
      url: `${daemon.url}/api/persona/${path}`,
      method: 'POST',
      body: () => JSON.stringify(body),
    })
  const { persona } = JSON.parse(await post('create', { name: 'Ada', thinking_model: 'silent' })) as {
    persona: { id: string }
  }
  runtime.hush()
  await post(`${persona.id}/read?wait=0`, { message: 'hello' })
  const measured = await load(16, 10_000, {
    url: `${daemon.url}/api/persona/${persona.id}/read`,
    method: 'POST',
    body: () => JSON.stringify({ message: 'A few words, as one says them.' }),
  })
  await daemon.close()
  runtime.close()
  return [
    {
      what: 'read acknowledged, 16 clients, a Mind that says nothing',
      value: measured.perSecond,
      unit: '/s',
      goal: '≥ 1000/s',
      met: measured.perSecond >= 1000,
    },
    {
      what: 'read acknowledged, p99',
      value: measured.p99,
      unit: 'ms',
      goal: '< 50 ms',
      met: measured.p99 < 50,
    },
  ]
}

/** A runtime that knows every model, answers until it is told to hush, and then says nothing for ever. */
const silentRuntime = async () => {
  let silent = false
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/api/chat' && silent) return
    const chat = {
      model: 'silent',
      message: { role: 'assistant', content: 'ok' },
      done: true,
      done_reason: 'stop',
    }
    const replies: Record<string, object> = {
      '/api/version': { version: '0.12.0' },
      '/api/tags': { models: [{ name: 'silent:latest' }] },
      '/api/show': { capabilities: ['completion'], model_info: {} },
      '/api/create': { status: 'success' },
      '/api/chat': chat,
    }
    response.end(`${JSON.stringify(replies[request.url ?? ''] ?? {})}\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hush: () => {
      silent = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
