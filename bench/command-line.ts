/**
 * Measures `daimon list` from start to exit, against a bare Node program that makes the same request,
 * alternating; and the delay between the first word on the socket and its output by `daimon talk`.
 */
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { spawnDaemon } from './daemon.ts'
import { type Figure, median } from './figure.ts'

const execute = promisify(execFile)

const bareScript = `require('node:http').get(process.env.DAIMON_URL + '/api/personas', (answer) => answer.pipe(process.stdout))`

const rounds = 25

export const commandLine = async (): Promise<readonly Figure[]> => {
  const { url, close } = await spawnDaemon()
  try {
    return [await list(url), await firstWord(url)]
  } finally {
    await close()
  }
}

const list = async (url: string): Promise<Figure> => {
  const env = { ...process.env, DAIMON_URL: url }
  const measureCommand = async (args: readonly string[]) => {
    const startedAt = performance.now()
    await execute(process.execPath, args, { env })
    return performance.now() - startedAt
  }
  await measureCommand(['dist/main.js', 'list']) // the first run after a build compiles everything and caches it
  const lists: number[] = []
  const bares: number[] = []
  for (let i = 0; i < rounds; i++) {
    lists.push(await measureCommand(['dist/main.js', 'list']))
    bares.push(await measureCommand(['-e', bareScript]))
  }
  const value = median(lists)
  const baseline = { label: 'the same request by a bare Node', value: median(bares) }
  return { label: 'daimon list', value, unit: 'ms', baseline, goal: '< 150 ms', isMet: value < 150 }
}

const firstWord = async (url: string): Promise<Figure> => {
  const creation = await fetch(`${url}/api/persona/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', thinking_model: 'embedded/practice' }),
  })
  const { persona } = (await creation.json()) as { persona: { id: string } }
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/${persona.id}`)
  await new Promise((resolve) => socket.once('open', resolve))
  const delays: number[] = []
  for (let i = 0; i < rounds; i++) {
    const socketTime = new Promise<number>((resolve) =>
      socket.on('message', (bytes: Buffer) => {
        const { type } = JSON.parse(bytes.toString()) as { type: string }
        if (type === 'chat_delta' || type === 'chat_message') resolve(performance.now())
      }),
    )
    const talk = spawn(process.execPath, ['dist/main.js', 'talk', 'Ada', 'How are you?'], {
      env: { ...process.env, DAIMON_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise((resolve) => talk.once('exit', resolve))
    const printTime = new Promise<number>((resolve) =>
      talk.stdout.once('data', () => resolve(performance.now())),
    )
    delays.push((await printTime) - (await socketTime))
    await exited
    socket.removeAllListeners('message')
  }
  socket.terminate()
  const value = median(delays)
  const label = 'first word of daimon talk, delay after the socket'
  return { label, value, unit: 'ms', goal: '< 30 ms', isMet: value < 30 }
}
