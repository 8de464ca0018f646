/** The built daemon is killed at random moments while clients of every kind send requests. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaId } from '../../facts/fact-values.ts'
import { call, pause, waitFor } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import { printFigures, scaleSize } from '../ordeal.ts'
import { type DaemonProcess, runDaimon, startProcess, walk } from '../process/daemon.ts'
import { type Chance, createChance } from '../random.ts'
import { readStory } from '../simulation/story.ts'
import { type ChatRequest, createOllama } from '../stand-ins/ollama.ts'
import { changer, maker, sleeper, switcher, talker, type World } from './clients.ts'
import { createLedger, type Ledger } from './ledger.ts'
import {
  compareChanges,
  comparePersonas,
  compareSwitches,
  compareTalk,
  getStory,
  readHome,
} from './stories.ts'

const rounds = scaleSize(1000, 200)
/** Max time for a start on a busy machine in ms. */
const startTimeoutMs = 30_000

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('SIGKILL', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

/**
 * Fails if `read` and `update` respond before their append, without the dedupe key, if the end of a turn is
 * not in the commit of its last message and the next run repeats the turn (`was answered 2 times`; not in
 * every short run), and if folders of interrupted creations are not removed.
 */
test('a daemon that is killed repeatedly loses nothing and repeats nothing', async ({ ends }) => {
  const chance = createChance('kills')
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  let modelCalls = 0
  const answer = (request: ChatRequest) => {
    modelCalls++
    return echo(request)
  }
  // It keeps running while daemons are killed. A delay of 1 ms between two words is enough for a kill in
  // between.
  const ollama = await createOllama({ answer, faults: { chunk: 4096 } })
  ends.push(ollama.close)
  const env = { OLLAMA_BASE_URL: ollama.url }
  const ledger = createLedger()
  const stop = new AbortController()
  ends.push(() => stop.abort())
  const world: World = { url: '', ledger, stopSignal: stop.signal }

  let daemon = await startProcess({ home, env })
  ends.push(() => daemon.child.kill('SIGKILL'))
  world.url = daemon.url
  const ada = await createPersona(world, 'Ada', 'llama3')
  const bea = await createPersona(world, 'Bea', 'embedded/practice')
  const cal = await createPersona(world, 'Cal', 'embedded/practice')
  const dot = await createPersona(world, 'Dot', 'embedded/practice')
  const clients = [
    talker(world, 'first', ada, () => chance.pickBetween(0, 12)),
    talker(world, 'second', ada, () => chance.pickBetween(0, 12)),
    talker(world, 'third', bea, () => chance.pickBetween(0, 12)),
    changer(world, ada, dot, () => chance.next()),
    // The derivation of the phrase takes most of the time of a creation.
    maker(
      world,
      () => chance.pick(mindFields),
      () => chance.pickBetween(0, 250),
    ),
    switcher(world, cal, () => chance.pickBetween(0, 30)),
    sleeper(world, [ada, bea], () => chance.pickBetween(0, 200)),
  ]
  // A client's error is reported at the end; until then it only stops the others.
  for (const client of clients) client.catch(() => stop.abort())

  let slowest = 0
  let took = 500
  let wakeCount = 0
  let round = 0
  while (round < rounds && !stop.signal.aborted) {
    await waitForRandomMoment(chance, ledger, () => modelCalls)
    await daemon.kill('SIGKILL')
    world.url = ''
    round++
    // Sometimes the next processes are killed while they start, at least once.
    while (round < rounds && (wakeCount === 0 || chance.next() < 0.3)) {
      // The first half of a start is Node's startup and the import of modules.
      await killDuringStart(home, env, took * (0.5 + 0.6 * chance.next()))
      round++
      wakeCount++
    }
    const startedAt = performance.now()
    daemon = await startProcess({ home, env })
    await compareList(daemon, ledger, { ada, cal, dot })
    took = performance.now() - startedAt
    slowest = Math.max(slowest, took)
    assert.ok(took < startTimeoutMs, `round ${round}: ready after ${Math.round(took)} ms`)
    world.url = daemon.url
  }

  await waitForRequests(ledger, 40)
  for (const client of ['create', 'delete', 'status', 'name', 'idle_timeout', 'switch', 'sleep'])
    await waitForRequests(ledger, 1, [client])
  stop.abort()
  await Promise.all(clients)
  printFigures(
    'kills',
    `${round} rounds`,
    `${wakeCount} while waking`,
    `${ledger.entries.length} commands`,
    `slowest start ${Math.round(slowest)} ms`,
  )
  const wellKnown = ['open', 'acknowledged', '404 Persona is not running.']
  const refusedEntries = ledger.entries.filter(
    ({ client, outcome }) =>
      !wellKnown.includes(outcome) && !(client === 'sleep' && outcome === '409 Persona is not active.'),
  )
  assert.equal(refusedEntries, [], 'no request was wrong')
  await expectAnswer(daemon, ada)
  await expectAnswer(daemon, bea)
  await compareRunning(daemon, ledger, cal)
  // A night that was killed while a turn had begun in it is repeated by the next check, a minute later.
  for (const id of [ada, bea]) await call(daemon.url, 'POST', `/api/persona/${id}/sleep`)
  const { code, stderr } = await daemon.kill('SIGTERM')
  assert.is(code, 0)
  assert.not.match(stderr, /"level":"(error|fatal)"/)

  await compareLeftovers(home)
  const stories = await readHome(home)
  for (const [id, { verdict }] of stories)
    assert.ok(verdict.intact, `the chain of ${id} is broken at ${verdict.firstBad}`)
  compareTalk(ledger, getStory(stories, ada), ['first', 'second'], true)
  compareTalk(ledger, getStory(stories, bea), ['third'], false)
  const wrong: string[] = []
  for (const id of [ada, bea]) readStory(id, getStory(stories, id), true, (problem) => wrong.push(problem))
  assert.equal(wrong, [])
  compareChanges(ledger, getStory(stories, ada), getStory(stories, dot))
  compareSwitches(ledger, getStory(stories, cal))
  comparePersonas(ledger, stories)
  assert.ok(ledger.count(talkers) > round / 2, 'too few messages were acknowledged for a meaningful result')
  for (const client of ['name', 'idle_timeout', 'status', 'create', 'delete', 'switch', 'sleep'])
    assert.ok(ledger.count([client]) > 0, client)
})

const mindFields: readonly [Record<string, string>, Record<string, string>] = [
  { thinking_model: 'embedded/practice' },
  { thinking_model: 'llama3', thinking_api_key: 'sk-of-one-who-was-killed' },
]

/** Answers with the messages in the prompt: all since the last answer. */
const echo = ({ messages }: ChatRequest): string => {
  if (messages[0]?.content.includes('\n# Your answer\n'))
    return '{"operations": [], "carry": "They count.", "summary": "They counted."}'
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return `I heard ${messages
    .slice(last + 1)
    .flatMap(({ role, content }) => (role === 'user' ? [content] : []))
    .join(' and ')} .`
}

const createPersona = async ({ url }: World, name: string, model: string): Promise<PersonaId> => {
  const { status, body } = await call(url, 'POST', '/api/persona/create', { name, thinking_model: model })
  assert.is(status, 200, JSON.stringify(body))
  return body.persona.id
}

/**
 * Waits for a random moment: just after the start, after some commands, during a creation or deletion, or in
 * the middle of a turn.
 */
const waitForRandomMoment = async (
  chance: Chance,
  ledger: Ledger,
  countModelCalls: () => number,
): Promise<void> => {
  const kind = chance.next()
  if (kind < 0.2) return pause(chance.pickBetween(0, 60))
  // On a machine of any speed a message is acknowledged before most kills.
  await waitForRequests(ledger, 1, talkers)
  const callCountBefore = countModelCalls()
  if (kind < 0.3) await waitForRequests(ledger, 1, ['create', 'delete'], 150)
  else if (kind < 0.6)
    await waitFor('a model call', () => countModelCalls() > callCountBefore, 150).catch(() => undefined)
  else await waitForRequests(ledger, chance.pickBetween(0, 12), undefined, 150)
  await pause(chance.pickBetween(0, 15))
}

const talkers = ['first', 'second', 'third']

/**
 * Waits until this many more requests are acknowledged. A busy machine gets more time; the moment stays
 * random.
 */
const waitForRequests = async (
  ledger: Ledger,
  extra: number,
  clients?: readonly string[],
  timeoutMs = startTimeoutMs,
): Promise<void> => {
  const target = ledger.count(clients) + extra
  const end = Date.now() + timeoutMs
  while (ledger.count(clients) < target && Date.now() < end) await pause(1)
}

/** Kills a process that is about to listen or has just begun, before any request. */
const killDuringStart = async (home: string, env: Record<string, string>, ms: number): Promise<void> => {
  const { child, whenEnded: exit } = runDaimon({ home, env })
  await pause(ms)
  child.kill('SIGKILL')
  const { signal, stderr } = await exit
  assert.is(signal, 'SIGKILL', `it ended by itself: ${stderr}`)
}

interface View {
  readonly id: PersonaId
  readonly name: string
  readonly status: string
  readonly running: boolean
}

const getList = async ({ url }: DaemonProcess): Promise<readonly View[]> =>
  (await call(url, 'GET', '/api/personas')).body.personas

/**
 * Right after a start: everything that was acknowledged before the kill is in the list; open requests may be.
 */
const compareList = async (
  daemon: DaemonProcess,
  ledger: Ledger,
  ids: { ada: PersonaId; cal: PersonaId; dot: PersonaId },
): Promise<void> => {
  const list = await getList(daemon)
  const findListed = (id: PersonaId) => list.find((view) => view.id === id)
  for (const id of Object.values(ids)) assert.ok(findListed(id), `${id} is not listed`)
  const names = getPossibleValues(ledger, 'name', 'Ada')
  assert.ok(
    names.includes(findListed(ids.ada)?.name ?? ''),
    `the name is ${findListed(ids.ada)?.name} after ${names}`,
  )
  const statuses = getPossibleValues(ledger, 'status', 'active')
  assert.ok(
    statuses.includes(findListed(ids.dot)?.status ?? ''),
    `status ${findListed(ids.dot)?.status} after ${statuses}`,
  )
  const times = new Map<string, number>()
  for (const { name } of list) times.set(name, (times.get(name) ?? 0) + 1)
  const deletedOutcomes = new Map(ledger.listEntries('delete').map(({ value, outcome }) => [value, outcome]))
  for (const { value, outcome } of ledger.listEntries('create')) {
    const listedCount = times.get(value) ?? 0
    assert.ok(listedCount <= 1, `${value} is listed ${listedCount} times`)
    if (deletedOutcomes.get(value) === 'acknowledged') assert.is(listedCount, 0, `${value} should be gone`)
    if (outcome === 'acknowledged' && !deletedOutcomes.has(value))
      assert.is(listedCount, 1, `${value} was acknowledged and is not listed`)
  }
  await compareRunning(daemon, ledger, ids.cal, list)
}

/** Returns the last acknowledged value and those of later interrupted requests. */
const getPossibleValues = (ledger: Ledger, client: 'name' | 'status', first: string): readonly string[] => {
  const requests = ledger.listEntries(client)
  const last = requests.findLastIndex(({ outcome }) => outcome === 'acknowledged')
  return [requests[last]?.value ?? first, ...requests.slice(last + 1).map(({ value }) => value)]
}

/**
 * A persona runs after an acknowledged start and rests after an acknowledged stop, unless a later command was
 * interrupted.
 */
const compareRunning = async (
  daemon: DaemonProcess,
  ledger: Ledger,
  cal: PersonaId,
  knownList?: readonly View[],
): Promise<void> => {
  const last = ledger.last('switch')
  if (last?.outcome !== 'acknowledged') return
  let list = knownList
  await waitFor(`an acknowledged ${last.value} to show`, async () => {
    list ??= await getList(daemon)
    const isRunning = list.find(({ id }) => id === cal)?.running
    list = undefined
    return isRunning === (last.value === 'start')
  })
}

/** Messages are processed in order: when this one is answered, all earlier ones were. */
const expectAnswer = async ({ url }: DaemonProcess, id: PersonaId): Promise<void> => {
  const { status, body } = await call(
    url,
    'POST',
    `/api/persona/${id}/read?wait=30`,
    { message: 'the end.' },
    { timeoutMs: 60_000 },
  )
  assert.is(status, 200)
  assert.ok(body.reply, 'the last message is never answered')
}

const compareLeftovers = async (home: string): Promise<void> => {
  const paths = (await walk(home)).map(({ path }) => path)
  for (const path of paths) assert.not.match(path, /\.tmp$|probe-|^trash\/|^daemon$/)
  for (const folder of await readdir(join(home, 'personas')))
    assert.ok(paths.includes(`personas/${folder}/journal`), `${folder} is a leftover`)
}

test.run()
