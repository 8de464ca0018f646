import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import type { Message, MindError, Part, Prompt, Shown, ToolSpec } from '../../packages/models/mind.ts'
import { ModelError, type Models, type OrganAsk, type Progress } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { providerUrls } from '../provider-urls.ts'
import { png } from '../stand-ins/media.ts'
import { type ChatRequest, createOllama, type OllamaStandIn, type Options } from '../stand-ins/ollama.ts'

const key = 'sk-very-secret-0123456789'
const wrapper = 'daimon-0b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11'
const remember: ToolSpec = {
  name: 'remember',
  description: 'Keeps a statement.',
  parameters: { type: 'object' },
}

interface World {
  ends: (() => Promise<void>)[]
  ollama: OllamaStandIn
  models: Models
  organ: OrganAsk
}
const test = suite<World>('ollama', { ends: [] } as unknown as World)
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0)) await end()
})

const quick = { firstByte: 400, silence: 200, whole: 2000, size: 1024 * 1024 }
const urls = providerUrls({ local: 'http://127.0.0.1:9' })

const start = async (world: World, options: Options = {}): Promise<World> => {
  const ollama = await createOllama(options)
  const network = createNetwork({ env: {}, limits: { local: quick, download: quick } })
  const models = createModels({
    urls: { ...urls, local: ollama.url },
    network,
    now: () => 0,
    probeTimeout: 300,
  })
  world.ends.push(ollama.close, models.close)
  return Object.assign(world, {
    ollama,
    models,
    organ: { model: 'llama3', provider: null, url: null, apiKey: null },
  })
}

/** Providers must send the text of a prompt and never read its data. */
const data: Prompt['data'] = () => {
  throw new Error('a runtime asked for the data of a prompt')
}
const userMessage = (content: string): Message => ({ role: 'user', content })
const prompt = (changes: Partial<Prompt> = {}): Prompt => ({
  system: 'You are Ada.',
  messages: [userMessage('Hello')],
  tools: [],
  data,
  ...changes,
})
const neverAborts = () => new AbortController().signal

const parts = async (
  world: World,
  request: Prompt = prompt(),
  signal = neverAborts(),
  name: string | null = null,
): Promise<Part[]> => {
  const receivedParts: Part[] = []
  for await (const part of world.models.mind(world.organ, name).think(request, signal))
    if (part.type !== 'pulse') receivedParts.push(part)
  return receivedParts
}
const getText = (receivedParts: readonly Part[]) =>
  receivedParts.map((part) => (part.type === 'words' ? part.text : '')).join('')

const refusal = async (work: Promise<unknown>): Promise<ModelError> => {
  const error = await failure(work)
  assert.instance(error, ModelError)
  return error as ModelError
}
const failure = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  return assert.unreachable('it went well') as never
}
const mindError = async (work: Promise<unknown>): Promise<MindError> => {
  const error = await failure(work)
  assert.is(error.name, 'MindError')
  return error as MindError
}
const prepare = ({ models, organ }: World, signal?: AbortSignal) => {
  const progress: Progress[] = []
  return models.prepare('thinking', organ, (p) => progress.push(p), signal).then(() => progress)
}
const routes = ({ log }: OllamaStandIn) => log.map(({ method, path }) => `${method} ${path}`)

// --- model names

test("lists the runtime's model names without those of personas", async (world) => {
  const { ollama, models } = await start(world, { models: ['llama3:latest', 'qwen3:8b', wrapper] })
  assert.equal(await models.names({ provider: null, url: null, apiKey: null }), ['llama3:latest', 'qwen3:8b'])
  assert.equal(await models.names({ provider: null, url: `${ollama.url}/v1/`, apiKey: null }), [
    'llama3:latest',
    'qwen3:8b',
  ])
})

test('returns the size and the tool support of each model', async (world) => {
  const { models } = await start(world, { models: ['qwen3:8b', wrapper], capabilities: ['completion'] })
  assert.equal(await models.described({ provider: null, url: null, apiKey: null }), [
    { name: 'qwen3:8b', bytes: 1, tools: false },
  ])
})

test('reports the address and advice if nothing answers', async (world) => {
  const { ollama, models, organ } = await start(world)
  await ollama.close()
  for (const work of [
    () => models.names(organ),
    () => models.prepare('thinking', organ, () => {}),
    () => models.wrap(organ, wrapper),
    () => models.unwrap(organ, wrapper),
    () => models.probe(organ, wrapper),
  ]) {
    const { message } = await refusal(work())
    assert.is(
      message,
      `Ollama could not be reached at ${ollama.url}: nothing answers there. Is it running? Start it with \`ollama serve\`, or give another address.`,
    )
  }
})

test('rejects an invalid address without repeating it', async (world) => {
  const { models, organ } = await start(world)
  for (const url of ['anna:hunter2@somewhere', 'ftp://anna:hunter2@somewhere', '']) {
    const { message } = await refusal(models.probe({ ...organ, url }, null))
    assert.match(message, /must begin with http/)
    assert.not.match(message, 'hunter2')
  }
})

// --- required calls

/** A model that prefers to talk, unless the form of its answer is prescribed. */
const talker = ({ format }: ChatRequest) => {
  if (!format) return 'I would rather talk.'
  const { anyOf, ...form } = format as { anyOf?: CallForm[] } & CallForm
  const { properties } = anyOf?.at(-1) ?? form
  return JSON.stringify({ name: properties.name.enum.at(-1), arguments: { statement: 'Tea is good.' } })
}
interface CallForm {
  readonly properties: { readonly name: { readonly enum: readonly string[] }; readonly arguments: object }
}

const schema = { type: 'object', properties: { statement: { type: 'string' } }, required: ['statement'] }
const forget: ToolSpec = { name: 'forget', description: 'Removes a statement.', parameters: schema }

test('demands a call by the form of the answer, and shows no text of it', async (world) => {
  const { ollama } = await start(world, { answer: talker })
  for (const tools of [[remember, forget], [forget]]) {
    const answerParts = await parts(world, prompt({ tools, toolChoice: 'required' }))
    assert.equal(
      answerParts
        .filter(({ type }) => type !== 'pulse')
        .map((part) => (part.type === 'call' ? part.call : part.type)),
      [{ id: 'call-1', name: 'forget', input: { statement: 'Tea is good.' } }, 'end'],
    )
  }
  const [several, one] = ollama.calls('/api/chat').map(({ body }) => body.format)
  assert.equal(one, {
    type: 'object',
    properties: { name: { type: 'string', enum: ['forget'] }, arguments: schema },
    required: ['name', 'arguments'],
  })
  assert.equal((several as { anyOf: unknown[] }).anyOf[1], one)
  const free = await parts(world, prompt({ tools: [remember, forget] }))
  assert.ok(free.some(({ type }) => type === 'words'))
  assert.is(ollama.calls('/api/chat').at(-1)?.body.format, undefined)
})

test('demands a call with any arguments if the runtime refuses the schema of the tools, and none at last', async (world) => {
  const { ollama } = await start(world, { answer: talker })
  const refuse = (fails: number) =>
    Object.assign(ollama.faults, {
      fails,
      failsOn: /chat/,
      failStatus: 500,
      failWords: 'failed to parse grammar',
    })
  refuse(1)
  const [call] = (await parts(world, prompt({ tools: [remember, forget], toolChoice: 'required' }))).filter(
    ({ type }) => type === 'call',
  )
  assert.ok(call?.type === 'call' && call.call.name === 'forget')
  assert.equal(ollama.calls('/api/chat').at(-1)?.body.format, {
    type: 'object',
    properties: { name: { type: 'string', enum: ['remember', 'forget'] }, arguments: { type: 'object' } },
    required: ['name', 'arguments'],
  })
  refuse(2)
  const answerParts = await parts(world, prompt({ tools: [forget], toolChoice: 'required' }))
  assert.ok(answerParts.some(({ type }) => type === 'words'))
})

test('reads a call of the runtime although the form of the answer is prescribed', async (world) => {
  const madeCall = { name: 'forget', arguments: { statement: 'Tea is good.' } }
  await start(world, { answer: () => ({ content: JSON.stringify(madeCall), calls: [madeCall] }) })
  const answerParts = await parts(world, prompt({ tools: [forget], toolChoice: 'required' }))
  assert.is(answerParts.filter(({ type }) => type === 'call').length, 1)
  assert.not.ok(answerParts.some(({ type }) => type === 'words'))
})

// --- prepare

// Verified to fail if the check sends no stream and no tools.
test('prepares with a request like a turn, and detects that a model refuses tools', async (world) => {
  const { ollama, models, organ } = await start(world)
  const requestBodies = () => ollama.calls('/api/chat').map(({ body }) => body as Record<string, unknown>)
  await prepare(world)
  assert.equal(models.refusals(organ, null), [])
  ollama.faults.refusesTools = true
  await prepare(world)
  assert.equal(
    requestBodies().map(({ stream, tools }) => [stream, Array.isArray(tools)]),
    [
      [true, true],
      [true, true],
      [true, false],
    ],
  )
  assert.equal(models.refusals(organ, null), ['tools (the persona can talk, and use none)'])
})

test('prepares an existing model with one short call', async (world) => {
  const { ollama } = await start(world)
  await prepare(world)
  assert.not.ok(routes(ollama).includes('POST /api/pull'))
  const [chat] = ollama.calls('/api/chat')
  assert.is(chat?.body.model, 'llama3')
  assert.equal(chat?.body.options, { num_predict: 4, num_ctx: 8192 })
})

test('pulls a missing model and reports the progress in bytes', async (world) => {
  const { ollama } = await start(world, { models: [] })
  const progress = await prepare(world)
  assert.ok(ollama.models.has('llama3:latest'))
  assert.ok(progress.every(({ model }) => model === 'llama3'))
  assert.equal(
    progress.filter(({ total }) => total !== null).map(({ completed, total }) => [completed, total]),
    [
      [0, 100],
      [40, 100],
      [100, 100],
      [100, 100],
      [100, 100],
    ],
  )
})

test('accepts a pull without streamed progress', async (world) => {
  const { ollama } = await start(world, { models: [], faults: { pullWhole: true } })
  await prepare(world)
  assert.ok(ollama.models.has('llama3:latest'))
})

test('does not time out a slow pull, and aborts it with the signal', async (world) => {
  const { models, organ, ollama } = await start(world, { models: [], faults: { pullPause: 100 } })
  await prepare(world)
  ollama.faults.pullPause = 5000
  const startedAt = Date.now()
  const error = await failure(
    models.prepare('thinking', { ...organ, model: 'other' }, () => {}, AbortSignal.timeout(50)),
  )
  assert.is(error.name, 'TimeoutError')
  assert.ok(Date.now() - startedAt < 1000)
})

test('reports a name that cannot be pulled', async (world) => {
  await start(world, { models: [], registry: [] })
  const { message } = await refusal(prepare(world))
  assert.match(message, 'The model "llama3" could not be pulled.')
  assert.match(message, 'file does not exist')
  assert.match(message, 'ollama pull llama3')
})

test('lets a chat call decide if the runtime has no other routes', async (world) => {
  const { ollama } = await start(world)
  ollama.faults.absent = ['/api/version', '/api/tags', '/api/show', '/api/pull']
  await prepare(world)
  assert.is(ollama.calls('/api/chat').length, 1)
})

test('pulls a model that only the chat call reports as missing', async (world) => {
  const { ollama } = await start(world, {
    models: [],
    faults: { absent: ['/api/version', '/api/tags', '/api/show'] },
  })
  await prepare(world)
  assert.is(ollama.calls('/api/chat').length, 2)
  assert.ok(ollama.models.has('llama3:latest'))
})

test('treats a name with and without :latest as the same model', async (world) => {
  const { ollama, organ, models } = await start(world, { faults: { absent: ['/api/show'] } })
  await models.prepare('thinking', { ...organ, model: 'llama3:latest' }, () => {})
  await models.prepare('thinking', { ...organ, model: 'llama3' }, () => {})
  assert.is(ollama.calls('/api/pull').length, 0)
})

test('rejects a server that answers with errors or in another protocol', async (world) => {
  const { ollama } = await start(world, { faults: { fails: 100, failStatus: 500 } })
  assert.match((await refusal(prepare(world))).message, /failed \(500: something broke\)/)
  Object.assign(ollama.faults, { fails: 100, failStatus: 200, failWords: undefined })
  assert.match((await refusal(prepare(world))).message, 'does not speak Ollama')
})

test('prepares ear, mouth and imagination without a chat call, but requires the model', async (world) => {
  const { ollama, organ, models } = await start(world, { registry: ['whisper'] })
  for (const slot of ['ear', 'mouth', 'imagination'] as const) {
    await models.prepare(slot, { ...organ, model: slot === 'mouth' ? 'llama3#nova' : 'llama3' }, () => {})
    assert.match(
      (await refusal(models.prepare(slot, { ...organ, model: 'nowhere' }, () => {}))).message,
      'could not be pulled',
    )
  }
  await models.prepare('ear', { ...organ, model: 'whisper' }, () => {})
  assert.ok(ollama.models.has('whisper:latest'))
  assert.is(ollama.calls('/api/chat').length, 0)
})

test('accepts any server for ear, mouth and imagination, and names its protocol for chat', async (world) => {
  const ollamaRoutes = ['/api/version', '/api/tags', '/api/show', '/api/pull', '/api/chat']
  const { organ, models } = await start(world, { faults: { absent: ollamaRoutes } })
  for (const slot of ['ear', 'mouth', 'imagination'] as const) await models.prepare(slot, organ, () => {})
  assert.match((await refusal(prepare(world))).message, 'choose the provider openai with this address')
})

// --- pictures

const picture = (mime: string): Shown => ({
  name: 'fox.png',
  mime,
  sha256: 'a'.repeat(64),
  bytes: async () => png,
})
const createPicturePrompt = (mime = 'image/png') =>
  prompt({ messages: [{ role: 'user', content: 'What is this?', files: [picture(mime)] }] })

test('sends a picture to a model with vision', async (world) => {
  const { ollama, organ, models } = await start(world, {
    capabilities: ['completion', 'vision'],
    answer: () => 'A fox.',
  })
  assert.equal(await models.getAcceptedFiles(organ, null, neverAborts()), { images: true, documents: false })
  assert.is(getText(await parts(world, createPicturePrompt())), 'A fox.')
  const { messages = [] } = (ollama.calls('/api/chat').at(-1)?.body ?? {}) as Partial<ChatRequest>
  assert.equal(messages.at(-1)?.images, [png.toString('base64')])
  assert.is((await mindError(parts(world, createPicturePrompt('application/pdf')))).kind, 'refused')
})

test('sends no picture to a model without vision or without listed capabilities', async (world) => {
  for (const options of [{}, { faults: { terse: true } }, { faults: { absent: ['/api/show'] } }]) {
    const { organ, models, ollama } = await start(world, options)
    assert.equal(await models.getAcceptedFiles(organ, null, neverAborts()), {
      images: false,
      documents: false,
    })
    const error = await mindError(parts(world, createPicturePrompt()))
    if (!('faults' in options)) assert.match(error.message, 'cannot look at pictures: "fox.png"')
    if (!('faults' in options)) assert.is(ollama.calls('/api/chat').length, 0)
  }
  assert.equal(await world.models.getAcceptedFiles({ ...world.organ, url: 'nowhere' }, null, neverAborts()), {
    images: false,
    documents: false,
  })
})

// --- wrap, unwrap, probe

test('registers a wrapper and removes it, even twice', async (world) => {
  const { ollama, models, organ } = await start(world)
  await models.wrap(organ, wrapper)
  assert.equal(ollama.calls('/api/create')[0]?.body, { model: wrapper, from: 'llama3', stream: false })
  await models.probe(organ, wrapper)
  await models.unwrap(organ, wrapper)
  await models.unwrap(organ, wrapper)
  assert.not.ok(ollama.models.has(`${wrapper}:latest`))
})

test('reports a missing wrapper with advice', async (world) => {
  const { models, organ } = await start(world)
  assert.match(
    (await refusal(models.probe(organ, wrapper))).message,
    /does not know "daimon-.*ollama pull llama3/,
  )
})

test('probes without a chat call, even if auxiliary routes are missing', async (world) => {
  const { ollama, models, organ } = await start(world)
  await models.wrap(organ, wrapper)
  ollama.faults.absent = ['/api/version', '/api/show']
  await models.probe(organ, wrapper)
  ollama.faults.absent = ['/api/version', '/api/show', '/api/tags']
  await models.probe(organ, 'daimon-other')
  assert.is(ollama.calls('/api/chat').length, 0)
})

test('stops the probe of a silent runtime after its timeout', async (world) => {
  const { models, organ, ollama } = await start(world, { faults: { hangs: true } })
  const startedAt = Date.now()
  assert.match(
    (await refusal(models.probe(organ, wrapper))).message,
    `Ollama at ${ollama.url} did not answer within 0.3 s`,
  )
  assert.ok(Date.now() - startedAt < 1000)
})

// --- thinking

test('streams text and ends with its usage', async (world) => {
  await start(world, { answer: () => 'I am well, thank you.' })
  const receivedParts = await parts(world)
  assert.is(getText(receivedParts), 'I am well, thank you.')
  assert.ok(receivedParts.length > 3)
  assert.equal(receivedParts.at(-1), { type: 'end', usage: { input: 20, output: 5 } })
})

test('uses the wrapper instead of the model', async (world) => {
  const { ollama, models, organ } = await start(world)
  await models.wrap(organ, wrapper)
  await parts(world, prompt(), neverAborts(), wrapper)
  assert.is(ollama.calls('/api/chat')[0]?.body.model, wrapper)
})

test('sends the messages unchanged, with calls and results', async (world) => {
  const { ollama } = await start(world)
  const messages: Message[] = [
    userMessage('My name is Anna'),
    { role: 'assistant', content: '', calls: [{ id: 'call-1', name: 'remember', input: { op: 'keep' } }] },
    { role: 'tool', call: 'call-1', name: 'remember', content: '{"kept":"m1"}' },
  ]
  await parts(world, prompt({ messages, tools: [remember] }))
  const body = ollama.calls('/api/chat')[0]?.body
  assert.equal(body?.messages, [
    { role: 'system', content: 'You are Ada.' },
    { role: 'user', content: 'My name is Anna' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'remember', arguments: { op: 'keep' } } }],
    },
    { role: 'tool', content: '{"kept":"m1"}', tool_name: 'remember' },
  ])
  assert.equal(body?.tools, [{ type: 'function', function: remember }])
})

test('sends a pulse while the model thinks and leaves the thoughts out', async (world) => {
  await start(world, { answer: () => ({ thoughts: 'hm', content: 'ok' }) })
  const texts: string[] = []
  for await (const part of world.models.mind(world.organ, null).think(prompt(), neverAborts()))
    texts.push(part.type === 'words' ? part.text : part.type)
  assert.equal(texts, ['pulse', 'ok', 'end'])
})

test('gives calls new ids, with arguments as an object or as text', async (world) => {
  const calls = [
    { name: 'remember', arguments: { op: 'keep' } },
    { name: 'recall', arguments: '{"query":"tea"}' },
    { name: 'recall', arguments: 'tea' },
    { name: 'check_calendar', arguments: undefined },
  ]
  await start(world, { answer: () => ({ calls }) })
  const messageBefore: Message = {
    role: 'assistant',
    content: '',
    calls: [{ id: 'call-4', name: 'recall', input: {} }],
  }
  const receivedParts = await parts(
    world,
    prompt({ messages: [userMessage('hi'), messageBefore, userMessage('again')], tools: [remember] }),
  )
  assert.equal(receivedParts.slice(0, -1), [
    { type: 'call', call: { id: 'call-5', name: 'remember', input: { op: 'keep' } } },
    { type: 'call', call: { id: 'call-6', name: 'recall', input: { query: 'tea' } } },
    { type: 'call', call: { id: 'call-7', name: 'recall', input: 'tea' } },
    { type: 'call', call: { id: 'call-8', name: 'check_calendar', input: {} } },
  ])
})

test('removes thoughts from their own field and from the beginning of the text', async (world) => {
  const answers = [
    { content: 'Yes.', thoughts: 'hmm' },
    '<think>hmm, what now</think>\n\nYes.',
    ' <thin air> is thin.',
    '<think>only thoughts',
  ]
  await start(world, { answer: () => answers.shift() ?? '' })
  assert.is(getText(await parts(world)), 'Yes.')
  assert.is(getText(await parts(world)), 'Yes.')
  assert.is(getText(await parts(world)), ' <thin air> is thin.')
  assert.is(getText(await parts(world)), '')
})

test('withdraws a thought that has only an end mark', async (world) => {
  const answers = ['They greet me.\n</think>\n\nYes.', 'It ends with `</think>`.']
  await start(world, { answer: () => answers.shift() ?? '' })
  const receivedParts = await parts(world)
  const restartIndex = receivedParts.findLastIndex(({ type }) => type === 'again')
  assert.ok(restartIndex > 0, JSON.stringify(receivedParts))
  assert.is(getText(receivedParts.slice(restartIndex)), 'Yes.')
  assert.is(world.ollama.calls('/api/chat').length, 1)
  assert.is(getText(await parts(world)), 'It ends with `</think>`.')
})

test('reads a stream whose chunks split lines and characters anywhere', async (world) => {
  for (const chunk of [1, 7, 64]) {
    await start(world, { answer: () => 'Grüße aus 東京 — 🌷 "quoted"', faults: { chunk } })
    assert.is(getText(await parts(world)), 'Grüße aus 東京 — 🌷 "quoted"')
  }
})

const form = {
  name: 'consolidation',
  schema: { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] },
}
const formats = ({ ollama }: World) => ollama.calls('/api/chat').map(({ body }) => body.format)

test('asks for an answer with a JSON schema, and for plain JSON if the runtime refuses it', async (world) => {
  const { ollama } = await start(world, { answer: () => '{}' })
  assert.is(getText(await parts(world, prompt({ form }))), '{}')
  assert.equal(formats(world), [form.schema])
  Object.assign(ollama.faults, {
    fails: 1,
    failsOn: /chat/,
    failStatus: 400,
    failWords: 'json: cannot unmarshal object into Go struct field ChatRequest.format of type string',
  })
  const receivedParts = await parts(world, prompt({ form }))
  assert.is(getText(receivedParts), '{}')
  assert.equal(formats(world).slice(1), [form.schema, 'json'])
  assert.is(receivedParts.find((part) => part.type === 'end')?.calls, undefined)
})

test('executes calls in the text, after those that the runtime has parsed', async (world) => {
  const answerText = '<tool_call>{"name": "remember", "arguments": {"op": "keep"}}</tool_call>'
  const answers = [
    { content: `Noted. ${answerText}`, calls: [{ name: 'recall', arguments: {} }] },
    { content: answerText, calls: [{ name: 'remember', arguments: { op: 'keep' } }] },
    '<tool_call>{"name": "remember", "argu',
    answerText,
  ]
  await start(world, { answer: () => answers.shift() ?? '' })
  const ask = async (tools = [remember]) => {
    const receivedParts = await parts(world, prompt({ tools }))
    const calls = receivedParts.flatMap((part) =>
      part.type === 'call' ? [[part.call.name, part.call.input]] : [],
    )
    return [getText(receivedParts), ...calls]
  }
  assert.equal(await ask(), ['Noted. ', ['recall', {}], ['remember', { op: 'keep' }]])
  assert.equal(await ask(), ['', ['remember', { op: 'keep' }]])
  const [text, [name, input] = []] = (await ask()) as [string, [string, unknown]]
  assert.equal([text, name, typeof input], ['', 'remember', 'string'])
  assert.equal(await ask([]), [answerText])
})

test('accepts an empty answer', async (world) => {
  await start(world, { answer: () => '' })
  assert.equal(
    (await parts(world)).map(({ type }) => type),
    ['end'],
  )
})

const sizes = ({ ollama }: World) =>
  ollama.calls('/api/chat').map(({ body }) => (body.options as { num_ctx: number }).num_ctx)

test('uses one context size for prompts of any length', async (world) => {
  const limits: readonly [Options, number][] = [
    [{ context: 8192 }, 8192],
    [{ context: 131_072 }, 16_384],
    [{ faults: { absent: ['/api/show'] } }, 16_384],
  ]
  for (const [options, size] of limits) {
    const { ollama, models, organ } = await start(world, options)
    for (const letters of [10, 9_000, 300_000])
      await parts(world, prompt({ messages: [userMessage('a'.repeat(letters))] }))
    assert.equal(sizes(world), [size, size, size])
    assert.is(await models.getContextWindow(organ, null, neverAborts()), size)
    assert.is(ollama.calls('/api/show').length, 1)
  }
})

test('loads a model with the configured context size and duration', async (world) => {
  const { ollama, organ } = await start(world, { context: 40_000 })
  const bodies = () => ollama.calls('/api/chat').map(({ body }) => body)
  await parts(world)
  assert.not.ok('keep_alive' in (bodies()[0] ?? {}))
  for (const [context, size] of [
    [32_768, 32_768],
    [65_536, 40_000],
  ] as const) {
    const models = createModels({
      urls: { ...urls, local: ollama.url },
      local: { context, keepAlive: '24h' },
    })
    world.ends.push(models.close)
    await models.prepare('thinking', organ, () => {})
    await parts({ ...world, models })
    assert.is(await models.getContextWindow(organ, null, neverAborts()), size)
    assert.equal(sizes(world).slice(-2), [size, size])
    assert.equal(
      bodies()
        .slice(-2)
        .map(({ keep_alive }) => keep_alive),
      ['24h', '24h'],
    )
  }
})

test('offers no tools to a model without tool support', async (world) => {
  const { ollama } = await start(world, { capabilities: ['completion'] })
  await parts(world, prompt({ tools: [remember] }))
  assert.is(ollama.calls('/api/chat')[0]?.body.tools, undefined)
})

test('detects missing tool support once if it is not listed', async (world) => {
  const { ollama } = await start(world, { answer: () => 'ok', faults: { terse: true, refusesTools: true } })
  assert.is(getText(await parts(world, prompt({ tools: [remember] }))), 'ok')
  assert.is(getText(await parts(world, prompt({ tools: [remember] }))), 'ok')
  assert.equal(
    ollama.calls('/api/chat').map(({ body }) => body.tools !== undefined),
    [true, false, false],
  )
  const { models, organ } = world
  assert.match(models.refusals(organ, null)[0] ?? '', 'tools')
  assert.equal(models.refusals({ ...organ, model: 'another' }, null), [])
})

// --- faults

test('reports an error inside a stream', async (world) => {
  await start(world, {
    answer: () => 'one two',
    faults: { errorLine: 'an error was encountered while running the model' },
  })
  const error = await mindError(parts(world))
  assert.is(error.kind, 'unreachable')
  assert.match(error.message, 'an error was encountered while running the model')
})

test('retries without streaming if a stream ends without an end mark', async (world) => {
  const { ollama } = await start(world, {
    answer: () => ({ content: 'one two', calls: [{ name: 'recall', arguments: {} }] }),
    faults: { cutMode: 'cleanly' },
  })
  const receivedParts = await parts(world, prompt({ tools: [remember] }))
  assert.is(getText(receivedParts), 'one two')
  assert.equal(
    receivedParts.map(({ type }) => type),
    ['words', 'words', 'call', 'end'],
  )
  assert.equal(
    ollama.calls('/api/chat').map(({ body }) => body.stream),
    [true, false],
  )
})

test('restarts the text if the second answer differs', async (world) => {
  const answers = ['one two', 'three']
  await start(world, { answer: () => answers.shift() ?? '', faults: { cutMode: 'cleanly' } })
  assert.equal(
    (await parts(world)).map((part) => (part.type === 'words' ? part.text : part.type)),
    ['one', ' two', 'again', 'three', 'end'],
  )
})

test('gives up after two broken answers', async (world) => {
  await start(world, { answer: () => 'one two', faults: { cutMode: 'cleanly', isAlwaysCut: true } })
  const error = await mindError(parts(world))
  assert.is(error.kind, 'unreachable')
  assert.match(error.message, 'broke off its answer twice')
})

test('works again after a broken or refused connection', async (world) => {
  const { ollama } = await start(world, { answer: () => 'one two', faults: { cutMode: 'hard' } })
  assert.is((await mindError(parts(world))).kind, 'unreachable')
  await ollama.close()
  const error = await mindError(parts(world))
  assert.is(error.kind, 'unreachable')
  assert.match(
    error.message,
    `Ollama could not be reached at ${ollama.url}: nothing answers there. Is it running?`,
  )
})

test('distinguishes permanent from temporary errors and reads Retry-After', async (world) => {
  const { ollama } = await start(world)
  await parts(world)
  for (const [status, kind, retryAfter, ms] of [
    [400, 'refused', null, undefined],
    [413, 'refused', null, undefined],
    [408, 'unreachable', null, undefined],
    [409, 'unreachable', null, undefined],
    [425, 'unreachable', null, undefined],
    [429, 'unreachable', '7', 7000],
    [503, 'unreachable', 'Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
    [500, 'unreachable', 'soon', undefined],
  ] as const) {
    Object.assign(ollama.faults, { fails: 1, failStatus: status, retryAfter })
    const error = await mindError(parts(world))
    assert.is(error.kind, kind, String(status))
    assert.is(error.retryAfter, ms, String(status))
  }
})

test('reports a missing model with advice', async (world) => {
  const { organ } = await start(world)
  world.organ = { ...organ, model: 'gone' }
  const error = await mindError(parts(world))
  assert.is(error.kind, 'barred')
  assert.match(error.message, 'does not know the model "gone"')
  assert.match(error.message, '`ollama pull gone`')
})

test('stops within a second after an abort, before and after the first word', async (world) => {
  for (const hangs of [true, 1] as const) {
    const { ollama } = await start(world, { answer: () => 'one two three', faults: { hangs } })
    const startedAt = Date.now()
    const error = await failure(parts(world, prompt(), AbortSignal.timeout(60)))
    assert.is(error.name, 'TimeoutError')
    assert.ok(Date.now() - startedAt < 1000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.is(ollama.open(), 0)
  }
})

test('stops a stalled answer after the idle timeout', async (world) => {
  await start(world, { answer: () => 'one two', faults: { hangs: 1 } })
  const error = await mindError(parts(world))
  assert.is(error.kind, 'unreachable')
  assert.match(error.message, 'it fell silent')
})

test('follows no redirect', async (world) => {
  await start(world, { faults: { redirect: 'http://127.0.0.1:1/' } })
  assert.is((await mindError(parts(world))).kind, 'barred')
})

// --- secrets

test('sends a key as a bearer token, and no header without a key', async (world) => {
  const { ollama, models, organ } = await start(world)
  await models.prepare('thinking', organ, () => {})
  assert.ok(ollama.log.every(({ authorized }) => !authorized))
  const first = ollama.log.length
  await models.prepare('thinking', { ...organ, apiKey: key }, () => {})
  await models.probe({ ...organ, apiKey: key }, null)
  assert.ok(ollama.log.slice(first).every(({ authorization }) => authorization === `Bearer ${key}`))
})

test('uses credentials from an address for the call and never shows them', async (world) => {
  const { ollama, models, organ } = await start(world)
  const url = ollama.url.replace('http://', 'http://anna:hunter2-and-more@')
  await models.probe({ ...organ, url }, null)
  assert.is(ollama.log[0]?.authorization, `Basic ${Buffer.from('anna:hunter2-and-more').toString('base64')}`)
  const { message } = await refusal(models.probe({ ...organ, model: 'gone', url }, null))
  assert.match(message, ollama.url)
  assert.not.match(message, /anna|hunter2/)
})

test('redacts a key that the runtime repeats', async (world) => {
  const { ollama, models, organ } = await start(world)
  const withKey = { ...organ, apiKey: key }
  const lines: string[] = []
  for (const status of [400, 401, 403, 404, 500]) {
    Object.assign(ollama.faults, { fails: 10, failStatus: status, failWords: `no, not with ${key}` })
    for (const work of [
      () => models.prepare('thinking', withKey, () => {}),
      () => models.wrap(withKey, wrapper),
      () => models.unwrap(withKey, wrapper),
      () => models.probe(withKey, wrapper),
      () => models.names(withKey),
      () => parts({ ...world, organ: withKey }),
    ])
      lines.push(
        await work().then(
          () => '',
          (error: Error) => `${error.message} ${error.stack} ${JSON.stringify(error)}`,
        ),
      )
  }
  Object.assign(ollama.faults, { fails: 0, errorLine: `not with ${key}` })
  lines.push((await mindError(parts({ ...world, organ: withKey }))).message)
  assert.ok(lines.filter(Boolean).length > 20)
  for (const text of lines) assert.not.match(text, key)
})

test.run()
