/** Models for each organ. The ids are those that the providers listed in November 2026. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { getSpeed, offerFor } from '../../packages/models/providers/model-kinds.ts'

const openai = [
  ...[
    'gpt-6-astra',
    'gpt-6.1-sol',
    'gpt-6.2-sol',
    'gpt-6.10-sol',
    'gpt-6-luna',
    'gpt-5',
    'o3',
    'chat-latest',
  ],
  ...['gpt-4o-2024-08-06', 'gpt-5-pro', 'gpt-5.3-codex', 'ft:gpt-4o-mini:me::1'],
  ...[
    'gpt-live-1',
    'gpt-live-transcribe',
    'gpt-realtime-2.1-mini',
    'gpt-realtime-whisper',
    'gpt-4o-realtime-preview',
  ],
  ...[
    'gpt-transcribe',
    'gpt-4o-transcribe-diarize',
    'whisper-1',
    'gpt-audio-1.5',
    'gpt-4o-mini-audio-preview',
  ],
  ...[
    'gpt-4o-mini-tts',
    'tts-1',
    'tts-1-hd-1106',
    'gpt-image-1',
    'gpt-image-2',
    'dall-e-3',
    'chatgpt-image-latest',
  ],
  ...['sora-2', 'text-embedding-3-large', 'omni-moderation-latest', 'babbage-002', 'gpt-3.5-turbo-instruct'],
  ...['o3-deep-research', 'gpt-4o-search-preview', 'computer-use-preview'],
]

test('offers each organ the models of OpenAI that it can use', () => {
  assert.equal(offerFor('thinking', 'openai', openai), {
    models: [
      'gpt-6.10-sol',
      ...['gpt-6-astra', 'gpt-6.1-sol', 'gpt-6.2-sol', 'gpt-6-luna', 'gpt-5', 'o3', 'chat-latest'],
      ...['gpt-4o-2024-08-06', 'gpt-5-pro', 'gpt-5.3-codex', 'ft:gpt-4o-mini:me::1'],
    ],
    suggested: 'gpt-6.10-sol',
  })
  assert.equal(offerFor('ear', 'openai', openai), {
    models: [
      'gpt-transcribe',
      ...['gpt-4o-transcribe-diarize', 'whisper-1', 'gpt-audio-1.5', 'gpt-4o-mini-audio-preview'],
      'ft:gpt-4o-mini:me::1',
    ],
    suggested: 'gpt-transcribe',
  })
  assert.equal(offerFor('mouth', 'openai', openai), {
    models: ['gpt-4o-mini-tts', 'tts-1', 'tts-1-hd-1106', 'ft:gpt-4o-mini:me::1'],
    suggested: 'gpt-4o-mini-tts',
  })
  assert.equal(offerFor('imagination', 'openai', openai), {
    models: ['gpt-image-2', 'gpt-image-1', 'dall-e-3', 'chatgpt-image-latest', 'ft:gpt-4o-mini:me::1'],
    suggested: 'gpt-image-2',
  })
  for (const slot of ['eye', 'teacher', 'researcher'] as const)
    assert.equal(offerFor(slot, 'openai', openai), offerFor('thinking', 'openai', openai))
})

const gemini = [
  ...[
    'gemini-3.8-flash',
    'gemini-3.6-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.1-pro-preview',
    'gemma-4-31b-it',
  ],
  ...[
    'gemini-3.8-live',
    'gemini-3.1-flash-live-preview',
    'gemini-3.5-live-translate-preview',
    'gemini-omni-flash',
  ],
  ...['gemini-2.5-flash-native-audio-latest', 'gemini-embedding-001', 'aqa', 'veo-3.1', 'lyria-3'],
  ...['gemini-3.8-flash-tts', 'gemini-2.5-flash-preview-tts', 'gemini-3.1-flash-image', 'imagen-4.0-ultra'],
  ...[
    'gemini-2.5-computer-use-preview',
    'gemini-robotics-er-2',
    'deep-research-pro',
    'gemini-3.5-transcribe',
  ],
]

test('offers each organ the models of Gemini that it can use', () => {
  const chats = gemini.slice(0, 5)
  assert.equal(offerFor('thinking', 'gemini', gemini), { models: chats, suggested: 'gemini-3.8-flash' })
  assert.equal(offerFor('ear', 'gemini', gemini), {
    models: [...chats.slice(0, 4), 'gemini-3.5-transcribe'],
    suggested: 'gemini-3.8-flash',
  })
  assert.equal(offerFor('mouth', 'gemini', gemini), {
    models: ['gemini-3.8-flash-tts', 'gemini-2.5-flash-preview-tts'],
    suggested: 'gemini-3.8-flash-tts',
  })
  assert.equal(offerFor('imagination', 'gemini', gemini), {
    models: ['gemini-3.1-flash-image', 'imagen-4.0-ultra'],
    suggested: 'gemini-3.1-flash-image',
  })
})

test('suggests the latest model of Anthropic and xAI', () => {
  const claude = ['claude-opus-5-5', 'claude-sonnet-4-5-20250929', 'claude-sonnet-5-5', 'claude-sonnet-5']
  assert.is(offerFor('thinking', 'anthropic', claude).suggested, 'claude-sonnet-5-5')
  const grok = [
    'grok-4.20-0309-reasoning',
    'grok-4-0709',
    'grok-4.7',
    'grok-imagine-image-2.0',
    'grok-imagine-video',
  ]
  assert.equal(offerFor('thinking', 'xai', grok), {
    models: ['grok-4.7', 'grok-4.20-0309-reasoning', 'grok-4-0709'],
    suggested: 'grok-4.7',
  })
  assert.equal(offerFor('imagination', 'xai', grok), {
    models: ['grok-imagine-image-2.0'],
    suggested: 'grok-imagine-image-2.0',
  })
  assert.equal(offerFor('thinking', 'xai', []), { models: [], suggested: null })
})

test('leaves out models of other servers that are known to be of another kind', () => {
  const names = [
    'qwen3:8b',
    'nomic-embed-text:latest',
    'bge-m3',
    'openai/gpt-6',
    'whisper-large-v3',
    'kokoro',
  ]
  assert.equal(offerFor('thinking', null, names), { models: ['qwen3:8b', 'openai/gpt-6'], suggested: null })
  assert.equal(offerFor('ear', null, names).models, ['whisper-large-v3', 'qwen3:8b', 'openai/gpt-6'])
  assert.equal(offerFor('mouth', null, names).models, ['kokoro', 'qwen3:8b', 'openai/gpt-6'])
})

test('knows the speed of a model by the documentation of its provider', () => {
  assert.is(getSpeed('anthropic', 'claude-haiku-5-5'), 'fast')
  assert.is(getSpeed('anthropic', 'claude-fable-5-1'), 'slow')
  assert.is(getSpeed('anthropic', 'claude-opus-5-5'), null)
  assert.is(getSpeed('openai', 'gpt-5-mini-2025-08-07'), 'fast')
  assert.is(getSpeed('openai', 'gpt-5.2-pro'), 'slow')
  assert.is(getSpeed('gemini', 'gemini-3.1-pro-preview'), null)
  assert.is(getSpeed(null, 'gpt-5-mini'), null)
})

test.run()
