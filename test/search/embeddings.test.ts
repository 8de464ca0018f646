/**
 * If an embedding model is configured, a search also finds texts with the same meaning in other words.
 * Without a model, or if it fails, only words count.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Embedder } from '../../packages/models/embedder.ts'
import { recallTexts } from '../../src/mind/tools/recall.ts'
import type { ToolContext } from '../../src/mind/tools/tool.ts'
import { measureWeights } from '../../src/search/embedder-weights.ts'
import { call, waitFor } from '../calls.ts'
import { createHome, type WrittenEvents } from '../create-journal.ts'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { toVector } from '../stand-ins/meaning.ts'
import { createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import { openEnglishEmbedder } from './english-embedder.ts'
import { ada, createLife, firstLived, openLibrary } from './library.ts'

const messages: readonly string[] = [
  'Our holiday in Lisbon was lovely.',
  'Sunny, I hope?',
  'We bought a puppy yesterday.',
  'What is its name?',
  'The kettle is broken again.',
  'Oh dear, the kettle once more.',
]
const home = () =>
  createHome(
    messages.map((text, n): WrittenEvents => {
      return {
        at: '2026-11-20T09:00:00+01:00',
        events: [n % 2 === 0 ? createMessageHeard(text) : createMessageSpoken(text)],
      }
    }),
  )

/** Shares no word with the messages. */
const question = 'Who enjoyed their vacation?'
const first = 'Which hound was purchased?'
const model = 'local/nomic-embed-text'

const withDaemon = async (
  overrides: Overrides,
  act: (daemon: TestDaemon, ollama: OllamaStandIn, lines: readonly string[]) => Promise<void>,
) => {
  const ollama = await createOllama({ models: ['llama3', 'nomic-embed-text', 'bge-m3'] })
  const lines: string[] = []
  const env = { OLLAMA_BASE_URL: ollama.url, ...overrides.env }
  const own = overrides.home ?? (await home())
  const daemon = await startDaemon({ logTo: (line) => lines.push(line), ...overrides, home: own, env })
  try {
    await act(daemon, ollama, lines)
  } finally {
    await daemon.close()
    await ollama.close()
    if (!overrides.home) await rm(own, { recursive: true, force: true })
  }
}
const embeddingsOn = { env: { DAIMON_EMBEDDINGS: model } }

/** Returns positions of messages. */
const find = async ({ url }: TestDaemon, q: string, query = ''): Promise<readonly number[]> => {
  const { status, body } = await call(
    url,
    'GET',
    `/api/persona/ada/search?q=${encodeURIComponent(q)}${query}`,
  )
  assert.is(status, 200, JSON.stringify(body))
  return body.found.map(({ id }: { id: number }) => id - firstLived)
}
const waitForFound = (daemon: TestDaemon, q = question) =>
  waitFor('it is embedded', async () => {
    const positions = await find(daemon, q)
    return positions.length > 0 && positions
  })
const embedded = ({ calls }: OllamaStandIn) =>
  calls('/api/embed').flatMap(({ body }) => body.input as readonly string[])
const getVectorFolder = ({ home }: TestDaemon) => join(home, 'personas', 'ada', 'vectors')

/**
 * Returns the modules that a process has loaded after a daemon ran there without embeddings, and then with
 * them.
 */
const listLoaded = async (): Promise<readonly (readonly string[])[]> => {
  const script = `
    const { startDaemon } = await import('./test/daemon.ts')
    const { Session } = await import('node:inspector/promises')
    const session = new Session()
    session.connect()
    session.on('Debugger.scriptParsed', ({ params: { url } }) => console.log(url))
    for (const setting of ['', '${model}']) {
      const daemon = await startDaemon({ env: { DAIMON_EMBEDDINGS: setting } })
      if (setting === '') await session.post('Debugger.enable')
      await daemon.close()
      console.log('so far')
    }`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 })
  return stdout
    .split('so far')
    .map((line) => line.match(/src\/(?:search|models)\/.*(?:vector|embed).*/g) ?? [])
}

// Fails if the embedding code is imported statically.
test('loads no embedding code if no model is configured', async () => {
  const [without, within] = await listLoaded()
  assert.equal(without, [])
  assert.ok((within?.length ?? 0) >= 3)
})

test('finds texts in other words with embeddings, and not without', async () => {
  // No request, no file and no log line without a model.
  await withDaemon({}, async (daemon, ollama) => {
    for (const query of [question, first]) assert.equal(await find(daemon, query), [])
    assert.is(ollama.calls('/api/embed').length, 0)
    assert.not(existsSync(getVectorFolder(daemon)))
    assert.not('embeddings' in (await call(daemon.url, 'GET', '/api/persona/ada/diagnose')).body)
  })
  await withDaemon(embeddingsOn, async (daemon, ollama) => {
    assert.is((await waitForFound(daemon))[0], 0)
    assert.ok((await find(daemon, first)).includes(2))
    // Each message is embedded with its speaker and the previous message.
    const texts = embedded(ollama).filter((text) => text.includes('User: '))
    const lines = messages.map((text, n) => `${n % 2 === 0 ? 'User' : 'Ada'}: ${text}`)
    assert.equal(
      texts,
      lines.map((line, n) => `search_document: ${n === 0 ? '' : `${lines[n - 1]}\n`}${line}`),
    )
    const { status, body } = await call(daemon.url, 'GET', '/api/persona/ada/diagnose')
    assert.is(status, 200)
    const { tokens, ...told } = body.embeddings
    assert.equal(told, { model, vectors: 6, up_to: firstLived + 5, reason: null })
    assert.ok(tokens >= 30)
  })
})

test('searches by words for single terms, quotations and the newest-first order', () =>
  withDaemon(embeddingsOn, async (daemon) => {
    await waitForFound(daemon)
    for (const text of ['vacation', 'enjoyed vacation', '"vacation"?', '"enjoyed vacation"?', 'vacat*?'])
      assert.equal(await find(daemon, text), [], text)
    assert.equal(await find(daemon, question, '&sort=newest'), [])
    assert.equal(await find(daemon, 'holiday'), [0])
    assert.equal(await find(daemon, question, '&kind=memory'), [])
    // The result combines both rankings: matching words and similar meaning.
    const all = await find(daemon, 'Was the kettle bought on vacation?')
    assert.equal([...all].sort(), [0, 1, 2, 3, 4, 5])
  }))

const kettles = ['Is the kettle broken?', 'Is the kettle new?', 'Who has a puppy or a kettle?', 'kettle']

// Fails if a search waits for a provider that does not answer, or throws.
test('searches by words alone if the provider does not answer, and logs it once', async () => {
  const expectedSeqs: (readonly number[])[] = []
  await withDaemon({}, async (daemon) => {
    for (const query of kettles) expectedSeqs.push(await find(daemon, query))
  })
  await withDaemon(embeddingsOn, async (daemon, ollama, lines) => {
    const expectBaseline = async () => {
      for (const [n, one] of kettles.entries()) assert.equal(await find(daemon, one), expectedSeqs[n], one)
    }
    ollama.faults.fails = Number.POSITIVE_INFINITY
    await expectBaseline()
    const getFailureLines = () => lines.filter((line) => line.includes('fails to embed texts'))
    await waitFor('it is asked again', () => ollama.calls('/api/embed').length > 1)
    await expectBaseline()
    ollama.faults.fails = 0
    assert.is((await waitForFound(daemon))[0], 0)
    assert.is(getFailureLines().length, 1)
    assert.ok(lines.some((line) => line.includes('search by meaning is back')))
    // The messages have vectors by now, but the question gets none.
    ollama.faults.hangs = true
    const startedAt = Date.now()
    await expectBaseline()
    assert.ok(Date.now() - startedAt < 10_000, 'one waits, the others do not')
  })
})

test('rebuilds vectors of another model and keeps the others', async () => {
  const own = await home()
  const countEmbeds = (env: NodeJS.ProcessEnv) => {
    let texts: readonly string[] = []
    return withDaemon({ home: own, env }, async (daemon, ollama) => {
      await waitForFound(daemon)
      texts = embedded(ollama).filter((text) => text.includes('kettle'))
    }).then(() => texts.length)
  }
  assert.is(await countEmbeds({ DAIMON_EMBEDDINGS: model }), 2)
  assert.is(await countEmbeds({ DAIMON_EMBEDDINGS: model }), 0)
  assert.is(await countEmbeds({ DAIMON_EMBEDDINGS: 'local/bge-m3' }), 2)
  // Damages the files as the index tests do.
  const folder = join(own, 'personas', 'ada', 'vectors')
  for (const file of await readdir(folder)) await rm(join(folder, file))
  assert.is(await countEmbeds({ DAIMON_EMBEDDINGS: 'local/bge-m3' }), 2)
  await rm(own, { recursive: true })
})

// Fails if a model call is made while the journal is locked.
test('purging deletes all vectors without waiting for a pending model call', () =>
  withDaemon(embeddingsOn, async (daemon, ollama) => {
    await waitForFound(daemon)
    assert.ok(existsSync(getVectorFolder(daemon)))
    ollama.faults.hangs = true
    const embedCount = ollama.calls('/api/embed').length
    const body = { document: 'person', text: 'They are off to Norway.' }
    assert.is((await call(daemon.url, 'POST', '/api/persona/ada/memories', body)).status, 200)
    await waitFor('it is asked', () => ollama.calls('/api/embed').length > embedCount)
    const startedAt = Date.now()
    assert.is((await call(daemon.url, 'POST', '/api/persona/ada/delete?purge=true')).status, 200)
    assert.ok(Date.now() - startedAt < 10_000)
    await waitFor('the call is given up', () => ollama.open() === 0)
    assert.equal(await readdir(join(daemon.home, 'personas')), [])
    for (const entry of await readdir(daemon.home, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        assert.not(String(await readFile(join(entry.parentPath, entry.name))).includes(model), entry.name)
  }))

test('the recall tool finds texts with the same meaning', async () => {
  const own = await home()
  const tokens = { tokens: null, name: model, close: async () => undefined }
  const embed = async (texts: readonly string[]) => ({
    vectors: texts.map((text) => toVector(text)),
    ...tokens,
  })
  for (const embedder of [{ ...tokens, embed }, undefined]) {
    const library = await openLibrary(own, embedder)
    const recall = () =>
      library.personas.read(ada, async ({ persona, journal }) => {
        const search: ToolContext['search'] = (reading, ask) => library.search.rank(ada, reading, ask)
        const moment = { now: library.clock.now(), zone: library.clock.zone, turn: journal.head.seq }
        const context = { persona, journal, search, ...moment } as ToolContext
        return (await recallTexts({ query: 'enjoyed vacation' }, context)).found
      })
    assert.equal(await recall(), [])
    await library.clock.advance(2000)
    if (embedder) {
      const [found] = await waitFor('it is embedded', async () => {
        const all = await recall()
        return all.length > 0 && all
      })
      assert.equal([found?.seq, found?.partly], [firstLived, true])
    } else assert.equal(await recall(), [])
    await library.close()
  }
  await rm(own, { recursive: true })
})

test('sends a key only to its provider and never logs it, even on errors', async () => {
  const key = 'Abc123secretXyz789'
  const standIn = await createOpenAi({ key, models: ['text-embedding-3-small'], lenient: true })
  const otherOllama = await createOllama()
  const env = {
    DAIMON_EMBEDDINGS: 'openai/text-embedding-3-small',
    DAIMON_LOG_LEVEL: 'debug',
    OPENAI_BASE_URL: standIn.url,
    OPENAI_API_KEY: key,
  }
  await withDaemon({ env }, async (daemon, ollama, lines) => {
    standIn.faults.next.push({ what: 'redirect', target: otherOllama.url })
    standIn.faults.next.push({ what: 'status', status: 401, words: `Incorrect API key provided: ${key}` })
    assert.is((await waitForFound(daemon))[0], 0)
    assert.ok(standIn.log.length > 2)
    for (const request of standIn.log) assert.equal([request.key, request.spilled], ['right', false])
    assert.is(ollama.log.length + otherOllama.log.length, 0)
    assert.ok(lines.some((line) => line.includes('not followed')))
    assert.not(lines.some((line) => line.includes(key)))
  })
  await Promise.all([standIn.close(), otherOllama.close()])
})

const talkAbout: readonly string[] = [
  'I started a new job at the bakery last Monday.',
  'Congratulations! Do you like the early hours?',
  'Getting up at three is hard, but the smell of bread is worth it.',
  'What do you bake most?',
  'Mostly rye loaves. My son Theo ate two on Sunday.',
  'How old is he now?',
  'He turned nine in March and collects beetles.',
  'That is a wonderful hobby.',
  'Our car broke down on the way to the lake, so we took the train home.',
  'Was it expensive to repair?',
  'Almost eight hundred. The mechanic said the gearbox is done.',
  'I am sorry to hear that.',
  'My sister Ines moved to Lisbon and works as a vet there.',
  'Do you plan to visit her?',
  'Yes, in October, if the flights get cheaper.',
  'The weather is mild there in autumn.',
  'The doctor told me to avoid shellfish, my throat swelled up again.',
  'Please carry your medicine with you.',
]
/** Each with the index of a message that answers it. */
const aboutTalk: readonly (readonly [question: string, index: number])[] = [
  ['What is their occupation?', 0],
  ['Which insects does the child like?', 6],
  ['What did the garage charge for the vehicle?', 10],
  ['Who is an animal doctor?', 12],
  ['What food are they allergic to?', 16],
  ['When do they travel to Portugal?', 14],
]

test('a real embedder finds answers that words alone do not find, and loses none', async () => {
  const embedder = await openEnglishEmbedder()
  const own = await createLife(
    talkAbout.map((text, n) => (n % 2 === 0 ? createMessageHeard(text) : createMessageSpoken(text))),
  )
  const countFound = async (currentEmbedder?: Embedder) => {
    const library = await openLibrary(own, currentEmbedder)
    const find = (text: string) =>
      library.personas.read(ada, async (reading) => {
        const time = { at: library.clock.now(), zone: library.clock.zone }
        const firstSeq = reading.journal.head.seq + 1
        return library.search.rank(ada, reading, { text, now: time, before: firstSeq, limit: 3, by: 'sense' })
      })
    const isEmbedded = async () => {
      await find('Is it ready?')
      await library.clock.advance(2000)
      const status = await library.personas.read(ada, (reading) => library.search.vectors(ada, reading))
      return status?.vectors === talkAbout.length
    }
    if (currentEmbedder) await waitFor('it is embedded', isEmbedded)
    const foundSeqs = []
    for (const [question, index] of aboutTalk) {
      const { hits } = await find(question)
      if (hits.some(({ entry }) => entry.seq - firstLived === index)) foundSeqs.push(index)
    }
    await library.close()
    return foundSeqs
  }
  const foundByWords = await countFound()
  const byMeaning = await countFound(embedder)
  assert.equal(
    foundByWords.filter((index) => !byMeaning.includes(index)),
    [],
  )
  assert.ok(byMeaning.length > foundByWords.length, `${byMeaning.length} instead of ${foundByWords.length}`)
  await rm(own, { recursive: true })
})

test('an embedder counts as much as it finds in each language', async () => {
  const { signal } = new AbortController()
  const { byLanguage, other } = await measureWeights(await openEnglishEmbedder(), signal)
  assert.ok((byLanguage.en ?? 0) > 0.3 && (byLanguage.en ?? 1) <= 0.5, JSON.stringify(byLanguage))
  assert.is(byLanguage.ru, 0.1)
  assert.ok(other < (byLanguage.en ?? 0))
  const constant = {
    name: 'test/constant',
    embed: async (texts: readonly string[]) => ({ vectors: texts.map(() => [1, 2]), tokens: null }),
    close: async () => undefined,
  }
  assert.equal(new Set(Object.values((await measureWeights(constant, signal)).byLanguage)), new Set([0.1]))
})

test.run()
