/** GET /api/config/providers */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startDaemon } from '../daemon.ts'
import { ask } from '../http/try.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)

const getProviders = async (env: NodeJS.ProcessEnv) => {
  const daemon = await startDaemon({ env })
  try {
    return JSON.parse((await ask(daemon.port, { path: '/api/config/providers' })).text)
  } finally {
    await daemon.close()
  }
}

test('returns the providers of the contract first and in its order, each with its url only', async () => {
  const [status, body] = await setup.get('/api/config/providers')
  assert.is(status, 200)
  const contractNames = Object.keys(body).slice(0, 5)
  assert.equal(contractNames, ['local', 'anthropic', 'gemini', 'openai', 'xai'])
  assert.equal(Object.fromEntries(contractNames.map((name) => [name, body[name]])), {
    local: { url: 'http://127.0.0.1:9' },
    anthropic: { url: 'https://api.anthropic.com' },
    gemini: { url: 'https://generativelanguage.googleapis.com' },
    openai: { url: 'https://api.openai.com' },
    xai: { url: 'https://api.x.ai' },
  })
})

test('overrides each address by its variable, with or without a trailing /v1', async () => {
  const providers = await getProviders({
    OLLAMA_BASE_URL: 'http://10.0.0.1:1/',
    ANTHROPIC_BASE_URL: 'http://10.0.0.2:2/v1',
    GEMINI_BASE_URL: 'http://10.0.0.3:3/v1/',
    OPENAI_BASE_URL: 'https://10.0.0.4/under/v1',
    XAI_BASE_URL: 'http://localhost:5',
  })
  assert.equal(Object.values(providers).slice(0, 5), [
    { url: 'http://10.0.0.1:1' },
    { url: 'http://10.0.0.2:2' },
    { url: 'http://10.0.0.3:3' },
    { url: 'https://10.0.0.4/under' },
    { url: 'http://localhost:5' },
  ])
})

test('uses OLLAMA_HOST for the local runtime if it has no address, as a reachable address', async () => {
  const local = async (host: string) =>
    (await getProviders({ OLLAMA_BASE_URL: '', OLLAMA_HOST: host })).local.url
  assert.is(await local(''), 'http://localhost:11434')
  assert.is(await local('0.0.0.0'), 'http://127.0.0.1:11434')
  assert.is(await local('box.lan:1234'), 'http://box.lan:1234')
  assert.is(await local('https://box.lan'), 'https://box.lan:443')
})

test('ignores parameters and body', async () => {
  const [, plain] = await setup.get('/api/config/providers')
  assert.equal(await setup.get('/api/config/providers?x=1&limit=abc'), [200, plain])
  const { status, text } = await setup.send({
    path: '/api/config/providers',
    body: '{broken',
    headers: { 'Content-Type': 'text/plain', 'Content-Length': 7 },
  })
  assert.equal([status, JSON.parse(text)], [200, plain])
})

test.run()
