import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Fetch } from '../../packages/kit/network/network.ts'
import type { MindError, Shown } from '../../packages/models/mind.ts'
import { createEar } from '../../packages/models/providers/ear.ts'
import { createImagination } from '../../packages/models/providers/imagination.ts'
import { createMouth } from '../../packages/models/providers/mouth.ts'
import { readVoice } from '../../packages/models/voice-name.ts'
import { waitFor } from '../calls.ts'
import { createElsewhere, type Fault } from '../stand-ins/faults.ts'
import { mp3, ogg, png, wav, webm } from '../stand-ins/media.ts'
import type { Answer, StandIn } from '../stand-ins/provider.ts'
import {
  clip,
  closeAfter,
  createOrganAsk,
  draw,
  gemini,
  hear,
  key,
  leading,
  network,
  neverAborts,
  type Open,
  openAi,
  speak,
  tokens,
  trouble,
} from './organs.ts'

const test = suite<{ open: Open }>('organs', { open: [] })
test.after.each(async ({ open }) => {
  for (const server of open.splice(0)) await server.close()
})

// --- Ear

test('transcribes a clip and names the file with the extension of its type', async ({ open }) => {
  const server = await openAi(open, {
    models: ['whisper-1', 'gpt-4o-transcribe'],
    answer: () => ' Guten Morgen.\n',
  })
  const kinds = [
    ['video/webm', webm, 'audio.webm'],
    ['audio/ogg; codecs=opus', ogg, 'audio.ogg'],
    ['audio/x-m4a', Buffer.from('....ftypM4A '), 'audio.m4a'],
    ['audio/mpeg', mp3, 'audio.mp3'],
    ['audio/vnd.wave', wav, 'audio.wav'],
    ['audio/x-flac', Buffer.from('fLaC'), 'audio.flac'],
  ] as const
  for (const [mime, bytes, ending] of kinds) {
    const transcript = await hear(
      createOrganAsk(server.url, 'gpt-4o-transcribe'),
      clip(mime, bytes, '../me.exe'),
    )
    assert.equal(transcript, { text: 'Guten Morgen.', usage: { ...tokens, input: 14, output: 9 } })
    const { form, spilled } = server.log.at(-1) ?? (assert.unreachable() as never)
    assert.equal(
      form.map(({ name }) => name),
      ['model', 'file'],
      'a language or a hint was given',
    )
    assert.is(form[1]?.filename, ending)
    assert.ok(form[1]?.bytes.equals(bytes))
    assert.not.ok(spilled)
  }
  const { usage } = await hear(createOrganAsk(server.url, 'whisper-1'), clip('audio/ogg', ogg))
  assert.equal(usage, { ...tokens, made: { unit: 'second', count: 3 } })
})

test('calls OpenAI and a local server like any other server', async ({ open }) => {
  const server = await openAi(open, { answer: () => 'hello' })
  const real = createOrganAsk('https://api.openai.com', 'whisper-1', 'openai', {
    network: leading('https://api.openai.com', server.url),
  })
  assert.is((await hear(real, clip('video/webm', webm))).text, 'hello')
  assert.is(
    (await hear(createOrganAsk(`${server.url}/v1/`, 'whisper-1', null), clip('video/webm', webm))).text,
    'hello',
  )
  assert.is((await speak({ ...real, model: 'tts-1' }, 'hello')).mime, 'audio/mpeg')
  assert.is((await draw({ ...real, model: 'gpt-image-1' })).mime, 'image/png')
  assert.ok(server.log.every(({ key: keyState }) => keyState === 'right'))
})

test('returns an empty transcript for silence', async ({ open }) => {
  const server = await openAi(open, { answer: () => '' })
  assert.is((await hear(createOrganAsk(server.url, 'whisper-1'), clip('audio/ogg', ogg))).text, '')
  const geminiServer = await gemini(open, { answer: () => '(silence)' })
  assert.is(
    (await hear(createOrganAsk(geminiServer.url, 'gemini-2.5-flash', 'gemini'), clip('audio/ogg', ogg))).text,
    '',
  )
})

test('uses a chat model if the server has no transcription', async ({ open }) => {
  const server = await openAi(open, {
    answer: () => '<think>A cough?</think>\nOne two.',
    faults: { absent: ['/v1/audio/transcriptions'] },
  })
  const transcript = await hear(createOrganAsk(server.url, 'gpt-4o'), clip('audio/wav', wav))
  assert.is(transcript.text, 'One two.')
  assert.is(transcript.usage.made, null)
  assert.type(transcript.usage.input, 'number')
  const { conversation: request } = server.calls('/v1/chat/completions')[0] ?? (assert.unreachable() as never)
  assert.ok(request?.messages[0]?.files[0]?.bytes.equals(wav))
  assert.match(request?.system ?? '', 'word for word')
})

test('reports the missing routes if neither transcription nor chat works', async ({ open }) => {
  const server = await openAi(open, { faults: { absent: ['/v1/audio/transcriptions'] } })
  const webmOnly = await trouble(hear(createOrganAsk(server.url, 'gpt-4o'), clip('video/webm', webm)))
  assert.match(
    webmOnly.message,
    'has no /audio/transcriptions, and a chat there takes WAV and MP3, but no webm. An Ear can be OpenAI',
  )
  assert.is(webmOnly.kind, 'refused')
  assert.is(webmOnly.calls, 1)

  server.faults.absent = ['/v1/audio/transcriptions', '/v1/chat/completions']
  const noRoute = await trouble(hear(createOrganAsk(server.url, 'gpt-4o'), clip('audio/mpeg', mp3)))
  assert.match(noRoute.message, 'and no chat either. An Ear can be OpenAI, Gemini, or a local server')
  assert.is(noRoute.calls, 2)

  server.faults.absent = []
  for (const recording of [clip('video/webm', webm), clip('audio/wav', wav)]) {
    const unknownFailure = await trouble(hear(createOrganAsk(server.url, 'nobody'), recording))
    assert.is(unknownFailure.kind, 'barred')
    assert.match(unknownFailure.message, 'does not know the model "nobody"')
  }
})

test('rejects files that are not audio before any call', async ({ open }) => {
  const server = await openAi(open)
  const endpoint = createOrganAsk(server.url, 'whisper-1')
  const unreadable: Shown = {
    ...clip('audio/ogg', ogg, 'lost.ogg'),
    bytes: async () => Promise.reject(new Error('ENOENT')),
  }
  const rows = [
    [clip('image/png', png, 'cat.png'), '"cat.png" is no recording (image/png)'],
    [clip('audio/ogg', new Uint8Array(), 'none.ogg'), '"none.ogg" is empty'],
    [unreadable, '"lost.ogg" cannot be read any more'],
  ] as const
  for (const [file, words] of rows) {
    const error = await trouble(hear(endpoint, file))
    assert.match(error.message, words)
    assert.is(error.kind, 'refused')
    assert.is(error.calls, 0)
  }
  assert.is(server.log.length, 0)
})

test('transcribes with the chat of a Gemini model', async ({ open }) => {
  let answer: Answer = { text: 'Follow me.', usage: { input: 40, output: 3, cached: 8 } }
  const server = await gemini(open, { answer: () => answer })
  const endpoint = createOrganAsk(server.url, 'gemini-2.5-flash', 'gemini')
  const transcript = await hear(endpoint, clip('video/webm', webm))
  assert.equal(transcript, { text: 'Follow me.', usage: { input: 40, output: 3, cached: 8, made: null } })
  const [file] = server.log[0]?.conversation?.messages[0]?.files ?? []
  assert.is(file?.mime, 'audio/webm')
  assert.ok(file?.bytes.equals(webm))
  await hear(endpoint, clip('audio/x-m4a', Buffer.from('....ftypM4A ')))
  assert.is(server.log[1]?.conversation?.messages[0]?.files[0]?.mime, 'audio/mp4')

  answer = { text: 'Foll', end: 'length' }
  assert.match(
    (await trouble(hear(endpoint, clip('audio/ogg', ogg)))).message,
    'could not write down the whole recording',
  )
  answer = { end: 'filter' }
  assert.match((await trouble(hear(endpoint, clip('audio/ogg', ogg)))).message, 'would not write down')
})

test('transcribes with a Gemini model that only transcribes', async () => {
  const addresses: string[] = []
  const fetch: Fetch = async (input) => {
    addresses.push(String(input))
    const steps = [{ type: 'model_output', content: [{ type: 'text', text: 'Good evening.' }] }]
    return Response.json({
      status: 'completed',
      steps,
      usage: { total_input_tokens: 30, total_output_tokens: 4 },
    })
  }
  const endpoint = createOrganAsk('https://gemini.example', 'gemini-3.5-transcribe', 'gemini', {
    network: { ...network, local: fetch },
  })
  const transcript = await hear(endpoint, clip('audio/ogg', ogg))
  assert.equal(transcript, { text: 'Good evening.', usage: { ...tokens, input: 30, output: 4 } })
  assert.equal(addresses, ['https://gemini.example/v1beta/interactions'])
})

// --- Mouth

test('speaks and detects the audio type from the bytes', async ({ open }) => {
  let sound: Uint8Array = mp3
  const server = await openAi(open, { answer: () => ({ files: [{ mime: 'text/plain', bytes: sound }] }) })
  const speech = await speak(createOrganAsk(server.url, 'tts-1'), ' Good morning 🌞 \n')
  assert.is(speech.mime, 'audio/mpeg')
  assert.ok(mp3.equals(speech.bytes))
  assert.equal(speech.usage, { ...tokens, made: { unit: 'character', count: 14 } })
  const { body } = server.log[0] ?? (assert.unreachable() as never)
  assert.equal(body, { model: 'tts-1', input: 'Good morning 🌞', voice: 'alloy', response_format: 'mp3' })
  sound = ogg
  assert.is((await speak(createOrganAsk(server.url, 'tts-1'), 'hello')).mime, 'audio/ogg')
})

test('reads a voice after the model name, and only in the documented form', async ({ open }) => {
  const server = await openAi(open)
  await speak(createOrganAsk(server.url, 'tts-1#nova'), 'hello')
  assert.is(server.log[0]?.body.model, 'tts-1')
  assert.is(server.log[0]?.body.voice, 'nova')
  for (const name of [
    'hf.co/me/kokoro:q8_0',
    'openai/gpt-4o-mini-tts:free',
    'tts@20250620',
    '@cf/melotts',
    '#',
    'a#',
    '#a',
  ])
    assert.equal(readVoice(name), { model: name, voice: null })
  assert.equal(readVoice('x:y/z # af_heart'), { model: 'x:y/z', voice: 'af_heart' })
})

test('explains how to choose another voice if this one is rejected', async ({ open }) => {
  const server = await openAi(open, {
    faults: { permanentFault: { what: 'status', status: 400, words: "Voice 'alloy' not found." } },
  })
  const error = await trouble(speak(createOrganAsk(server.url, 'kokoro', null), 'hello'))
  assert.match(error.message, "Voice 'alloy' not found")
  assert.match(error.message, 'as in "kokoro#name"')
})

const sentences = (count: number) =>
  Array.from({ length: count }, (_, n) => `This is sentence number ${n} of a long letter.`)

test('speaks a long text in pieces of whole sentences and joins them into one file', async ({ open }) => {
  const piece = Buffer.concat([
    Buffer.from('ID3\x04\0\0\0\0\0\x05hello', 'latin1'),
    mp3,
    mp3,
    Buffer.from('TAG'),
    Buffer.alloc(125),
  ])
  const server = await openAi(open, { answer: () => ({ files: [{ mime: 'audio/mpeg', bytes: piece }] }) })
  const text = sentences(200).join(' ')
  const speech = await speak(createOrganAsk(server.url, 'tts-1'), text)
  const inputs = server.log.map(({ body }) => String(body.input))
  assert.is(inputs.length, Math.ceil(text.length / 4096))
  assert.is(inputs.join(' '), text)
  assert.ok(inputs.every((input) => input.length <= 4096 && input.endsWith('letter.')))
  assert.ok(
    Buffer.concat(inputs.flatMap(() => [mp3, mp3])).equals(speech.bytes),
    'tags of a piece stand between its frames',
  )
  assert.equal(speech.usage.made, { unit: 'character', count: text.length })
})

test('removes the frame that contains the length of a piece', async ({ open }) => {
  const info = Buffer.concat([
    Buffer.from('fffb9064', 'hex'),
    Buffer.alloc(32),
    Buffer.from('Info'),
    Buffer.alloc(377),
  ])
  const server = await openAi(open, {
    answer: () => ({ files: [{ mime: 'audio/mpeg', bytes: Buffer.concat([info, mp3]) }] }),
  })
  const speech = await speak(createOrganAsk(server.url, 'tts-1'), sentences(150).join(' '))
  assert.ok(Buffer.concat([mp3, mp3]).equals(speech.bytes))
})

test('splits a text without sentence ends between words, or between characters', async ({ open }) => {
  const server = await openAi(open)
  await speak(createOrganAsk(server.url, 'tts-1'), `${'word '.repeat(900)}${'👩‍👩‍👧'.repeat(600)}`)
  const inputs = server.log.map(({ body }) => String(body.input))
  assert.ok(inputs.every((input) => input.length <= 4096))
  assert.match(inputs[0] ?? '', /word$/)
  assert.is((inputs.join('').match(/👩‍👩‍👧/gu) ?? []).length, 600)
})

test('rejects a text that is too long or empty before any call', async ({ open }) => {
  const server = await openAi(open)
  assert.match(
    (await trouble(speak(createOrganAsk(server.url, 'tts-1'), 'a'.repeat(20_001)))).message,
    '20001 characters are too many',
  )
  assert.match((await trouble(speak(createOrganAsk(server.url, 'tts-1'), ' \n'))).message, 'nothing to say')
  assert.is(server.log.length, 0)
})

// Verified to fail if all pieces are requested first.
test('stops after the first piece if pieces cannot be joined', async ({ open }) => {
  const server = await openAi(open, { answer: () => ({ files: [{ mime: 'audio/ogg', bytes: ogg }] }) })
  const error = await trouble(speak(createOrganAsk(server.url, 'tts-1'), sentences(200).join(' ')))
  assert.match(error.message, 'speaks in audio/ogg, which cannot be put together')
  assert.is(error.calls, 1)
})

// Verified to fail if the bytes are not checked.
test('rejects an answer that is not audio', async ({ open }) => {
  let bytes: Uint8Array = png
  const server = await openAi(open, { answer: () => ({ files: [{ mime: 'audio/mpeg', bytes }] }) })
  const endpoint = createOrganAsk(server.url, 'tts-1')
  assert.match((await trouble(speak(endpoint, 'hello'))).message, 'answered with image/png that is no sound')
  bytes = Buffer.from(JSON.stringify({ error: { message: `no voices here, ${key}` } }))
  assert.match((await trouble(speak(endpoint, 'hello'))).message, 'no voices here, ***')
  for (const noAudio of ['', '<html>Please log in', 'ÿþ']) {
    bytes = Buffer.from(noAudio)
    const error = await trouble(speak(endpoint, 'hello'))
    assert.is(error.kind, 'unreachable')
    assert.is(error.calls, 1)
  }
  server.faults.absent = ['/v1/audio/speech']
  const missingMouth = await trouble(speak(endpoint, 'hello'))
  assert.match(
    missingMouth.message,
    'has no /audio/speech. A Mouth can be OpenAI, Gemini, or a local server with /v1/audio/speech.',
  )
  assert.is(missingMouth.kind, 'refused')
})

test('wraps the samples of Gemini into a playable file', async ({ open }) => {
  let answer: Answer = {
    files: [{ mime: 'audio/L16;codec=pcm;rate=16000', bytes: Buffer.from('0102030405', 'hex') }],
  }
  const server = await gemini(open, {
    answer: () => ({ ...answer, usage: { input: 5, output: 60, cached: 0 } }),
  })
  const endpoint = createOrganAsk(server.url, 'gemini-2.5-flash-preview-tts#Puck', 'gemini')
  const speech = await speak(endpoint, sentences(60).join(' '))
  assert.is(speech.mime, 'audio/wav')
  const file = Buffer.from(speech.bytes)
  const callCount = server.log.length
  assert.ok(callCount > 1)
  assert.is(file.readUInt32LE(24), 16_000)
  assert.is(file.readUInt32LE(4), file.length - 8)
  assert.ok(file.subarray(44).equals(Buffer.concat(Array(callCount).fill(Buffer.from('01020304', 'hex')))))
  assert.equal([speech.usage.input, speech.usage.output], [5 * callCount, 60 * callCount])
  const config = server.log[0]?.body.generationConfig
  assert.equal(config, {
    responseModalities: ['AUDIO'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
  })

  for (const end of ['filter', 'blocked'] as const) {
    answer = { end }
    const error = await trouble(speak(endpoint, 'hello'))
    assert.match(error.message, /would not say this aloud \((SAFETY|PROHIBITED_CONTENT)\)/)
    assert.is(error.kind, 'refused')
  }
  assert.match(
    (await trouble(speak({ ...endpoint, model: 'gemini-2.5-flash' }, 'hello'))).message,
    'response modalities',
  )
})

// --- all organs

type Use = readonly [string, (signal: AbortSignal) => Promise<unknown>]

const createUses = (
  url: string,
  provider: 'openai' | 'gemini',
  ear: string,
  mouth: string,
  imagination: string,
): readonly Use[] => [
  [
    `${provider} Ear`,
    (signal) => createEar(createOrganAsk(url, ear, provider)).hear(clip('audio/ogg', ogg), signal),
  ],
  [`${provider} Mouth`, (signal) => createMouth(createOrganAsk(url, mouth, provider)).speak('hello', signal)],
  [
    `${provider} Imagination`,
    (signal) => createImagination(createOrganAsk(url, imagination, provider)).draw('a bridge', signal),
  ],
]
const atOpenAi = ({ url }: StandIn) => createUses(url, 'openai', 'whisper-1', 'tts-1', 'gpt-image-1')
const atGemini = ({ url }: StandIn) =>
  createUses(url, 'gemini', 'gemini-2.5-flash', 'gemini-2.5-flash-preview-tts', 'imagen-4.0-generate-001')

test('reports an unsupported organ and names the supported providers without a call', async ({ open }) => {
  const server = await openAi(open)
  const rows = [
    [
      'anthropic',
      hear(createOrganAsk(server.url, 'claude', 'anthropic'), clip('audio/ogg', ogg)),
      /^Anthropic .*An Ear can be OpenAI, Gemini/,
    ],
    [
      'xai',
      hear(createOrganAsk(server.url, 'grok', 'xai'), clip('audio/ogg', ogg)),
      /^xAI .*An Ear can be OpenAI, Gemini/,
    ],
    [
      'anthropic',
      speak(createOrganAsk(server.url, 'claude', 'anthropic'), 'hello'),
      /^Anthropic offers no speech\. A Mouth can be OpenAI, Gemini/,
    ],
    [
      'xai',
      speak(createOrganAsk(server.url, 'grok', 'xai'), 'hello'),
      /^xAI .*A Mouth can be OpenAI, Gemini/,
    ],
    [
      'anthropic',
      draw(createOrganAsk(server.url, 'claude', 'anthropic')),
      /^Anthropic .*An Imagination can be OpenAI, xAI, Gemini/,
    ],
  ] as const
  for (const [provider, work, words] of rows) {
    const error = await trouble(work)
    assert.match(error.message, words, provider)
    assert.equal([error.kind, error.calls], ['refused', 0])
  }
  assert.is(server.log.length, 0)
})

// Verified to fail if the error in a 200 response is treated as an answer.
test('recognizes an error about a missing route in a 200 response', async () => {
  const fetch: Fetch = async (input) =>
    Response.json({ error: `Unexpected endpoint or method. (POST ${new URL(String(input)).pathname})` })
  const endpoint = createOrganAsk('http://127.0.0.1:1234', 'gemma', null, {
    network: { ...network, local: fetch },
  })
  assert.match(
    (await trouble(hear(endpoint, clip('video/webm', webm)))).message,
    'has no /audio/transcriptions',
  )
  assert.match((await trouble(speak(endpoint, 'hello'))).message, 'has no /audio/speech')
  assert.match((await trouble(draw(endpoint))).message, 'has no /images/generations')
})

// Verified to fail if calls are not counted, and if `Retry-After` is dropped.
test('reports every fault in one sentence, after one call and without the key', async ({ open }) => {
  const otherServer = await closeAfter(open, createElsewhere())
  const server = await openAi(open)
  const rows: readonly (readonly [Fault, MindError['kind'], string])[] = [
    [
      { what: 'status', status: 401, words: `Incorrect API key provided: ${key}.` },
      'barred',
      'did not accept the key',
    ],
    [{ what: 'status', status: 429, retryAfter: 7 }, 'unreachable', 'too busy'],
    [
      { what: 'status', status: 500, words: `it broke at ${key}` },
      'unreachable',
      'failed (500: it broke at ***)',
    ],
    [
      { what: 'status', status: 413, words: 'Maximum content size limit (26214400) exceeded' },
      'refused',
      'too long',
    ],
    [{ what: 'redirect', target: `${otherServer.url}/thief` }, 'barred', 'which is not followed'],
    [{ what: 'reset' }, 'unreachable', 'the connection was cut'],
    [{ what: 'cut', mode: 'hard', after: 1 }, 'unreachable', 'the connection was cut'],
    [{ what: 'bomb' }, 'refused', 'longer than 1 MiB'],
    [{ what: 'page' }, 'unreachable', 'Check the address'],
    [{ what: 'garbled' }, 'unreachable', server.url],
    [{ what: 'nothing' }, 'unreachable', server.url],
  ]
  for (const [fault, kind, words] of rows) {
    server.faults.permanentFault = fault
    for (const [organ, use] of atOpenAi(server)) {
      const error = await trouble(use(neverAborts))
      const context = `${organ}, ${JSON.stringify(fault)}: ${error.message}`
      assert.ok(error.message.includes(words), context)
      assert.equal([error.kind, error.calls], [kind, 1], context)
      assert.is(error.retryAfter, fault.what === 'status' && fault.retryAfter ? 7000 : undefined)
    }
  }
  assert.equal(otherServer.requestPaths, [])
})

// Verified to fail if the call receives no signal, and if an abort is reported as an error of the provider.
test('stops immediately with the reason of the abort', async ({ open }) => {
  const servers = [await openAi(open), await gemini(open)] as const
  for (const server of servers) {
    for (const fault of [
      { what: 'silence' },
      { what: 'stall', after: 1 },
      { what: 'drip', bytes: 1, intervalMs: 50 },
    ] as const) {
      server.faults.permanentFault = fault
      for (const [organ, use] of server === servers[0] ? atOpenAi(server) : atGemini(server)) {
        const abortReason = new Error('hushed')
        const controller = new AbortController()
        const calls = server.log.length
        const work = use(controller.signal).catch((error) => error)
        await waitFor('the call', () => server.log.length > calls)
        controller.abort(abortReason)
        assert.is(await work, abortReason, `${organ}, ${fault.what}`)
        await waitFor('the end of the answer', () => server.open() === 0)
        assert.is(await use(controller.signal).catch((error) => error), abortReason)
        assert.is(server.log.length, calls + 1, 'a call was made after the cut')
      }
    }
  }
})

test.run()
