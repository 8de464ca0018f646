/**
 * Several files at once, files with text, and long files: each is perceived, one answer per turn, and prompts
 * are limited.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { type HostedPersona, readFixture, type Script, shareSetup } from './setup.ts'

const setup = shareSetup(test)

/** Holds the answer to the message "Wait" until the returned function is called. */
const holdFirstAnswer = (answerOthers: Script): (() => void) => {
  let releaseAnswer = () => {}
  const release = new Promise<void>((resolve) => {
    releaseAnswer = resolve
  })
  setup.answer = async (modelRequest) => {
    if (modelRequest.role === 'mind' && modelRequest.last === 'Wait') await release
    return answerOthers(modelRequest)
  }
  return releaseAnswer
}

const listAnswers = async (ada: HostedPersona): Promise<readonly string[]> =>
  (await ada.talk()).filter(({ role }) => role === 'assistant').map(({ content }) => content)

const getMarkedTexts = (text: string): readonly string[] =>
  [...text.matchAll(/<(?:file|voice)[^>]*>\n([\s\S]*?)\n<\//g)].map(([, words = '']) => words)

test('answers all files that arrive during a turn in one turn, each perceived by its organ in order', async () => {
  const ada = await setup.born('ollama', {
    eye: 'sighted',
    ear: ['openai', 'whisper-1'],
    researcher: 'anthropic',
  })
  let pictureCount = 0
  const releaseAnswer = holdFirstAnswer(({ role }) => {
    if (role === 'eye') return `Picture ${++pictureCount}.`
    return role === 'researcher'
      ? 'A bill.'
      : role === 'other'
        ? 'What does it cost?'
        : 'I looked at all of it.'
  })
  await ada.post('/read?wait=0', { message: 'Wait' })
  await waitFor('the model call', () => setup.callsTo('mind').length === 1)
  await ada.send('attach', 'dot.png')
  await ada.send('attach', 'film.mp4')
  await ada.send('attach', 'invoice.pdf', { caption: 'Here is the bill' })
  await ada.send('hear', 'tone.webm')
  await ada.send('attach', 'dot.jpg', { caption: 'and this' })
  releaseAnswer()
  await waitFor('both answers', async () => (await listAnswers(ada)).length === 3)
  assert.equal(
    setup.calls.map(({ role }) => role),
    ['mind', 'eye', 'researcher', 'other', 'eye', 'mind'],
  )
  const messages = setup.calls.at(-1)?.messages.slice(2) ?? []
  assert.equal(
    messages.map(({ text }) => text.replace(/\n\n<[\s\S]*|^<[\s\S]*/, '')),
    ['', '', 'Here is the bill', '', 'and this'],
  )
  assert.equal(
    messages.flatMap(({ text }) => getMarkedTexts(text)).map((text) => text.slice(0, 25)),
    ['Picture 1.', 'It could not be opened, a', 'A bill.', 'What does it cost?', 'Picture 2.'],
  )
  const turn = await ada.turn()
  assert.equal(
    [turn.outcome, turn.heard.length, turn.perceptions.length, turn.steps.length],
    ['answered', 5, 5, 1],
  )
  assert.equal(
    (await listAnswers(ada)).map((text) => text.slice(0, 22)),
    ['I looked at all of it.', '“film.mp4” is a binary', 'I looked at all of it.'],
  )
})

test('perceives and answers five pictures in a row, and defers more than one turn can hold', async () => {
  const ada = await setup.born('ollama', { eye: 'sighted' })
  for (let n = 1; n <= 5; n++) {
    setup.answer = ({ role }) => (role === 'eye' ? `Picture ${n}.` : `I saw ${n}.`)
    assert.is(await ada.show('dot.png'), `I saw ${n}.`)
  }
  assert.equal(
    (setup.calls.at(-1)?.messages ?? []).flatMap(({ role, text }) =>
      role === 'assistant' ? text : getMarkedTexts(text),
    ),
    [
      'Picture 1.',
      'I saw 1.',
      'Picture 2.',
      'I saw 2.',
      'Picture 3.',
      'I saw 3.',
      'Picture 4.',
      'I saw 4.',
      'Picture 5.',
    ],
  )

  const releaseAnswer = holdFirstAnswer(({ role }) => (role === 'eye' ? 'A dot.' : 'Seen.'))
  await ada.post('/read?wait=0', { message: 'Wait' })
  await waitFor('the model call', () => setup.calls.at(-1)?.last === 'Wait')
  const callCountBefore = setup.callsTo('eye').length
  for (let n = 0; n < 10; n++) await ada.send('attach', 'dot.png')
  releaseAnswer()
  await waitFor(
    'all of them',
    async () => setup.callsTo('eye').length === callCountBefore + 10 && (await listAnswers(ada)).length === 8,
  )
  assert.is((await ada.turn()).outcome, 'answered')
})

test('cuts a document of two million characters to the size for each model and reads on by request', async () => {
  const line = 'Die Straße führt zum Fluß. '
  const bytes = line.repeat(Math.ceil(2_000_000 / line.length))
  const ada = await setup.born('anthropic')
  await ada.show('book.txt', { bytes })
  const [first] = setup.calls
  assert.ok((first?.last.length ?? 0) < 17_000, `${first?.last.length}`)
  const [, from = ''] =
    /\[There is more: call read_document with from: (\d+)\.\]\n<\/file>$/.exec(first?.last ?? '') ?? []
  assert.is(getMarkedTexts(first?.last ?? '')[0]?.startsWith(bytes.slice(0, Number(from))), true)

  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? 'Read.'
      : { calls: [{ name: 'read_document', input: { file: 'book.txt', from: Number(from) } }] }
  await ada.say('Read on')
  const wholeRequest = setup.calls.at(-1)
  assert.match(wholeRequest?.messages.at(-1)?.text ?? '', bytes.slice(Number(from), Number(from) + 1000))
  assert.ok(JSON.stringify(wholeRequest?.messages).length < 45_000)

  for (const [researcher, maxLength] of [
    ['openai', 401_000],
    ['ollama', 41_000],
  ] as const) {
    const bea = await setup.born('ollama', { researcher })
    setup.answer = ({ role }) => (role === 'researcher' ? 'It says: '.repeat(2500) : 'Long.')
    assert.is(await bea.show('part.txt', { bytes: bytes.slice(0, 500_000) }), 'Long.')
    assert.ok((setup.callsTo('researcher')[0]?.last.length ?? 0) < maxLength)
    assert.match(setup.callsTo('researcher')[0]?.last ?? '', /\n\[… \d+ more characters\]\n<\/document>$/)
    assert.ok((setup.callsTo('mind')[0]?.last.length ?? 0) < 17_000)
  }
})

test('divides the space of a turn among six long documents', async () => {
  const ada = await setup.born('anthropic')
  const releaseAnswer = holdFirstAnswer(() => 'Read.')
  await ada.post('/read?wait=0', { message: 'Wait' })
  await waitFor('the model call', () => setup.calls.length === 1)
  for (let n = 0; n < 6; n++) await ada.send('attach', `part-${n}.txt`, { bytes: `${n} `.repeat(30_000) })
  releaseAnswer()
  await waitFor('the answer', async () => (await listAnswers(ada)).length === 2)
  const messages = setup.calls.at(-1)?.messages ?? []
  assert.is(messages.flatMap(({ text }) => getMarkedTexts(text)).length, 6)
  assert.ok(JSON.stringify(messages).length < 55_000)
})

test('answers a file and a message that arrive together in one turn', async () => {
  const ada = await setup.born('ollama', { eye: 'sighted' })
  const bytes = await readFixture('dot.png')
  const releaseAnswer = holdFirstAnswer(({ role }) => (role === 'eye' ? 'A dot.' : 'Both.'))
  await ada.post('/read?wait=0', { message: 'Wait' })
  await waitFor('the model call', () => setup.calls.length === 1)
  const pendingReply = ada.show('a.png', { bytes })
  await waitFor('the picture', async () => (await ada.talk()).length === 2)
  const secondReply = ada.say('What colour is it?')
  await waitFor('the question', async () => (await ada.talk()).length === 3)
  releaseAnswer()
  assert.equal(await Promise.all([pendingReply, secondReply]), ['Both.', 'Both.'])
  assert.equal([setup.callsTo('mind').length, setup.callsTo('eye').length], [2, 1])
  assert.is((await listAnswers(ada)).length, 2)
})

test.run()
