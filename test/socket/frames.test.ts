/** The frame that sockets get for each fact. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Channel, Media } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import { createFrames, createSystemFrames } from '../../src/socket/frames.ts'
import { personSource, toHeardMedia } from '../message-parts.ts'
import { born, createMessageHeard, createMessageSpoken, toEntries } from './stage.ts'

const toEntry = (event: PersonaEvent) => {
  const [entry] = toEntries(40, [event])
  if (!entry) throw new Error('no entry')
  return entry
}
const getFrames = (event: PersonaEvent) => createFrames('ada', toEntry(event))
const getSystemFrames = (event: PersonaEvent) => createSystemFrames('ada', toEntry(event), () => null)
const getDetails = (event: PersonaEvent): unknown => {
  const [frame] = getFrames(event)
  return frame?.type === 'event' ? frame.details : undefined
}

const telegram: Channel = { type: 'telegram', name: '77' }
const placement = { time: '2026-06-04T08:01:53.655+02:00', seq: 41, persona_id: 'ada' }
const pictureDetails = { filename: 'a b.png', name: 'sea.png', mime: 'image/png', caption: 'the sea' }
const unheardFields = { voice: false, bytes: 7, sha256: null }
const picture: Media = { ...pictureDetails, ...unheardFields }
const createReply = (content: string, media: Media | null): PersonaEvent => ({
  type: 'MessageSpoken',
  turn: 12,
  step: 3,
  channel: telegram,
  content,
  media,
  asks: null,
})
const aloud = { ...placement, channel: telegram, turn: 12, step: 3 }

test('a reply is a chat_message with turn, step and channel', () => {
  assert.equal(getFrames(createReply('good morning', null)), [
    { type: 'chat_message', ...aloud, content: 'good morning' },
  ])
})

test('marks a question about a tool in a chat, also one that names no call', () => {
  const words =
    'May I use `send` of `post` with this?\n\nIt has 20000 characters, which are too many for a chat.'
  const question = { ...createReply(words, null), turn: null, step: null } as PersonaEvent
  const [frame] = getFrames(question)
  assert.is(frame?.type === 'chat_message' && frame.asks, true)
  const [answer] = getFrames(createReply('May I use your name?', null))
  assert.is(answer?.type === 'chat_message' && answer.asks, undefined)
})

test('a notice of the daemon is a marked chat_message', () => {
  const notice = { ...createReply('The model does not answer: away.', null), notice: true } as PersonaEvent
  assert.equal(getFrames(notice), [
    { type: 'chat_message', ...aloud, content: 'The model does not answer: away.', notice: true },
  ])
})

test('a question about a call shows the whole input, with the values of secret names masked', () => {
  const long = `https://example.org/?about=${'pin4711'.repeat(400)}`
  const question: PersonaEvent = {
    type: 'ApprovalAsked',
    turn: 12,
    step: 1,
    call: 'c1',
    server: 'web',
    tool: 'example.org',
    input: { url: long, token: 'hidden' },
    definition: 'a'.repeat(64),
    changed: false,
  }
  const [frame] = getFrames(question)
  assert.equal(frame, {
    type: 'approval',
    ...placement,
    id: 41,
    state: 'asked',
    turn: 12,
    call: 'c1',
    server: 'web',
    tool: 'example.org',
    input: { url: long, token: '***' },
    changed: false,
    again: false,
  })
  const [again] = getFrames({ ...question, again: true })
  assert.is(again?.type === 'approval' && again.state === 'asked' && again.again, true)
})

test('a message outside a turn has neither turn nor step', () => {
  const [frame] = getFrames({
    type: 'MessageSpoken',
    turn: null,
    step: null,
    channel: null,
    content: 'x',
    media: null,
    asks: null,
  })
  assert.equal(frame, {
    type: 'chat_message',
    ...placement,
    channel: null,
    turn: null,
    step: null,
    content: 'x',
  })
})

test('a spoken picture is a chat_image with its address and caption', () => {
  const url = '/api/persona/ada/media/a%20b.png'
  assert.equal(getFrames(createReply('', picture)), [
    { type: 'chat_image', ...aloud, url, name: 'sea.png', content: 'the sea' },
  ])
})

test('spoken sound is a chat_audio', () => {
  const [frame] = getFrames(
    createReply('', {
      filename: 'v.ogg',
      name: 'voice.ogg',
      mime: 'audio/ogg',
      caption: '',
      ...unheardFields,
    }),
  )
  assert.equal(frame, {
    type: 'chat_audio',
    ...aloud,
    url: '/api/persona/ada/media/v.ogg',
    name: 'voice.ogg',
    content: '',
  })
})

test('the text of a message with a picture comes first, as a chat_message', () => {
  assert.equal(
    getFrames(createReply('look', picture)).map((frame) => [frame.type, 'content' in frame && frame.content]),
    [
      ['chat_message', 'look'],
      ['chat_image', 'the sea'],
    ],
  )
})

test('a spoken file that is neither picture nor sound is a chat_message that names it', () => {
  const pdf = { filename: 'x.pdf', name: 'bill.pdf', mime: 'application/pdf', caption: 'the bill' }
  const media = { ...pdf, url: '/api/persona/ada/media/x.pdf' }
  assert.equal(getFrames(createReply('', { ...pdf, ...unheardFields })), [
    { type: 'chat_message', ...aloud, content: 'the bill', media },
  ])
})

test('a message of the user is a person_message with its channel and file, and without its dedupe key', () => {
  const frames = getFrames({
    type: 'MessageHeard',
    channel: telegram,
    parts: [{ ...personSource, text: 'hi' }],
    media: toHeardMedia(picture),
    key: 'k-9',
  })
  const media = { ...pictureDetails, url: '/api/persona/ada/media/a%20b.png' }
  assert.equal(frames, [{ type: 'person_message', ...placement, content: 'hi', media, channel: telegram }])
})

test('any other fact is an event titled by its type', () => {
  assert.equal(getFrames({ type: 'StatusSet', status: 'sick', reason: 'no answer' }), [
    { type: 'event', ...placement, title: 'StatusSet', details: { status: 'sick', reason: 'no answer' } },
  ])
})

test('secrets in an event are masked, at any depth and however they are spelled', () => {
  const input = {
    apiKey: 'S',
    bot_token: 'S',
    phrase: 'S',
    credentials: { user: 'S' },
    code: 'S',
    key: 'S',
    list: [{ api_key: 'S' }],
    city: 'Bonn',
  }
  const details = getDetails({
    type: 'ToolCalled',
    turn: 1,
    step: 1,
    call: 'c',
    name: 'pair',
    input,
    of: null,
  })
  assert.equal(details, {
    turn: 1,
    step: 1,
    call: 'c',
    name: 'pair',
    of: null,
    input: {
      apiKey: '***',
      bot_token: '***',
      phrase: '***',
      credentials: '***',
      code: '***',
      key: '***',
      list: [{ api_key: '***' }],
      city: 'Bonn',
    },
  })
})

test('an organ without a key shows that it has none', () => {
  const organ = { model: 'm', provider: null, url: null, key: null }
  assert.equal(getDetails({ type: 'OrganReplaced', slot: 'eye', organ }), { slot: 'eye', organ })
  assert.match(
    JSON.stringify(getDetails({ type: 'OrganReplaced', slot: 'eye', organ: { ...organ, key: 'ref' } })),
    '"key":"***"',
  )
})

test('truncates long bodies between characters, and gives the remaining length', () => {
  const text = `${'a'.repeat(1999)}😀${'b'.repeat(100)}`
  const sources60 = Array.from({ length: 60 }, (_, index) => index + 1)
  const details = getDetails({ type: 'MemoryRevised', id: 'm', text, sources: sources60, origin: 'persona' })
  const { text: shownText, sources } = details as { text: string; sources: unknown[] }
  assert.is(shownText, `${'a'.repeat(1999)}… 102 more characters`)
  assert.is(sources.length, 51)
  assert.is(sources.at(-1), '… 10 more')
})

test('never truncates messages', () => {
  const long = 'a'.repeat(200_000)
  const [frame] = getFrames(createMessageSpoken(long))
  assert.is(frame?.type === 'chat_message' && frame.content, long)
})

test('truncates deeply nested bodies', () => {
  let input: unknown = 'bottom'
  for (let level = 0; level < 100; level++) input = { input }
  assert.ok(
    JSON.stringify(
      getDetails({ type: 'ToolCalled', turn: 1, step: 1, call: 'c', name: 'n', input, of: null }),
    ).length < 300,
  )
})

const text = 'whispered'
const usage = { input: 900, output: 12, cached: 800, made: null }
const price = { usd: 0.003, dated: '2026-11-01' }
const recipe = { parts: [1, 2], sent: 'f'.repeat(64) }
const wordy: readonly PersonaEvent[] = [
  createMessageHeard(text),
  createMessageSpoken(text),
  {
    type: 'ModelAnswered',
    turn: 9,
    step: 1,
    organ: 'thinking',
    provider: 'xai',
    model: 'm',
    usage,
    ms: 30,
    calls: 1,
    price,
    recipe,
    answer: { text: text, calls: [{ id: 'c', name: 'remember', input: { text: text } }] },
    cause: 'turn',
  },
  { type: 'ToolCalled', turn: 9, step: 1, call: 'c', name: 'remember', input: { text: text }, of: null },
  { type: 'ToolAnswered', turn: 9, step: 1, call: 'c', name: 'recall', ok: true, output: [text] },
  {
    type: 'MediaDescribed',
    turn: 9,
    message: 4,
    filename: 'a.png',
    organ: 'eye',
    outcome: 'perceived',
    text: text,
  },
  { type: 'InstructionLearned', id: 'i', intention: text, body: text },
  { type: 'InstructionRevised', id: 'i', body: text },
  { type: 'MemoryKept', id: 'm', document: 'person', text: text, sources: [3], origin: 'persona' },
  { type: 'MemoryRevised', id: 'm', text: text, sources: [3], origin: 'persona' },
  { type: 'MemoryForgotten', id: 'm', why: text },
  {
    type: 'HistoryFed',
    source: text,
    conversation: text,
    title: text,
    updated: null,
    hash: 'ab'.repeat(32),
    messages: 2,
    summary: text,
  },
  {
    type: 'EntryPlanned',
    id: 'p',
    kind: 'reminder',
    wall: '2026-11-23T09:00:00',
    zone: 'Europe/Berlin',
    content: text,
    recurrence: null,
    anchor: '2026-11-23T09:00:00',
  },
]

for (const event of wordy) {
  test(`the system socket gets no text of ${event.type}`, () => {
    assert.not.match(JSON.stringify(getSystemFrames(event)), text)
  })
}

test('the system socket gets no frame for messages', () => {
  assert.equal([createMessageHeard(text), createMessageSpoken(text)].flatMap(getSystemFrames), [])
})

test('the system socket gets the cost of a model call', () => {
  const [frame] = wordy.filter(({ type }) => type === 'ModelAnswered').flatMap(getSystemFrames)
  const details = {
    turn: 9,
    step: 1,
    organ: 'thinking',
    provider: 'xai',
    model: 'm',
    usage,
    ms: 30,
    calls: 1,
    price,
    cause: 'turn',
  }
  assert.equal(frame, { type: 'event', ...placement, title: 'ModelAnswered', details })
})

test('creation and deletion have their own frames on the system socket', () => {
  assert.equal(getSystemFrames(born('ada')), [{ type: 'persona_created', ...placement, persona: null }])
  assert.equal(getSystemFrames({ type: 'PersonaDeleted', purge: false }), [
    { type: 'persona_deleted', ...placement },
  ])
})

test.run()
