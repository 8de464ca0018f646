/** The request that prepares a model on this machine before the user writes. */
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { Prompt } from '../../packages/models/mind.ts'
import { call, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { listenTo } from '../listener.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { createWordParts, hangs, has, openStage, type Stage, type StagedScript } from './stage.ts'

const withStage = async (options: Partial<StagedScript>, play: (stage: Stage) => Promise<void>) => {
  const stage = await openStage({
    script: () => createWordParts('Yes.'),
    isOnThisMachine: true,
    contextWindow: 65_536,
    ...options,
  })
  try {
    await play(stage)
  } finally {
    await stage.close()
  }
}
const talkAbout = async (stage: Stage, text: string, count: number) => {
  await stage.hear(text)
  await stage.until('an answer', has('TurnEnded', count))
}
/** Shorter requests are not sent in advance. */
const longText = 'a word '.repeat(2000)
const isWarmUp = ({ maxTokens }: Prompt) => maxTokens === 1
const toJson = ({ messages }: Prompt) => messages.map((message) => JSON.stringify(message))
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

// Fails if the prompts differ in anything but the new message: the cache would not be used.
test('sends the beginning of the next request once, and leaves no fact', () =>
  withStage({}, async (stage) => {
    await talkAbout(stage, 'I live in Lisbon.', 1)
    stage.agents.warmUp('ada')
    await wait(100)
    is(stage.prompts.filter(isWarmUp).length, 0)
    await talkAbout(stage, longText, 2)
    const factsBefore = await stage.facts()
    stage.agents.warmUp('ada')
    await stage.until('the request', () => stage.prompts.some(isWarmUp))
    stage.agents.warmUp('ada')
    await wait(100)
    stage.agents.warmUp('ada')
    await wait(100)
    is(stage.prompts.filter(isWarmUp).length, 1)
    equal(await stage.facts(), factsBefore)
    await talkAbout(stage, 'How are you?', 3)
    const [warmUp, next] = stage.prompts.slice(-2) as [Prompt, Prompt]
    ok(isWarmUp(warmUp) && !isWarmUp(next))
    equal([warmUp.system, warmUp.tools], [next.system, next.tools])
    equal(toJson(warmUp), toJson(next).slice(0, -1))
    stage.agents.warmUp('ada')
    await stage.until('another prompt', () => stage.prompts.filter(isWarmUp).length === 2)
  }))

test('gives way to a turn', () =>
  withStage(
    { script: (prompt, signal) => (isWarmUp(prompt) ? hangs(signal) : createWordParts('Yes.')) },
    async (stage) => {
      await talkAbout(stage, longText, 1)
      stage.agents.warmUp('ada')
      await stage.until('the request', () => stage.prompts.some(isWarmUp))
      await talkAbout(stage, 'Hello', 2)
    },
  ))

test('sends nothing during a turn, and nothing to a model elsewhere', async () => {
  await withStage({ script: (_, signal) => hangs(signal) }, async (stage) => {
    await stage.hear('Hello')
    await stage.until('the turn', () => stage.prompts.length === 1)
    stage.agents.warmUp('ada')
    await wait(100)
    is(stage.prompts.length, 1)
  })
  await withStage({ isOnThisMachine: false }, async (stage) => {
    stage.agents.warmUp('ada')
    await wait(100)
    is(stage.prompts.length, 0)
  })
})

test('prepares the model on this machine when the page opens a persona and when the user types', async () => {
  const ollama = await createOllama({ models: ['llama3'], context: 32_768, answer: () => 'Yes.' })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url, DAIMON_WARM_UP: 'on' } })
  try {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama3',
    })
    const { id } = body.persona
    await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: longText })
    const getOptions = () =>
      ollama.calls('/api/chat').map(({ body: { options } }) => options as Record<string, number>)
    const callCountBefore = getOptions()
    const listener = await listenTo(daemon.url, `/ws/${id}`)
    await waitFor('the request', () => getOptions().length > callCountBefore.length)
    const warmUp = { ...callCountBefore.at(-1), num_predict: 1 }
    equal(getOptions().at(-1), warmUp)
    await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message: 'And now?' })
    const sentCount = getOptions().length
    equal(await call(daemon.url, 'POST', `/api/persona/${id}/typing`), { status: 200, body: null })
    await waitFor('the request', () => getOptions().length > sentCount)
    equal(getOptions().at(-1), warmUp)
    listener.leave()
    equal((await call(daemon.url, 'POST', '/api/persona/nobody/typing')).status, 404)
  } finally {
    await daemon.close()
    await ollama.close()
  }
})

test.run()
