/**
 * GET …/turns/{id}?bodies=1 and POST …/turns/{id}/compare: the prompt of a model call is rebuilt exactly and
 * sent to another model.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Mind, MindError, type Prompt } from '../../packages/models/mind.ts'
import type { OrganAsk } from '../../packages/models/models.ts'
import { embeddedMind } from '../../packages/practice-mind/minds.ts'
import { call, waitFor } from '../calls.ts'
import { toForm } from '../forms.ts'
import { standIn } from '../http/stand-in.ts'
import { png } from '../stand-ins/media.ts'
import { isValid, type Schema } from './schema.ts'
import { type Answer, invalidBody, shareSetup, unknownPersona } from './setup.ts'
import { createFilePart } from './uploads.ts'

/** The prompts of all models, as JSON. */
const sentPrompts: string[] = []
const askedOrgans: OrganAsk[] = []
/** Size of the last file in bytes. */
let lastFileBytes = 0
let workDuringCall: (() => Promise<unknown>) | null = null

/** Every persona uses the practice model. `broken` throws, `slow` never answers. */
const createMind = (organ: OrganAsk): Mind => ({
  async *think(prompt: Prompt, signal) {
    askedOrgans.push(organ)
    sentPrompts.push(JSON.stringify(prompt))
    const last = prompt.messages.at(-1)
    lastFileBytes = last?.role === 'user' ? ((await last.files?.[0]?.bytes())?.length ?? 0) : 0
    if (organ.model === 'broken') throw new MindError('barred', 'There is no model "broken" there.')
    if (organ.model === 'slow')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const work = workDuringCall
    workDuringCall = null
    await work?.()
    if (lastFileBytes > 0) {
      yield { type: 'words', text: 'A kite.' }
      return yield { type: 'end', usage: { input: 1, output: 1 } }
    }
    yield* embeddedMind('embedded/practice').think(prompt, signal)
  },
})
const models = { ...standIn(), mind: createMind }
const setup = shareSetup(test, { models })
const { get, post } = setup
const forgetful = shareSetup(test, { models, env: { DAIMON_KEEP_CALLS_DAYS: '0' } })

const getLastTurn = async (personaPath: string, sourceSetup = setup): Promise<number> =>
  (await sourceSetup.get(`${personaPath}/conversation`))[1].messages.at(-1).turn
const getBodies = async (personaPath: string, turn: number, sourceSetup = setup): Promise<Answer[1][]> => {
  const [status, { bodies, detail }] = await sourceSetup.get(`${personaPath}/turns/${turn}?bodies=1`)
  assert.is(status, 200, detail)
  return bodies
}
const compareTurn = (personaPath: string, turn: number | string, body: unknown) =>
  post(`${personaPath}/turns/${turn}/compare`, body)

test('shows every call of a turn exactly as it was sent, with its answer', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'My name is Mia and I live in Lisbon.')
  await post(`${personaPath}/calendar`, {
    kind: 'reminder',
    when: '2031-05-01T09:00',
    content: 'water the plants',
  })
  await setup.say(personaPath, 'I like tea.\n> somebody else likes coffee')
  sentPrompts.length = 0
  await setup.say(personaPath, 'Remind me every Monday at 9 to call mum')
  const bodies = await getBodies(personaPath, await getLastTurn(personaPath))
  assert.ok(bodies.length > 1, 'one step with a tool and one with text')
  assert.equal(
    bodies.map(({ verified }) => verified),
    bodies.map(() => true),
  )
  assert.equal(
    bodies.map(({ sent: { system, messages, tools } }) => JSON.stringify({ system, messages, tools })),
    sentPrompts,
  )
  const first = bodies[0]
  const last = bodies.at(-1)
  assert.match(JSON.stringify(first.sent.messages), /Mia[\s\S]*water the plants/)
  assert.is(first.answer.calls[0].name, 'plan')
  assert.is(last.sent.messages.at(-1).role, 'tool')
  assert.is(last.answer.text !== '', true)
  assert.equal([first.step, first.cause, first.organ, first.model], [1, 'turn', 'thinking', 'llama'])
  assert.ok(first.parts.some(({ from }: Answer[1]) => from !== null))
})

test('rebuilds every call of a long life: nights, restarts, memories kept and forgotten, plans, files', async () => {
  const personaPath = await setup.home()
  const turns: number[] = []
  const say = async (message: string) => {
    await setup.say(personaPath, message)
    turns.push(await getLastTurn(personaPath))
  }
  await say('My name is Mia and I live in Lisbon. I have a dog called Pip.')
  await say(`A long story. ${'And then it went on and on. '.repeat(400)}`)
  const [, { memories }] = await get(`${personaPath}/memories`)
  await setup.send({ method: 'DELETE', path: `${personaPath}/memories/${memories[0].id}` })
  await say('Remind me every Monday at 9 to water the plants')
  await post(`${personaPath}/sleep`)
  await say('What did I say about Lisbon?')
  await post(`${personaPath}/restart`)
  await post(`${personaPath}/update`, { name: 'Bea', eye: { model: 'llava' } })
  await say('I live in Porto now.\n> quoted\n```\ncode\n```')
  const { body, headers } = toForm([{ name: 'caption', content: 'look' }, createFilePart('attach', png)])
  await setup.send({ method: 'POST', path: `${personaPath}/attach?wait=20`, headers, body })
  turns.push(await getLastTurn(personaPath))
  await say('What do you know about me?')
  await post(`${personaPath}/update`, { name: 'Cleo' })
  const causes = new Set<string>()
  for (const turn of turns)
    for (const { cause, id, verified } of await getBodies(personaPath, turn)) {
      assert.equal([turn, id, cause, verified], [turn, id, cause, true])
      causes.add(cause)
    }
  assert.equal([...causes].sort(), ['perception', 'turn'])
})

test('names a picture that the model received in the body and sends it to the other model', async () => {
  const { getAcceptedFiles: getAccepted } = models
  models.getAcceptedFiles = async () => ({ images: true, documents: false })
  try {
    const personaPath = await setup.home()
    const { body, headers } = toForm([{ name: 'caption', content: 'look' }, createFilePart('attach', png)])
    await setup.send({ method: 'POST', path: `${personaPath}/attach?wait=20`, headers, body })
    const turn = await getLastTurn(personaPath)
    const [firstBody] = await getBodies(personaPath, turn)
    assert.is(firstBody.verified, true)
    const [file] = firstBody.sent.messages.at(-1).files
    assert.equal([file.name, file.mime, Object.keys(file).length], ['a.png', 'image/png', 3])
    assert.is((await compareTurn(personaPath, turn, { model: 'qwen' }))[0], 200)
    assert.equal(lastFileBytes, png.length)
  } finally {
    models.getAcceptedFiles = getAccepted
  }
})

test('rebuilds a call during which something else was changed', async () => {
  const personaPath = await setup.home()
  workDuringCall = () => post(`${personaPath}/memories`, { document: 'person', text: 'Sings.' })
  await setup.say(personaPath, 'hello')
  const [body] = await getBodies(personaPath, await getLastTurn(personaPath))
  assert.is(body.verified, true)
  assert.not.match(body.sent.system, /Sings/)
})

test('shows bodies only on request, and matches the API description', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const turn = await getLastTurn(personaPath)
  const [, plain] = await get(`${personaPath}/turns/${turn}`)
  assert.is('bodies' in plain, false)
  const [, wholeTurn] = await get(`${personaPath}/turns/${turn}?bodies=true`)
  const [, { paths, components }] = await get('/openapi.json')
  const schema: Schema =
    paths['/api/persona/{persona_id}/turns/{id}'].get.responses['200'].content['application/json'].schema
  assert.ok(isValid(schema, wholeTurn, components.schemas))
  const [status, { detail }] = await get(`${personaPath}/turns/${turn}?bodies=maybe`)
  assert.equal([status, detail[0].loc], [422, ['query', 'bodies']])
})

test('marks the missing parts after a night that keeps none, and refuses to compare', async () => {
  const personaPath = await forgetful.home()
  await forgetful.say(personaPath, 'My name is Mia.')
  const turn = await getLastTurn(personaPath, forgetful)
  assert.is((await getBodies(personaPath, turn, forgetful))[0].verified, true)
  assert.is((await forgetful.post(`${personaPath}/sleep`))[0], 200)
  const [body] = await getBodies(personaPath, turn, forgetful)
  assert.is(body.verified, false)
  assert.match(body.sent.system, /^\[no longer kept\]/)
  assert.is(body.sent.tools, null)
  assert.ok(body.parts.some(({ gone, text }: Answer[1]) => gone && text === null))
  assert.is(body.answer.calls[0].name, 'remember', 'answers stay')
  const [status, { detail }] = await forgetful.post(`${personaPath}/turns/${turn}/compare`, { model: 'qwen' })
  assert.is(status, 400)
  assert.match(detail, /^The call is no longer stored/)
})

test('keeps everything after a night with a retention of thirty days', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'My name is Mia.')
  const turn = await getLastTurn(personaPath)
  assert.is((await post(`${personaPath}/sleep`))[0], 200)
  assert.is((await getBodies(personaPath, turn))[0].verified, true)
})

test('masks secrets in bodies', async () => {
  const personaPath = await setup.home({
    eye_model: 'gpt-4o',
    eye_provider: 'openai',
    eye_api_key: 'sk-very-secret',
  })
  await setup.say(personaPath, 'My name is sk-very-secret.')
  const bodies = await getBodies(personaPath, await getLastTurn(personaPath))
  assert.not.match(JSON.stringify(bodies), /sk-very-secret/)
  assert.match(JSON.stringify(bodies), /\*\*\*/)
  assert.is(bodies[0].verified, true)
})

test('sends the first call unchanged to another model, without storing or executing the answer', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  sentPrompts.length = 0
  await setup.say(personaPath, 'My name is Mia and I live in Lisbon.')
  const turn = await getLastTurn(personaPath)
  const [first] = sentPrompts
  const events = async () => (await get(`${personaPath}/diagnose`))[1].journal.events
  const usage = async () => (await get(`${personaPath}/usage`))[1].total.calls
  const usageBefore = [await events(), await usage()]
  sentPrompts.length = 0
  const [status, answer] = await compareTurn(personaPath, turn, {
    provider: 'openai',
    model: 'gpt-4o',
    api_key: 'sk-other',
  })
  assert.is(status, 200, answer.detail)
  assert.equal(sentPrompts, [first])
  const { model, provider, apiKey } = askedOrgans.at(-1) ?? ({} as OrganAsk)
  assert.equal([model, provider, apiKey], ['gpt-4o', 'openai', 'sk-other'])
  assert.is(Object.keys(answer).join(' '), 'answer calls usage ms price')
  assert.is(answer.calls[0].name, 'remember')
  assert.equal([await events(), await usage()], usageBefore)
  assert.not.match(JSON.stringify(await setup.facts(personaPath.split('/').at(-1) ?? '')), /sk-other|gpt-4o/)
})

test('works for a stopped persona and sends a stored key only to its own address', async () => {
  const personaPath = await setup.home({
    thinking_provider: 'openai',
    thinking_model: 'gpt-4o',
    thinking_api_key: 'sk-minds-own',
  })
  await setup.say(personaPath, 'hello')
  const turn = await getLastTurn(personaPath)
  await post(`${personaPath}/stop`)
  const keyFor = async (body: object) => {
    assert.is((await compareTurn(personaPath, turn, body))[0], 200)
    return askedOrgans.at(-1)?.apiKey
  }
  assert.is(await keyFor({ provider: 'openai', model: 'gpt-4o-mini' }), 'sk-minds-own')
  assert.is(await keyFor({ provider: 'openai', model: 'x', url: 'http://127.0.0.1:9' }), null)
  assert.is(await keyFor({ provider: 'anthropic', model: 'opus' }), null)
  assert.is(await keyFor({ provider: 'openai', model: 'gpt-4o', api_key: '' }), null)
})

test('reports the error of a model as create does, and invalid input in order', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const turn = await getLastTurn(personaPath)
  assert.equal(await compareTurn(personaPath, turn, { model: 'broken' }), [
    400,
    { detail: 'There is no model "broken" there.' },
  ])
  assert.equal(
    await compareTurn(personaPath, turn, {}),
    invalidBody('missing', ['body', 'model'], 'Field required', { input: {} }),
  )
  assert.is((await compareTurn(personaPath, turn, { model: 5 }))[0], 422)
  assert.equal(await compareTurn('/api/persona/nobody', turn, { model: '' }), unknownPersona)
  assert.equal(await compareTurn(personaPath, turn, { model: ' ' }), [
    400,
    { detail: 'A model name is required.' },
  ])
  assert.match(
    (await compareTurn(personaPath, turn, { model: 'x', provider: 'acme' }))[1].detail,
    /^Provider must be/,
  )
  assert.match(
    (await compareTurn(personaPath, turn, { model: 'x', url: 'http://a:b@c' }))[1].detail,
    /name or password/,
  )
  for (const id of ['x', '0', turn + 1, 99999, '9'.repeat(30)])
    assert.equal(
      await compareTurn(personaPath, id, { model: 'x' }),
      [404, { detail: 'Turn not found.' }],
      String(id),
    )
})

test('returns 400 for a turn without a model call', async () => {
  const personaPath = await setup.home({ thinking_model: 'slow' })
  const pendingReply = setup.say(personaPath, 'hello')
  const turn = await waitFor('a turn', async () => {
    const facts = await setup.facts(personaPath.split('/').at(-1) ?? '')
    return facts.map((text) => JSON.parse(text)).find(({ title }) => title === 'TurnBegan')?.seq
  })
  await post(`${personaPath}/hush`)
  await pendingReply
  assert.equal(await compareTurn(personaPath, turn, { model: 'x' }), [
    400,
    { detail: 'No model was called in this turn.' },
  ])
})

test('aborts the call when the client disconnects', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const turn = await getLastTurn(personaPath)
  const controller = new AbortController()
  const callCountBefore = askedOrgans.length
  const pendingCompare = fetch(`${setup.daemon.url}${personaPath}/turns/${turn}/compare`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'slow' }),
    signal: controller.signal,
  }).catch(() => null)
  while (askedOrgans.length === callCountBefore) await new Promise((resolve) => setTimeout(resolve, 5))
  controller.abort()
  assert.is(await pendingCompare, null)
  assert.is((await call(setup.daemon.url, 'GET', '/api/health')).status, 200)
})

test.run()
