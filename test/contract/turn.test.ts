/** GET …/turns/{id}: a turn, rebuilt from its facts. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Channel, Media } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { call, waitFor } from '../calls.ts'
import { createHome, createModelAnswered, createModelFailed, type WrittenEvents } from '../create-journal.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { createMessageHeard } from '../journal/facts.ts'
import { toHeardMedia, toParts } from '../message-parts.ts'
import { isValid, type Schema } from './schema.ts'
import { type Answer, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const unknownTurn: Answer = [404, { detail: 'Turn not found.' }]

const zone = 'Europe/Berlin'
const web: Channel = { type: 'web', name: 'ada' }
const sha = 'ab'.repeat(32)
const kite: Media = {
  filename: 'a1.png',
  name: 'kite.png',
  mime: 'image/png',
  caption: 'look',
  voice: false,
  bytes: 70,
  sha256: sha,
}
const drawing: Media = { ...kite, filename: 'b2.png', name: 'drawing.png', caption: '' }
const createPrice = (usd: number) => ({ usd, dated: '2026-11-01' })

/** A written home begins with two facts: the creation and the Mind. */
let seq = 2
const commit = (
  time: string,
  events: readonly PersonaEvent[],
  cause: WrittenEvents['cause'] = { by: 'person' },
): WrittenEvents => {
  seq += events.length
  return { at: `2026-11-23T${time}+01:00`, zone, events, cause }
}
/** A commit by the agent within a turn. */
const inTurn = (turn: number, time: string, ...events: readonly PersonaEvent[]) =>
  commit(time, events, { by: 'agent', life: 1, turn })
const beginTurn = (time: string, fields: Partial<Extract<PersonaEvent, { type: 'TurnBegan' }>> = {}) =>
  commit(
    time,
    [{ type: 'TurnBegan', life: 1, channel: web, stimuli: { after: 0, upTo: 0, due: [] }, ...fields }],
    { by: 'agent', life: 1 },
  )

const createStep = (
  turn: number,
  n: number,
  text: string,
  calls: { id: string; name: string; input: unknown }[] = [],
) =>
  createModelAnswered({
    turn,
    step: n,
    ...(n === 1 && { profile: 'compact' }),
    provider: 'anthropic',
    model: 'opus',
    price: createPrice(0.1),
    answer: { text, calls },
  })

const life: WrittenEvents[] = [
  commit('08:00:00', [
    {
      type: 'EntryPlanned',
      id: 'p1',
      kind: 'reminder',
      wall: '2026-11-23T09:00',
      zone,
      content: 'water',
      recurrence: null,
      anchor: '2026-11-23T09:00',
    },
    { type: 'EntryDue', id: 'p1' },
  ]),
  commit('09:00:00', [createMessageHeard('hello')]),
  commit('09:00:01', [
    {
      type: 'MessageHeard',
      channel: { type: 'telegram', name: '7' },
      parts: toParts('elsewhere'),
      media: null,
      key: null,
    },
  ]),
  commit('09:00:02', [
    { type: 'MessageHeard', channel: web, parts: toParts('look'), media: toHeardMedia(kite), key: null },
  ]),
]
const fullTurn = seq + 1
const hello = 5
const picture = 7
life.push(
  beginTurn('09:00:03', { stimuli: { after: 0, upTo: picture, due: ['p1', 'p9'] } }),
  inTurn(
    fullTurn,
    '09:00:04',
    createModelAnswered({ turn: fullTurn, organ: 'eye', model: 'llava', cause: 'perception', ms: 40 }),
    {
      type: 'MediaDescribed',
      turn: fullTurn,
      message: picture,
      filename: 'a1.png',
      organ: 'eye',
      outcome: 'perceived',
      text: 'a red kite',
    },
  ),
  inTurn(
    fullTurn,
    '09:00:05',
    createStep(fullTurn, 1, 'Let me see.', [
      { id: 'c1', name: 'remember', input: { text: 'flies kites', api_key: 'sk-secret' } },
      { id: 'c2', name: 'draw', input: { wish: 'w'.repeat(9000) } },
    ]),
    {
      type: 'MessageSpoken',
      turn: fullTurn,
      step: 1,
      channel: web,
      content: 'Let me see.',
      media: null,
      asks: null,
    },
  ),
  // A message that arrives during the turn belongs to a later one.
  commit('09:00:06', [createMessageHeard('are you there?')]),
  inTurn(
    fullTurn,
    '09:00:07',
    { type: 'ToolCalled', turn: fullTurn, step: 1, call: 'c1', name: 'remember', input: {}, of: null },
    {
      type: 'MemoryKept',
      id: 'm1',
      document: 'person',
      text: 'flies kites',
      sources: [hello],
      origin: 'persona',
    },
    { type: 'InstructionLearned', id: 'i1', intention: 'kites', body: 'ask about the wind' },
    {
      type: 'ToolAnswered',
      turn: fullTurn,
      step: 1,
      call: 'c1',
      name: 'remember',
      ok: true,
      output: { kept: 'm1', token: 'sk-secret' },
    },
  ),
  inTurn(
    fullTurn,
    '09:00:08',
    createModelFailed({
      turn: fullTurn,
      step: 1,
      organ: 'imagination',
      cause: 'tool',
      kind: 'refused',
      reason: 'not allowed',
    }),
    {
      type: 'ToolAnswered',
      turn: fullTurn,
      step: 1,
      call: 'c2',
      name: 'draw',
      ok: false,
      output: { error: 'not allowed' },
    },
  ),
  inTurn(
    fullTurn,
    '09:00:09',
    createStep(fullTurn, 2, '', [{ id: 'c1', name: 'draw', input: { wish: 'a kite' } }]),
  ),
  inTurn(
    fullTurn,
    '09:00:10',
    createModelAnswered({
      turn: fullTurn,
      step: 2,
      organ: 'imagination',
      provider: 'xai',
      model: 'imagine',
      cause: 'tool',
      price: createPrice(0.2),
      usage: { input: null, output: null, cached: null, made: { unit: 'image', count: 1 } },
    }),
    { type: 'MessageSpoken', turn: fullTurn, step: 2, channel: web, content: '', media: drawing, asks: null },
    {
      type: 'ToolAnswered',
      turn: fullTurn,
      step: 2,
      call: 'c1',
      name: 'draw',
      ok: true,
      output: { file: 'b2.png' },
    },
  ),
  inTurn(
    fullTurn,
    '09:00:11',
    createStep(fullTurn, 3, 'Here it is.'),
    {
      type: 'MessageSpoken',
      turn: fullTurn,
      step: 3,
      channel: web,
      content: 'Here it is.',
      media: null,
      asks: null,
    },
    { type: 'TurnEnded', turn: fullTurn, outcome: 'answered', reason: null },
    { type: 'EntryDone', id: 'p1' },
  ),
  commit('09:01:00', [{ type: 'Renamed', name: 'Ada the second' }]),
)
const hushedTurn = seq + 1
life.push(
  beginTurn('10:00:00', { stimuli: { after: picture, upTo: picture + 1, due: [] } }),
  inTurn(hushedTurn, '10:00:01', createStep(hushedTurn, 1, '', [{ id: 'c1', name: 'recall', input: null }])),
  commit('10:00:02', [
    {
      type: 'MessageSpoken',
      turn: hushedTurn,
      step: 2,
      channel: web,
      content: 'I was going',
      media: null,
      asks: null,
    },
    { type: 'TurnEnded', turn: hushedTurn, outcome: 'hushed', reason: null },
  ]),
)
const longTurn = seq + 1
life.push(beginTurn('11:00:00'))

let daemon: TestDaemon
let home: string

test.before(async () => {
  home = await createHome(life)
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open('ada', 'writer')
  const text = 'long '.repeat(20_000)
  const part = await journal.putPart(Buffer.from(JSON.stringify({ text: text, calls: [] })))
  const events = [
    createModelAnswered({ turn: longTurn, step: 1, answer: { part } }),
    createModelAnswered({ turn: longTurn, step: 2, answer: { part: 'cd'.repeat(32) } }),
  ]
  await journal.append(
    [
      {
        events,
        cause: { by: 'agent', life: 1, turn: longTurn },
        at: Date.parse('2026-11-23T11:00:01+01:00'),
        offset: 60,
      },
    ],
    journal.head,
  )
  await journal.close()
  daemon = await startDaemon({ home })
})
test.after(async () => {
  await daemon.close()
  await rm(home, { recursive: true })
})

const getTurn = async (id: number | string): Promise<Answer[1]> => {
  const { status, body } = await call(daemon.url, 'GET', `/api/persona/ada/turns/${id}`)
  assert.is(status, 200, JSON.stringify(body))
  return body
}

test('shows the messages of its channel with their files, and the due entries', async () => {
  const { id, began, channel, heard: messages, due, life } = await getTurn(fullTurn)
  assert.equal([id, began, channel, life], [fullTurn, '2026-11-23T09:00:03.000+01:00', web, 1])
  assert.equal(
    messages.map(({ id, content, media }: Answer[1]) => [
      id,
      content,
      media?.name ?? null,
      media?.url ?? null,
    ]),
    [
      [hello, 'hello', null, null],
      [picture, 'look', 'kite.png', '/api/persona/ada/media/a1.png'],
    ],
  )
  assert.equal(due, [
    { id: 'p1', kind: 'reminder', content: 'water' },
    { id: 'p9', kind: null, content: null },
  ])
})

test('shows the descriptions of files and the organs that made them', async () => {
  const { perceptions, calls } = await getTurn(fullTurn)
  assert.equal(perceptions, [
    { message: picture, filename: 'a1.png', organ: 'eye', outcome: 'perceived', text: 'a red kite' },
  ])
  assert.equal(
    calls.map(({ cause, organ, model, step, usd, reason, tries }: Answer[1]) => [
      cause,
      organ,
      model,
      step,
      usd,
      reason,
      tries,
    ]),
    [
      ['perception', 'eye', 'llava', null, null, null, 1],
      ['tool', 'imagination', 'llama', 1, null, 'not allowed', 3],
      ['tool', 'imagination', 'imagine', 2, 0.2, null, 1],
    ],
  )
  assert.equal([calls[1].usage, calls[2].usage.made], [null, { unit: 'image', count: 1 }])
})

test('shows each step: its text, its tools with their outputs, the model and the price', async () => {
  const { steps } = await getTurn(fullTurn)
  assert.equal(
    steps.map(({ step, text, model, profile, usd, dated, ms, tries, usage }: Answer[1]) => [
      step,
      text,
      model,
      profile,
      usd,
      dated,
      ms,
      tries,
      usage.input,
    ]),
    [
      [1, 'Let me see.', 'opus', 'compact', 0.1, '2026-11-01', 100, 1, 10],
      [2, '', 'opus', 'full', 0.1, '2026-11-01', 100, 1, 10],
      [3, 'Here it is.', 'opus', 'full', 0.1, '2026-11-01', 100, 1, 10],
    ],
  )
  const [firstStep, secondStep] = steps
  // Ids of calls are unique within a step only.
  assert.equal(
    [...firstStep.tools, ...secondStep.tools].map(({ id, name, ok }: Answer[1]) => [id, name, ok]),
    [
      ['c1', 'remember', true],
      ['c2', 'draw', false],
      ['c1', 'draw', true],
    ],
  )
  assert.equal(secondStep.tools[0].output, { file: 'b2.png' })
})

test('masks secrets and shortens long texts', async () => {
  const { steps } = await getTurn(fullTurn)
  const [remember, draw] = steps[0].tools
  assert.equal(remember.input, { text: 'flies kites', api_key: '***' })
  assert.equal(remember.output, { kept: 'm1', token: '***' })
  assert.match(draw.input.wish, /w… \d+ more characters$/)
  assert.ok(draw.input.wish.length < 9000)
})

test('shows the learned facts, the replies and the files that the turn made', async () => {
  const { facts, spoken, files } = await getTurn(fullTurn)
  assert.equal(
    facts.map(({ title, details }: Answer[1]) => [title, details.id, details.text ?? details.body ?? null]),
    [
      ['MemoryKept', 'm1', 'flies kites'],
      ['InstructionLearned', 'i1', 'ask about the wind'],
      ['EntryDone', 'p1', null],
    ],
  )
  assert.equal(
    spoken.map(({ step, content, media }: Answer[1]) => [step, content, media?.filename ?? null]),
    [
      [1, 'Let me see.', null],
      [2, '', 'b2.png'],
      [3, 'Here it is.', null],
    ],
  )
  assert.equal(
    files.map(({ url }: Answer[1]) => url),
    ['/api/persona/ada/media/b2.png'],
  )
})

test('shows the end and the cost', async () => {
  const { ended, outcome, reason, total, complete } = await getTurn(fullTurn)
  assert.equal([ended, outcome, reason, complete], ['2026-11-23T09:00:11.000+01:00', 'answered', null, true])
  assert.equal(
    [total.calls, total.failed, total.tries, total.usd, total.unpriced, total.images],
    [6, 1, 8, 0.5, 1, 1],
  )
})

// Fails if only commits of the turn itself are included: the turn then never ends.
test('shows the partial reply and the end of a turn that the user stopped', async () => {
  const { outcome, spoken, steps, ended } = await getTurn(hushedTurn)
  assert.equal([outcome, ended], ['hushed', '2026-11-23T10:00:02.000+01:00'])
  assert.equal(
    spoken.map(({ content }: Answer[1]) => content),
    ['I was going'],
  )
  const noResult = {
    input: null,
    output: null,
    ok: null,
    server: null,
    tool: null,
    ms: null,
    allowed: null,
  }
  assert.equal(steps[0].tools, [{ id: 'c1', name: 'recall', ...noResult }])
})

test('shows a running turn without an end, shortens long texts, and returns null for lost ones', async () => {
  const { ended, outcome, steps, total, complete } = await getTurn(longTurn)
  assert.equal([ended, outcome, complete, total.calls], [null, null, true, 2])
  assert.match(steps[0].text, /^long long .*… \d+ more characters$/)
  assert.is(steps[1].text, null)
})

test('finds a turn only by the position of its first fact', async () => {
  for (const id of [
    '0',
    '1',
    String(fullTurn + 1),
    String(hello),
    '999999',
    String(Number.MAX_SAFE_INTEGER),
    '9'.repeat(30),
  ])
    assert.equal(await askTurn(id), unknownTurn, id)
  for (const id of [
    'x',
    '-1',
    '1.5',
    `0${fullTurn}`,
    `${fullTurn}.0`,
    `${fullTurn}e0`,
    '%20',
    '%00',
    '..%2F1',
    `+${fullTurn}`,
    '٣',
  ])
    assert.equal(await askTurn(id), unknownTurn, id)
  assert.equal(await setup.get('/api/persona/nobody/turns/1'), unknownPersona)
  assert.equal(await setup.get('/api/persona/nobody/turns/x'), unknownPersona)
})

const askTurn = async (id: string): Promise<Answer> => {
  const { status, body } = await call(daemon.url, 'GET', `/api/persona/ada/turns/${id}`)
  return [status, body]
}

test('returns bodies that match the API description', async () => {
  const [, { paths, components }] = await setup.get('/openapi.json')
  const schema: Schema =
    paths['/api/persona/{persona_id}/turns/{id}'].get.responses['200'].content['application/json'].schema
  for (const id of [fullTurn, hushedTurn, longTurn])
    assert.ok(isValid(schema, await getTurn(id), components.schemas), String(id))
})

test('finds a turn by the number in its messages, while it runs and afterwards', async () => {
  const id = await setup.born()
  const personaPath = `/api/persona/${id}`
  let go = () => {}
  const answerHeld = new Promise<void>((resolve) => {
    go = resolve
  })
  setup.models.think = () => answerHeld
  const pendingReply = setup.say(personaPath, 'hello')
  const turns = async () => {
    const facts = await setup.facts(id)
    return facts.flatMap((text) =>
      JSON.parse(text).title === 'TurnBegan' ? [JSON.parse(text).seq as number] : [],
    )
  }
  const [turn] = await waitFor('the turn', async () => ((seqs) => seqs.length > 0 && seqs)(await turns()))
  const turnDuring = await setup.get(`${personaPath}/turns/${turn}`)
  assert.equal(
    [turnDuring[0], turnDuring[1].ended, turnDuring[1].heard[0].content, turnDuring[1].steps],
    [200, null, 'hello', []],
  )
  go()
  await pendingReply
  const [, { messages }] = await setup.get(`${personaPath}/conversation`)
  assert.is(messages.at(-1).turn, turn)
  const [, after] = await setup.get(`${personaPath}/turns/${turn}`)
  assert.equal(
    [after.outcome, after.steps.length, after.spoken[0].content],
    ['answered', 1, 'You said: hello'],
  )
  assert.is(after.steps[0].text, 'You said: hello')
})

test('shows the memories that the practice model keeps in a turn', async () => {
  const sendRequest = (method: 'GET' | 'POST', path: string, body?: object) =>
    call(daemon.url, method, `/api/persona${path}`, body)
  const { persona } = (
    await sendRequest('POST', '/create', { name: 'Bea', thinking_model: 'embedded/practice' })
  ).body
  await sendRequest('POST', `/${persona.id}/read?wait=20`, {
    message: 'My name is Mia and I live in Lisbon.',
  })
  const { messages } = (await sendRequest('GET', `/${persona.id}/conversation`)).body
  const { facts, steps, outcome } = (await sendRequest('GET', `/${persona.id}/turns/${messages.at(-1).turn}`))
    .body
  assert.is(outcome, 'answered')
  assert.ok(
    facts.some(({ title, details }: Answer[1]) => title === 'MemoryKept' && details.text.includes('Mia')),
  )
  assert.ok(
    steps.some(({ tools }: Answer[1]) => tools.some(({ name, ok }: Answer[1]) => name === 'remember' && ok)),
  )
})

test.run()
