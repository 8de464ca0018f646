/** The processes of local models, with a stand-in for node-llama-cpp in real processes. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock, type FakeClock } from '../../../test/clock.ts'
import type { Log } from '../../kit/log.ts'
import { type Mind, MindError, type Part, type Prompt } from '../../models/mind.ts'
import { proveMind } from '../../models/prove-mind.ts'
import { currentPlatform, installedFile } from '../installed-runtime.ts'
import type { LocalRuntime } from '../local-runtime.ts'
import { openLocalRuntime } from '../open-local-runtime.ts'
import runtimePackages from '../runtime-platforms.json' with { type: 'json' }

interface World {
  folder: string
  clock: FakeClock
  runtime: LocalRuntime
  /** Writes a model file whose content chooses the behaviour of its process. */
  model(behaviour: string, name?: string): Promise<string>
}

const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const test = suite<World>('local runtime')
test.before.each(async (world) => {
  world.folder = await mkdtemp(join(tmpdir(), 'daimon-local-'))
  world.clock = createFakeClock()
  const { version } = runtimePackages
  await mkdir(join(world.folder, 'runtime', version), { recursive: true })
  const installedJson = JSON.stringify({ version, platform: currentPlatform, bytes: 5 })
  await writeFile(join(world.folder, 'runtime', version, installedFile), installedJson)
  world.runtime = await openLocalRuntime({
    folder: join(world.folder, 'runtime'),
    log: silentLog,
    clock: world.clock,
    contextTokens: 4096,
    idleMs: 60_000,
    runnerFile: new URL('./fake-runner.mjs', import.meta.url),
  })
  world.model = async (behaviour, name = 'model.gguf') => {
    const path = join(world.folder, name)
    await writeFile(path, behaviour)
    return path
  }
})
test.after.each(async ({ runtime, clock, folder }) => {
  await runtime.close()
  clock.halt()
  await rm(folder, { recursive: true, force: true })
})

const toPrompt = (content: string, fields: Partial<Prompt> = {}): Prompt => ({
  system: 'You are Ada.',
  messages: [{ role: 'user', content }],
  tools: [],
  data: () => ({ kind: 'question', words: content }),
  ...fields,
})

const collect = async (mind: Mind, prompt: Prompt, signal = new AbortController().signal) => {
  const parts: Part[] = []
  for await (const part of mind.think(prompt, signal)) parts.push(part)
  return parts
}

const joinWords = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'words' ? part.text : '')).join('')

const ask = async (runtime: LocalRuntime, path: string, content: string, cacheKey = 'ada') =>
  joinWords(await collect(runtime.createMind(path, { model: 'tiny', cacheKey }), toPrompt(content)))

const getErrorMessage = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  )

const getError = async (work: Promise<unknown>): Promise<MindError> => {
  try {
    await work
  } catch (error) {
    assert.instance(error, MindError)
    return error as MindError
  }
  throw new Error('it did not fail')
}

const isAlive = (pid: number | null | undefined): boolean => {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

const waitUntil = async (condition: () => boolean) => {
  for (let n = 0; n < 500 && !condition(); n++) await delay(10)
  assert.ok(condition())
}

test('streams words without thinking, and reports usage with cached tokens', async ({ runtime, model }) => {
  const mind = runtime.createMind(await model('normal'), { model: 'tiny', cacheKey: 'ada' })
  const parts = await collect(mind, toPrompt('hello'))
  assert.is(joinWords(parts), 'You said: hello (ada)')
  assert.equal(parts.at(-1), { type: 'end', usage: { input: 9, cached: 4, output: 5 } })
})

test('returns tool calls with new ids and without nulls for optional fields', async ({ runtime, model }) => {
  const mind = runtime.createMind(await model('normal'), { model: 'tiny' })
  const tool = {
    name: 'note',
    description: 'Writes a word down.',
    parameters: {
      type: 'object',
      properties: { word: { type: 'string' }, more: { type: 'string' } },
      required: ['word'],
    },
  }
  const parts = await collect(mind, toPrompt('note it', { tools: [tool] }))
  const calls = parts.filter((part) => part.type === 'call')
  assert.equal(calls, [{ type: 'call', call: { id: 'call-1', name: 'note', input: { word: 'apple' } } }])
})

test('starts one process for three callers at once, and ends it after the idle time', async (world) => {
  const { runtime, clock } = world
  const path = await world.model('normal')
  const answers = await Promise.all(['a', 'b', 'c'].map((key) => ask(runtime, path, 'hello', key)))
  assert.equal(answers, ['You said: hello (a)', 'You said: hello (b)', 'You said: hello (c)'])
  const [loadedModel, ...otherModels] = runtime.loaded()
  assert.equal(otherModels, [])
  assert.is(loadedModel?.phase, 'ready')
  assert.is(loadedModel?.contextTokens, 4096)
  await clock.advance(59_000)
  assert.ok(isAlive(loadedModel?.pid))
  await clock.advance(2000)
  await waitUntil(() => !isAlive(loadedModel?.pid))
  assert.equal(runtime.loaded(), [])
  assert.is(await ask(runtime, path, 'again'), 'You said: again (ada)')
})

test('does not end a process while a request is pending', async ({ runtime, model, clock }) => {
  const path = await model('normal')
  const abort = new AbortController()
  const pendingAnswer = collect(runtime.createMind(path, { model: 'tiny' }), toPrompt('wait'), abort.signal)
  await waitUntil(() => runtime.loaded()[0]?.phase === 'ready')
  await clock.advance(120_000)
  assert.is(runtime.loaded().length, 1)
  abort.abort(new Error('stopped'))
  assert.is(await getErrorMessage(pendingAnswer), 'stopped')
  await clock.advance(61_000)
  await waitUntil(() => runtime.loaded().length === 0)
})

test('answers one request after another was aborted', async ({ runtime, model }) => {
  const path = await model('normal')
  const abort = new AbortController()
  const pendingAnswer = collect(runtime.createMind(path, { model: 'tiny' }), toPrompt('wait'), abort.signal)
  await waitUntil(() => runtime.loaded()[0]?.phase === 'ready')
  abort.abort(new Error('stopped'))
  assert.is(await getErrorMessage(pendingAnswer), 'stopped')
  assert.is(await ask(runtime, path, 'next'), 'You said: next (ada)')
})

test('fails a request with one sentence when its process is killed, and restarts after a pause', async (world) => {
  const { runtime, clock } = world
  const path = await world.model('normal')
  const pendingError = getError(collect(runtime.createMind(path, { model: 'tiny' }), toPrompt('wait')))
  await waitUntil(() => runtime.loaded()[0]?.phase === 'ready')
  process.kill(runtime.loaded()[0]?.pid ?? 0, 'SIGKILL')
  const error = await pendingError
  assert.is(error.kind, 'unreachable')
  assert.match(
    error.message,
    /^The process of the local model "model\.gguf" ended during an answer \(SIGKILL\)\./,
  )
  assert.not.match(error.message, /\//)
  const next = ask(runtime, path, 'again')
  await delay(50)
  assert.equal(runtime.loaded(), [], 'it waits for the pause')
  await clock.advance(1000)
  assert.is(await next, 'You said: again (ada)')
})

test('does not load a file that ended its process twice until it changes', async ({
  runtime,
  model,
  clock,
}) => {
  const path = await model('damaged')
  const first = await getError(ask(runtime, path, 'hello'))
  assert.is(first.kind, 'unreachable')
  assert.match(first.message, /while the file was loaded \(SIGABRT\)\. The file may be damaged/)
  const second = getError(ask(runtime, path, 'hello'))
  await clock.advance(1000)
  assert.is((await second).kind, 'barred')
  const thirdError = await getError(ask(runtime, path, 'hello'))
  assert.is(thirdError.kind, 'barred')
  assert.match(thirdError.message, /not used any more until its file changes/)
  const [brokenModel] = runtime.loaded()
  assert.is(brokenModel?.phase, 'broken')
  assert.is(brokenModel?.pid, null)
  assert.is(brokenModel?.reason, thirdError.message)
  await model('a normal file')
  assert.is(await ask(runtime, path, 'hello'), 'You said: hello (ada)')
})

test('loads a broken model again after it is forgiven', async ({ runtime, model, clock }) => {
  const path = await model('crashes')
  await getError(ask(runtime, path, 'hello'))
  const second = getError(ask(runtime, path, 'hello'))
  await clock.advance(1000)
  assert.is((await second).kind, 'barred')
  runtime.forgive(path)
  const thirdError = await getError(ask(runtime, path, 'hello'))
  assert.is(thirdError.kind, 'unreachable')
  assert.match(thirdError.message, /ended during an answer/)
})

test('counts crashes from zero after an answer', async ({ runtime, model, clock }) => {
  const path = await model('normal')
  for (let n = 0; n < 3; n++) {
    const crash = getError(ask(runtime, path, 'crash'))
    await clock.advance(1000)
    assert.is((await crash).kind, 'unreachable')
    const next = ask(runtime, path, 'hello')
    await clock.advance(1000)
    assert.is(await next, 'You said: hello (ada)')
  }
})

test('ends a process that sends an invalid message', async ({ runtime, model }) => {
  const error = await getError(ask(runtime, await model('talks nonsense'), 'hello'))
  assert.is(error.kind, 'unreachable')
})

test('reports why a model cannot be loaded, or a prompt not answered', async ({ runtime, model, folder }) => {
  const unknownError = await getError(ask(runtime, await model('unknown', 'unknown.gguf'), 'hello'))
  assert.is(unknownError.kind, 'barred')
  assert.is(unknownError.message, 'The local model could not be loaded: unknown.')
  const missingError = await getError(ask(runtime, join(folder, 'gone.gguf'), 'hello'))
  assert.is(missingError.kind, 'barred')
  assert.match(missingError.message, /^The model file "gone\.gguf" cannot be read\./)
  const path = await model('normal')
  assert.is((await getError(ask(runtime, path, 'refuse'))).message, 'Too long.')
  const silentError = await getError(ask(runtime, path, 'say nothing'))
  assert.is(silentError.kind, 'refused')
  assert.match(silentError.message, /reached its token limit/)
})

test('refuses files before it starts a process', async ({ runtime, model }) => {
  const file = {
    name: 'cat.png',
    mime: 'image/png',
    sha256: 'a' as never,
    bytes: async () => new Uint8Array(),
  }
  const prompt = toPrompt('look', { messages: [{ role: 'user', content: 'look', files: [file] }] })
  const mind = runtime.createMind(await model('normal'), { model: 'tiny' })
  assert.match((await getError(collect(mind, prompt))).message, /cannot look at pictures/)
  assert.equal(runtime.loaded(), [])
})

test('proves that a model talks, uses tools and answers in JSON', async ({ runtime, model }) => {
  const path = await model('normal')
  const { signal } = new AbortController()
  const mind = runtime.createMind(path, { model: 'tiny' })
  const { tokensPerSecond, ...proof } = await proveMind(mind, signal)
  assert.equal(proof, { talks: true, usesTools: true, answersJson: true, reason: null })
  assert.ok(tokensPerSecond !== null && tokensPerSecond > 0)
})

test('embeds texts in a process of its own', async ({ runtime, model }) => {
  const path = await model('normal')
  const embedder = runtime.createEmbedder(path, { model: 'nomic-embed-text' })
  const embedding = await embedder.embed(['a', 'bb'], 'asked', new AbortController().signal)
  const mark = 'search_query: '.length
  assert.equal(embedding, {
    vectors: [
      [mark + 1, 1],
      [mark + 2, 1],
    ],
    tokens: 3,
  })
})

/** A stand-in for node-llama-cpp that would answer with 100 words of one token each. */
const fakeLibrary = `
const tokenMeter = { usedOutputTokens: 0 }
const sequence = {
  nextTokenIndex: 0, needsCheckpoints: false, tokenMeter,
  adaptStateToTokens: async () => {},
  evaluateWithoutGeneratingNewTokens: async () => {},
}
const createContext = async () => ({ contextSize: 4096, getSequence: () => sequence })
const loadModel = async () => ({ trainContextSize: 4096, tokenizer: null, createContext })
export const getLlama = async () => ({ gpu: false, cpuMathCores: 2, maxThreads: 2, loadModel })
export const resolveChatWrapper = () => ({
  generateContextState: () => ({ contextText: { tokenize: () => Array(40).fill(1) } }),
})
export class LlamaChat {
  async generateResponse(history, { maxTokens, budgets, onResponseChunk }) {
    if (budgets.thoughtTokens > maxTokens) throw new Error('too many tokens for thoughts')
    const count = Math.min(100, maxTokens)
    for (let n = 0; n < count; n++) onResponseChunk({ text: 'word ' })
    tokenMeter.usedOutputTokens += count
    return { response: '', metadata: { stopReason: count < 100 ? 'maxTokens' : 'eogToken' } }
  }
}
`

test('ends an answer at the token limit of the request', async ({ folder, clock, model }) => {
  const library = join(folder, 'runtime', runtimePackages.version, 'node_modules', 'node-llama-cpp')
  await mkdir(join(library, 'dist'), { recursive: true })
  await writeFile(join(library, 'package.json'), '{"type":"module"}')
  await writeFile(join(library, 'dist', 'index.js'), fakeLibrary)
  const options = { folder: join(folder, 'runtime'), log: silentLog, clock, contextTokens: 4096 }
  const runtime = await openLocalRuntime(options)
  try {
    const mind = runtime.createMind(await model('any'), { model: 'tiny' })
    const askWith = async (fields: Partial<Prompt>) => {
      const parts = await collect(mind, toPrompt('hello', fields))
      const end = parts.at(-1)
      return [joinWords(parts).trim().split(' ').length, end?.type === 'end' && [end.usage.output, end.cut]]
    }
    assert.equal(await askWith({}), [100, [100, undefined]])
    assert.equal(await askWith({ maxTokens: 16 }), [16, [16, true]])
    assert.equal(await askWith({ maxTokens: 1 }), [1, [1, true]])
    assert.equal(await askWith({ maxTokens: 100_000 }), [100, [100, undefined]])
  } finally {
    await runtime.close()
  }
})

test('reports when an idle model will end', async ({ runtime, model, clock }) => {
  const path = await model('normal')
  await ask(runtime, path, 'hello')
  assert.is(runtime.loaded()[0]?.idleUntil, clock.now() + 60_000)
  const abort = new AbortController()
  const pendingError = getErrorMessage(
    collect(runtime.createMind(path, { model: 'tiny' }), toPrompt('wait'), abort.signal),
  )
  await waitUntil(() => runtime.loaded()[0]?.idleUntil === null)
  abort.abort(new Error('enough'))
  await pendingError
  assert.is(runtime.loaded()[0]?.idleUntil, clock.now() + 60_000)
})

test('unloads a model, and ends all processes when it closes', async ({ runtime, model }) => {
  const path = await model('normal')
  await ask(runtime, path, 'hello')
  const first = runtime.loaded()[0]?.pid
  await runtime.unload(path)
  assert.not.ok(isAlive(first))
  await ask(runtime, path, 'hello')
  const second = runtime.loaded()[0]?.pid
  await runtime.close()
  assert.not.ok(isAlive(second))
})

test('needs an installed runtime', async ({ runtime, model }) => {
  const path = await model('normal')
  assert.is(runtime.state().phase, 'ready')
  await ask(runtime, path, 'hello')
  const pid = runtime.loaded()[0]?.pid
  await runtime.remove()
  assert.not.ok(isAlive(pid))
  assert.is(runtime.state().phase, 'absent')
  const error = await getError(ask(runtime, path, 'hello'))
  assert.is(error.kind, 'barred')
  assert.match(error.message, /The local runtime is not installed/)
})

/** The compiled `waiting-process.ts`. */
declare const WAITING_PROCESS: string

test('no process survives kill -9 of its daemon in the middle of an answer', async ({ folder, model }) => {
  const path = await model('normal')
  const daemon = spawn(process.execPath, [fileURLToPath(WAITING_PROCESS), join(folder, 'runtime'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let pid = 0
  for await (const line of daemon.stdout) {
    pid = Number(line)
    if (pid > 0) break
  }
  assert.ok(isAlive(pid))
  daemon.kill('SIGKILL')
  await waitUntil(() => !isAlive(pid))
})

test.run()
