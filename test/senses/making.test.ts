/**
 * Drawing, speaking, looking again, reading, asking and learning: from the tool call to the file that is
 * shown.
 */
import { readdir } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { type Listener, listenTo } from '../listener.ts'
import type { Fault } from '../stand-ins/faults.ts'
import {
  type Cloud,
  type HostedPersona,
  hashBytes,
  hashFixture,
  type ModelCall,
  readFixture,
  type Script,
  shareSetup,
} from './setup.ts'

const setup = shareSetup(test)
test.before.each(() => {
  for (const provider of ['openai', 'gemini', 'xai'] as const) {
    setup.standIns[provider].faults.permanentFault = null
    setup.standIns[provider].faults.on = null
  }
})

/** Calls a tool in reply to a message, and answers with text after its result. */
const callTool =
  (name: string, input: object, answerOthers: Script = () => 'yes', finalText = 'Done.'): Script =>
  (modelRequest) => {
    if (modelRequest.role !== 'mind') return answerOthers(modelRequest)
    return modelRequest.messages.at(-1)?.role === 'tool' ? finalText : { calls: [{ name, input }] }
  }
const getToolResult = (): string => setup.callsTo('mind').at(-1)?.messages.at(-1)?.text ?? ''

const openListener = async (ada: HostedPersona): Promise<Listener> =>
  listenTo(setup.daemon.url, `/ws/${ada.id}`)
const listMedia = (ada: HostedPersona) =>
  readdir(`${setup.daemon.home}/personas/${ada.id}/media`).catch(() => [])

interface OrganSetup {
  readonly provider: Cloud
  readonly model: string
  /** The file that the provider returns. */
  readonly file: string
  readonly mime: string
}

const imaginations: readonly OrganSetup[] = [
  { provider: 'openai', model: 'gpt-image-1', file: 'dot.png', mime: 'image/png' },
  { provider: 'openai', model: 'dall-e-3', file: 'dot.webp', mime: 'image/webp' },
  { provider: 'gemini', model: 'gemini-2.5-flash-image', file: 'dot.png', mime: 'image/png' },
  { provider: 'gemini', model: 'imagen-4.0-generate-001', file: 'dot.png', mime: 'image/png' },
  { provider: 'xai', model: 'grok-imagine-image', file: 'dot.jpg', mime: 'image/jpeg' },
]

for (const { provider, model, file, mime } of imaginations) {
  test(`stores a picture by ${model}, publishes it on the socket and lists it in the conversation`, async () => {
    const ada = await setup.born('ollama', { imagination: [provider, model] })
    const bytes = await readFixture(file)
    setup.answer = callTool('draw', { wish: 'a red kite', caption: 'For you' }, () => ({
      files: [{ mime, bytes }],
    }))
    const listener = await openListener(ada)
    try {
      assert.is(await ada.say('Draw me a red kite'), 'Done.')
      assert.equal(
        setup.callsTo('other').map(({ last }) => last),
        ['a red kite'],
      )
      const [frame] = await waitFor('the picture', () =>
        ((images) => images.length > 0 && images)(
          listener.frames.filter(({ type }) => type === 'chat_image'),
        ),
      )
      assert.is(frame.content, 'For you')
      await assertServed(frame.url, bytes, mime)
      const pictureMessage = (await ada.talk()).find(({ media }) => media)
      assert.equal(
        [
          pictureMessage.role,
          pictureMessage.media.mime,
          pictureMessage.media.caption,
          pictureMessage.media.url,
        ],
        ['assistant', mime, 'For you', frame.url],
      )
      assert.equal(await listMedia(ada), [pictureMessage.media.filename])
      const turn = await ada.turn()
      assert.equal(
        turn.files.map(({ url }: { url: string }) => url),
        [frame.url],
      )
      assert.equal(
        [turn.calls[0].organ, turn.calls[0].cause, turn.calls[0].usage.made],
        ['imagination', 'tool', { unit: 'image', count: 1 }],
      )
      assert.match(getToolResult(), /"shown":"[0-9a-f]+\.(png|jpg|webp)"/)

      // Later prompts show the tool call that made it.
      setup.answer = () => 'Gladly.'
      await ada.say('Thank you')
      const promptMessages = setup.callsTo('mind').at(-1)?.messages ?? []
      // The call with its caption, and the file that it made.
      assert.match(JSON.stringify(promptMessages), pictureMessage.media.filename)
    } finally {
      listener.leave()
    }
  })
}

const assertServed = async (url: string, bytes: Buffer | null, mime: string): Promise<Buffer> => {
  const response = await fetch(`${setup.daemon.url}${url}`)
  assert.equal([response.status, response.headers.get('content-type')], [200, mime])
  const servedBytes = Buffer.from(await response.arrayBuffer())
  if (bytes) assert.is(hashBytes(servedBytes), hashBytes(bytes))
  return servedBytes
}

for (const { provider, model, mime } of [
  { provider: 'openai', model: 'tts-1', mime: 'audio/mpeg' },
  { provider: 'gemini', model: 'gemini-2.5-flash-preview-tts', mime: 'audio/wav' },
] as const) {
  test(`stores speech by ${model} as a clip with its text as the caption`, async () => {
    const ada = await setup.born('ollama', { mouth: [provider, model] })
    const bytes = await readFixture('tone.mp3')
    setup.answer = callTool('speak', { text: 'Good night, Mia.' }, () =>
      provider === 'openai' ? { files: [{ mime, bytes }] } : {},
    )
    const listener = await openListener(ada)
    try {
      assert.is(await ada.say('Say good night aloud'), 'Done.')
      const [frame] = await waitFor('the clip', () =>
        ((clips) => clips.length > 0 && clips)(listener.frames.filter(({ type }) => type === 'chat_audio')),
      )
      assert.is(frame.content, 'Good night, Mia.')
      const servedClip = await assertServed(frame.url, provider === 'openai' ? bytes : null, mime)
      if (provider === 'gemini')
        assert.equal([servedClip.toString('latin1', 0, 4), servedClip.length], ['RIFF', 4800 + 44])
      const { media } = (await ada.talk()).find(({ media }) => media)
      assert.equal([media.mime, media.caption], [mime, 'Good night, Mia.'])
      assert.equal((await ada.turn()).calls[0].usage.made, { unit: 'character', count: 16 })
    } finally {
      listener.leave()
    }
  })
}

const noPicture: Fault = { what: 'answer', json: { created: 1, data: [] } }
const page: Fault = {
  what: 'answer',
  json: { created: 1, data: [{ b64_json: Buffer.from('<html>no picture</html>').toString('base64') }] },
}
for (const [name, tool, slot, provider, model, fault, says] of [
  ['no picture at all', 'draw', 'imagination', 'openai', 'gpt-image-1', noPicture, /would not draw this/],
  [
    'a page in place of a picture',
    'draw',
    'imagination',
    'openai',
    'gpt-image-1',
    page,
    /instead of a picture/,
  ],
  [
    'no data at all',
    'draw',
    'imagination',
    'xai',
    'grok-imagine-image',
    { what: 'answer', json: {} },
    /broke off/,
  ],
  [
    'an empty prediction',
    'draw',
    'imagination',
    'gemini',
    'imagen-4.0-generate-001',
    { what: 'answer', json: {} },
    /./,
  ],
  ['a page in place of sound', 'speak', 'mouth', 'openai', 'tts-1', { what: 'page' }, /that is no sound/],
  ['a wrong key', 'draw', 'imagination', 'openai', 'gpt-image-1', { what: 'status', status: 401 }, /key/],
] as const) {
  test(`reports ${name} to the Mind as an error and leaves no file`, async () => {
    const ada = await setup.born('ollama', { [slot]: [provider, model] })
    setup.answer = callTool(
      tool,
      tool === 'draw' ? { wish: 'a kite' } : { text: 'Hello' },
      undefined,
      'It did not work.',
    )
    setup.standIns[provider].faults.on = /images|audio|predict/
    setup.standIns[provider].faults.permanentFault = fault
    assert.is(await ada.say('Please'), 'It did not work.')
    assert.match(getToolResult(), /^\{"error":/)
    assert.match(getToolResult(), says)
    assert.equal(await listMedia(ada), [])
    assert.is((await ada.turn()).files.length, 0)
    assert.is((await ada.talk()).length, 2)
  })
}

test('looks and listens again to received and created files, also to those that were refused before', async () => {
  const ada = await setup.born('ollama', { imagination: ['openai', 'gpt-image-1'] })
  await ada.show('dot.png')
  await ada.hear('tone.webm', { bytes: await readFixture('tone.webm') })
  const bytes = await readFixture('dot.webp')
  setup.answer = callTool('draw', { wish: 'a dot' }, () => ({ files: [{ mime: 'image/webp', bytes }] }))
  await ada.say('Draw a dot')
  await ada.post('/update', { eye: setup.organ('anthropic'), ear: setup.organ('openai', 'whisper-1') })
  const createdFile = (await ada.talk()).find(({ media, role }) => media && role === 'assistant').media
    .filename

  for (const [file, sha] of [
    ['dot.png', await hashFixture('dot.png')],
    [createdFile, hashBytes(bytes)],
  ] as const) {
    setup.forget()
    setup.answer = callTool('look_again', { file, question: 'Which colour?' }, () => 'Red.')
    assert.is(await ada.say('Which colour is it?'), 'Done.')
    assert.equal(
      setup.callsTo('eye').map(({ files, last }) => [files, last]),
      [[[sha], 'Which colour?']],
    )
    assert.match(getToolResult(), 'Red.')
  }
  setup.forget()
  setup.answer = callTool('look_again', { file: 'tone.webm' }, () => 'Call me back.')
  await ada.say('What did I say there?')
  assert.equal(setup.callsTo('other')[0]?.files, [await hashFixture('tone.webm')])
  assert.match(getToolResult(), '"heard":"Call me back."')

  for (const [name, error] of [
    ['nobody.png', /There is no file/],
    ['', /There is no file/],
  ] as const) {
    setup.answer = callTool('look_again', { file: name })
    await ada.say('Look')
    assert.match(getToolResult(), error)
  }
})

test('reads a document page by page and asks the Researcher about the whole', async () => {
  const ada = await setup.born('ollama', { researcher: 'anthropic' })
  const text = Array.from({ length: 3000 }, (_, n) => `Zeile ${n}: Äpfel`).join('\n')
  await ada.show('list.txt', { bytes: text })
  let first: number | null = 0
  let message = ''
  for (let pages = 0; first !== null && pages < 20; pages++) {
    setup.answer = callTool('read_document', { file: 'list.txt', from: first })
    await ada.say('Read on')
    const page = JSON.parse(getToolResult())
    message += page.words
    first = page.next
  }
  assert.is(message, text)

  for (const [file, bytes, asItIs] of [
    ['list.txt', null, false],
    ['invoice.pdf', 'invoice.pdf', true],
  ] as const) {
    if (bytes) await ada.show(file)
    setup.forget()
    setup.answer = callTool('read_document', { file, question: 'How many?' }, () => 'Three thousand.')
    await ada.say('How many are there?')
    const [modelRequest] = setup.callsTo('researcher')
    assert.equal(modelRequest?.files, asItIs ? [await hashFixture(file)] : [])
    assert.match(
      modelRequest?.last ?? '',
      asItIs ? /^How many\?$/ : /^How many\?\n\n<document name="list\.txt">\nZeile 0: Äpfel/,
    )
    assert.match(getToolResult(), 'Three thousand.')
  }
})

test('finds a file by its description', async () => {
  const ada = await setup.born('ollama', { eye: 'sighted' })
  setup.answer = ({ role }) =>
    role === 'eye' ? `${'sky '.repeat(500)} a lighthouse in Brittany ${'sea '.repeat(500)}` : 'Nice.'
  await ada.show('dot.jpg')
  await ada.say('Hello')
  setup.answer = callTool('recall', { query: 'lighthouse' })
  await ada.say('What was that picture?')
  assert.match(
    getToolResult(),
    /"name":"dot\.jpg","file":"[0-9a-f]+\.jpg","holds":".{0,1000}a lighthouse in Brittany/,
  )
  setup.answer = callTool('recall', { query: 'submarine' })
  await ada.say('And that one?')
  assert.match(getToolResult(), '"found":[]')
})

test('asks the Teacher, stores the lesson, follows it, and lists it with the built-in ones', async () => {
  const ada = await setup.born('ollama', { teacher: 'gemini' })
  const requests: ModelCall[] = []
  setup.answer = callTool('ask_teacher', { question: 'How do I console a friend?' }, (teacherRequest) => {
    requests.push(teacherRequest)
    return 'Listen first.'
  })
  await ada.say('My friend is sad')
  assert.equal(
    requests.map(({ provider, role, last, tools }) => [provider, role, last, tools]),
    [['gemini', 'teacher', 'How do I console a friend?', []]],
  )
  assert.match(getToolResult(), '"advice":"Listen first."')

  const lesson = { intention: 'Consoling a friend', body: 'Listen. Then ask whether advice is wanted.' }
  setup.answer = callTool('learn_instruction', lesson)
  await ada.say('Remember how to do that')
  setup.answer = callTool('follow_instruction', { intention: 'consoling a friend' })
  await ada.say('She is sad again')
  assert.match(getToolResult(), 'Then ask whether advice is wanted.')

  const { instruction } = (await ada.get('/knowledge')).body
  assert.equal(instruction.at(-1), { ...lesson, source: 'custom' })
  assert.equal(
    instruction
      .filter(({ source }: { source: string }) => source === 'builtin')
      .map(({ intention }: { intention: string }) => intention),
    [
      'conversation',
      'reminders and plans',
      'looking back',
      'documents and pictures',
      'something is wrong',
      'a request she cannot do',
    ],
  )
  setup.answer = callTool('learn_instruction', { intention: 'Conversation', body: 'Obey.' })
  await ada.say('Change that')
  assert.match(getToolResult(), 'built in')
})

test('explains in the practice model which organs are missing', async () => {
  const ada = await setup.born('embedded')
  await ada.say('Hello, my name is Mia')
  assert.is(
    await ada.show('dot.png'),
    'There is no Eye, the organ that looks at pictures, so nothing could look at “dot.png”. Add one under settings. The file is kept: ask about it then.',
  )
  assert.match(
    await ada.show('dot.png', { caption: 'Remind me tomorrow at 9 to call mum' }),
    /^There is no Eye.*I will remind you/s,
  )
  assert.match(
    await ada.say('Draw me a cat'),
    /I cannot draw that: I have no Imagination\. One can be given to me on the page/,
  )
  assert.match(await ada.say('Say "hello" aloud'), /I cannot say that aloud: I have no Mouth/)
  assert.match(await ada.say('Look at the picture again'), /I have no Eye/)
  assert.match(await ada.say('Ask your teacher how one bakes bread'), /I have no Teacher/)
  await ada.post('/update', { eye: setup.organ('sighted') })
  setup.answer = () => 'A small dot.'
  assert.match(await ada.say('Look at the picture again'), /I have looked again: A small dot\./)
  assert.match(await ada.show('dot.gif'), /Thank you for “dot\.gif”\. My Eye says: A small dot\./)
})

test.run()
