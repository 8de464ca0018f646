/** Large request bodies: one memory budget for all routes, and large pictures that are kept on disk. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import type OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { pdf, png } from '../stand-ins/media.ts'
import type { ChatRequest } from '../stand-ins/ollama.ts'
import { getApiError, shareSetup, user } from './v1-setup.ts'

const setup = shareSetup(test, {
  env: { DAIMON_MAX_BODIES: '3000000' },
  options: { capabilities: ['completion', 'tools', 'vision'] },
})

const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
/** Creates a PNG of this size. Each `n` makes a different one. */
const createPicture = (n: number, size: number) => Buffer.concat([png, Buffer.alloc(size - png.length, n)])
const showUrls = (...urls: readonly string[]): OpenAI.ChatCompletionMessageParam => ({
  role: 'user',
  content: urls.map((url) => ({ type: 'image_url', image_url: { url } })),
})
const say = (model: string, ...messages: OpenAI.ChatCompletionMessageParam[]) =>
  setup.client.chat.completions.create({ model, messages })
const hashBase64 = (base64: string) => createHash('sha256').update(base64, 'base64').digest('hex')
const getImages = ({ messages }: ChatRequest) => messages.flatMap(({ images }) => images ?? [])
const listStaged = async () =>
  (await readdir(join(setup.daemon.home, 'trash')).catch(() => [])).filter((name) =>
    name.startsWith('media-'),
  )

const hasNoFile = async () => (await listStaged()).length === 0

/** Holds the answers of the model until the returned function is called. */
const holdAnswers = () => {
  setup.ollama.faults.hangs = true
  return () => {
    setup.ollama.faults.hangs = false
  }
}

/** Sends the headers of a request. `isCalledFor` returns whether the daemon has requested the body. */
const announceBody = (path: string, length: number) => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length, Expect: '100-continue' }
  const httpRequest = request(`${setup.daemon.url}${path}`, { method: 'POST', agent: false, headers })
  let isCalledFor = false
  httpRequest.on('continue', () => {
    isCalledFor = true
  })
  httpRequest.on('error', () => undefined)
  httpRequest.flushHeaders()
  return { isCalledFor: () => isCalledFor, leave: () => httpRequest.destroy() }
}

test('requests a large body only after others have released the memory it needs, on every route', async () => {
  const id = await setup.born()
  holdAnswers()
  const controller = new AbortController()
  // Text stays in memory until the request is answered.
  const messages = Array.from({ length: 10 }, () => user('x'.repeat(100_000)))
  const callsBefore = setup.ollama.log.length
  const heldRequests = Array.from({ length: 3 }, () =>
    setup.client.chat.completions.create({ model: id, messages: messages }, { signal: controller.signal }),
  )
  for (const pendingRequest of heldRequests) pendingRequest.catch(() => undefined)
  await waitFor('two requests to be read', () => setup.getRequests().length >= 2)
  const pendingReplies = ['/v1/chat/completions', `/api/persona/${id}/read`, `/mcp/${id}`].map((path) =>
    announceBody(path, 1_000_000),
  )
  const small = announceBody('/v1/chat/completions', 60_000)
  await waitFor('100 Continue for the small body', small.isCalledFor)
  assert.equal(
    pendingReplies.map(({ isCalledFor }) => isCalledFor()),
    [false, false, false],
  )
  controller.abort()
  for (const { isCalledFor } of pendingReplies) await waitFor('100 Continue', isCalledFor)
  for (const { leave } of [...pendingReplies, small]) leave()
  assert.ok(setup.ollama.log.length > callsBefore)
})

test('answers concurrent requests with large pictures and sends every byte to the model', async () => {
  const id = await setup.born()
  setup.answer = () => 'A dot.'
  const pictures = Array.from({ length: 6 }, (_, n) => createPicture(n, 1_500_000 + n))
  const answers = await Promise.all(
    pictures.map((picture) => say(id, showUrls(dataUrl(picture), dataUrl(png)))),
  )
  assert.equal(
    answers.map(({ choices }) => choices[0]?.message.content),
    pictures.map(() => 'A dot.'),
  )
  const sentImages = setup.getRequests().map(getImages)
  assert.equal(
    sentImages.map(([longImage = '', shortImage]) => [hashBase64(longImage), shortImage]).sort(),
    pictures.map((picture) => [hashBase64(picture.toString('base64')), png.toString('base64')]).sort(),
  )
  await waitFor('the file to be gone', hasNoFile)
})

test('stores a large picture encrypted in a file during the model call and then deletes it', async () => {
  const id = await setup.born()
  // The first request asks the runtime for its capabilities. That request would be held, too.
  await say(id, showUrls(dataUrl(png)))
  const releaseAnswers = holdAnswers()
  const controller = new AbortController()
  const message = showUrls(dataUrl(createPicture(1, 100_000)))
  const signal = controller.signal
  const completion = setup.client.chat.completions.create({ model: id, messages: [message] }, { signal })
  completion.catch(() => undefined)
  await waitFor('the model call', () => setup.getRequests().length === 2)
  const [file = ''] = await listStaged()
  const bytes = await readFile(join(setup.daemon.home, 'trash', file))
  assert.is(bytes.length, 100_000)
  assert.not(bytes.includes(png.subarray(0, 8)), 'the file is encrypted')
  controller.abort()
  await waitFor('the file to be gone', hasNoFile)
  releaseAnswers()
})

test('limits concurrent model calls by the size of their pictures and does not delay others', async () => {
  const id = await setup.born()
  await say(id, showUrls(dataUrl(png)))
  const releaseAnswers = holdAnswers()
  const controller = new AbortController()
  const { signal } = controller
  const ask = (...messages: OpenAI.ChatCompletionMessageParam[]) =>
    setup.client.chat.completions.create({ model: id, messages }, { signal }).catch(() => undefined)
  const picture = dataUrl(createPicture(1, 14 * 1024 * 1024))
  const large = Array.from({ length: 5 }, () => ask(showUrls(picture)))
  await waitFor('all pictures to be read', async () => (await listStaged()).length === 5)
  await waitFor('some pictures to be sent', () => setup.getRequests().length === 3)
  const small = ask(user('Hello'))
  await waitFor('the small one', () => setup.getRequests().length === 4)
  assert.equal(
    setup.getRequests().map((chatRequest) => getImages(chatRequest).length),
    [1, 1, 1, 0],
  )
  releaseAnswers()
  controller.abort()
  await Promise.all([...large, small])
  await waitFor('the files to be gone', hasNoFile)
})

test('refuses large pictures with the same errors and in the same order as small ones', async () => {
  const id = await setup.born()
  const longPicture = createPicture(1, 99_999)
  const invalidUrls: readonly (readonly [readonly string[], RegExp])[] = [
    [[dataUrl(longPicture).replace(';base64', '')], /^400 Picture 1 cannot be read: send it as a data: URL/],
    [[`${dataUrl(longPicture)}!`], /^400 Picture 1 .* is not complete base64/],
    [[dataUrl(png), `${dataUrl(longPicture)}A`], /^400 Picture 2 .* complete base64/],
    [[dataUrl(longPicture), dataUrl(Buffer.alloc(100_000, 'x'))], /^400 Picture 2 is of an unknown type/],
    [
      [dataUrl(longPicture), dataUrl(Buffer.concat([pdf, longPicture])), 'x'],
      /^400 Picture 2 is application\/pdf/,
    ],
    [[dataUrl(longPicture), 'http://127.0.0.1:1/a.png', dataUrl(pdf)], /^400 Picture 2 is not fetched/],
  ]
  for (const [urls, pattern] of invalidUrls) {
    const error = await getApiError(say(id, showUrls(...urls)))
    assert.is(error.code, 'picture_refused')
    assert.match(error.message, pattern)
  }
  assert.is(setup.getRequests().length, 0)
  await waitFor('the file to be gone', hasNoFile)
})

test('treats a long data URL in a text field as text, within the size limit', async () => {
  const id = await setup.born()
  const text = dataUrl(createPicture(1, 100_000))
  await say(id, user(text), { role: 'user', content: [{ type: 'text', text }] })
  assert.equal(
    setup
      .getRequests()[0]
      ?.messages.slice(1)
      .map(({ content }) => content),
    [text, text],
  )
  const error = await getApiError(say(id, user(dataUrl(createPicture(1, 300_000)))))
  assert.equal([error.status, error.code], [413, 'body_too_large'])
})

test('reports the position of a JSON error after a large picture', async () => {
  const body = `{"picture":"${dataUrl(createPicture(1, 100_000))}",}`
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${setup.daemon.url}/v1/chat/completions`, { method: 'POST', headers, body })
  const { detail } = (await response.json()) as { detail: readonly { loc: unknown }[] }
  assert.equal([response.status, detail[0]?.loc], [422, ['body', body.length - 1]])
})

test.run()
