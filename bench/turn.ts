/**
 * Measures the daemon's own time in a turn: before the request to the provider, between its words and the
 * socket, and after its last word. The talk has 200 messages.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { spawnDaemon } from './daemon.ts'
import { type Figure, median } from './figure.ts'

const rounds = 40
const wordCount = 50
/** Milliseconds until the provider's first word. */
const thinkingMs = 20

interface Moments {
  requestCount: number
  first: number
  last: number
}

export const turn = async (): Promise<readonly Figure[]> => {
  const provider = await openProvider()
  const daemon = await spawnDaemon()
  const post = async (path: string, body: object) =>
    (
      await fetch(`${daemon.url}/api/persona/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()
  const organ = { thinking_provider: 'openai', thinking_url: provider.url, thinking_model: 'fast' }
  const { persona } = (await post('create', { name: 'Ada', ...organ })) as { persona: { id: string } }
  for (let i = 0; i < 100; i++)
    await post(`${persona.id}/read?wait=30`, {
      message: `Message ${i}, with some words in it as people say them.`,
    })

  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/${persona.id}`)
  await new Promise((resolve) => socket.once('open', resolve))
  const observer = { delta: 0, message: 0, done: () => {} }
  socket.on('message', (bytes: Buffer) => {
    const frame = JSON.parse(bytes.toString()) as { type: string }
    if (frame.type === 'chat_delta' && observer.delta === 0) observer.delta = performance.now()
    if (frame.type === 'chat_message') {
      observer.message = performance.now()
      observer.done()
    }
  })
  const forwardTimes: number[] = []
  const ownTimes: number[] = []
  const raw: number[] = []
  for (let i = 0; i < rounds; i++) {
    raw.push(await measureBare(provider.url, provider.moments))
    const turnEnd = new Promise<void>((resolve) => Object.assign(observer, { delta: 0, done: resolve }))
    const startedAt = performance.now()
    await post(`${persona.id}/read`, { message: 'And now?' })
    await turnEnd
    const { requestCount, first, last } = provider.moments
    forwardTimes.push(observer.delta - first)
    ownTimes.push(requestCount - startedAt + (observer.message - last))
  }
  socket.terminate()
  await daemon.close()
  provider.close()
  return [
    {
      label: 'first word, from the provider to the socket',
      value: median(forwardTimes),
      unit: 'ms',
      baseline: { label: 'fetch alone', value: median(raw) },
      goal: '< 10 ms',
      isMet: median(forwardTimes) < 10,
    },
    {
      label: `a turn of ${wordCount} words at 200 messages, without the provider`,
      value: median(ownTimes),
      unit: 'ms',
      goal: '< 15 ms',
      isMet: median(ownTimes) < 15,
    },
  ]
}

/** A provider that streams this many words without pauses and records the times. */
const openProvider = async () => {
  const moments: Moments = { requestCount: 0, first: 0, last: 0 }
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'fast', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const answer = async (response: ServerResponse, stream: boolean) => {
    if (!stream) {
      response.end(
        JSON.stringify({
          id: 'c',
          object: 'chat.completion',
          created: 1,
          model: 'fast',
          choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
        }),
      )
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await wait(thinkingMs)
    moments.first = performance.now()
    for (let i = 0; i < wordCount; i++) {
      response.write(chunk({ content: `word${i} ` }))
      await new Promise(setImmediate)
    }
    moments.last = performance.now()
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    moments.requestCount = performance.now()
    let body = ''
    request.on('data', (bytes: Buffer) => {
      body += bytes.toString()
    })
    request.on('end', () => {
      if (request.method === 'GET')
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'fast', object: 'model' }] }))
      else void answer(response, (JSON.parse(body) as { stream?: boolean }).stream === true)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moments,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Reads the first word with plain fetch. */
const measureBare = async (url: string, moments: Moments): Promise<number> => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ stream: true }),
  })
  const reader = response.body?.getReader()
  await reader?.read()
  const ms = performance.now() - moments.first
  while (!(await reader?.read())?.done) {}
  return ms
}
