/**
 * Tool servers that repeat their input: their secrets are only in the secrets file, and never reach a client,
 * a model or a log.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolServer } from '../../facts/fact-values.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { call, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { draft } from '../journal/facts.ts'
import { type Listener, listenTo } from '../listener.ts'
import { type ChatRequest, createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createSecret, filesWith, isIn, type Secret, wordsOfHome } from './search.ts'

interface World {
  ends: (() => unknown)[]
  home: string
  folder: string
  ollama: OllamaStandIn
  daemon: TestDaemon
  listeners: Listener[]
  id: string
  at: string
  lines: string[]
  bodies: string[]
}
const test = suite<World>('secrets of tool servers', { ends: [] } as unknown as World)
test.before.each(async (world) => {
  const home = await tempHome()
  const folder = await mkdtemp(join(tmpdir(), 'echo-'))
  const ollama = await createOllama({ answer: mind, context: 128_000 })
  Object.assign(world, { home, folder, ollama, listeners: [], lines: [], bodies: [] })
  world.ends.push(
    () => rm(home, { recursive: true, force: true }),
    () => rm(folder, { recursive: true }),
    ollama.close,
  )
  await begin(world)
  const { body } = await call(world.daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  Object.assign(world, { id: body.persona.id, at: `/api/persona/${body.persona.id}` })
  world.listeners.push(await listenTo(world.daemon.url, `/ws/${world.id}?after=0`))
})
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Uses the tool that the user's newest message names. */
const mind = ({ messages, tools = [] }: ChatRequest) => {
  const last = messages.at(-1)
  const name = /use (\w+)/.exec(last?.content ?? '')?.[1]
  const tool = tools.find((candidate) => candidate.function.name.endsWith(`__${name}`))
  return last?.role === 'user' && tool
    ? { calls: [{ name: tool.function.name, arguments: { note: 'with ***' } }] }
    : 'ok'
}

const begin = async (world: World): Promise<void> => {
  const daemon = await startDaemon({
    home: world.home,
    env: { OLLAMA_BASE_URL: world.ollama.url, DAIMON_LOG_LEVEL: 'trace' },
    logTo: (line) => world.lines.push(line),
  })
  world.ends.push(() => daemon.close())
  world.daemon = daemon
  world.listeners.push(await listenTo(daemon.url, '/ws/system'))
}

const stop = async (world: World): Promise<void> => {
  await world.daemon.close()
  world.ends.pop()
}

const ask = async (world: World, method: Parameters<typeof call>[1], path: string, body?: unknown) => {
  const reply = await call(world.daemon.url, method, world.at + path, body)
  world.bodies.push(JSON.stringify(reply.body))
  return reply
}

const use = async (world: World, tool: string) => {
  await ask(world, 'POST', '/read?wait=30', { message: `please use ${tool}` })
  const { body } = await ask(world, 'GET', '/conversation')
  const turn = body.messages.findLast((message: { turn: number | null }) => message.turn !== null)?.turn
  return JSON.stringify((await ask(world, 'GET', `/turns/${turn}`)).body.steps[0]?.tools)
}

const allow = async (world: World, server: string) => {
  const { body } = await ask(world, 'POST', `/tools/${server}/probe`)
  for (const { name } of body.tools)
    await ask(world, 'PATCH', `/tools/${server}/${encodeURIComponent(name)}`, { mode: 'allow' })
  return body
}

const random = (bytes = 15) =>
  randomBytes(bytes).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y')

/** In the encodings of search.ts, and in those of addresses, forms and JSON. */
const sought = (value: string): Secret => {
  const { spellings } = createSecret(value, value)
  const texts = [
    encodeURIComponent(value),
    String(new URLSearchParams({ '': value })).slice(1),
    JSON.stringify(value).slice(1, -1),
  ]
  return { name: value, spellings: [...spellings, ...texts.map((text) => Buffer.from(text))] }
}

/** Asserts that no response, frame, log line or model request contains them, and only the secrets file. */
const assertHidden = async (world: World, values: readonly string[]) => {
  for (const path of [
    '/tools',
    '/conversation',
    '/journal',
    '/diagnose',
    '/search?q=token',
    '/changes?from=0',
  ])
    await ask(world, 'GET', path)
  const outputs = {
    bodies: world.bodies,
    lines: world.lines,
    frames: world.listeners.flatMap(({ texts }) => texts),
    prompts: world.ollama.log.map(({ body }) => JSON.stringify(body)),
  }
  for (const value of values) {
    const secret = sought(value)
    for (const [where, texts] of Object.entries(outputs))
      for (const text of texts)
        assert.not(isIn(secret, text), `${value} is in the ${where}: ${text.slice(0, 400)}`)
    assert.equal(await filesWith(secret, world.home), [`personas/${world.id}/secrets`], value)
  }
}

const script = fileURLToPath(new URL('echo-server.mjs', import.meta.url))

// Fails on an older version: 7 of the 13 tokens and a PIN were in clear text in a fact.
test('secrets of a program are in no fact, frame, log, prompt or answer, in any encoding that it prints', async (world) => {
  const [pat, option, short, bearer, docker, json, header, path, query, variable, dsn] = Array.from(
    { length: 11 },
    () => random(),
  )
  const oddSecret = `p@ss/"${random(6)}" +ö`
  const knownToken = `ghp_${random(27)}`
  const marked = [
    knownToken,
    pat,
    option,
    short,
    bearer,
    docker,
    json,
    header,
    path,
    query,
    variable,
    dsn,
    oddSecret,
  ] as string[]
  const file = join(world.folder, 'echo.json')
  await writeFile(file, JSON.stringify({ marked }))
  const args = [
    ...[script, file, knownToken, '--pat', pat, `--api-key=${option}`, '-k', short, '--bearer', bearer],
    ...['-e', `NOTES_TOKEN=${docker}`, '--config', JSON.stringify({ apiKey: json, debug: true })],
    ...['--header', `Authorization: Bearer ${header}`, `https://example.com/s/${path}/mcp?token=${query}`],
    ...[
      `postgres://ada:${dsn}@localhost/notes`,
      '--password',
      oddSecret,
      '--pin',
      '4711',
      '--mode',
      'weather',
    ],
  ]
  const env = { OWN_KEY: variable, OWN_PIN: '2580', OWN_MODE: 'weather' }
  const { body: declaredBody } = await ask(world, 'PUT', '/tools/echo', {
    command: process.execPath,
    args,
    env,
  })
  assert.equal(declaredBody.server.args.slice(2), [
    ...['***', '--pat', '***', '--api-key=***', '-k', '***', '--bearer', '***', '-e', 'NOTES_TOKEN=***'],
    ...['--config', '{"apiKey":"***","debug":true}', '--header', 'Authorization: Bearer ***'],
    ...['https://example.com/s/***/mcp?token=***', 'postgres://ada:***@localhost/notes', '--password', '***'],
    ...['--pin', '***', '--mode', 'weather'],
  ])
  const probed = await allow(world, 'echo')
  assert.is(probed.state, 'ready', probed.reason)
  assert.match(probed.reason, 'its name contains a secret')
  const answer = await use(world, 'tell')
  assert.match(answer, '--mode weather')
  assert.match(answer, /--pat \*\*\*/)
  assert.match(answer, /--pin \*\*\*/)
  assert.match(answer, /OWN_PIN=\*\*\*/)
  assert.not.match(answer, /2580|4711/)
  for (const tool of ['fail', 'sorry', 'structured', 'files', 'link', 'progress', 'die']) {
    const answer = await use(world, tool)
    assert.ok(answer && answer !== '[]', tool)
  }
  await writeFile(file, JSON.stringify({ marked, starts: false }))
  const { body: probeReply } = await ask(world, 'POST', '/tools/echo/probe')
  assert.match(probeReply.reason, /It said last/)
  await assertHidden(world, marked)

  // It still gets its values, also after a restart and after the masked declaration was saved again.
  await writeFile(file, JSON.stringify({ marked }))
  await ask(world, 'PUT', '/tools/echo', declaredBody.server)
  await stop(world)
  await begin(world)
  await waitFor(
    'it wakes',
    async () => (await call(world.daemon.url, 'GET', '/api/personas')).body.personas[0].running,
  )
  const secondReply = await allow(world, 'echo')
  assert.is(secondReply.state, 'ready', secondReply.reason)
  assert.match(await use(world, 'tell'), /NOTES_TOKEN=\*\*\*/)
  await assertHidden(world, marked)
  await stop(world)
  for (const text of await wordsOfHome(world.home))
    for (const value of marked) assert.not(isIn(sought(value), text), text)
})

test('ordinary values are masked nowhere: a tool called weather is used with --mode weather', async (world) => {
  const args = [
    script,
    '',
    '--mode',
    'weather',
    '--log-level',
    'debug',
    '--host',
    'localhost',
    '--token',
    'weather',
  ]
  const env = { OWN_MODE: 'production', NODE_ENV: 'weather' }
  const { body } = await ask(world, 'PUT', '/tools/echo', {
    command: process.execPath,
    args: args.filter(Boolean),
    env,
  })
  assert.equal(body.server.args.slice(-2), ['--token', '***'], 'a word under a name that says secret is kept')
  const { tools } = await allow(world, 'echo')
  assert.ok(tools.some(({ name }: { name: string }) => name === 'weather'))
  assert.match(await use(world, 'weather'), 'The weather is fine: weather, debug, production, localhost.')
  const answer = await use(world, 'tell')
  assert.match(answer, '--mode weather --log-level debug --host localhost --token ***')
})

test('sends the mask to a server unchanged, and never replaces it with a secret', async (world) => {
  const token = random()
  const args = [script, '--token', token]
  await ask(world, 'PUT', '/tools/echo', { command: process.execPath, args })
  await allow(world, 'echo')
  assert.match(await use(world, 'progress'), String.raw`Called progress with {\"note\":\"with ***`)
})

test('the user decides: a value that is not a secret is shown unmasked, another is stored as one', async (world) => {
  const doubtful = 'x7Gk2pQ9zT'
  const args = [script, '--channel', doubtful, '--theme', 'sea-green-17']
  const putServer = async (changes: object) =>
    (await ask(world, 'PUT', '/tools/echo', { command: process.execPath, args, ...changes })).body.server.args
  assert.equal((await putServer({})).slice(1), ['--channel', '***', '--theme', 'sea-green-17'])
  const maskedArgs = await putServer({ plain_values: [doubtful], secret_values: ['sea-green-17'] })
  assert.equal(maskedArgs.slice(1), ['--channel', doubtful, '--theme', '***'])
  const secondReply = (
    await ask(world, 'PUT', '/tools/echo', { command: process.execPath, args: maskedArgs })
  ).body.server.args
  assert.equal(secondReply, maskedArgs, 'saving a masked value again keeps its classification')
  await allow(world, 'echo')
  assert.match(await use(world, 'tell'), `--channel ${doubtful} --theme ***`)
})

test('classifies values without storing or returning them', async (world) => {
  // A few of a thousand random tokens look like a word, so the end is fixed.
  const token = `${random()}q7Rw2Xz9Kd4`
  const entry = {
    command: 'x',
    args: ['--token', token, '-v', '--channel', 'x7Gk2pQ9zT'],
    env: { MODE: 'weather' },
  }
  const { status, body } = await ask(world, 'POST', '/tools/judge', { mcpServers: { one: entry } })
  assert.is(status, 200)
  const common = { server: 'one', field: 'args', start: 0 }
  assert.equal(body.values, [
    { ...common, key: 1, end: token.length, name: 'token', verdict: 'secret' },
    { ...common, key: 4, end: 10, name: 'channel', verdict: 'unsure' },
  ])
  assert.equal((await ask(world, 'GET', '/tools')).body.servers, [])
  assert.equal(await filesWith(createSecret('the token', token), world.home), [])
})

test('the path and query of an address are secrets that no answer, fact or log holds', async (world) => {
  const [path = '', key = ''] = [random(18), random()]
  const seenTexts: string[] = []
  let mode = 'well'
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', () => {
      seenTexts.push(request.url ?? '')
      const all = [
        request.url,
        path,
        key,
        Buffer.from(path).toString('base64'),
        JSON.stringify(request.headers),
      ].join(' ')
      if (mode === 'broken') return void response.writeHead(500, { 'content-type': 'text/plain' }).end(all)
      if (request.method !== 'POST') return void response.writeHead(405).end(all)
      const { id, method, params } = JSON.parse(text)
      if (id === undefined) return void response.writeHead(202).end()
      const tool = { name: 'tell', description: all, inputSchema: { type: 'object' } }
      const result = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: all, version: '1' },
          instructions: all,
        },
        'tools/list': { tools: [tool] },
        'tools/call': { content: [{ type: 'text', text: all }] },
      }[method as string]
      const error = { code: -32000, message: all }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, ...(result && mode === 'well' ? { result } : { error }) }),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  world.ends.push(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { body } = await ask(world, 'PUT', '/tools/far', {
    url: `${origin}/s/${path}/mcp?api_key=${key}&mode=weather`,
  })
  assert.is(body.server.url, `${origin}/s/***/mcp?***`)
  const probed = await allow(world, 'far')
  assert.is(probed.state, 'ready', probed.reason)
  assert.match(await use(world, 'tell'), 'mode=weather')
  assert.ok(
    seenTexts.every((url) => url === `/s/${path}/mcp?api_key=${key}&mode=weather`),
    seenTexts.join('\n'),
  )
  // Saved again in its masked form.
  const { body: repeatedBody } = await ask(world, 'PUT', '/tools/far', body.server)
  assert.is(repeatedBody.server.url, body.server.url)
  for (mode of ['sorry', 'broken']) assert.ok((await ask(world, 'POST', '/tools/far/probe')).body.reason)
  assert.ok(seenTexts.every((url) => url.startsWith(`/s/${path}/mcp`)))
  await assertHidden(world, [path, key])
  const [status, detail] = Object.values(
    await ask(world, 'PUT', '/tools/far', { url: `${origin}/other/***/mcp` }),
  )
  assert.equal(
    [status, detail],
    [400, { detail: 'A value with hidden parts has changed: give the whole of it again.' }],
  )
})

/** Writes a declaration as older versions did: every argument and the address in clear text. */
const declareInClear = async (world: World, name: string, server: ToolServer) => {
  const catalog = await openCatalog(world.home)
  const journals = openPersonaJournals({
    stores: await openHomeStores(world.home),
    witness: async (id) => catalog.get(id)?.head,
  })
  const journal = await journals.open(world.id, 'writer')
  await journal.append([draft({ type: 'ToolServerSet', name, server })], journal.head)
  await journal.close()
  await catalog.close()
}

// Fails on an older version: the token was in `GET …/tools`, in prompts and in answers.
test('a token in clear text in an old fact is masked, moved when it is saved again, and can be erased', async (world) => {
  const token = random()
  const path = random(18)
  const file = join(world.folder, 'echo.json')
  await writeFile(file, JSON.stringify({ marked: [token] }))
  await stop(world)
  await declareInClear(world, 'echo', {
    transport: 'stdio',
    command: process.execPath,
    args: [script, file, '--pat', token],
    cwd: null,
    env: [],
  })
  await declareInClear(world, 'far', {
    transport: 'http',
    url: `http://127.0.0.1:9/s/${path}/mcp`,
    query: null,
    headers: [],
    oauth: null,
    tokens: 'none',
  })
  await begin(world)
  world.listeners.push(await listenTo(world.daemon.url, `/ws/${world.id}?after=0`))
  const getServer = async (name: string) =>
    (await ask(world, 'GET', '/tools')).body.servers.find((server: { name: string }) => server.name === name)
      .server
  assert.equal((await getServer('echo')).args.slice(2), ['--pat', '***'])
  assert.is((await getServer('far')).url, 'http://127.0.0.1:9/s/***/mcp')
  await allow(world, 'echo')
  assert.match(await use(world, 'tell'), /--pat \*\*\*/)
  const inPrompts = () => world.ollama.log.some(({ body }) => isIn(sought(token), JSON.stringify(body)))
  assert.not(inPrompts())

  for (const name of ['echo', 'far']) await ask(world, 'PUT', `/tools/${name}`, await getServer(name))
  assert.is((await ask(world, 'POST', '/tools/echo/probe')).body.state, 'ready')
  const { body: old } = await ask(world, 'GET', '/journal?type=ToolServerSet')
  for (const value of [token, path])
    assert.ok((await filesWith(sought(value), world.home)).length > 1, 'still in the old fact')
  const lines: { seq: number }[] = old
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line))
  const seqs = lines.slice(0, 2).map(({ seq }) => seq)
  const eraseReply = await ask(world, 'POST', '/erase', { seqs, also: true, diaries: true })
  assert.equal(eraseReply.body.erased, seqs)
  await assertHidden(world, [token, path])
  assert.is((await ask(world, 'POST', '/tools/echo/probe')).body.state, 'ready')
  assert.match(await use(world, 'tell'), /--pat \*\*\*/)
})

test.run()
