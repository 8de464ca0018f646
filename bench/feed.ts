/**
 * Measures importing a history of 10 000 conversations, and one of 100 MB, with a model that answers
 * immediately: speed and memory.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { call } from '../test/calls.ts'
import { startDaemon } from '../test/daemon.ts'
import { standIn } from '../test/http/stand-in.ts'
import type { Figure } from './figure.ts'

const megabyte = 1024 * 1024

export const feed = async (): Promise<readonly Figure[]> => {
  let callCount = 0
  const marks: Mark[] = []
  const quick = {
    ...standIn(),
    mind: () => ({
      async *think() {
        if (callCount % part === 0) marks.push({ at: performance.now(), ...process.cpuUsage() })
        // Every second conversation yields a statement.
        const lesson = {
          op: 'keep',
          document: 'person',
          text: `They know thing ${++callCount}.`,
          sources: [1],
        }
        yield {
          type: 'words' as const,
          text: JSON.stringify({ summary: 'They talked.', operations: callCount % 2 ? [lesson] : [] }),
        }
        yield { type: 'end' as const, usage: { input: 1, output: 1 } }
      },
    }),
  }
  const daemon = await startDaemon({ models: quick })
  const born = async () =>
    (await call(daemon.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama' })).body
      .persona.id as string
  const measure = async (id: string, bytes: () => Iterable<string>, query = '') => {
    await writeFile('/proc/self/clear_refs', '5')
    const memoryBefore = await memory('VmRSS')
    const startedAt = performance.now()
    await send(`${daemon.url}/api/persona/${id}/feed${query}`, bytes())
    return { seconds: (performance.now() - startedAt) / 1000, more: (await memory('VmHWM')) - memoryBefore }
  }
  // Loads code and data that only the first import needs.
  const warm = await born()
  await measure(warm, () => conversations(200, 4))
  const ada = await born()
  const bea = await born()
  callCount = 0
  marks.length = 0
  const manyConversations = await measure(ada, () => conversations(10_000, 4))
  marks.push({ at: performance.now(), ...process.cpuUsage() })
  const first = measureSpan(marks.slice(0, 2))
  const last = measureSpan(marks.slice(-2))
  const repeatedImport = await measure(ada, () => conversations(10_000, 4))
  const preview = await measure(bea, () => conversations(1000, 100), '?preview=1')
  const large = await measure(bea, () => conversations(1000, 100))
  await daemon.close()
  const rate = 10_000 / manyConversations.seconds
  const previewsPer100 = 100 / preview.seconds
  return [
    {
      label: '10 000 conversations imported, without the model',
      value: rate,
      unit: '/s',
      goal: '≥ 150/s',
      isMet: rate >= 150,
    },
    {
      label: `the last ${part}`,
      value: last.rate,
      unit: '/s',
      baseline: { label: `the first ${part}`, value: first.rate },
      goal: '≥ 0.8 × that',
      isMet: last.rate >= 0.8 * first.rate,
    },
    {
      label: `CPU time for each of the last ${part}`,
      value: last.work,
      unit: 'ms',
      baseline: { label: `for each of the first ${part}`, value: first.work },
      goal: '≤ 1.2 × that',
      isMet: last.work <= 1.2 * first.work,
    },
    {
      label: 'imported again, all known',
      value: repeatedImport.seconds,
      unit: 's',
      goal: '< 10 s',
      isMet: repeatedImport.seconds < 10,
    },
    {
      label: 'a history of 100 MB, previewed',
      value: previewsPer100,
      unit: 'MB/s',
      goal: '≥ 10 MB/s',
      isMet: previewsPer100 >= 10,
    },
    {
      label: 'a history of 100 MB, imported, without the model',
      value: large.seconds,
      unit: 's',
      goal: '< 120 s',
      isMet: large.seconds < 120,
    },
    ...[manyConversations, preview, large].map(({ more }, n) => ({
      label: `max additional memory, ${['10 000 conversations', '100 MB, previewed', '100 MB'][n]}`,
      value: more,
      unit: 'MB',
      goal: '< 150 MB',
      isMet: more < 150,
    })),
  ]
}

/** Conversations between two marks. */
const part = 1000

interface Mark extends NodeJS.CpuUsage {
  readonly at: number
}

/** Between two marks: conversations per second, and CPU milliseconds per conversation. */
const measureSpan = ([from, to]: readonly Mark[]): { readonly rate: number; readonly work: number } => {
  if (!from || !to) throw new Error('less was asked than was fed')
  const micros = to.user + to.system - from.user - from.system
  return { rate: (1000 * part) / (to.at - from.at), work: micros / 1000 / part }
}

/** Generates conversations in ChatGPT's export format, with `messages` messages of 1 KB each. */
function* conversations(count: number, messages: number): Generator<string> {
  const text = 'So it goes. '.repeat(80)
  for (let n = 0; n < count; n++) {
    const nodes = Array.from({ length: messages }, (_, index) => {
      const role = index % 2 ? 'assistant' : 'user'
      const message = {
        author: { role },
        create_time: 1_767_225_600 + index,
        content: { content_type: 'text', parts: [`${index} ${text}`] },
      }
      return [
        `n${index}`,
        { id: `n${index}`, parent: index === 0 ? null : `n${index - 1}`, children: [], message },
      ]
    })
    const mapping = Object.fromEntries(nodes)
    const conversation = {
      conversation_id: `c-${n}`,
      title: `No. ${n}`,
      update_time: 1_767_225_600 + n,
      current_node: `n${messages - 1}`,
      mapping,
    }
    yield `${n === 0 ? '[' : ','}${JSON.stringify(conversation)}`
  }
  yield ']'
}

const memory = async (field: string): Promise<number> =>
  (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(await readFile('/proc/self/status', 'utf8'))?.[1]) * 1024) /
  megabyte

const send = (url: string, history: Iterable<string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const head = '--frame\r\nContent-Disposition: form-data; name="source"\r\n\r\nchatgpt\r\n'
    const file =
      '--frame\r\nContent-Disposition: form-data; name="history"; filename="conversations.json"\r\n\r\n'
    const upload = request(
      url,
      { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=frame' } },
      (response) => {
        response.resume()
        if (response.statusCode === 200) response.on('end', resolve)
        else reject(new Error(`answered with ${response.statusCode}`))
      },
    )
    upload.on('error', reject)
    Readable.from(bytes(head + file, history), { objectMode: false }).pipe(upload)
  })

function* bytes(head: string, history: Iterable<string>): Generator<string> {
  yield head
  yield* history
  yield '\r\n--frame--\r\n'
}
