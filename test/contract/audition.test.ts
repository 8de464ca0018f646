/** POST …/audition: two models answer past turns again. Nothing is kept but the usage. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Mind, MindError, type Prompt } from '../../packages/models/mind.ts'
import type { OrganAsk } from '../../packages/models/models.ts'
import { embeddedMind } from '../../packages/practice-mind/minds.ts'
import { call } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import * as media from '../stand-ins/media.ts'
import { type Answer, shareSetup, unknownPersona } from './setup.ts'
import { createFilePart, createUploads } from './uploads.ts'

const sent: { readonly organ: OrganAsk; readonly prompt: string; readonly opaque: readonly unknown[] }[] = []
let aborted = 0

/**
 * The practice model under every name. `broken` fails, `slow` never answers, `quiet` is silent at first, and
 * then repeats a mark up to its token limit. `opaque` requires its data back.
 */
const createMind = (organ: OrganAsk): Mind => ({
  async *think(prompt: Prompt, signal) {
    const opaque = prompt.messages.flatMap((message) =>
      message.role === 'assistant' && message.opaque ? message.opaque() : [],
    )
    sent.push({ organ, prompt: JSON.stringify(prompt), opaque })
    if (organ.model === 'broken') throw new MindError('barred', 'The key was rejected (401).')
    if (organ.model === 'slow')
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted++
          reject(signal.reason)
        }),
      )
    if (organ.model === 'quiet') {
      const isFirst = sent.filter(({ organ: { model } }) => model === 'quiet').length === 1
      if (!isFirst) yield { type: 'words', text: '[m1a] Hello, and' }
      return yield { type: 'end', usage: { input: 1, output: 1 }, cut: !isFirst }
    }
    if (prompt.messages.some((message) => message.role === 'user' && message.files)) {
      yield { type: 'words', text: 'I see.' }
      return yield { type: 'end', usage: { input: 1, output: 1 } }
    }
    const last = prompt.messages.at(-1)
    if (last?.role === 'user' && last.content.includes('ferns wilt')) {
      const input = { op: 'keep', intention: 'When ferns wilt', body: 'Be calm.' }
      yield { type: 'call', call: { id: 'learn', name: 'instruction', input } }
      return yield { type: 'end', usage: { input: 1, output: 1 } }
    }
    for await (const part of embeddedMind('embedded/practice').think(prompt, signal))
      yield part.type === 'end' && organ.model === 'opaque'
        ? { ...part, opaque: { for: 'opaque', data: 1 } }
        : part
  },
})
const setup = shareSetup(test, {
  models: {
    ...standIn(),
    mind: createMind,
    getAcceptedFiles: async () => ({ images: true, documents: false }),
  },
})
const { get, post } = setup
const { send: sendForm } = createUploads(setup)
test.before.each(() => {
  sent.length = 0
  aborted = 0
})

type Line = Answer[1]
const audition = async (personaPath: string, body: object): Promise<{ status: number; lines: Line[] }> => {
  const { status, text } = await setup.send({
    method: 'POST',
    path: `${personaPath}/audition`,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  return {
    status,
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}
const listTurns = async (personaPath: string) => (await get(`${personaPath}/audition/turns`))[1]
const getTitles = async (personaPath: string): Promise<readonly string[]> => {
  const { text } = await setup.send({ method: 'GET', path: `${personaPath}/journal` })
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
}
const toPrompts = (name: string) =>
  sent.filter(({ organ }) => organ.model === name).map(({ prompt }) => prompt)

test('sends both models the view of that time, runs no tool, and keeps only the usage', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'My name is Mia and I live in Lisbon.')
  await setup.say(personaPath, 'Remind me every Monday at 9 to water the plants')
  await setup.say(personaPath, 'What did I say about Lisbon?')
  await setup.say(personaPath, 'Haha, you are funny.')
  const original = toPrompts('llama')
  sent.length = 0
  const [, memoriesBefore] = await get(`${personaPath}/memories`)
  const titles = await getTitles(personaPath)
  const { turns, picked } = await listTurns(personaPath)
  assert.equal(
    turns.map(({ subject }: Line) => subject),
    ['memory', 'tools', 'memory', 'humour'],
  )
  assert.equal(
    picked,
    turns.map(({ turn }: Line) => turn),
  )
  assert.is(turns[0].heard, 'My name is Mia and I live in Lisbon.')

  const { status, lines } = await audition(personaPath, { candidate: { model: 'qwen' } })
  assert.is(status, 200)
  assert.equal([lines[0].type, lines[0].current.model, lines[0].candidate.model], ['begun', 'llama', 'qwen'])
  assert.is(lines.at(-1).type, 'done')
  const answers = lines.slice(1, -1)
  assert.equal(
    answers.map(({ turn, side }) => `${turn} ${side}`).sort(),
    turns.flatMap(({ turn }: Line) => [`${turn} candidate`, `${turn} current`]).sort(),
  )
  // Every prompt is one that was sent then, byte for byte.
  for (const name of ['llama', 'qwen'])
    for (const prompt of toPrompts(name)) assert.ok(original.includes(prompt), `${name}: ${prompt}`)
  const find = (n: number, side = 'candidate') =>
    answers.find((answer) => answer.turn === turns[n].turn && answer.side === side)
  // A call that writes is only named. A recorded result answers a call that reads.
  assert.equal(
    find(1).calls.map(({ name, from_record }: Line) => [name, from_record]),
    [['plan', false]],
  )
  assert.equal(
    find(2).calls.map(({ name, from_record }: Line) => [name, from_record]),
    [['recall', true]],
  )
  assert.is(find(2).text, turns[2].answered)
  assert.is(find(3).text, turns[3].answered)
  assert.is(find(3).reason, null)

  assert.equal((await get(`${personaPath}/memories`))[1], memoriesBefore)
  const addedTitles = (await getTitles(personaPath)).slice(titles.length)
  assert.equal([...new Set(addedTitles)], ['ModelAnswered'])
  const [, usage] = await get(`${personaPath}/usage`)
  assert.ok(usage.models.some(({ model }: Line) => model === 'qwen'))
})

test('leaves out and refuses turns that are hidden, erased, or without words of the user', async () => {
  const personaPath = await setup.home()
  assert.equal(await post(`${personaPath}/audition`, { candidate: { model: 'qwen' } }), [
    400,
    { detail: 'There is no answer yet that two models could be compared by. Talk first.' },
  ])
  for (const words of ['One secret', 'Two secrets', 'Three secrets']) await setup.say(personaPath, words)
  const { turns } = await listTurns(personaPath)
  const [, { messages }] = await get(`${personaPath}/conversation`)
  await call(setup.daemon.url, 'PATCH', `${personaPath}/messages/${messages[0].id}`, { hidden: true })
  await post(`${personaPath}/erase`, { seqs: [messages[2].id, messages[3].id] })
  assert.equal(
    (await listTurns(personaPath)).turns.map(({ turn }: Line) => turn),
    [turns[2].turn],
  )
  for (const turn of [turns[0].turn, turns[1].turn, 1, 99_999])
    assert.equal(await post(`${personaPath}/audition`, { candidate: { model: 'qwen' }, turns: [turn] }), [
      400,
      {
        detail: `Turn ${turn} cannot be answered again. It needs words of the user without a file, and an answer that is still shown.`,
      },
    ])
  sent.length = 0
  await audition(personaPath, { candidate: { model: 'qwen' }, turns: [turns[2].turn] })
  assert.is(sent.length, 2)
  for (const { prompt } of sent) assert.not.match(prompt, /One secret|Two secrets/)
  assert.is((await post(`${personaPath}/audition`, { candidate: { model: 'q' }, turns: [] }))[0], 422)
  const missing = '/api/persona/00000000-0000-4000-8000-000000000000/audition'
  assert.equal(await post(missing, { candidate: { model: 'q' } }), unknownPersona)
  assert.equal(await get(`${missing}/turns`), unknownPersona)
})

test('names the files of earlier turns, but does not send them', async () => {
  const personaPath = await setup.home()
  const parts = [createFilePart('attach', media.png, 'lake.png')]
  assert.is((await sendForm(personaPath, 'attach', parts, '?wait=20'))[0], 200)
  await setup.say(personaPath, 'Hello')
  assert.match(toPrompts('llama').at(-1) ?? '', /"files":\[\{"name":"lake\.png"/)
  sent.length = 0
  await audition(personaPath, { candidate: { model: 'qwen' } })
  assert.is(sent.length, 2)
  for (const { prompt } of sent) {
    assert.match(prompt, /lake\.png/)
    assert.not.match(prompt, /"files":/)
  }
})

test('leaves out statements and instructions that were forgotten since', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'My name is Mia and I live in Lisbon.')
  await post(`${personaPath}/memories`, { document: 'person', text: 'They grow blue ferns.' })
  await post(`${personaPath}/memories`, { document: 'person', text: 'They drink tea.' })
  await setup.say(personaPath, 'When ferns wilt, be calm.')
  await setup.say(personaPath, 'What did I say about blue ferns?')
  await setup.say(personaPath, 'Hello')
  const original = toPrompts('llama').at(-1) ?? ''
  for (const words of ['blue ferns', '"intention":"When ferns wilt"', '"name":"remember"', 'drink tea'])
    assert.ok(original.includes(words), words)
  assert.match(original, /role\W+memory[^}]*blue ferns\./)
  const [, { memories }] = await get(`${personaPath}/memories`)
  for (const { id, text } of memories)
    if (!text.includes('tea')) await call(setup.daemon.url, 'DELETE', `${personaPath}/memories/${id}`)
  const learned = (await setup.facts(personaPath.split('/').at(-1) ?? ''))
    .map((fact) => JSON.parse(fact))
    .find(({ title }) => title === 'InstructionLearned')
  assert.is((await post(`${personaPath}/undo`, { seq: learned?.seq }))[0], 200)
  sent.length = 0
  await audition(personaPath, { candidate: { model: 'qwen' } })
  assert.ok(sent.length > 4)
  assert.ok(sent.some(({ prompt }) => prompt.includes('drink tea')))
  for (const { prompt } of sent)
    assert.not.match(prompt, /They grow blue ferns|"When ferns wilt"|"name":"remember","input"/)
})

test('treats an answer as a turn does: marks, a repeat after an empty answer, and opaque data', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'My name is Mia and I live in Lisbon.')
  await setup.say(personaPath, 'What did I say about Lisbon?')
  const { turns } = await listTurns(personaPath)
  const { lines } = await audition(personaPath, { candidate: { model: 'quiet' }, turns: [turns[0].turn] })
  const { text } = lines.find(({ side }) => side === 'candidate')
  assert.match(text, /^Hello, and\W/)
  assert.is(toPrompts('quiet').length, 2)
  await audition(personaPath, { candidate: { model: 'opaque' }, turns: [turns[1].turn] })
  const opaque = sent.filter(({ organ }) => organ.model === 'opaque').map((request) => request.opaque)
  assert.equal(opaque, [[], [{ for: 'opaque', data: 1 }]])
})

test('stops at the token limit of the day, between two answers', async () => {
  let calls = 0
  const mind: Mind = {
    async *think() {
      calls++
      yield { type: 'words', text: 'Hello.' }
      yield { type: 'end', usage: { input: 100, output: 0 } }
    },
  }
  const models = { ...standIn(), mind: () => mind, isOnThisMachine: () => true }
  const daemon = await startDaemon({ models, env: { DAIMON_DAILY_TOKENS: '350' } })
  try {
    const created = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'A',
      thinking_model: 'llama',
    })
    const { persona } = created.body as { persona: { id: string } }
    const personaPath = `/api/persona/${persona.id}`
    for (const message of ['One', 'Two'])
      await call(daemon.url, 'POST', `${personaPath}/read?wait=20`, { message })
    const response = await fetch(`${daemon.url}${personaPath}/audition`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ candidate: { model: 'qwen' } }),
    })
    const lines = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const reasons = lines
      .filter(({ type }) => type === 'answer')
      .map(({ reason }) => reason?.slice(0, 27) ?? null)
    const limitReason = 'The tokens for today are us'
    assert.equal(reasons, [null, null, limitReason, limitReason])
    assert.is(calls, 4)
  } finally {
    await daemon.close()
  }
})

test('a failing model is the error of its answers, and a key is not stored', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'Hello')
  const titles = await getTitles(personaPath)
  const candidate = { provider: 'openai', model: 'broken', api_key: 'sk-audition-key' }
  const { lines } = await audition(personaPath, { candidate, against: { model: 'qwen' } })
  const find = (side: string) => lines.find((line) => line.side === side)
  assert.equal([find('candidate').text, find('candidate').reason], [null, 'The key was rejected (401).'])
  assert.type(find('current').text, 'string')
  assert.is(lines[0].current.model, 'qwen')
  assert.ok(sent.some(({ organ }) => organ.apiKey === 'sk-audition-key'))
  assert.not.match(JSON.stringify(lines), /sk-audition/)
  assert.equal((await getTitles(personaPath)).slice(titles.length), ['ModelAnswered'])
  const { text } = await setup.send({ method: 'GET', path: `${personaPath}/journal` })
  assert.not.match(text, /sk-audition/)
  await setup.say(personaPath, 'Still there?')
})

test('ends the calls when the client disconnects', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'Hello')
  const leave = new AbortController()
  const response = await fetch(`${setup.daemon.url}${personaPath}/audition`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ candidate: { model: 'slow' }, against: { model: 'slow' } }),
    signal: leave.signal,
  })
  await response.body?.getReader().read()
  while (sent.filter(({ organ }) => organ.model === 'slow').length < 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  leave.abort()
  for (let tries = 0; aborted === 0 && tries < 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(aborted > 0)
})

test.run()
