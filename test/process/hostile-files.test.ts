/**
 * Malicious files are sent to the built daemon: it must not crash, needs little memory for them, and answers
 * with a message.
 */
import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { letterDocx } from '../../packages/documents/test/made-office.ts'
import { type ZipEntry, zip } from '../../packages/documents/test/zip.ts'
import { simple } from '../../packages/history-import/test/made.ts'
import { call, waitFor } from '../calls.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import type { DaemonProcess } from './daemon.ts'
import { endAll, startDaemonProcess, type World } from './setup.ts'

const test = suite<World>('hostile files', { ends: [] })
test.after.each((world) => endAll(world))

const MB = 1e6
/** Max rise of the daemon's peak memory for a file of twenty MB, a generous limit. */
const maxBytes = 100 * MB

const comment = Buffer.alloc(65_535, 'c')
const toEntries = (count: number): readonly ZipEntry[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `word/media/${n}`,
    bytes: '',
    stored: true,
    comment,
    codePage: true,
  }))

interface SettledMemory {
  readonly daemon: DaemonProcess
  readonly at: string
  /** Rise of its peak memory since then. */
  readonly getGrowth: () => Promise<number>
}

const startSettled = async (world: World): Promise<SettledMemory> => {
  const ollama = await createOllama({ answer: () => 'Fine.' })
  world.ends.push(ollama.close)
  const daemon = await startDaemonProcess(world, { env: { OLLAMA_BASE_URL: ollama.url } })
  const request = { name: 'Ada', thinking_model: 'llama3', researcher_model: 'llama3' }
  const { status, body } = await call(daemon.url, 'POST', '/api/persona/create', request)
  assert.is(status, 200, JSON.stringify(body))
  const personaPath = `/api/persona/${body.persona.id}`
  await call(daemon.url, 'POST', `${personaPath}/read?wait=30`, { message: 'Hello' }, { timeoutMs: 60_000 })
  const peakBefore = await getPeak(daemon)
  return { daemon, at: personaPath, getGrowth: async () => (await getPeak(daemon)) - peakBefore }
}

/** Peak memory of its process in bytes. */
const getPeak = async ({ child }: DaemonProcess): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

const send = async (
  { url }: DaemonProcess,
  path: string,
  parts: Readonly<Record<string, Blob | string>>,
  name = 'file',
) => {
  const form = new FormData()
  for (const [part, content] of Object.entries(parts)) {
    if (typeof content === 'string') form.append(part, content)
    else form.append(part, content, name)
  }
  const response = await fetch(`${url}${path}`, { method: 'POST', body: form })
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into by tests, which say what they expect there
  return { status: response.status, body: (await response.json()) as any }
}

const blob = (bytes: Buffer | string): Blob =>
  new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)])

// Fails if the daemon itself lists zips: its peak rose by 579 MB.
test('refuses a document whose central directory is full of comments with a message', async (world) => {
  const { daemon, at, getGrowth } = await startSettled(world)
  const docx = zip([...letterDocx, ...toEntries(300)])
  assert.ok(docx.length > 19 * MB)
  assert.is((await send(daemon, `${at}/attach?wait=0`, { file: blob(docx) }, 'letter.docx')).status, 200)
  const reply = await waitFor('a message about it', async () => {
    const { messages } = (await call(daemon.url, 'GET', `${at}/conversation`)).body
    return messages.find(
      ({ content }: { content: string }) =>
        content.includes('letter.docx') && content.includes('could not be read'),
    )
  })
  assert.match(reply.content, 'the list of its parts is longer than that of a document')
  assert.ok((await getGrowth()) < maxBytes, `its peak rose by ${Math.round((await getGrowth()) / MB)} MB`)
  assert.is((await call(daemon.url, 'GET', '/api/health')).status, 200)
})

// Fails if the daemon itself lists zips: its peak rose by 1258 MB for the preview.
test('a history whose list of parts is full of comments is refused, in a preview and to be fed', async (world) => {
  const { daemon, at, getGrowth } = await startSettled(world)
  const history = zip([
    { name: 'conversations.json', bytes: JSON.stringify([simple('One')]) },
    ...toEntries(300),
  ])
  for (const query of ['?preview=1', '']) {
    const { status, body } = await send(daemon, `${at}/feed${query}`, {
      source: 'chatgpt',
      history: blob(history),
    })
    assert.equal(
      [status, body.detail],
      [400, 'Could not parse the external data. Please check the file format.'],
    )
  }
  assert.match(daemon.stderr(), 'the list of its parts is longer than that of an export')
  assert.ok((await getGrowth()) < maxBytes, `its peak rose by ${Math.round((await getGrowth()) / MB)} MB`)
})

// Fails if the daemon itself parses histories: its peak rose by 133 MB.
test('a history of many values and long words uses no memory of the daemon', async (world) => {
  const { daemon, at, getGrowth } = await startSettled(world)
  const manyValues = `{"mapping":{},"fill":[${'{"a":1},'.repeat(450_000)}0]}`
  const messages = Array.from({ length: 15 }, () => ({ role: 'user', content: 'x'.repeat(1_000_000) }))
  const text = `[${manyValues},${manyValues},${manyValues},${JSON.stringify({ title: 'Long', messages })}]`
  const { status, body } = await send(daemon, `${at}/feed?preview=1`, {
    source: 'chatgpt',
    history: blob(text),
  })
  assert.is(status, 200)
  assert.equal(body.conversations, [{ title: 'Long', messages: 15, time: null, known: false }])
  assert.ok((await getGrowth()) < maxBytes, `its peak rose by ${Math.round((await getGrowth()) / MB)} MB`)
})

test.run()
