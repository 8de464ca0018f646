/** Addresses as users paste them, one per row. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { createModels } from '../../src/open-models.ts'
import { hello, mapped, mindFailure, think } from '../models/cloud-stage.ts'
import { providerUrls } from '../provider-urls.ts'
import {
  close,
  doneEvent,
  hi,
  json,
  openMind,
  openModels,
  openServer,
  type ServerReply,
  type ServerRequest,
  stop,
  type World,
} from './odd-server.ts'

const test = suite<World>('servers: addresses', { closers: [] })
test.after.each(close)

const answerChat = ({ body }: ServerRequest): ServerReply =>
  body.stream
    ? { body: hi + stop + doneEvent }
    : json({ choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] })
const page: ServerReply = { status: 200, type: 'text/html', body: '<!doctype html><title>Chat model</title>' }
const getPath = ({ path }: ServerRequest) => path.split('?')[0]
const api = 'https://x.openai.azure.com'

/** The responses for a path that does not exist. */
const absentReplies: readonly ServerReply[] = [
  { status: 404, type: 'text/html', body: '<html>No page for this model</html>' },
  { status: 404, type: 'text/plain', body: '404 page not found' },
  { status: 404, type: 'text/plain', body: '' },
  { status: 405, type: 'application/json', body: '{"detail":"Method Not Allowed"}' },
  json({ detail: 'Not Found' }, 404),
  page,
]

for (const tail of ['/v1/chat/completions', '/v1/responses/', '/v1/models', '/chat/completions', '/v1/', ' '])
  test(`drops "${tail}" from the end of a pasted address`, async (world) => {
    const { url } = await openServer(world, (modelRequest) =>
      modelRequest.path === '/v1/chat/completions' ? answerChat(modelRequest) : json({}, 404),
    )
    assert.is((await think(openMind(world, `${url}${tail}`), hello)).text, 'hello')
  })

/** The pasted path, and the path of the API. */
const apiPlaces = [
  ['', '/v1'],
  ['', ''],
  ['', '/api/v1'],
  ['', '/openai/v1'],
  ['', '/api'],
  ['/api', '/api'],
  ['/api', '/api/v1'],
  ['/inference/', '/inference'],
  ['/api/v4', '/api/v4'],
  ['/v1beta/openai', '/v1beta/openai'],
] as const

for (const [pastedPath, place] of apiPlaces)
  for (const absence of absentReplies)
    test(`finds the API of "${pastedPath}" at "${place}" among ${absence.status} ${absence.body}, in each call`, async (world) => {
      const { url, asked: requests } = await openServer(world, (request) =>
        getPath(request) === `${place}/chat/completions` ? answerChat(request) : absence,
      )
      const models = openModels(world)
      const organ = { provider: 'openai', model: 'm', url: `${url}${pastedPath}`, apiKey: 'k' } as const
      await models.prepare('thinking', organ, () => {})
      const countBefore = requests.length
      assert.ok(countBefore <= 10, String(countBefore))
      assert.is((await think(models.mind(organ, null), hello)).text, 'hello')
      assert.is(requests.length, countBefore + 1)
      // As after a restart.
      assert.is((await think(openMind(world, organ.url), hello)).text, 'hello')
    })

test('uses the path that serves the list of models for the chat after a start', async (world) => {
  const { url, asked: requests } = await openServer(world, (request) => {
    if (request.path === '/api/v1/models') return json({ data: [{ id: 'm' }] })
    return request.path === '/api/v1/chat/completions' ? answerChat(request) : page
  })
  const models = openModels(world)
  const organ = { provider: 'openai', model: 'm', url, apiKey: 'k' } as const
  await models.probe(organ, null)
  const countBefore = requests.length
  assert.is((await think(models.mind(organ, null), hello)).text, 'hello')
  assert.is(requests.length, countBefore + 1)
})

for (const absence of absentReplies.slice(0, -1))
  test(`reports an address without an API for ${absence.status} "${absence.body}" on every path`, async (world) => {
    const { url, asked: requests } = await openServer(world, () => absence)
    const mind = openMind(world, url)
    const { message, kind } = await mindFailure(() => think(mind, hello))
    assert.match(message, /^There is no API at http:\/\/127\.0\.0\.1:\d+\/v1 \(40[45]/)
    assert.not.match(message, 'name')
    assert.is(kind, 'barred')
    assert.is(requests.length, 5)
    await mindFailure(() => think(mind, hello))
    assert.is(requests.length, 6)
  })

for (const text of [
  'model "m" not found, try pulling it first',
  'No endpoints found for m.',
  'm is not here',
])
  test(`reports an unknown model for 404 with "${text}" and tries no other path`, async (world) => {
    const { url, asked: requests } = await openServer(world, () => json({ error: { message: text } }, 404))
    const { message } = await mindFailure(() => think(openMind(world, `${url}/v1`), hello))
    assert.match(message, 'does not know the model "m"')
    assert.ok(requests.every(({ path }) => path.endsWith('/chat/completions')))
  })

test('sends the query of an address with each request and shows it in no message', async (world) => {
  const { url, asked: requests } = await openServer(world, (request) =>
    request.method === 'GET' ? json({ data: [{ id: 'm' }] }) : answerChat(request),
  )
  const models = openModels(world)
  const query = '?api-version=2024-10-21&sig=abc%2Bdef'
  const organ = { provider: 'openai', model: 'm', url: `${url}/v1/${query}`, apiKey: 'k' } as const
  await models.prepare('thinking', organ, () => {})
  await think(models.mind(organ, null), hello)
  assert.ok(requests.length >= 2)
  for (const { path } of requests)
    assert.match(path, /^\/v1\/\w[\w/]*\?api-version=2024-10-21&sig=abc%2Bdef$/)
  const failingServer = await openServer(world, () => json({ error: 'sig abc+def is wrong' }, 401))
  const mind = openMind(world, `${failingServer.url}${query}`)
  const { message } = await mindFailure(() => think(mind, hello))
  assert.not.match(message, 'abc+def')
  assert.not.match(message, 'api-version')
})

const azureUrls = [
  [
    `${api}/openai/deployments/gpt?api-version=2025-01-01`,
    '/openai/deployments/gpt/chat/completions?api-version=2025-01-01',
  ],
  [
    `${api}/openai/deployments/gpt/chat/completions?api-version=2025-01-01`,
    '/openai/deployments/gpt/chat/completions?api-version=2025-01-01',
  ],
  [`${api}/openai/deployments/gpt`, '/openai/deployments/gpt/chat/completions?api-version=2024-10-21'],
  [`${api}/openai/v1/`, '/openai/v1/chat/completions'],
  [`${api}/openai`, '/openai/v1/chat/completions'],
  [api, '/openai/v1/chat/completions'],
] as const

for (const [pastedUrl, path] of azureUrls)
  test(`calls Azure at ${pastedUrl} under ${path}, with its own header for the key`, async (world) => {
    const { url, asked: requests } = await openServer(world, (request) =>
      request.path === path ? answerChat(request) : json({}, 404),
    )
    const network = createNetwork({ env: {} })
    const urls = providerUrls()
    const models = createModels({ urls, env: {}, network: mapped(network, api, url) })
    world.closers.push(() => network.close())
    const organ = { provider: 'openai', model: 'm', url: pastedUrl, apiKey: 'k' } as const
    await models.prepare('thinking', organ, () => {})
    assert.is((await think(models.mind(organ, null), hello)).text, 'hello')
    for (const { headers } of requests)
      assert.equal([headers['api-key'], headers.authorization], ['k', undefined])
  })

test.run()
