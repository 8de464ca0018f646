import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { phonePicture } from '../../packages/documents/test/made-others.ts'
import type { Message } from '../../packages/models/mind.ts'
import { allTools } from '../../src/mind/tools/tool-table.ts'
import { waitFor } from '../calls.ts'
import { gif, jpeg, pdf, png, webp } from '../stand-ins/media.ts'
import {
  createGivenModels,
  createPicture,
  createPrompt,
  failure,
  forEachProvider,
  hello,
  type Kind,
  mindFailure,
  neverAborts,
  noPromptData,
  nowTool,
  recall,
  type Stage,
  think,
  twoCalls,
  user,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('cloud chat', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

const letters = 'Grüße aus Zürich – 👩‍👩‍👧 und 🦊, 漢字\n\n• «ja» "nein" \\ ende.'

/** Sends the answer as a stream, in one piece, or in one piece after a stream that broke off. */
const deliveries = [[], [{ what: 'whole' }], [{ what: 'cut', mode: 'cleanly', after: 1 }]] as const

test('reads the text in order, wherever the chunks split lines and characters', async (world) => {
  await forEachProvider(async (kind) => {
    for (const chunk of [3, 0]) {
      const { mind } = await createGivenModels(world, kind, { answer: () => letters, faults: { chunk } })
      const { text, parts } = await think(mind(), hello)
      assert.is(text, letters)
      assert.ok(parts.length > 5, 'in more than one piece')
    }
  })
})

test('streams text during the answer and closes the connection on abort', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind, {
      answer: () => 'one two three four five',
      faults: { permanentFault: { what: 'stall', after: 5 } },
    })
    const abort = new AbortController()
    const reason = new Error('hush')
    const error = await failure(async () => {
      for await (const part of mind().think(hello, abort.signal)) {
        if (part.type === 'pulse') continue
        assert.is(part.type, 'words')
        assert.is(standIn.open(), 1)
        abort.abort(reason)
      }
    })
    assert.is(error, reason)
    await waitFor('the connection to close', () => standIn.open() === 0)
  })
})

// Verified to fail if a generator makes the stream, since it cannot be stopped while it waits.
test('closes the connection when the consumer stops reading', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind, {
      answer: () => 'one two three four five',
      faults: { permanentFault: { what: 'stall', after: 5 } },
    })
    for await (const _ of mind().think(hello, neverAborts)) break
    await waitFor('the connection to close', () => standIn.open() === 0)
  })
})

test('makes no call if the signal is already aborted', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    const reason = new Error('hush')
    assert.is(await failure(() => think(mind(), hello, AbortSignal.abort(reason))), reason)
    assert.is(standIn.log.length, 0)
  })
})

test('sends the system prompt apart from the messages, and the messages in order', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    const messages: Message[] = [
      user('first'),
      { role: 'assistant', content: 'second', calls: [] },
      user('third'),
    ]
    await think(mind(), { system: 'You are Ada.', messages, tools: [], data: noPromptData })
    const request = standIn.log.at(-1)?.conversation
    assert.is(request?.system, 'You are Ada.')
    assert.equal(
      request?.messages.map(({ role, text }) => [role, text]),
      [
        ['user', 'first'],
        ['model', 'second'],
        ['user', 'third'],
      ],
    )
  })
})

test('sends several calls and their results over two steps', async (world) => {
  await forEachProvider(async (kind) => {
    for (const chunk of [0, 5]) {
      const { mind, standIn } = await createGivenModels(world, kind, { answer: twoCalls, faults: { chunk } })
      const prompt = { ...hello, tools: [recall, nowTool] }
      const first = await think(mind(), prompt)
      assert.is(first.text, 'Ich sehe nach.')
      assert.equal(
        first.calls.map(({ name, input }) => [name, input]),
        [
          ['recall', { query: 'Füchse "im" Garten\n🦊' }],
          ['check_health', {}],
        ],
      )
      assert.is(new Set(first.calls.map(({ id }) => id)).size, 2)

      const second = await think(mind(), createPrompt(prompt, first))
      assert.is(second.text, 'Gefunden: result 0 of recall / result 1 of check_health')
      const request = standIn.log.at(-1)?.conversation
      const withCalls = request?.messages.find(({ calls }) => calls.length > 0)
      assert.equal(
        withCalls?.calls.map(({ name, input }) => [name, input]),
        first.calls.map(({ name, input }) => [name, input]),
      )
      assert.is(withCalls?.text, 'Ich sehe nach.')
      assert.equal(request?.tools, ['recall', 'check_health'])
    }
  })
})

test('returns thought signatures to Gemini models that require them', async (world) => {
  const { mind } = await createGivenModels(world, 'gemini', {
    model: 'gemini-3-pro-preview',
    answer: twoCalls,
  })
  const prompt = { ...hello, tools: [recall, nowTool] }
  const first = await think(mind(), prompt)
  const second = await think(mind(), createPrompt(prompt, first))
  assert.is(second.text, 'Gefunden: result 0 of recall / result 1 of check_health')
})

// Verified to fail if the ids are sent unchanged.
test('continues after calls of another provider with ids of any form', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind, { answer: twoCalls })
    const calls = ['functions.recall:0', `chatcmpl-tool-${'f'.repeat(64)}`, 'toolu_01A/ü', '', ''].map(
      (id, n) => ({
        id: id || `${n}`,
        name: 'recall',
        input: { query: `${n}` },
      }),
    )
    const { text } = await think(mind(), createPrompt({ ...hello, tools: [recall] }, { text: '', calls }))
    assert.is(text, `Gefunden: ${[0, 1, 2, 3, 4].map((n) => `result ${n} of recall`).join(' / ')}`)
    assert.is(standIn.log.length, 1)
  })
})

// Verified to fail if no tools are declared although the messages contain calls.
test('adapts message sequences that providers would reject', async (world) => {
  const talks: readonly (readonly Message[])[] = [
    [user('one'), user('two')],
    [{ role: 'assistant', content: 'I woke you.', calls: [] }, user('yes')],
    [user('hello'), { role: 'assistant', content: '', calls: [] }, user('are you there?')],
    [
      user('hello'),
      { role: 'assistant', content: 'yes', calls: [] },
      { role: 'assistant', content: 'I am  ', calls: [] },
    ],
    [user('  '), user('really')],
    [
      user('a'),
      { role: 'assistant', content: '', calls: [{ id: 'x', name: 'recall', input: { query: 'a' } }] },
      { role: 'tool', call: 'x', name: 'recall', content: '' },
    ],
    [
      user('a'),
      { role: 'assistant', content: ' ', calls: [{ id: 'x', name: 'recall', input: 'no JSON {' }] },
      { role: 'tool', call: 'x', name: 'recall', content: 'bad input' },
    ],
    // The daemon stopped during a call.
    [
      user('a'),
      { role: 'assistant', content: '', calls: [{ id: 'x', name: 'recall', input: {} }] },
      user('still there?'),
    ],
    [
      { role: 'assistant', content: '', calls: [{ id: 'x', name: 'recall', input: {} }] },
      { role: 'tool', call: 'x', name: 'recall', content: 'found' },
    ],
    [user('cut \ud83d emoji')],
  ]
  await forEachProvider(async (kind) => {
    const { mind } = await createGivenModels(world, kind)
    for (const messages of talks)
      for (const tools of [[recall], []]) {
        const { text } = await think(mind(), { system: 'You are Ada.', messages, tools, data: noPromptData })
        assert.is(text, 'ok')
      }
    assert.is(
      (
        await think(mind(), {
          system: '',
          messages: [user('there is no system prompt')],
          tools: [],
          data: noPromptData,
        })
      ).text,
      'ok',
    )
  })
})

test('offers every tool in a form that each provider accepts', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    await think(mind(), { ...hello, tools: allTools.map(({ spec }) => spec) })
    assert.equal(
      standIn.log.at(-1)?.conversation?.tools,
      allTools.map(({ spec }) => spec.name),
    )
  })
})

const sights = [createPicture('fox.png', 'image/png', png), createPicture('den.jpg', 'image/jpeg', jpeg)]

test('sends pictures as bytes together with the text', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    await think(mind(), {
      ...hello,
      messages: [
        user('What is this?', sights),
        { role: 'assistant', content: 'A fox.', calls: [] },
        user('And now?'),
      ],
    })
    const message = standIn.log.at(-1)?.conversation?.messages[0]
    assert.is(message?.text, 'What is this?')
    assert.equal(
      message?.files.map(({ mime, bytes }) => [mime, bytes.toString('hex')]),
      [
        ['image/png', png.toString('hex')],
        ['image/jpeg', jpeg.toString('hex')],
      ],
    )
  })
})

test('sends a picture without text', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    await think(mind(), { ...hello, messages: [user('', sights.slice(0, 1))] })
    assert.equal(standIn.log.at(-1)?.conversation?.messages[0]?.files[0]?.bytes, png)
  })
})

test('sends each picture format that the provider accepts and rejects the others', async (world) => {
  const otherPictures = [
    createPicture('wave.gif', 'image/gif', gif),
    createPicture('lake.webp', 'image/webp', webp),
    createPicture('IMG_1.HEIC', 'image/heic', phonePicture),
  ]
  const acceptedByKind: Readonly<Record<Kind, readonly boolean[]>> = {
    anthropic: [true, true, false],
    openai: [true, true, false],
    gemini: [false, true, true],
    xai: [false, false, false],
    compatible: [true, true, false],
  }
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    for (const [at, file] of otherPictures.entries()) {
      const prompt = { ...hello, messages: [user('look', [file])] }
      if (acceptedByKind[kind][at]) {
        await think(mind(), prompt)
        assert.is(standIn.log.at(-1)?.conversation?.messages[0]?.files[0]?.mime, file.mime)
        continue
      }
      standIn.clearLog()
      const error = await mindFailure(() => think(mind(), prompt))
      assert.is(error.kind, 'refused', error.message)
      assert.match(error.message, /takes no (GIF|WEBP|HEIC) pictures\. (Save|Export) it as a JPEG/)
      assert.is(standIn.log.length, 0)
    }
  })
})

test('sends a PDF to providers that read PDFs and rejects it for the others', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn, models, organ } = await createGivenModels(world, kind)
    const prompt = {
      ...hello,
      messages: [user('Read this', [createPicture('Vertrag März.pdf', 'application/pdf', pdf)])],
    }
    const { images, documents } = await models.getAcceptedFiles(organ, null, neverAborts)
    assert.is(images, true)
    if (kind === 'anthropic' || kind === 'openai' || kind === 'gemini') assert.is(documents, true)
    if (kind === 'xai') assert.is(documents, false)
    if (documents) {
      await think(mind(), prompt)
      const [file] = standIn.log.at(-1)?.conversation?.messages[0]?.files ?? []
      assert.is(file?.mime, 'application/pdf')
      assert.equal(file?.bytes, pdf)
      return
    }
    const error = await mindFailure(() => think(mind(), prompt))
    assert.is(error.kind, 'refused')
    assert.match(error.message, 'Vertrag März.pdf')
    assert.is(standIn.log.length, 0)
  })
})

test('counts tokens, with cached ones included in the input', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind } = await createGivenModels(world, kind, {
      answer: () => ({ text: 'so', usage: { input: 100, output: 7, cached: 64 } }),
    })
    const { usage } = await think(mind(), hello)
    assert.equal({ ...usage }, { input: 100, output: 7, cached: 64 })
  })
})

test('reads the tokens that Anthropic writes to its cache, in a stream and in one piece', async (world) => {
  for (const faults of deliveries) {
    const { mind, standIn } = await createGivenModels(world, 'anthropic', {
      answer: () => ({ text: 'so', usage: { input: 1000, output: 7, cached: 600, writtenTokens: 300 } }),
    })
    standIn.faults.next = [...faults]
    const { usage } = await think(mind(), hello)
    assert.equal({ ...usage }, { input: 1000, output: 7, cached: 600, written: 300 })
  }
})

test('leaves thoughts out of the text', async (world) => {
  await forEachProvider(async (kind) => {
    const manners = kind === 'compatible' ? { manners: { reasoning: 'reasoning_content' as const } } : {}
    const { mind } = await createGivenModels(world, kind, {
      answer: () => ({ thoughts: 'hm, let me see', text: 'Yes.' }),
      ...manners,
    })
    assert.is((await think(mind(), hello)).text, 'Yes.')
  })
})

// Verified to fail if every 403 is treated as a wrong key.
test('reports an answer stopped by a filter as a refusal', async (world) => {
  await forEachProvider(async (kind) => {
    for (const end of ['filter', 'blocked'] as const) {
      const { mind, standIn, host } = await createGivenModels(world, kind, { answer: () => ({ end }) })
      const error = await mindFailure(() => think(mind(), hello))
      assert.is(error.kind, 'refused', error.message)
      assert.ok(error.message.includes(host), error.message)
      assert.is(standIn.log.length, 1)
    }
  })
})

test('shows a refusal of the model as its words, in a stream and in one piece', async (world) => {
  const refusal = 'I’m sorry, but I can’t help with that.'
  const noResponses = { refusesResponses: () => 'Please use v1/chat/completions.' }
  for (const [kind, options] of [
    ['openai', {}],
    ['openai', noResponses],
    ['compatible', {}],
    ['xai', {}],
  ] as const)
    for (const faults of deliveries) {
      const { mind, standIn } = await createGivenModels(world, kind, {
        answer: () => ({ refusal }),
        ...options,
      })
      standIn.faults.on = 'refusesResponses' in options ? /chat/ : null
      standIn.faults.next = [...faults]
      const { text, calls } = await think(mind(), { ...hello, tools: [recall] })
      assert.equal([text, calls], [refusal, []], `${kind} ${JSON.stringify(faults)}`)
    }
})

test('reports a refusal at Anthropic with its explanation, in a stream and in one piece', async (world) => {
  for (const text of ['', 'First you'])
    for (const faults of deliveries) {
      const explanation = 'This is about a weapon'
      const { mind, standIn } = await createGivenModels(world, 'anthropic', {
        answer: () => ({ text, end: 'filter', explanation }),
      })
      standIn.faults.next = [...faults]
      const error = await mindFailure(() => think(mind(), hello))
      assert.is(error.kind, 'refused')
      assert.ok(error.message.includes(`(${explanation}).`), error.message)
    }
})

test('quotes the reason of a filter, in the words of the provider if it has some', async (world) => {
  const explanation = 'This is about a weapon'
  const kinds = { anthropic: explanation, gemini: explanation, compatible: 'content_filter' } as const
  for (const [kind, words] of Object.entries(kinds)) {
    const answer = () => ({ end: 'filter', explanation }) as const
    const { mind } = await createGivenModels(world, kind as keyof typeof kinds, { answer })
    const error = await mindFailure(() => think(mind(), hello))
    assert.is(error.kind, 'refused')
    assert.ok(error.message.includes(`its content filter stopped it (${words}).`), error.message)
  }
})

test('keeps a truncated answer and reports one without any text', async (world) => {
  await forEachProvider(async (kind) => {
    const truncated = await createGivenModels(world, kind, {
      answer: () => ({ text: 'once upon a', end: 'length' }),
    })
    assert.is((await think(truncated.mind(), hello)).text, 'once upon a')
    const withoutText = await createGivenModels(world, kind, { answer: () => ({ end: 'length' }) })
    const error = await mindFailure(() => think(withoutText.mind(), hello))
    assert.is(error.kind, 'refused', error.message)
  })
})

test('treats an answer without content as empty', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind, { answer: () => '' })
    assert.is((await think(mind(), hello)).text, '')
    assert.is(standIn.log.length, 1)
  })
})

test.run()
