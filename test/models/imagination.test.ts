import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Fetch } from '../../packages/kit/network/network.ts'
import { MindError } from '../../packages/models/mind.ts'
import type { At } from '../../packages/models/providers/read-address.ts'
import { createElsewhere, type Fault } from '../stand-ins/faults.ts'
import { gif, jpeg, mp3, png, webp } from '../stand-ins/media.ts'
import type { StandInOptions } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'
import {
  closeAfter,
  createOrganAsk,
  draw,
  gemini,
  key,
  network,
  type Open,
  openAi,
  tokens,
  trouble,
} from './organs.ts'

const test = suite<{ open: Open }>('imagination', { open: [] })
test.after.each(async ({ open }) => {
  for (const server of open.splice(0)) await server.close()
})

test('draws one picture with every provider that supports it', async ({ open }) => {
  const drawing = await openAi(open)
  const oneImage = { unit: 'image', count: 1 }
  const first = await draw(createOrganAsk(drawing.url, 'gpt-image-1'))
  assert.equal(first.usage, { input: 50, output: 4160, cached: null, made: oneImage })
  assert.ok(png.equals(first.bytes))
  await draw(createOrganAsk(drawing.url, 'dall-e-3'))
  assert.equal(
    drawing.log.map(({ body }) => body.response_format),
    [undefined, 'b64_json'],
  )

  const google = await gemini(open)
  assert.equal((await draw(createOrganAsk(google.url, 'imagen-4.0-generate-001', 'gemini'))).usage, {
    ...tokens,
    made: oneImage,
  })
  const { mime, usage } = await draw(createOrganAsk(google.url, 'gemini-2.5-flash-image', 'gemini'))
  assert.is(mime, 'image/png')
  assert.type(usage.output, 'number')

  const xai = await closeAfter(open, createXai())
  assert.is((await draw(createOrganAsk(xai.url, 'grok-imagine-image', 'xai'))).mime, 'image/png')
  assert.ok(
    [...drawing.log, ...google.log, ...xai.log].every(
      ({ conversation, spilled }) => conversation?.messages[0]?.text === 'a bridge in fog' && !spilled,
    ),
  )
})

// Verified to fail if the bytes are not checked.
test('accepts four picture formats by their bytes, regardless of the declared type', async ({ open }) => {
  let bytes: Uint8Array = png
  const server = await openAi(open, { answer: () => ({ files: [{ mime: 'image/png', bytes }] }) })
  for (const [picture, kind] of [
    [jpeg, 'image/jpeg'],
    [webp, 'image/webp'],
    [gif, 'image/gif'],
  ] as const) {
    bytes = picture
    assert.is((await draw(createOrganAsk(server.url, 'gpt-image-1'))).mime, kind)
  }
  for (const [other, words] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'instead of a picture'],
    [mp3, 'answered with audio/mpeg instead of a picture'],
    [Buffer.from('<html>'), 'instead of a picture'],
  ] as const) {
    bytes = other
    const error = await trouble(draw(createOrganAsk(server.url, 'gpt-image-1')))
    assert.match(error.message, words)
    assert.is(error.kind, 'refused')
  }
})

test('retries without the response format if the server rejects it', async ({ open }) => {
  const fussy: Fault = { what: 'status', status: 400, words: "Unknown parameter: 'response_format'." }
  const server = await openAi(open, { faults: { next: [fussy], on: /generations$/ } })
  assert.ok(png.equals((await draw(createOrganAsk(server.url, 'dall-e-3', null))).bytes))
  assert.equal(
    server.log.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/images/generations', 'POST /v1/images/generations', 'GET /made/picture.png'],
  )
})

test('reports a picture that is refused, withheld or not supported', async ({ open }) => {
  const refusing: StandInOptions = { answer: () => ({ end: 'filter' }) }
  const refusedImage = await closeAfter(open, createXai(refusing))
  const openAiServer = await openAi(open, refusing)
  const geminiServer = await gemini(open, refusing)
  const rows: readonly (readonly [At, string])[] = [
    [
      createOrganAsk(refusedImage.url, 'grok-imagine-image', 'xai'),
      '"grok-imagine-image" would not draw this',
    ],
    [createOrganAsk(openAiServer.url, 'gpt-image-1'), 'rejected as a result of our safety system'],
    [
      createOrganAsk(geminiServer.url, 'imagen-4.0-generate-001', 'gemini'),
      '"imagen-4.0-generate-001" would not draw this',
    ],
    [createOrganAsk(geminiServer.url, 'gemini-2.5-flash-image', 'gemini'), 'would not draw this'],
    [createOrganAsk(geminiServer.url, 'gemini-2.5-flash', 'gemini'), 'response modalities'],
  ]
  for (const [endpoint, words] of rows) {
    const error = await trouble(draw(endpoint))
    assert.match(error.message, words)
    assert.equal([error.kind, error.calls], ['refused', 1])
  }
  openAiServer.faults.absent = ['/v1/images/generations']
  assert.match(
    (await trouble(draw(createOrganAsk(openAiServer.url, 'llama3', null)))).message,
    'has no /images/generations. An Imagination can be OpenAI',
  )
  assert.match(
    (await trouble(draw(createOrganAsk(openAiServer.url, 'llama3', null), ' '))).message,
    'nothing to draw',
  )
})

/** Simulates a remote server that answers with an image address. Returns the requests to other addresses. */
const drawRemote = async (url: string, picture: () => Response) => {
  const requests: { readonly url: string; readonly isHeld: boolean }[] = []
  const answer = { data: [{ url }] }
  const fetch: Fetch = async (input, init) => {
    const address = String(input)
    if (address.endsWith('/images/generations')) return Response.json(answer)
    requests.push({ url: address, isHeld: JSON.stringify([...new Headers(init?.headers)]).includes(key) })
    return picture()
  }
  const endpoint = createOrganAsk('https://pictures.example', 'sdxl', 'openai', {
    network: { ...network, local: fetch, remote: fetch, getNamedFetch: () => fetch },
  })
  const result = await draw(endpoint).catch((error: MindError) => error)
  return { called: requests, drawn: result }
}

// Verified to fail if the key is sent to the image's host, if every address is requested, and if every https
// address is requested.
test('fetches a picture from another host without the key, and only from public https addresses', async () => {
  const publicPicture = await drawRemote('https://cdn.example/a.png?sig=1', () => new Response(png))
  assert.equal(publicPicture.called, [{ url: 'https://cdn.example/a.png?sig=1', isHeld: false }])
  assert.not.instance(publicPicture.drawn, Error)
  const home = await drawRemote('/files/a.png', () => new Response(png))
  assert.equal(home.called, [{ url: 'https://pictures.example/files/a.png', isHeld: true }])

  const closedReplies = [
    'http://cdn.example/a.png',
    'http://pictures.example/a.png',
    'http://127.0.0.1:9/a.png',
    'https://127.0.0.1/a.png',
    'https://192.168.1.1/a.png',
    'https://[::1]/a.png',
    'http://169.254.169.254/latest/meta-data',
    'https://me:secret@cdn.example/a.png',
    'file:///etc/passwd',
    'https://',
  ]
  for (const url of closedReplies) {
    const { called, drawn } = await drawRemote(url, () => new Response(png))
    assert.equal(called, [], url)
    assert.instance(drawn, MindError)
    assert.match((drawn as MindError).message, 'its address is not allowed')
  }
  const missingPicture = await drawRemote(
    'https://cdn.example/a.png',
    () => new Response('gone', { status: 410 }),
  )
  assert.match(
    (missingPicture.drawn as MindError).message,
    'could not be fetched from cdn.example: the answer was 410',
  )
  assert.is((missingPicture.drawn as MindError).kind, 'refused')
  const huge = await drawRemote(
    'https://cdn.example/a.png',
    () => new Response(Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024)])),
  )
  assert.match((huge.drawn as MindError).message, 'more than 20 MiB')
})

test('fetches a picture of a local server from another local server, without the key', async ({ open }) => {
  const otherServer = await closeAfter(open, createElsewhere())
  const server = await openAi(open, {
    answer: () => ({ files: [{ mime: 'image/png', bytes: png, url: `${otherServer.url}/a.png` }] }),
  })
  assert.match(
    (await trouble(draw(createOrganAsk(server.url, 'dall-e-3', null)))).message,
    'instead of a picture',
  )
  assert.is(otherServer.requestPaths.length, 1)
  assert.not.ok(otherServer.requestPaths[0]?.includes(key))
})

test.run()
