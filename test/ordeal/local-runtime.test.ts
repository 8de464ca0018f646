/**
 * The local runtime as a user gets it: node-llama-cpp is installed from the npm registry into a temporary
 * home, and runs generated models. `npm test` only checks the list of packages, because the installation
 * takes long.
 */
// Runs alone: it measures memory and speed.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Log } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import type { LocalRuntime } from '../../packages/local-runtime/local-runtime.ts'
import { openLocalRuntime } from '../../packages/local-runtime/open-local-runtime.ts'
import { loadRuntimeLock } from '../../packages/local-runtime/runtime-install.ts'
import runtimePackages from '../../packages/local-runtime/runtime-platforms.json' with { type: 'json' }
import { makeModel } from '../../packages/local-runtime/test/made-model.ts'
import { MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import { proveMind } from '../../packages/models/prove-mind.ts'
import { call } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { isWhole, printFigures } from '../ordeal.ts'

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const { signal: neverAborts } = new AbortController()

const test = suite('local runtime, installed')

test('the list of packages has a hash for each and no address', async () => {
  const { version, platforms } = runtimePackages
  const lock = await loadRuntimeLock()
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
  for (const [path, entry] of entries) {
    assert.match(String(entry.integrity), /^sha512-/, path)
    assert.not.ok('resolved' in entry, path)
  }
  assert.is(lock.packages['node_modules/node-llama-cpp']?.version, version)
  for (const { package: name } of Object.values(platforms))
    assert.is(lock.packages[`node_modules/${name}`]?.version, version)
})

interface World {
  readonly home: string
  readonly text: string
  readonly call: string
  readonly runtime: LocalRuntime
}

const openIn = (home: string, idleMs = 600_000): Promise<LocalRuntime> =>
  openLocalRuntime({
    folder: join(home, 'runtime'),
    log: silent,
    clock: systemClock(),
    contextTokens: 4096,
    idleMs,
  })

let world: World

const tool = {
  name: 'note',
  description: 'Writes a word down.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' }, more: { type: 'string' } },
    required: ['word'],
  },
}

const toPrompt = (content: string, changes: Partial<Prompt> = {}): Prompt => ({
  system: 'You are Ada. '.repeat(20),
  messages: [{ role: 'user', content }],
  tools: [],
  data: () => ({ kind: 'question', words: content }),
  ...changes,
})

const collect = async (
  path: string,
  prompt: Prompt,
  cacheKey = 'ada',
  signal = neverAborts,
): Promise<Part[]> => {
  const parts: Part[] = []
  const mind = world.runtime.createMind(path, { model: 'tiny', cacheKey })
  for await (const part of mind.think(prompt, signal)) parts.push(part)
  return parts
}

const joinWords = (parts: readonly Part[]) =>
  parts.map((part) => (part.type === 'words' ? part.text : '')).join('')

const getUsage = (parts: readonly Part[]) => {
  const last = parts.at(-1)
  if (last?.type !== 'end') throw new Error('the answer has no end')
  return last.usage
}

const getMessage = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  )

const getError = async (work: Promise<unknown>): Promise<MindError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof MindError) return error
    throw error
  }
  throw new Error('it did not fail')
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const residentBytes = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * 4096

if (isWhole) {
  test.before(async () => {
    const home = await mkdtemp(join(tmpdir(), 'daimon-runtime-'))
    const [words, call] = [join(home, 'words.gguf'), join(home, 'call.gguf')]
    await writeFile(words, makeModel({ answersWith: 'words' }))
    await writeFile(call, makeModel({ answersWith: 'call' }))
    world = { home, text: words, call, runtime: await openIn(home) }
  })
  test.after(async () => {
    await world.runtime.close()
    await rm(world.home, { recursive: true, force: true })
  })

  test('an aborted install leaves no files', async () => {
    const { runtime, home } = world
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('enough')), 1500)
    assert.is(await getMessage(runtime.install(() => undefined, abort.signal)), 'enough')
    assert.equal(await readdir(join(home, 'runtime')), [])
    assert.is(runtime.state().phase, 'absent')
  })

  test('installs the packages of this machine, and replaces an older version', async () => {
    const { runtime, home } = world
    const older = join(home, 'runtime', '3.0.0')
    await mkdir(older, { recursive: true })
    const startedAt = performance.now()
    let [last, total] = [0, 0]
    const onProgress = (progress: { completed: number; total: number }) => {
      last = progress.completed
      total = progress.total
    }
    await Promise.all([
      runtime.install(onProgress, neverAborts),
      runtime.install(() => undefined, neverAborts),
    ])
    const { phase, version, bytes } = runtime.state()
    assert.is(phase, 'ready')
    assert.is(last, total)
    assert.equal(await readdir(join(home, 'runtime')), [version])
    const packages = await readdir(join(home, 'runtime', version, 'node_modules', '@node-llama-cpp'))
    assert.is(packages.length, 1)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    printFigures('local runtime, install', `${Math.round((bytes ?? 0) / 1e6)} MB`, `${seconds} s`)
  })

  test('streams words', async () => {
    const parts = await collect(world.text, toPrompt('Hello'))
    const streamedParts = parts.filter(({ type }) => type === 'words')
    assert.is(joinWords(parts), 'Hello there friend')
    assert.ok(streamedParts.length > 1)
  })

  test('computes only the new tokens of a growing prompt', async () => {
    const { text } = world
    const first = getUsage(await collect(text, toPrompt('One'), 'bea'))
    const messages = [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Hello there friend', calls: [] },
      { role: 'user', content: 'Two' },
    ] as const
    const second = getUsage(await collect(text, toPrompt('Two', { messages }), 'bea'))
    assert.ok((second.cached ?? 0) >= (first.input ?? 0) - 1, JSON.stringify([first, second]))
    assert.ok((second.input ?? 0) > (first.input ?? 0))
    const otherUsage = getUsage(await collect(text, toPrompt('One'), 'cleo'))
    assert.is(otherUsage.cached, 0)
  })

  test('calls a tool, and reads its result', async () => {
    const parts = await collect(world.call, toPrompt('Note it', { tools: [tool] }))
    const calls = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))
    assert.is(calls.length, 1)
    assert.is(calls[0]?.name, 'note')
    assert.type((calls[0]?.input as { word?: unknown } | undefined)?.word, 'string')
    const messages = [
      { role: 'user', content: 'Note it' },
      { role: 'assistant', content: '', calls },
      { role: 'tool', call: calls[0]?.id ?? '', name: 'note', content: 'done' },
    ] as const
    const next = await collect(world.call, toPrompt('Note it', { tools: [tool], messages }))
    assert.ok((getUsage(next).cached ?? 0) > 200)
  })

  test('answers in JSON by a grammar', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      },
      required: ['name', 'list'],
    }
    const parts = await collect(world.text, toPrompt('As JSON', { form: { name: 'answer', schema } }))
    const answer = JSON.parse(joinWords(parts)) as Record<string, unknown>
    assert.type(answer.name, 'string')
    assert.ok(Array.isArray(answer.list))
  })

  test('proves a model that uses tools, and one that does not', async () => {
    const { runtime, text, call } = world
    const capable = await proveMind(runtime.createMind(call, { model: 'tiny' }), neverAborts)
    assert.is(capable.usesTools, true, JSON.stringify(capable))
    assert.is(capable.answersJson, true)
    assert.ok((runtime.loaded()[0]?.memoryBytes ?? 0) > 20e6)
    const talker = await proveMind(runtime.createMind(text, { model: 'tiny' }), neverAborts)
    assert.is(talker.talks, true)
    assert.is(talker.usesTools, false)
    assert.match(talker.reason ?? '', /did not use the tool/)
    printFigures('local runtime, tiny model', `${Math.round(talker.tokensPerSecond ?? 0)} tokens/s`)
  })

  test('an abort ends the computation of a long prompt', async () => {
    const slow = join(world.home, 'slow.gguf')
    await writeFile(slow, makeModel({ answersWith: 'words', width: 256, layers: 4 }))
    await collect(slow, toPrompt('Hello'), 'warm')
    const abort = new AbortController()
    const long = toPrompt('word '.repeat(700))
    const startedAt = performance.now()
    let abortedAt = Number.POSITIVE_INFINITY
    const work = (async () => {
      for await (const part of world.runtime
        .createMind(slow, { model: 'slow', cacheKey: 'warm' })
        .think(long, abort.signal)) {
        if (part.type !== 'pulse' || abort.signal.aborted) continue
        abortedAt = performance.now()
        abort.abort(new Error('enough'))
      }
    })()
    assert.is(await getMessage(work), 'enough')
    assert.ok(performance.now() - abortedAt < 200)
    // The next request of the same persona waits only for the batch in progress.
    await collect(slow, toPrompt('Hello'), 'warm')
    const abortedMs = performance.now() - startedAt
    const secondStartedAt = performance.now()
    await collect(slow, long, 'warm')
    const wholeMs = performance.now() - secondStartedAt
    printFigures(
      'local runtime, 3500 tokens',
      `${Math.round(wholeMs)} ms`,
      `aborted after a batch ${Math.round(abortedMs)} ms`,
    )
    assert.ok(abortedMs < wholeMs, `${abortedMs} ${wholeMs}`)
    await world.runtime.unload(slow)
  })

  test('three personas talk at once on one process', async () => {
    const { runtime, text } = world
    const answers = await Promise.all(
      ['x', 'y', 'z'].map((key) => collect(text, toPrompt(`I am ${key}`), key)),
    )
    for (const parts of answers) assert.is(joinWords(parts), 'Hello there friend')
    assert.is(runtime.loaded().filter(({ path }) => path === text).length, 1)
  })

  test('a killed process fails its request with one sentence, and the next one is answered', async () => {
    const { runtime, text } = world
    await collect(text, toPrompt('Hello'))
    const pid = runtime.loaded().find(({ path }) => path === text)?.pid ?? 0
    const pendingError = getError(collect(text, toPrompt('word '.repeat(600)), 'kim'))
    setTimeout(() => process.kill(pid, 'SIGKILL'), 50)
    const error = await pendingError
    assert.is(error.kind, 'unreachable')
    assert.match(error.message, /ended during an answer \(SIGKILL\)/)
    assert.is(joinWords(await collect(text, toPrompt('Hello'))), 'Hello there friend')
  })

  test('a damaged file cannot harm the daemon, and the caller gets one sentence', async () => {
    const { runtime, home } = world
    const wholeModel = makeModel({ answersWith: 'words' })
    const change = (text: string, replacement: Buffer, offset = 0) => {
      const bytes = Buffer.from(wholeModel)
      replacement.copy(bytes, bytes.indexOf(text) + offset)
      return bytes
    }
    const rejectedModels: Readonly<Record<string, Buffer>> = {
      truncated: wholeModel.subarray(0, wholeModel.length / 2),
      empty: Buffer.alloc(0),
      page: Buffer.from('<html><body>Not found</body></html>'),
      header: change('llama.context_length', Buffer.alloc(8000, 0xff)),
    }
    for (const [name, bytes] of Object.entries(rejectedModels)) {
      const path = join(home, `${name}.gguf`)
      await writeFile(path, bytes)
      const error = await getError(collect(path, toPrompt('Hello')))
      assert.is(error.kind, 'barred', name)
      assert.match(error.message, /^The file of the local model cannot be loaded: [^\n]+\.$/)
      assert.not.match(error.message, /\/tmp|\0/)
    }
    // llama.cpp aborts its process while it loads these.
    const aborting: Readonly<Record<string, Buffer>> = {
      newline: change('<0x0A>', Buffer.from('<0x0B>')),
      heads: change('llama.attention.head_count', Buffer.alloc(4), 'llama.attention.head_count'.length + 4),
    }
    for (const [name, bytes] of Object.entries(aborting)) {
      const path = join(home, `${name}.gguf`)
      await writeFile(path, bytes)
      const first = await getError(collect(path, toPrompt('Hello')))
      assert.match(first.message, /ended while the file was loaded \(SIG[A-Z]+\)\. The file may be damaged/)
      const second = await getError(collect(path, toPrompt('Hello')))
      assert.is(second.kind, 'barred')
      assert.is(runtime.loaded().find((model) => model.path === path)?.phase, 'broken')
    }
    printFigures('local runtime, damaged files', 'rejected: 4', 'process aborted: 2')
  })

  test('a persona of a daemon talks with a model file, and its prompt stays cached', async () => {
    const { home } = world
    const path = join(home, 'long.gguf')
    await writeFile(path, makeModel({ answersWith: 'words', context: 65_536 }))
    const daemon = await startDaemon({ home, env: { DAIMON_CONTEXT: '60000' } })
    try {
      const body = { name: 'Ada', thinking_model: path }
      const creation = await call(daemon.url, 'POST', '/api/persona/create', body, { timeoutMs: 120_000 })
      assert.is(creation.status, 200, JSON.stringify(creation.body))
      const persona = `/api/persona/${creation.body.persona.id}`
      for (const message of ['Hello', 'And again']) {
        const readReply = await call(
          daemon.url,
          'POST',
          `${persona}/read?wait=100`,
          { message },
          { timeoutMs: 120_000 },
        )
        assert.is(readReply.body.reply.content, 'Hello there friend')
      }
      const { total } = (await call(daemon.url, 'GET', `${persona}/usage`)).body
      assert.ok(total.cached > 0.45 * total.input, JSON.stringify(total))
      printFigures('local runtime, two turns', `${total.input} tokens`, `${total.cached} cached`)
    } finally {
      await daemon.close()
    }
  })

  test('returns all memory after the idle time', async () => {
    const { home, text } = world
    const runtime = await openIn(home, 500)
    await writeFile(join(home, 'again.gguf'), await readFile(text))
    const path = join(home, 'again.gguf')
    for await (const _ of runtime.createMind(path, { model: 'tiny' }).think(toPrompt('Hello'), neverAborts));
    const pid = runtime.loaded()[0]?.pid ?? 0
    const bytes = process.platform === 'linux' ? await residentBytes(pid) : 0
    await new Promise((resolve) => setTimeout(resolve, 1500))
    assert.not.ok(isAlive(pid))
    assert.equal(runtime.loaded(), [])
    printFigures('local runtime, memory of a tiny model', `${Math.round(bytes / 1e6)} MB`)
    await runtime.close()
  })

  test('a reopened home uses the installed runtime, and removes it on request', async () => {
    await world.runtime.close()
    const runtime = await openIn(world.home)
    assert.is(runtime.state().phase, 'ready')
    await runtime.remove()
    assert.is(runtime.state().phase, 'absent')
    assert.not.ok((await readdir(world.home)).includes('runtime'))
    await runtime.close()
  })
}

test.run()
