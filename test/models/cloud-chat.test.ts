import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { phonePicture } from '../../packages/documents/test/made-others.ts'
import type { Message } from '../../packages/models/mind.ts'
import { allTools } from '../../src/mind/tools/all.ts'
import { until } from '../calls.ts'
import { gif, jpeg, pdf, png, webp } from '../stand-ins/media.ts'
import {
  after,
  everywhere,
  failure,
  given,
  hello,
  type Kind,
  mindFailure,
  never,
  now,
  recall,
  type Stage,
  shown,
  think,
  twoCalls,
  unread,
  user,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('cloud chat', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

const letters = 'Grüße aus Zürich – 👩‍👩‍👧 und 🦊, 漢字\n\n• «ja» "nein" \\ ende.'

test('hears every word in order, wherever the wire cuts lines and letters', async (world) => {
  await everywhere(async (kind) => {
    for (const chunk of [3, 0]) {
      const { mind } = await given(world, kind, { answer: () => letters, faults: { chunk } })
      const { text, parts } = await think(mind(), hello)
      assert.is(text, letters)
      assert.ok(parts.length > 5, 'in more than one piece')
    }
  })
})

test('tells words while the answer is still being made, and closes the connection when it is cut', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind, {
      answer: () => 'one two three four five',
      faults: { always: { what: 'stall', after: 5 } },
    })
    const cut = new AbortController()
    const why = new Error('hush')
    const error = await failure(async () => {
      for await (const part of mind().think(hello, cut.signal)) {
        if (part.type === 'pulse') continue
        assert.is(part.type, 'words')
        assert.is(standIn.open(), 1)
        cut.abort(why)
      }
    })
    assert.is(error, why)
    await until('the connection to close', () => standIn.open() === 0)
  })
})

// Seen failing with a stream made by a generator, which cannot be told to stop while it waits.
test('closes the connection when whoever listens turns away', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind, {
      answer: () => 'one two three four five',
      faults: { always: { what: 'stall', after: 5 } },
    })
    for await (const _ of mind().think(hello, never)) break
    await until('the connection to close', () => standIn.open() === 0)
  })
})

test('asks nothing of anybody once the signal was cut', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind)
    const why = new Error('hush')
    assert.is(await failure(() => think(mind(), hello, AbortSignal.abort(why))), why)
    assert.is(standIn.log.length, 0)
  })
})

test('tells who it is apart from what is said, in the order it was said', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind)
    const messages: Message[] = [
      user('first'),
      { role: 'assistant', content: 'second', calls: [] },
      user('third'),
    ]
    await think(mind(), { system: 'You are Ada.', messages, tools: [], data: unread })
    const heard = standIn.log.at(-1)?.heard
    assert.is(heard?.system, 'You are Ada.')
    assert.equal(
      heard?.said.map(({ role, text }) => [role, text]),
      [
        ['user', 'first'],
        ['model', 'second'],
        ['user', 'third'],
      ],
    )
  })
})

test('carries several calls and their results over two steps', async (world) => {
  await everywhere(async (kind) => {
    for (const chunk of [0, 5]) {
      const { mind, standIn } = await given(world, kind, { answer: twoCalls, faults: { chunk } })
      const prompt = { ...hello, tools: [recall, now] }
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

      const second = await think(mind(), after(prompt, first))
      assert.is(second.text, 'Gefunden: result 0 of recall / result 1 of check_health')
      const heard = standIn.log.at(-1)?.heard
      const asked = heard?.said.find(({ calls }) => calls.length > 0)
      assert.equal(
        asked?.calls.map(({ name, input }) => [name, input]),
        first.calls.map(({ name, input }) => [name, input]),
      )
      assert.is(asked?.text, 'Ich sehe nach.')
      assert.equal(heard?.tools, ['recall', 'check_health'])
    }
  })
})

test('carries calls to models of Gemini that want their thoughts signed', async (world) => {
  const { mind } = await given(world, 'gemini', { model: 'gemini-3-pro-preview', answer: twoCalls })
  const prompt = { ...hello, tools: [recall, now] }
  const first = await think(mind(), prompt)
  const second = await think(mind(), after(prompt, first))
  assert.is(second.text, 'Gefunden: result 0 of recall / result 1 of check_health')
})

// Seen failing with the ids as they came.
test('goes on with calls that another provider made, whatever ids it gave them', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind, { answer: twoCalls })
    const calls = ['functions.recall:0', `chatcmpl-tool-${'f'.repeat(64)}`, 'toolu_01A/ü', '', ''].map(
      (id, n) => ({
        id: id || `${n}`,
        name: 'recall',
        input: { query: `${n}` },
      }),
    )
    const { text } = await think(mind(), after({ ...hello, tools: [recall] }, { text: '', calls }))
    assert.is(text, `Gefunden: ${[0, 1, 2, 3, 4].map((n) => `result ${n} of recall`).join(' / ')}`)
    assert.is(standIn.log.length, 1)
  })
})

// Seen failing with no tools named where calls are.
test('takes a talk as it is, with beginnings, silences and repetitions that providers refuse', async (world) => {
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
    // A life that ended in the middle of a call.
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
  await everywhere(async (kind) => {
    const { mind } = await given(world, kind)
    for (const messages of talks)
      for (const tools of [[recall], []]) {
        const { text } = await think(mind(), { system: 'You are Ada.', messages, tools, data: unread })
        assert.is(text, 'ok')
      }
    assert.is(
      (
        await think(mind(), {
          system: '',
          messages: [user('nobody told me who I am')],
          tools: [],
          data: unread,
        })
      ).text,
      'ok',
    )
  })
})

test('offers every tool it has in a form that every provider takes', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind)
    await think(mind(), { ...hello, tools: allTools.map(({ spec }) => spec) })
    assert.equal(
      standIn.log.at(-1)?.heard?.tools,
      allTools.map(({ spec }) => spec.name),
    )
  })
})

const sights = [shown('fox.png', 'image/png', png), shown('den.jpg', 'image/jpeg', jpeg)]

test('shows pictures as their bytes, beside what is said of them', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind)
    await think(mind(), {
      ...hello,
      messages: [
        user('What is this?', sights),
        { role: 'assistant', content: 'A fox.', calls: [] },
        user('And now?'),
      ],
    })
    const seen = standIn.log.at(-1)?.heard?.said[0]
    assert.is(seen?.text, 'What is this?')
    assert.equal(
      seen?.files.map(({ mime, bytes }) => [mime, bytes.toString('hex')]),
      [
        ['image/png', png.toString('hex')],
        ['image/jpeg', jpeg.toString('hex')],
      ],
    )
  })
})

test('shows a picture without a word', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind)
    await think(mind(), { ...hello, messages: [user('', sights.slice(0, 1))] })
    assert.equal(standIn.log.at(-1)?.heard?.said[0]?.files[0]?.bytes, png)
  })
})

test('shows every kind of picture where its provider takes it, and says so where it does not', async (world) => {
  const others = [
    shown('wave.gif', 'image/gif', gif),
    shown('lake.webp', 'image/webp', webp),
    shown('IMG_1.HEIC', 'image/heic', phonePicture),
  ]
  const takes: Readonly<Record<Kind, readonly boolean[]>> = {
    anthropic: [true, true, false],
    openai: [true, true, false],
    gemini: [false, true, true],
    xai: [false, false, false],
    compatible: [true, true, false],
  }
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind)
    for (const [at, file] of others.entries()) {
      const prompt = { ...hello, messages: [user('look', [file])] }
      if (takes[kind][at]) {
        await think(mind(), prompt)
        assert.is(standIn.log.at(-1)?.heard?.said[0]?.files[0]?.mime, file.mime)
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

test('shows a PDF as it is to those who read them, and says of the others that they do not', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn, models, organ } = await given(world, kind)
    const prompt = {
      ...hello,
      messages: [user('Read this', [shown('Vertrag März.pdf', 'application/pdf', pdf)])],
    }
    const { images, documents } = await models.takes(organ, null, never)
    assert.is(images, true)
    if (kind === 'anthropic' || kind === 'openai' || kind === 'gemini') assert.is(documents, true)
    if (kind === 'xai') assert.is(documents, false)
    if (documents) {
      await think(mind(), prompt)
      const [file] = standIn.log.at(-1)?.heard?.said[0]?.files ?? []
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

test('counts tokens, and those that were read from a cache among the input ones', async (world) => {
  await everywhere(async (kind) => {
    const { mind } = await given(world, kind, {
      answer: () => ({ text: 'so', usage: { input: 100, output: 7, cached: 64 } }),
    })
    const { usage } = await think(mind(), hello)
    assert.equal({ ...usage }, { input: 100, output: 7, cached: 64 })
  })
})

test('does not speak what a model thinks', async (world) => {
  await everywhere(async (kind) => {
    const manners = kind === 'compatible' ? { manners: { reasoning: 'reasoning_content' as const } } : {}
    const { mind } = await given(world, kind, {
      answer: () => ({ thinking: 'hm, let me see', text: 'Yes.' }),
      ...manners,
    })
    assert.is((await think(mind(), hello)).text, 'Yes.')
  })
})

// Seen failing with every 403 taken for a wrong key.
test('says that a filter stopped the answer, as a refusal of these words', async (world) => {
  await everywhere(async (kind) => {
    for (const end of ['filter', 'blocked'] as const) {
      const { mind, standIn, host } = await given(world, kind, { answer: () => ({ end }) })
      const error = await mindFailure(() => think(mind(), hello))
      assert.is(error.kind, 'refused', error.message)
      assert.ok(error.message.includes(host), error.message)
      assert.is(standIn.log.length, 1)
    }
  })
})

test('keeps an answer that ran out of room, and says so of one that never began', async (world) => {
  await everywhere(async (kind) => {
    const long = await given(world, kind, { answer: () => ({ text: 'once upon a', end: 'length' }) })
    assert.is((await think(long.mind(), hello)).text, 'once upon a')
    const none = await given(world, kind, { answer: () => ({ end: 'length' }) })
    const error = await mindFailure(() => think(none.mind(), hello))
    assert.is(error.kind, 'refused', error.message)
  })
})

test('takes an answer of nothing but its end as silence', async (world) => {
  await everywhere(async (kind) => {
    const { mind, standIn } = await given(world, kind, { answer: () => '' })
    assert.is((await think(mind(), hello)).text, '')
    assert.is(standIn.log.length, 1)
  })
})

test.run()
