/** Large bodies share one memory budget: they wait for it in order and always release it. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { RequestHandler } from 'express'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createBodyBudget } from '../../src/http/server/body-reader.ts'
import { jsonBody } from '../../src/http/server/json-body.ts'
import { createSlowUploadGuard } from '../../src/http/server/slow-upload.ts'
import { waitFor } from '../calls.ts'
import { withHandlers } from './try.ts'

const limit = 400_000
const path = '/v1/chat/completions'

interface Desk {
  readonly budget: ReturnType<typeof createBodyBudget>
  /** Names of the parsed bodies, in order. Each waits for `answer`. */
  readonly readNames: readonly string[]
  readonly answer: (name: string) => void
  readonly closeController: AbortController
  /** Sends the headers only. The body is sent with `write` and `end`. */
  readonly open: (headers?: Record<string, string | number>) => UploadSending
  readonly post: (name: string, size: number) => UploadSending
}

interface UploadSending {
  readonly httpRequest: ClientRequest
  readonly reply: Promise<{ status: number; headers: IncomingMessage['headers']; body: Body }>
}
// biome-ignore lint/suspicious/noExplicitAny: tests assert the replies
type Body = any

/**
 * Runs a test with a budget for one body of 150 kB at a time, and handlers that respond when the test calls
 * `answer`.
 */
const atDesk =
  (
    act: (desk: Desk) => Promise<void>,
    options: { maxWaitMs?: number; maxWaiting?: number } = {},
    stallMs = 60_000,
  ) =>
  async (): Promise<void> => {
    const budget = createBodyBudget(200_000, options)
    const closeController = new AbortController()
    const readNames: string[] = []
    const answers = new Map<string, () => void>()
    const handle: RequestHandler = async (request, response) => {
      const { name } = request.body
      const release = new Promise<void>((resolve) => answers.set(name, resolve))
      readNames.push(name)
      await release
      response.json({ name, length: JSON.stringify(request.body).length })
    }
    const formOptions = { budget, pace: createSlowUploadGuard(stallMs), closing: closeController.signal }
    await withHandlers(
      [jsonBody({ limit }, formOptions), handle],
      async (port) => {
        const open: Desk['open'] = (headers = {}) => {
          const httpRequest = request({
            host: '127.0.0.1',
            port,
            path,
            method: 'POST',
            agent: false,
            headers: { 'Content-Type': 'application/json', ...headers },
          })
          const reply = readReply(httpRequest)
          reply.catch(() => undefined)
          httpRequest.flushHeaders()
          return { httpRequest, reply }
        }
        const post: Desk['post'] = (name, size) => {
          const body = createBody(name, size)
          const upload = open({ 'Content-Length': body.length })
          upload.httpRequest.end(body)
          return upload
        }
        const answer = (name: string) => answers.get(name)?.()
        await act({ budget, readNames, answer, closeController, open, post })
        await waitFor(
          'all bytes to be given back',
          () => budget.getHeldBytes() === 0 && budget.getWaitingCount() === 0,
        )
      },
      path,
    )
  }

const createBody = (name: string, size: number) => {
  const frame = JSON.stringify({ name, filling: '' })
  return JSON.stringify({ name, filling: 'x'.repeat(size - frame.length) })
}

const readReply = (httpRequest: ClientRequest): UploadSending['reply'] =>
  new Promise((resolve, reject) => {
    httpRequest.on('error', reject)
    httpRequest.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
      )
    })
  })

const largeSize = 150_000

test(
  'reads large bodies in order of arrival and small ones without waiting',
  atDesk(async ({ budget, readNames, answer, post }) => {
    const first = post('first', largeSize)
    await waitFor('the first', () => readNames.length === 1)
    const second = post('second', largeSize)
    await waitFor('the second to wait', () => budget.getWaitingCount() === 1)
    const third = post('third', 100_000)
    await waitFor('the third to wait', () => budget.getWaitingCount() === 2)

    const small = post('small', 64_000)
    await waitFor('the small one', () => readNames.includes('small'))
    answer('small')
    assert.is((await small.reply).body.length, 64_000)
    assert.equal(readNames, ['first', 'small'])
    assert.is(budget.getHeldBytes(), largeSize)

    answer('first')
    assert.equal((await first.reply).body, { name: 'first', length: largeSize })
    await waitFor('the second', () => readNames.length === 3)
    assert.is(budget.getWaitingCount(), 1, 'the third does not fit at the same time')
    answer('second')
    assert.is((await second.reply).status, 200)
    await waitFor('the third', () => readNames.length === 4)
    answer('third')
    assert.equal((await third.reply).body, { name: 'third', length: 100_000 })
    assert.equal(readNames, ['first', 'small', 'second', 'third'])
  }),
)

const assertBusy = async ({ reply }: UploadSending) => {
  const { status, headers, body } = await reply
  assert.equal([status, headers['retry-after']], [503, '5'])
  const message = 'Too many large requests at once. Send this one again in a few seconds.'
  assert.equal(body, {
    detail: message,
    error: { message, type: 'server_error', param: null, code: 'too_busy' },
  })
}

test(
  'returns 503 with Retry-After if too many bodies are waiting',
  atDesk(
    async ({ budget, readNames, answer, post }) => {
      const first = post('first', largeSize)
      await waitFor('the first', () => readNames.length === 1)
      const second = post('second', largeSize)
      await waitFor('the second to wait', () => budget.getWaitingCount() === 1)
      await assertBusy(post('third', largeSize))
      for (const [name, { reply }] of [
        ['first', first],
        ['second', second],
      ] as const) {
        await waitFor(name, () => readNames.includes(name))
        answer(name)
        assert.is((await reply).status, 200)
      }
    },
    { maxWaiting: 1 },
  ),
)

test(
  'returns 503 with Retry-After if a body has waited too long',
  atDesk(
    async ({ readNames, answer, post }) => {
      const first = post('first', largeSize)
      await waitFor('the first', () => readNames.length === 1)
      await assertBusy(post('second', largeSize))
      answer('first')
      assert.is((await first.reply).status, 200)
    },
    { maxWaitMs: 20 },
  ),
)

test(
  'reads a body that is larger than the budget when nothing else is held',
  atDesk(async ({ budget, readNames, answer, post }) => {
    const first = post('first', 70_000)
    await waitFor('the first', () => readNames.length === 1)
    const second = post('second', 300_000)
    await waitFor('the second to wait', () => budget.getWaitingCount() === 1)
    answer('first')
    await first.reply
    await waitFor('the second', () => readNames.length === 2)
    answer('second')
    assert.equal((await second.reply).body, { name: 'second', length: 300_000 })
  }),
)

test(
  'releases the bytes of a client that disconnects while it sends, waits or is answered',
  atDesk(async ({ budget, readNames, answer, post, open }) => {
    const upload = open({ 'Content-Length': largeSize })
    upload.httpRequest.write('{"name":')
    await waitFor('its bytes', () => budget.getHeldBytes() === largeSize)
    const pendingReply = open({ 'Content-Length': largeSize })
    await waitFor('another one to wait', () => budget.getWaitingCount() === 1)
    const last = post('last', largeSize)
    await waitFor('a third to wait', () => budget.getWaitingCount() === 2)
    pendingReply.httpRequest.destroy()
    upload.httpRequest.destroy()
    await waitFor('the last', () => readNames.length === 1)
    last.httpRequest.destroy()
    await waitFor('its bytes', () => budget.getHeldBytes() === 0)
    const next = post('next', largeSize)
    await waitFor('the next', () => readNames.length === 2)
    answer('next')
    assert.is((await next.reply).status, 200)
  }),
)

test(
  'releases the bytes of a rejected body',
  atDesk(async ({ budget, open }) => {
    const assertRefused = async (
      status: number,
      body: string | Buffer,
      headers: Record<string, string> = {},
    ) => {
      const upload = open({ 'Content-Length': body.length, ...headers })
      upload.httpRequest.end(body)
      assert.is((await upload.reply).status, status)
      await waitFor('its bytes', () => budget.getHeldBytes() === 0)
    }
    await assertRefused(422, 'x'.repeat(largeSize))
    await assertRefused(422, Buffer.alloc(largeSize, 0xe9))
    await assertRefused(422, Buffer.alloc(largeSize, 'x'), { 'Content-Encoding': 'gzip' })
    await assertRefused(413, gzipSync(createBody('bomb', limit + 1)), { 'Content-Encoding': 'gzip' })
    const chunkedRequest = open({ 'Transfer-Encoding': 'chunked' })
    chunkedRequest.httpRequest.end(createBody('long', limit + 1))
    assert.is((await chunkedRequest.reply).status, 413)
  }),
)

test(
  'counts bodies without a length as they arrive, and they do not block each other',
  atDesk(async ({ budget, readNames, answer, open }) => {
    const send = async (name: string) => {
      const upload = open({ 'Transfer-Encoding': 'chunked' })
      const body = createBody(name, largeSize)
      upload.httpRequest.write(body.slice(0, 100_000))
      return { ...upload, finish: () => upload.httpRequest.end(body.slice(100_000)) }
    }
    const small = open({ 'Transfer-Encoding': 'chunked' })
    small.httpRequest.write(createBody('small', 60_000))
    const firstRequest = await send('one')
    await waitFor('the first', () => budget.getHeldBytes() === limit)
    const otherRequest = await send('other')
    await waitFor('the second to wait', () => budget.getWaitingCount() === 1)

    small.httpRequest.end()
    await waitFor('the small one', () => readNames.length === 1)
    answer('small')
    assert.is((await small.reply).status, 200)
    otherRequest.finish()
    firstRequest.finish()
    await waitFor('one of them', () => readNames.length === 2)
    assert.is(budget.getHeldBytes(), largeSize, 'the surplus is released')
    answer('one')
    assert.equal((await firstRequest.reply).body, { name: 'one', length: largeSize })
    await waitFor('the other', () => readNames.length === 3)
    answer('other')
    assert.equal((await otherRequest.reply).body, { name: 'other', length: largeSize })
  }),
)

test(
  'counts the decompressed size of a body',
  atDesk(async ({ budget, readNames, answer, open }) => {
    const body = gzipSync(createBody('packed', largeSize))
    assert.ok(body.length < 1000)
    const requestOptions = open({ 'Content-Length': body.length, 'Content-Encoding': 'gzip' })
    requestOptions.httpRequest.end(body)
    await waitFor('it', () => readNames.length === 1)
    assert.is(budget.getHeldBytes(), largeSize)
    answer('packed')
    assert.equal((await requestOptions.reply).body, { name: 'packed', length: largeSize })
  }),
)

test(
  'returns 408 to a stalled body when another one waits for its bytes',
  atDesk(
    async ({ budget, readNames, answer, open, post }) => {
      const stalledRequest = open({ 'Content-Length': largeSize })
      stalledRequest.httpRequest.write('{"name":')
      await waitFor('its bytes', () => budget.getHeldBytes() === largeSize)
      const next = post('next', largeSize)
      await waitFor('the next', () => readNames.length === 1)
      assert.is((await stalledRequest.reply).status, 408)
      answer('next')
      assert.is((await next.reply).status, 200)
    },
    {},
    30,
  ),
)

test(
  'returns 503 to waiting bodies when the server closes',
  atDesk(async ({ budget, readNames, answer, post, closeController }) => {
    const first = post('first', largeSize)
    await waitFor('the first', () => readNames.length === 1)
    const second = post('second', largeSize)
    await waitFor('the second to wait', () => budget.getWaitingCount() === 1)
    closeController.abort()
    const { status, body } = await second.reply
    assert.equal([status, body.error.code], [503, 'cut_short'])
    answer('first')
    assert.is((await first.reply).status, 200)
  }),
)

test.run()
