/**
 * Measures twelve clients that each send a message with a picture of 14 MB at the same time: how many are
 * answered, the memory, and how long other requests wait.
 */
import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitFor } from '../test/calls.ts'
import { type DaemonProcess, startProcess } from '../test/process/daemon.ts'
import type { Figure } from './figure.ts'
import { sendOnce } from './load.ts'
import { measureWatched } from './long-work.ts'

const heldLoop = new URL('./held-loop.mjs', import.meta.url).href
const programs = 12
const pictureBytes = 14 * 1024 * 1024
/** Signature, header and the start of the data, so that the bytes are detected as a PNG. */
const pngHead = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010806000000' + '1f15c48900dfffff49444154',
  'hex',
)

export const largeBodies = async (): Promise<readonly Figure[]> => {
  const daemon = await startProcess({ env: { NODE_OPTIONS: `--import ${heldLoop}` } })
  try {
    const creation = await sendOnce(undefined, {
      url: `${daemon.url}/api/persona/create`,
      method: 'POST',
      body: () => JSON.stringify({ name: 'Ada', thinking_model: 'embedded/practice' }),
    })
    const { id } = JSON.parse(creation).persona
    const url = `${daemon.url}/v1/chat/completions`
    // Loads code that only the first request needs.
    await sendOnce(undefined, { url, method: 'POST', body: () => talkWith(id, pngHead) })
    const file = join(daemon.home, 'talk.json')
    const large = talkWith(id, Buffer.concat([pngHead, Buffer.alloc(pictureBytes, 0xa5)]))
    await writeFile(file, large)
    await measurePeakBytes(daemon)
    let answeredCount = 0
    const { memory, waitedMs, took } = await measureWatched(
      daemon.child.pid,
      () => sendOnce(undefined, { url: `${daemon.url}/health` }),
      async () => {
        answeredCount = await sendAll(url, file)
      },
    )
    const blockedMs = await measurePeakBytes(daemon)
    console.log(`        ${programs} bodies of ${(large.length / 1e6).toFixed(1)} MB in ${took.toFixed(1)} s`)
    const figure = (label: string, value: number, unit: string, max: number): Figure => ({
      label: `${programs} clients with a picture each at once, ${label}`,
      value,
      unit,
      goal: `≤ ${max} ${unit}`,
      isMet: value <= max,
    })
    return [
      figure('not answered', programs - answeredCount, '', 0),
      figure('max additional memory', memory, 'MB', 300),
      figure('longest wait of other requests', waitedMs, 'ms', 250),
      figure('longest block of the event loop, CPU time', blockedMs, 'ms', 50),
    ]
  } finally {
    await daemon.kill('SIGTERM')
    await rm(daemon.home, { recursive: true, force: true })
  }
}

/** Longest block of the event loop in ms since the last call. */
const measurePeakBytes = async ({ child, stdout }: DaemonProcess): Promise<number> => {
  const outputLength = stdout().length
  child.kill('SIGUSR2')
  const [, ms] = await waitFor(
    'the held loop',
    () => /held (.*)\n/.exec(stdout().slice(outputLength)) ?? undefined,
  )
  return Number(ms)
}

/**
 * Sends from a separate process, because sending so much would disturb the measurement. Resolves to the
 * number of responses with status 200.
 */
const sendAll = async (url: string, file: string): Promise<number> => {
  const script = `
    const body = require('fs').readFileSync(${JSON.stringify(file)})
    const send = async () => {
      const headers = { 'content-type': 'application/json' }
      const { status } = await fetch(${JSON.stringify(url)}, { method: 'POST', headers, body })
      return status === 200
    }
    Promise.all(Array.from({ length: ${programs} }, send)).then((all) => console.log(all.filter(Boolean).length))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  return Number(stdout)
}

const talkWith = (model: string, picture: Buffer): string => {
  const url = `data:image/png;base64,${picture.toString('base64')}`
  const content = [
    { type: 'text', text: 'What is on it?' },
    { type: 'image_url', image_url: { url } },
  ]
  return JSON.stringify({ model, messages: [{ role: 'user', content }] })
}
