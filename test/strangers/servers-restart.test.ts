/** Findings about model servers survive a restart, and no probe is repeated. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findForeign } from '../../home/foreign.ts'
import type { Log } from '../../packages/kit/log.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { openModels } from '../../src/open-models.ts'
import { call } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { hello, recall, think } from '../models/cloud-stage.ts'
import { providerUrls } from '../provider-urls.ts'
import { chunk, close, doneEvent, json, openServer, type ServerRequest, type World } from './odd-server.ts'

const test = suite<World & { home: string }>('servers: restarts', { closers: [], home: '' })
test.before.each(async (world) => {
  world.home = await tempHome()
})
test.after.each(async (world) => {
  await close(world)
  await rm(world.home, { recursive: true, force: true })
})

const withTool = { ...hello, tools: [recall] }
const responseBody = `${chunk({ content: 'hello' })}${chunk({}, 'stop')}${doneEvent}`

/** Returns the answers of a server that has its API at `place` and refuses tools. */
const answerAt =
  (place: string) =>
  ({ method, path, body }: ServerRequest) => {
    if (method === 'GET' || path.split('?')[0] !== `${place}/chat/completions`) return json({}, 404)
    return 'tools' in body
      ? json({ error: { message: 'm does not support tools' } }, 400)
      : { body: responseBody }
  }

const start = async ({ closers, home }: World & { home: string }, getNow: () => number = Date.now) => {
  const lines: string[] = []
  const note = (fields: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(fields)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const urls = providerUrls()
  const network = createNetwork({ env: {} })
  const file = join(home, 'model-servers.json')
  const models = await openModels({ urls, env: {}, network, now: getNow, log, serversFile: file })
  closers.push(() => models.close())
  return { models, logged: lines, file }
}

// Fails if findings are stored in memory only: nine requests after the restart.
test('sends one request after a restart: to the working address, without the refused field', async (world) => {
  const { url, asked: requests } = await openServer(world, answerAt('/api/v1'))
  const secret = 'sk-secret-0123456789'
  const serverUrl = `${url.replace('//', `//ada:${secret}@`)}?api_key=${secret}&t=${secret}`
  const organ = { provider: 'openai', model: 'm', url: serverUrl, apiKey: secret } as const
  const daemonBefore = await start(world)
  await daemonBefore.models.prepare('thinking', organ, () => {})
  await daemonBefore.models.close()
  const storedText = await readFile(daemonBefore.file, 'utf8')
  assert.not.match(storedText, secret)
  assert.equal(await readdir(world.home), ['model-servers.json'])
  assert.equal(await findForeign(world.home, null), [])

  const daemonAfter = await start(world)
  assert.equal(daemonAfter.models.refusals(organ, null), daemonBefore.models.refusals(organ, null))
  const count = requests.length
  assert.is((await think(daemonAfter.models.mind(organ, null), withTool)).text, 'hello')
  assert.is(requests.length - count, 1)
  assert.equal(daemonAfter.logged, [])
})

test('remembers a refusal for a day, also after a restart', async (world) => {
  let time = 1_700_000_000_000
  const { url, asked: requests } = await openServer(world, answerAt('/v1'))
  const organ = { provider: 'openai', model: 'm', url, apiKey: null } as const
  const countRequests = async () => {
    const { models } = await start(world, () => time)
    const countBefore = requests.length
    await think(models.mind(organ, null), withTool)
    await models.close()
    return requests.length - countBefore
  }
  assert.equal([await countRequests(), await countRequests()], [2, 1])
  time += 86_400_000
  assert.is(await countRequests(), 2)
  // The clock is set back.
  time -= 7 * 86_400_000
  assert.is(await countRequests(), 2)
})

test('searches again when the server has moved its API', async (world) => {
  let place = '/api/v1'
  const { url } = await openServer(world, (request) => answerAt(place)(request))
  const organ = { provider: 'openai', model: 'm', url, apiKey: null } as const
  const daemonBefore = await start(world)
  await think(daemonBefore.models.mind(organ, null), hello)
  await daemonBefore.models.close()
  place = '/openai/v1'
  const { models } = await start(world)
  assert.is((await think(models.mind(organ, null), hello)).text, 'hello')
})

for (const [what, text] of [
  ['is cut off', '{"version":1,"addr'],
  ['is of another version', '{"version":2}'],
  ['is not an object', '[]'],
  ['is huge', `"${'x'.repeat(2_000_000)}"`],
] as const)
  test(`ignores and logs a file that ${what}, and writes a valid one`, async (world) => {
    await writeFile(join(world.home, 'model-servers.json'), text)
    const { url } = await openServer(world, answerAt('/v1'))
    const { models, logged, file } = await start(world)
    assert.is(logged.length, 1)
    assert.match(logged[0] ?? '', 'failed to read')
    const organ = { provider: 'openai', model: 'm', url, apiKey: null } as const
    assert.is((await think(models.mind(organ, null), hello)).text, 'hello')
    await models.close()
    assert.is(JSON.parse(await readFile(file, 'utf8')).version, 1)
  })

test('never sends a request to another host than the one that the user named', async (world) => {
  const { url } = await openServer(world, answerAt('/v1'))
  const otherServer = await openServer(world, answerAt('/v1'))
  const addresses = { [`${url}/`]: { '/chat/completions': `${otherServer.url}/v1` } }
  await writeFile(
    join(world.home, 'model-servers.json'),
    JSON.stringify({ version: 1, addresses, models: {} }),
  )
  const { models } = await start(world)
  await think(models.mind({ provider: 'openai', model: 'm', url, apiKey: 'k' }, null), hello)
  assert.is(otherServer.asked.length, 0)
})

test('works and logs when the file cannot be written', async (world) => {
  await mkdir(join(world.home, 'model-servers.json'))
  const { url } = await openServer(world, answerAt('/v1'))
  const { models, logged } = await start(world)
  const organ = { provider: 'openai', model: 'm', url, apiKey: null } as const
  assert.is((await think(models.mind(organ, null), hello)).text, 'hello')
  await models.close()
  assert.match(logged.at(-1) ?? '', 'failed to save')
})

test('does not search for the API again after a restart of the daemon', async (world) => {
  const { url, asked: requests } = await openServer(world, answerAt('/api/v1'))
  const begin = () => startDaemon({ home: world.home, network: createNetwork({ env: {} }) } as never)
  let daemon = await begin()
  try {
    const { status, body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_provider: 'openai',
      thinking_model: 'm',
      thinking_url: url,
      thinking_api_key: 'sk-key-of-a-test',
    })
    assert.is(status, 200, JSON.stringify(body))
    await daemon.close()
    daemon = await begin()
    const chats = () => requests.filter(({ method }) => method === 'POST')
    const chatCountBefore = chats().length
    const answer = await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/read?wait=20`, {
      message: 'hello',
    })
    assert.is(answer.status, 200, JSON.stringify(answer.body))
    const newChats = chats().slice(chatCountBefore)
    assert.ok(newChats.length > 0)
    for (const { path, body } of newChats) {
      assert.is(path, '/api/v1/chat/completions')
      assert.not.ok('tools' in body)
    }
  } finally {
    await daemon.close()
  }
})

test.run()
