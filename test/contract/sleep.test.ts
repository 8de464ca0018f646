/** POST /api/persona/{persona_id}/sleep */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { listenTo } from '../listener.ts'
import { type ChatRequest, createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import type { StandIn } from '../stand-ins/provider.ts'
import { type Answer, notActive } from './setup.ts'

let daemon: TestDaemon
let ollama: OllamaStandIn
let openai: StandIn
/** The answer of the model to a consolidation. */
let consolidate: (talk: string) => string | Promise<string>

const isConsolidation = (system: string) => system.includes('\n# Your answer\n')
const answer = ({ messages }: ChatRequest) => {
  const [system, ...talk] = messages.map(({ content }) => content)
  return isConsolidation(system ?? '') ? consolidate(talk.join('\n')) : 'Yes.'
}

test.before(async () => {
  ollama = await createOllama({ models: ['llama3'], answer })
  openai = await createOpenAi({ key: 'key-that-openai-knows', answer: () => '{"operations": []}' })
  daemon = await startDaemon({
    env: { OLLAMA_BASE_URL: ollama.url, OPENAI_BASE_URL: openai.url },
    random: () => 0,
  })
})
test.before.each(() => {
  consolidate = () => '{"operations": []}'
})
test.after(async () => {
  await daemon.close()
  await Promise.all([ollama.close(), openai.close()])
})

const post = async (path: string, body?: unknown): Promise<Answer> => {
  const { status, body: responseBody } = await call(daemon.url, 'POST', path, body)
  return [status, responseBody]
}
const get = async (path: string): Promise<Answer> => {
  const { status, body } = await call(daemon.url, 'GET', path)
  return [status, body]
}
const createPersona = async (fields: object = { thinking_model: 'llama3' }): Promise<string> => {
  const [status, body] = await post('/api/persona/create', { name: 'Ada', ...fields })
  is(status, 200, JSON.stringify(body))
  return `/api/persona/${body.persona.id}`
}
const say = async (personaPath: string, message: string): Promise<string> =>
  (await post(`${personaPath}/read?wait=20`, { message }))[1].reply.content
const getId = (personaPath: string) => personaPath.split('/').at(-1) ?? ''
const getView = async (personaPath: string) =>
  (await get('/api/personas'))[1].personas.find(({ id }: { id: string }) => id === getId(personaPath))
const getTalk = async (personaPath: string): Promise<readonly string[]> =>
  (await get(`${personaPath}/conversation`))[1].messages.map(({ content }: { content: string }) => content)

/** Counts the facts in the journal for each title. */
const countFacts = async (personaPath: string, ...titles: readonly string[]): Promise<readonly number[]> => {
  const listener = await listenTo(daemon.url, `/ws/${getId(personaPath)}?after=0`)
  const mark = `mark of ${getId(personaPath)} ${Math.random()}`
  is((await post(`${personaPath}/update`, { name: mark }))[0], 200)
  await waitFor('the last fact', () => listener.frames.some(({ details }) => details?.name === mark))
  listener.leave()
  return titles.map((wantedTitle) => listener.frames.filter(({ title }) => title === wantedTitle).length)
}

/** Starts a night that lasts until `end` is called. */
const startLongNight = () => {
  let asleep = false
  let wake = () => {}
  const awake = new Promise<void>((resolve) => {
    wake = resolve
  })
  consolidate = async () => {
    asleep = true
    await awake
    return '{"operations": []}'
  }
  return { begun: () => waitFor('the night to begin', () => asleep), end: () => wake() }
}
const sleepFailed: Answer = [400, { detail: 'Sleep failed unexpectedly.' }]

test('waits for the night and returns null for any body, and concurrent requests share one night', async () => {
  const personaPath = await createPersona()
  await say(personaPath, 'I live in Lisbon.')
  const night = startLongNight()
  const requests = [post(`${personaPath}/sleep`), post(`${personaPath}/sleep`, { deep: true, until: 'noon' })]
  await night.begun()
  requests.push(post(`${personaPath}/sleep`, {}))
  night.end()
  equal(
    await Promise.all(requests),
    [200, 200, 200].map((status) => [status, null]),
  )
  const [began = 0, closed, endedNights] = await countFacts(
    personaPath,
    'SleepBegan',
    'DayClosed',
    'SleepEnded',
  )
  ok(began <= 2, `${began} nights`)
  equal([closed, endedNights], [1, began])
  equal(await post(`${personaPath}/sleep`), [200, null], 'a day without messages')
})

test('returns 409 for a stopped and for a missing persona', async () => {
  const personaPath = await createPersona()
  await post(`${personaPath}/stop`)
  equal(await post(`${personaPath}/sleep`), notActive)
  equal(await post('/api/persona/nobody/sleep'), notActive)
})

// Fails if the night is over before the message is answered.
test('answers messages during the night', async () => {
  const personaPath = await createPersona()
  await say(personaPath, 'I live in Lisbon.')
  const night = startLongNight()
  const pendingSleep = post(`${personaPath}/sleep`)
  await night.begun()
  is(await say(personaPath, 'Are you asleep?'), 'Yes.')
  equal(await post(`${personaPath}/read?wait=0`, { message: 'Hello?' }), [
    200,
    { status: 'received', reply: null },
  ])
  await waitFor('the answer', async () => (await getTalk(personaPath)).length === 6)
  night.end()
  equal(await pendingSleep, [200, null])
  equal((await getTalk(personaPath)).slice(2), ['Are you asleep?', 'Yes.', 'Hello?', 'Yes.'])
  equal(await countFacts(personaPath, 'DayClosed', 'ContextCarried'), [1, 1])
})

for (const [action, expected] of [
  ['stop', [200, { status: 'stopped' }]],
  ['restart', [200, { status: 'restarted' }]],
  ['delete', [200, null]],
] as const)
  test(`${action} ends a night immediately and the waiting client gets an error`, async () => {
    const personaPath = await createPersona()
    await say(personaPath, 'I live in Lisbon.')
    const night = startLongNight()
    const pendingSleep = post(`${personaPath}/sleep`)
    await night.begun()
    equal(await post(`${personaPath}/${action}`), expected)
    equal(await pendingSleep, sleepFailed)
    night.end()
    if (action === 'delete') return
    // The night is repeated as soon as the persona starts.
    if (action === 'stop') await post(`${personaPath}/start`)
    is(await say(personaPath, 'Are you there?'), 'Yes.')
    await waitFor('the end of the night', async () => (await countFacts(personaPath, 'SleepEnded'))[0] === 1)
    equal(await countFacts(personaPath, 'DayClosed'), [1])
  })

test("closes the day with the user's own words when the model gives an invalid answer", async () => {
  const personaPath = await createPersona()
  consolidate = () => 'ok'
  await say(personaPath, 'I live in Lisbon.')
  equal(await post(`${personaPath}/sleep`), [200, null])
  const [, { history }] = await get(`${personaPath}/calendar?start=2000-01-01&end=2100-01-01`)
  equal(
    history.conversation.map(({ body }: { body: string }) => body),
    ['“I live in Lisbon.”'],
  )
})

test('stores the memories of a night, keeps all messages and carries a summary into the next prompt', async () => {
  const personaPath = await createPersona()
  for (const text of ['I live in Lisbon.', 'One.', 'Two.', 'Three.', 'Four.', 'Five.'])
    await say(personaPath, text)
  consolidate = (talk) => {
    const [, line] = /^\[(\d+)\].*I live in Lisbon\.$/m.exec(talk) ?? []
    const operations = [{ op: 'keep', document: 'person', text: 'Lives in Lisbon.', sources: [Number(line)] }]
    return JSON.stringify({
      operations,
      carry: 'They counted to five.',
      summary: 'They told me where they live.',
    })
  }
  equal(await post(`${personaPath}/sleep`), [200, null])
  equal((await get(`${personaPath}/knowledge`))[1].memory, { person: '- Lives in Lisbon.' })
  const [, { history }] = await get(`${personaPath}/calendar?start=2000-01-01&end=2100-01-01`)
  is(history.conversation[0].body, 'They told me where they live.')
  is((await getTalk(personaPath)).length, 12)

  await say(personaPath, 'Six.')
  is((await getTalk(personaPath)).length, 14)
  const last = ollama.calls('/api/chat').at(-1)?.body as ChatRequest | undefined
  const [system, ...talk] = last?.messages.map(({ content }) => content) ?? []
  match(system ?? '', /# Your notes\n[^#]*They counted to five\.\n/)
  match(system ?? '', /- \[m\w+\] Lives in Lisbon\.\n/)
  not.match(talk.join('\n'), 'I live in Lisbon.')
  match(talk.join('\n'), /Five\.\nYes\.\nSix\.$/)
})

test('sends no tools in a consolidation', async () => {
  const mind = {
    thinking_model: 'gpt-4o',
    thinking_provider: 'openai',
    thinking_api_key: 'key-that-openai-knows',
  }
  const personaPath = await createPersona(mind)
  await say(personaPath, 'I live in Lisbon.')
  equal(await post(`${personaPath}/sleep`), [200, null])
  const requests = openai.log.flatMap(({ conversation }) => (conversation ? [conversation] : []))
  const [consolidation, ...furtherRequests] = requests.filter(({ system }) => isConsolidation(system))
  equal([consolidation?.tools, furtherRequests.length], [[], 0])
  ok(requests.some(({ tools }) => tools.includes('remember')))
})

/** Returns the names of the diaries, oldest first. Empty if there is no folder. */
const listDiaries = (personaPath: string) =>
  readdir(join(daemon.home, 'diaries', getId(personaPath))).then(
    (names) => names.sort(),
    (): string[] => [],
  )

// Fails if a diary is written every night: after seven quiet nights the diaries of the days before are
// deleted.
test('writes a diary only if something has happened since the last one', async () => {
  const personaPath = await createPersona()
  await say(personaPath, 'I live in Lisbon.')
  await post(`${personaPath}/sleep`)
  const [before] = await countFacts(personaPath, 'DiaryWritten')
  is(before, 2, 'one of the creation and one of the night')
  // `countFacts` itself renames the persona. That is not a message, but a change.
  await post(`${personaPath}/sleep`)
  const names = await listDiaries(personaPath)
  await post(`${personaPath}/sleep`)
  await post(`${personaPath}/sleep`)
  equal(await listDiaries(personaPath), names)
  await say(personaPath, 'I have moved to Porto.')
  await post(`${personaPath}/sleep`)
  is((await countFacts(personaPath, 'DiaryWritten'))[0], 4)
})

// Fails if a diary that cannot be written is ignored.
test('fails the night if no diary can be written, loses nothing, and writes it the next night', async () => {
  const personaPath = await createPersona()
  await say(personaPath, 'I live in Lisbon.')
  const folder = join(daemon.home, 'diaries', getId(personaPath))
  await rm(folder, { recursive: true })
  await writeFile(folder, 'no folder')
  equal(await post(`${personaPath}/sleep`), sleepFailed)
  is((await getView(personaPath)).running, true)
  equal(await getTalk(personaPath), ['I live in Lisbon.', 'Yes.'])
  is(await say(personaPath, 'Are you there?'), 'Yes.')
  await rm(folder)
  equal(await post(`${personaPath}/sleep`), [200, null])
  is((await listDiaries(personaPath)).length, 1)
})

test('keeps the last seven diaries', async () => {
  const personaPath = await createPersona()
  const folder = join(daemon.home, 'diaries', getId(personaPath))
  const older = Array.from({ length: 9 }, (_, n) => `2026-01-0${n + 1}T031500-000000000001-00000000.diary`)
  for (const name of older) await writeFile(join(folder, name), 'sealed long ago')
  const [first = ''] = (await listDiaries(personaPath)).filter((name) => !older.includes(name))
  await say(personaPath, 'I live in Lisbon.')
  equal(await post(`${personaPath}/sleep`), [200, null])
  const names = await listDiaries(personaPath)
  is(names.length, 7)
  ok(names.includes(first))
  equal(names.slice(0, 5), older.slice(-5))
})

// The last test, because the runtime stays closed.
test('fails the night when the model cannot be reached and loses nothing', async () => {
  const personaPath = await createPersona()
  await say(personaPath, 'I live in Lisbon.')
  await ollama.close()
  equal(await post(`${personaPath}/sleep`), sleepFailed)
  is((await getView(personaPath)).running, true)
  equal(await getTalk(personaPath), ['I live in Lisbon.', 'Yes.'])
  equal(await countFacts(personaPath, 'SleepBegan', 'DayClosed', 'SleepEnded'), [1, 0, 1])
})

test.run()
