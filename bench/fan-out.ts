/**
 * Measures sending a message of a persona to 1000 sockets, against a bare socket server that sends the same
 * bytes.
 */
import { once as listening } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { spawnDaemon } from './daemon.ts'
import { type Figure, median } from './figure.ts'
import { sendOnce } from './load.ts'

const listeners = 1000
const rounds = 7

export const fanOut = async (): Promise<readonly Figure[]> => {
  const daemon = await spawnDaemon()
  const post = (path: string, body: object) =>
    sendOnce(undefined, {
      url: `${daemon.url}/api/persona/${path}`,
      method: 'POST',
      body: () => JSON.stringify(body),
    })
  const { persona } = JSON.parse(
    await post('create', { name: 'Ada', thinking_model: 'embedded/practice' }),
  ) as { persona: { id: string } }
  const ours = await crowd(`${daemon.url.replace('http', 'ws')}/ws/${persona.id}`)
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    const word = `word ${n} of mine.`
    // Frames of the previous turn must not count.
    await ours.quiet()
    const all = ours.hear(word)
    const startedAt = performance.now()
    await post(`${persona.id}/read?wait=0`, { message: word })
    await all
    times.push(performance.now() - startedAt)
  }
  ours.leave()
  await daemon.close()
  const bareMs = await bareFanOut()
  return [
    {
      label: `a message to ${listeners} sockets, until all have received it`,
      value: median(times),
      unit: 'ms',
      baseline: { label: 'ws alone', value: bareMs },
      goal: '≤ 3 × ws alone',
      isMet: median(times) <= 3 * bareMs,
    },
  ]
}

/** Opens the sockets. */
const crowd = async (url: string) => {
  const sockets = await Promise.all(
    Array.from({ length: listeners }, () => {
      const socket = new WebSocket(url, { perMessageDeflate: false })
      return new Promise<WebSocket>((resolve, reject) =>
        socket.once('open', () => resolve(socket)).once('error', reject),
      )
    }),
  )
  const hear = (word: string) =>
    Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            const listen = (bytes: Buffer) => {
              if (!bytes.includes(word)) return
              socket.off('message', listen)
              resolve()
            }
            socket.on('message', listen)
          }),
      ),
    )
  let last = performance.now()
  const note = () => {
    last = performance.now()
  }
  for (const socket of sockets) socket.on('message', note)
  /** Waits until no socket has received anything for half a second. */
  const quiet = async () => {
    while (performance.now() - last < 500) await setTimeout(100)
  }
  const leave = () => {
    for (const socket of sockets) socket.terminate()
  }
  return { hear, quiet, leave }
}

const bareFanOut = async (): Promise<number> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await listening(server, 'listening')
  const { hear, quiet, leave } = await crowd(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    const word = `word ${n} of mine.`
    const frame = Buffer.from(JSON.stringify({ type: 'message', content: word, filler: 'x'.repeat(150) }))
    await quiet()
    const all = hear(word)
    const startedAt = performance.now()
    for (const socket of server.clients) socket.send(frame, { binary: false })
    await all
    times.push(performance.now() - startedAt)
  }
  leave()
  server.close()
  return median(times)
}
