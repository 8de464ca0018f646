/** Embeddings of every provider, over a real socket. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { openEmbedder } from '../../packages/models/open-embedder.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { toVector } from '../stand-ins/meaning.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import type { StandIn } from '../stand-ins/provider.ts'
import { failure, key, mapped, mindFailure, neverAborts } from './cloud-stage.ts'

const texts = ['We bought a puppy.', 'The doctor was kind.']
const vectors = texts.map((text) => toVector(text))

const createEmbedder = (env: NodeJS.ProcessEnv, lead?: readonly [from: string, to: string]): Embedder => {
  const config = readConfig(env)
  assert.ok(config.embeddings)
  const plainNetwork = createNetwork({ env: {} })
  const network = lead ? mapped(plainNetwork, ...lead) : plainNetwork
  return openEmbedder(config.embeddings, { urls: config.urls, keys: config.keys, now: Date.now, network })
}

/** Providers with a key: the stand-in, the setting and the path. */
const clouds = {
  openai: async (): Promise<[StandIn, Embedder]> => {
    const standIn = await createOpenAi({ key, models: ['text-embedding-3-small'] })
    const env = { DAIMON_EMBEDDINGS: 'openai/text-embedding-3-small', OPENAI_API_KEY: key }
    return [standIn, createEmbedder(env, ['https://api.openai.com', standIn.url])]
  },
  'a compatible server': async (): Promise<[StandIn, Embedder]> => {
    const standIn = await createOpenAi({ key, models: ['BAAI/bge-m3'], lenient: true })
    const env = { OPENAI_BASE_URL: `${standIn.url}/v1`, OPENAI_API_KEY: key }
    return [standIn, createEmbedder({ ...env, DAIMON_EMBEDDINGS: 'openai/BAAI/bge-m3' })]
  },
  gemini: async (): Promise<[StandIn, Embedder]> => {
    const standIn = await createGemini({ key, models: ['gemini-embedding-001'] })
    const env = { GEMINI_BASE_URL: standIn.url, GEMINI_API_KEY: key }
    return [standIn, createEmbedder({ ...env, DAIMON_EMBEDDINGS: 'gemini/gemini-embedding-001' })]
  },
}

for (const [name, open] of Object.entries(clouds)) {
  const withEmbedder = async (act: (standIn: StandIn, embedder: Embedder) => Promise<void>) => {
    const [standIn, embedder] = await open()
    try {
      await act(standIn, embedder)
    } finally {
      await Promise.all([standIn.close(), embedder.close()])
    }
  }

  test(`${name}: returns a vector for each text in one call, with the key in its header`, () =>
    withEmbedder(async ({ log }, embedder) => {
      const result = await embedder.embed(texts, 'found', neverAborts)
      assert.equal(result.vectors, vectors)
      // Gemini does not report tokens.
      assert.is(result.tokens, name === 'gemini' ? null : 8)
      assert.equal((await embedder.embed(['a puppy'], 'asked', neverAborts)).vectors, [toVector('a puppy')])
      assert.is(log.length, 2)
      for (const call of log) {
        assert.is(call.key, 'right')
        assert.not(call.spilled)
      }
      const purposes = JSON.stringify(log.map(({ body }) => body)).match(/RETRIEVAL_\w+/g)
      if (name === 'gemini')
        assert.equal(purposes, ['RETRIEVAL_DOCUMENT', 'RETRIEVAL_DOCUMENT', 'RETRIEVAL_QUERY'])
    }))

  test(`${name}: reports errors without the key, and follows no redirect`, () =>
    withEmbedder(async (standIn, embedder) => {
      const otherServer = await createOllama()
      try {
        standIn.faults.next.push({ what: 'redirect', target: `${otherServer.url}/v1/embeddings` })
        const error = await mindFailure(() => embedder.embed(texts, 'found', neverAborts))
        assert.is(error.kind, 'barred')
        assert.match(error.message, 'not followed')
        assert.is(otherServer.log.length, 0)
      } finally {
        await otherServer.close()
      }
      standIn.faults.next.push({ what: 'status', status: 429, retryAfter: 7 })
      assert.is((await mindFailure(() => embedder.embed(texts, 'found', neverAborts))).retryAfter, 7000)
      standIn.rekey('sk-another')
      assert.is((await mindFailure(() => embedder.embed(texts, 'found', neverAborts))).kind, 'barred')
      await standIn.leave()
      assert.is((await mindFailure(() => embedder.embed(texts, 'found', neverAborts))).kind, 'unreachable')
    }))
}

// Verified to fail if the answer is not validated.
const strangeReply = {
  'fewer than texts': { data: [{ embedding: [1, 0] }] },
  'vectors of several lengths': { data: [{ embedding: [1, 0] }, { embedding: [1] }] },
  'empty vectors': { data: [{ embedding: [] }, { embedding: [] }] },
  'strings instead of numbers': { data: [{ embedding: ['a'] }, { embedding: ['b'] }] },
  'another form': { hello: 'world' },
}
for (const [description, json] of Object.entries(strangeReply))
  test(`rejects an answer of ${description}`, async () => {
    const [standIn, embedder] = await clouds['a compatible server']()
    standIn.faults.permanentFault = { what: 'answer', json }
    try {
      await mindFailure(() => embedder.embed(texts, 'found', neverAborts))
    } finally {
      await Promise.all([standIn.close(), embedder.close()])
    }
  })

test('calls a local model in the protocol of its runtime, with its required prefixes', async () => {
  const ollama = await createOllama({ models: ['nomic-embed-text'] })
  const env = { OLLAMA_BASE_URL: ollama.url, DAIMON_EMBEDDINGS: 'local/nomic-embed-text' }
  const embedder = createEmbedder(env)
  assert.equal(await embedder.embed(texts, 'found', neverAborts), { vectors, tokens: 10 })
  await embedder.embed(['a puppy'], 'asked', neverAborts)
  assert.equal(
    ollama.calls('/api/embed').map(({ body }) => body.input),
    [texts.map((text) => `search_document: ${text}`), ['search_query: a puppy']],
  )
  assert.ok(ollama.log.every(({ authorized }) => !authorized))
  const otherServer = createEmbedder({ ...env, DAIMON_EMBEDDINGS: 'local/mxbai-embed-large:335m' })
  assert.match(
    (await mindFailure(() => otherServer.embed(texts, 'found', neverAborts))).message,
    'ollama pull mxbai-embed',
  )
  const abort = new AbortController()
  ollama.faults.hangs = true
  const hanging = failure(() => embedder.embed(texts, 'found', abort.signal))
  abort.abort(new Error('it is gone'))
  assert.is((await hanging).message, 'it is gone')
  await Promise.all([ollama.close(), embedder.close(), otherServer.close()])
})

test('rejects an invalid setting with a message, and returns none without a setting', () => {
  for (const unset of [undefined, '', ' '])
    assert.is(readConfig({ DAIMON_EMBEDDINGS: unset }).embeddings, null)
  assert.equal(readConfig({ DAIMON_EMBEDDINGS: 'local/bge-m3:latest' }).embeddings, {
    provider: null,
    model: 'bge-m3:latest',
  })
  // Anthropic and xAI are not supported for embeddings.
  for (const setting of [
    'yes',
    'local',
    'local/',
    'anthropic/claude',
    'xai/grok',
    'unknown/embed',
    'local/a b',
  ])
    try {
      readConfig({ DAIMON_EMBEDDINGS: setting })
      assert.unreachable(setting)
    } catch (error) {
      assert.instance(error, ConfigError, setting)
      for (const part of ['DAIMON_EMBEDDINGS', 'local, openai, gemini', setting])
        assert.match((error as Error).message, part)
    }
})

test.run()
