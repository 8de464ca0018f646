/**
 * An organ whose provider fails, refuses, or returns an invalid or empty answer: the reply, the facts, and
 * the next messages.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Slot } from '../../facts/fact-values.ts'
import { waitFor } from '../calls.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { type Cloud, type HostedPersona, key, shareSetup } from './setup.ts'

const setup = shareSetup(test)
const modelPaths = /\/messages$|\/chat\/completions$|\/responses$|[gG]enerateContent$|\/audio\/|\/images\//

const resetFaults = () => {
  for (const provider of ['anthropic', 'openai', 'gemini', 'xai'] as const) {
    const { faults } = setup.standIns[provider]
    faults.permanentFault = null
    faults.next = []
    faults.on = modelPaths
  }
}
test.before.each(resetFaults)

const countFaultyCalls = async (
  provider: Cloud,
  fault: Fault,
  work: () => Promise<unknown>,
): Promise<number> => {
  const { log, faults } = setup.standIns[provider]
  const logLengthBefore = log.length
  faults.permanentFault = fault
  try {
    await work()
  } finally {
    faults.permanentFault = null
  }
  return log.length - logLengthBefore
}

interface Row {
  readonly fault: Fault
  readonly calls: number
  readonly detail: RegExp
  /** Whether the organ is marked as failing. */
  readonly marked: boolean
}

const keptSentence = / The file is kept: ask about it again later\.$/
const rows: Readonly<Record<string, Row>> = {
  'breaks down three times': {
    fault: { what: 'status', status: 500 },
    calls: 3,
    detail: keptSentence,
    marked: true,
  },
  'has no room for more calls': {
    fault: { what: 'status', status: 429 },
    calls: 3,
    detail: keptSentence,
    marked: true,
  },
  'does not know the key': {
    fault: { what: 'status', status: 401 },
    calls: 1,
    detail: /key.*ask about it again/,
    marked: true,
  },
  'is reset': {
    fault: { what: 'reset' },
    calls: 3,
    detail: /connection was cut.*ask about it again/,
    marked: true,
  },
  // Each try is repeated once without a stream.
  'answers with a page': { fault: { what: 'page' }, calls: 2, detail: keptSentence, marked: true },
  'refuses these words': {
    fault: { what: 'status', status: 400, words: 'It shows a bank note.' },
    calls: 1,
    detail: /bank note/,
    marked: false,
  },
}

for (const [name, { fault, calls, detail, marked: isMarked }] of Object.entries(rows)) {
  test(`an Eye that ${name} is retried as often as useful and reported; it recovers with the next request`, async () => {
    const ada = await setup.born('ollama', { eye: 'openai' })
    let reply = ''
    const callCount = await countFaultyCalls('openai', fault, async () => {
      reply = await ada.show('dot.png')
    })
    assert.match(reply, /^The Eye could not look at “dot\.png”: /)
    assert.match(reply, detail)
    assert.not.match(reply, key)
    assert.is(callCount, calls)
    const turn = await ada.turn()
    assert.equal([turn.outcome, turn.steps, turn.perceptions[0].outcome], ['answered', [], 'refused'])
    assert.equal(
      turn.facts.map(
        ({ title, details }: { title: string; details: { slot: Slot } }) => `${title} ${details.slot}`,
      ),
      isMarked ? ['OrganFailed eye'] : [],
    )
    assert.equal(
      turn.calls.map(({ organ, tries, cause }: { organ: Slot; tries: number; cause: string }) => [
        organ,
        tries,
        cause,
      ]),
      [['eye', calls, 'perception']],
    )
    assert.is(await ada.say('How are you?'), 'I see.')

    setup.answer = ({ role, messages }) => {
      if (role === 'eye') return 'A dot.'
      return messages.at(-1)?.role === 'tool'
        ? 'A dot!'
        : { calls: [{ name: 'look_again', input: { file: 'dot.png' } }] }
    }
    assert.is(await ada.say('And now?'), 'A dot!')
    assert.equal(
      (await ada.turn()).facts.map(({ title }: { title: string }) => title),
      isMarked ? ['OrganRecovered'] : [],
    )
  })
}

/** Each organ with its file and the verb in its error message. */
const organs: Readonly<
  Record<string, { slot: Slot; provider: Cloud; model?: string; file: string; could: string }>
> = {
  Eye: { slot: 'eye', provider: 'anthropic', file: 'dot.png', could: 'look at' },
  Ear: { slot: 'ear', provider: 'openai', model: 'whisper-1', file: 'tone.mp3', could: 'listen to' },
  Researcher: { slot: 'researcher', provider: 'gemini', file: 'invoice.pdf', could: 'read' },
}
const withOrgan = ({ slot, provider, model }: (typeof organs)[string]): Promise<HostedPersona> =>
  setup.born('ollama', { [slot]: model === undefined ? provider : [provider, model] })

for (const [name, organ] of Object.entries(organs)) {
  const { provider, file, could } = organ
  test(`retries the ${name} after one failure without a message, and reports a permanent one`, async () => {
    const ada = await withOrgan(organ)
    setup.standIns[provider].faults.next = [{ what: 'status', status: 503 }]
    assert.is(await ada.show(file), 'I see.')
    assert.is((await ada.turn()).calls[0].tries, 2)
    // The caption is still answered.
    let reply = ''
    await countFaultyCalls(provider, { what: 'status', status: 500 }, async () => {
      reply = await ada.show(file, { caption: 'Well?' })
    })
    assert.match(reply, new RegExp(`^The ${name} could not ${could} “${file}”: .*\\n\\nI see\\.$`, 's'))
    assert.match(
      setup.calls.at(-1)?.last ?? '',
      /^Well\?\n\n<file [^>]*>\nIt could not be opened, and the user has been told so: The /,
    )
  })

  test(`stops, restarts and hushes immediately while the ${name} hangs; perceives nothing twice and loses nothing`, async () => {
    const ada = await withOrgan(organ)
    const { faults, open } = setup.standIns[provider]
    const hanging = async () => {
      faults.permanentFault = { what: 'stall', after: 0 }
      assert.is(await ada.send('attach', file), 200)
      await waitFor('the call', () => open() > 0)
    }
    const getOutcomes = async () => {
      const { messages } = (await ada.get('/conversation')).body
      const turns = new Set<number>(messages.flatMap(({ turn }: { turn: number | null }) => turn ?? []))
      const views = await Promise.all([...turns].map(async (turn) => (await ada.get(`/turns/${turn}`)).body))
      return views.flatMap(({ perceptions }) =>
        perceptions.map((perception: { outcome: string }) => perception.outcome),
      )
    }
    const countReplies = async () => (await ada.talk()).filter(({ role }) => role === 'assistant').length

    await ada.say('Hello')
    await hanging()
    await assertQuick(() => ada.post('/stop'))
    await waitFor('the end of the call', () => open() === 0)
    faults.permanentFault = null
    await ada.post('/start')
    await waitFor('an answer', async () => (await countReplies()) === 2)
    assert.equal(await getOutcomes(), ['perceived'])

    await ada.say('Hello again')
    await hanging()
    await assertQuick(async () => {
      const restartReply = ada.post('/restart')
      faults.permanentFault = null
      return restartReply
    })
    await waitFor('an answer', async () => (await countReplies()) === 4)
    assert.equal(await getOutcomes(), ['perceived', 'perceived'])

    await hanging()
    await assertQuick(async () => {
      const hushReply = await ada.post('/hush')
      assert.equal(hushReply.body, { status: 'hushed' })
      return hushReply
    })
    faults.permanentFault = null
    assert.is(await ada.say('Never mind'), 'I see.')
    assert.match(JSON.stringify(setup.calls.at(-1)?.messages), /Not opened yet/)

    await hanging()
    await assertQuick(() => ada.post('/delete'))
    await waitFor('the end of the call', () => open() === 0)
    assert.is((await ada.get('/conversation')).status, 404)
  })
}

/** Asserts that the request takes at most five seconds. One is expected; the rest is for slow machines. */
const assertQuick = async (work: () => Promise<{ readonly status: number }>): Promise<void> => {
  const startedAt = performance.now()
  const { status } = await work()
  assert.is(status, 200)
  assert.ok(performance.now() - startedAt < 5000, 'it took more than five seconds')
}

// Fails if every refusal is passed on: the reply then says that the Researcher could not read it.
test('sends the text of a PDF if the Researcher refuses the file', async () => {
  const ada = await setup.born('ollama', { researcher: 'anthropic' })
  setup.standIns.anthropic.faults.next = [
    { what: 'status', status: 400, words: 'A maximum of 100 PDF pages may be provided.' },
  ]
  assert.is(await ada.show('invoice.pdf'), 'I see.')
  assert.equal(
    setup
      .callsTo('researcher')
      .map(({ files, last }) => [files.length, /<document name="invoice\.pdf">\n\[page 1\]/.test(last)]),
    [
      [1, false],
      [0, true],
    ],
  )
  const { calls, facts } = await ada.turn()
  assert.equal(
    calls.map(({ usage }: { usage: unknown }) => usage !== null),
    [false, true],
  )
  assert.equal(facts, [])
})

test('names providers for an organ that its provider does not offer, and does not mark it as failing', async () => {
  const ada = await setup.born('ollama', { ear: 'anthropic', mouth: 'xai', imagination: 'anthropic' })
  assert.match(
    await ada.show('tone.mp3'),
    /^The Ear could not listen to “tone\.mp3”: Anthropic cannot listen to recordings\. An Ear can be OpenAI, Gemini, or [^.]+\.$/,
  )
  for (const [name, input, says] of [
    ['draw', { wish: 'a kite' }, /Anthropic draws no pictures\. An Imagination can be OpenAI/],
    ['speak', { text: 'Hello' }, /xAI offers no speech here\. A Mouth can be OpenAI/],
  ] as const) {
    setup.answer = ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'I cannot.' : { calls: [{ name, input }] }
    assert.is(await ada.say('Please'), 'I cannot.')
    assert.match(setup.calls.at(-1)?.last ?? '', says)
  }
  assert.not.match(setup.calls.at(-1)?.system ?? '', /failing/)
})

test('closes the daemon immediately while an Eye hangs, and loses nothing', async () => {
  const ada = await setup.born('ollama', { eye: 'openai' })
  const { faults, open } = setup.standIns.openai
  await ada.say('Hello')
  faults.permanentFault = { what: 'silence' }
  await ada.send('attach', 'dot.png', { caption: 'Look!' })
  await waitFor('the call', () => open() > 0)
  const startedAt = performance.now()
  faults.permanentFault = null
  await setup.restart()
  assert.ok(performance.now() - startedAt < 10_000)
  await waitFor('an answer', async () => (await ada.talk()).length === 4)
  const { perceptions, steps } = await ada.turn()
  assert.equal([perceptions.length, perceptions[0].outcome, steps.length], [1, 'perceived', 1])
})

test('stops drawing a picture on hush and leaves no file', async () => {
  const { readdir } = await import('node:fs/promises')
  const ada = await setup.born('ollama', { imagination: ['openai', 'gpt-image-1'] })
  setup.answer = ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Here.' : { calls: [{ name: 'draw', input: { wish: 'a kite' } }] }
  const { faults, open } = setup.standIns.openai
  faults.permanentFault = { what: 'stall', after: 0 }
  const pendingReply = ada.post('/read?wait=30', { message: 'Draw me a kite' })
  await waitFor('the call', () => open() > 0)
  await assertQuick(() => ada.post('/hush'))
  assert.is((await pendingReply).status, 200)
  await waitFor('the end of the call', () => open() === 0)
  assert.equal(await readdir(`${setup.daemon.home}/personas/${ada.id}/media`).catch(() => []), [])
})

test.run()
