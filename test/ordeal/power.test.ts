/** The power fails at any moment of a running daemon: everything that it acknowledged is there afterwards. */
// Runs alone: it replaces Node's file calls and the key derivation.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import argon2 from 'argon2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaId } from '../../facts/fact-values.ts'
import { type Clock, systemClock } from '../../packages/kit/time/clock.ts'
import { createModels } from '../../src/open-models.ts'
import { call, waitFor } from '../calls.ts'
import { nowhereUrl, startDaemon } from '../daemon.ts'
import { printFigures, scaleSize } from '../ordeal.ts'
import { walk } from '../process/daemon.ts'
import { type Chance, createChance } from '../random.ts'
import { keyer, maker, switcher, talker, type World } from './clients.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createDisk, type Disk, type Neglect } from './power-cut.ts'
import { type Tree, writeTree } from './power-tree.ts'
import { comparePersonas, compareSwitches, compareTalk, getStory, readHome } from './stories.ts'

const cuts = scaleSize(500, 50)
/** A home goes through this many cuts, then it is read completely and the next one begins. */
const cutsOfLife = 10
const practice = 'embedded/practice'

// The derivation is expensive by design, and its result never reaches the disk.
Object.assign(argon2, { hash: async () => randomBytes(32) })

/**
 * The test decides which bytes are durable, so the home can be in memory, where LevelDB's own syncs cost
 * nothing.
 */
const tempHome = (): Promise<string> =>
  mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'power-'))

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('power cuts', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

/**
 * Fails if batches, files or folders are not synced (the tests below), and if a log with a damaged end counts
 * as damaged because it is not the newest (`Ada is sick`): a second cut, or a kill, during the opening after
 * the first one leaves such a log.
 */
test('a power cut at any moment loses nothing that was acknowledged', async ({ ends }) => {
  const chance = createChance('power')
  const disk = createDisk(chance)
  ends.push(disk.restore)
  let commands = 0
  let cutCount = 0
  const startedAt = performance.now()
  while (cutCount < cuts) {
    const next = Math.min(cuts - cutCount, cutsOfLife)
    commands += await playHome(disk, chance, next)
    cutCount += next
  }
  printFigures(
    'power cuts',
    `${cutCount} cuts`,
    `${commands} commands`,
    `${Math.round((performance.now() - startedAt) / cutCount)} ms a cut`,
  )
  assert.ok(commands > cutCount, 'too few requests for a meaningful result')
})

/**
 * Typical losses: `Ada is sick`, `the chain of … is broken at 1`, `the key is null after sk-6,sk-7,sk-8`,
 * `dot is not listed`, mostly in the first life.
 */
for (const [neglect, label] of [
  ['batches', 'batches that are not synced'],
  ['files', 'a secrets file that is not synced'],
  ['folders', 'folders that are not synced'],
] as const) {
  test(`detects ${label}`, async ({ ends }) => {
    assert.match(await findLoss(neglect, ends), /acknowledged|sick|should be gone|key|listed|chain/)
  })
}

const findLoss = async (neglect: Neglect, ends: Ends['ends']): Promise<string> => {
  const chance = createChance(`power without ${neglect}`)
  const disk = createDisk(chance, neglect)
  ends.push(disk.restore)
  for (let life = 1; life <= 30; life++) {
    const loss = await playHome(disk, chance, cutsOfLife).catch((error: unknown) => error as Error)
    if (typeof loss === 'number') continue
    printFigures(
      `power without synced ${neglect}`,
      `found in life ${life}`,
      loss.message.split('\n')[0] ?? '',
    )
    return loss.message
  }
  return 'nothing was found'
}

interface Ids {
  readonly ada: PersonaId
  readonly bea: PersonaId
  readonly cal: PersonaId
  readonly dot: PersonaId
}

interface Life {
  readonly disk: Disk
  readonly chance: Chance
  readonly world: World
  readonly ledger: Ledger
  /** The key of the last request to each model, by the address of the model. */
  readonly knocks: Map<string | null, string | null>
  ids: Ids | undefined
  clients: readonly Promise<void>[]
  /** The content of the disk after the last cut. */
  tree: Tree
}

/** Shortens the wait for a disk that has failed. */
const clock = systemClock()
const fastClock: Clock = { ...clock, zone: clock.zone, wait: (ms, signal) => clock.wait(ms / 20, signal) }

/**
 * Plays one home through this many cuts, compares it after each and reads it completely at the end. Resolves
 * with the number of requests.
 */
const playHome = async (disk: Disk, chance: Chance, cuts: number): Promise<number> => {
  const ledger = createLedger()
  const stop = new AbortController()
  const world: World = { url: '', ledger, stopSignal: stop.signal }
  const life: Life = {
    disk,
    chance,
    world,
    ledger,
    knocks: new Map(),
    ids: undefined,
    clients: [],
    tree: new Map(),
  }
  try {
    for (let cutNumber = 1; cutNumber <= cuts; cutNumber++) await dayWithCut(life)
    await lastDay(life, stop)
  } finally {
    stop.abort()
    await Promise.allSettled(life.clients)
  }
  return ledger.entries.length
}

const dayWithCut = async (life: Life): Promise<void> => {
  const { disk, chance, world, ledger, knocks } = life
  const home = await tempHome()
  writeTree(home, life.tree)
  let isOff = false
  const powerFailure = new Promise<void>((resolve) => {
    disk.begin(home, life.tree, () => {
      isOff = true
      world.url = ''
      resolve()
    })
  })
  if (life.ids) disk.failIn(chance.pick([chance.pickBetween(1, 60), chance.pickBetween(30, 180)]))
  const pendingStart = startDaemon({ home, models: recordKeys(knocks), clock: fastClock })
  const wake = async () => {
    const { url } = await pendingStart
    if (life.ids) await compareSoon(url, life, life.ids)
    else {
      life.ids = await births(url)
      life.clients = startClients(life, life.ids)
      disk.failIn(chance.pickBetween(1, 150))
    }
    if (!isOff) world.url = url
  }
  const awake = wake().catch((error: unknown) => {
    if (!isOff) throw error
  })
  try {
    await Promise.race([awake, powerFailure])
    await Promise.race([powerFailure, ...life.clients, rejectAfterTimeout('the power to fail')])
    life.tree = await disk.settle()
  } finally {
    world.url = ''
    disk.refuse()
    const daemon = await pendingStart.catch(() => undefined)
    await daemon?.close()
    disk.end()
    await rm(home, { recursive: true, force: true })
  }
  assert.equal(getRefused(ledger), [], 'no request was wrong')
}

const lastDay = async (life: Life, stop: AbortController): Promise<void> => {
  const { disk, world, ledger, ids, clients, knocks } = life
  if (!ids) return
  const home = await tempHome()
  writeTree(home, life.tree)
  disk.begin(home, life.tree, () => {})
  const daemon = await startDaemon({ home, models: recordKeys(knocks), clock: fastClock })
  try {
    await compareSoon(daemon.url, life, ids)
    world.url = daemon.url
    stop.abort()
    await Promise.all(clients)
    for (const id of [ids.ada, ids.bea]) await expectAnswer(daemon.url, id)
  } finally {
    await daemon.close()
    disk.end()
  }
  await compareWhole(home, ledger, ids)
  await rm(home, { recursive: true, force: true })
}

const rejectAfterTimeout = async (label: string): Promise<never> => {
  await new Promise((resolve) => setTimeout(resolve, 30_000).unref())
  throw new Error(`timed out waiting for ${label}`)
}

const recordKeys = (knocks: Life['knocks']) => {
  const models = createModels({ urls: { local: nowhereUrl } as never })
  const probe: typeof models.probe = async (organ, wrapper, signal) => {
    knocks.set(organ.url, organ.apiKey)
    await models.probe(organ, wrapper, signal)
  }
  return { ...models, probe }
}

const dotsMind = { model: practice, url: 'http://dot.test' }

const births = async (url: string): Promise<Ids> => {
  const born = async (name: string, time?: string): Promise<PersonaId> => {
    const { status, body } = await call(url, 'POST', '/api/persona/create', {
      name,
      thinking_model: practice,
      thinking_url: time,
    })
    assert.is(status, 200, JSON.stringify(body))
    return body.persona.id
  }
  return {
    ada: await born('Ada'),
    bea: await born('Bea'),
    cal: await born('Cal'),
    dot: await born('Dot', dotsMind.url),
  }
}

const startClients = ({ world, chance }: Life, { ada, bea, cal, dot }: Ids): readonly Promise<void>[] => {
  const rest = () => chance.pickBetween(0, 6)
  const mind = (name: string) => ({
    thinking_model: practice,
    thinking_url: `http://${name.replace(' ', '-')}.test`,
    thinking_api_key: `sk-${name}`,
  })
  return [
    talker(world, 'first', ada, rest),
    talker(world, 'second', ada, rest),
    talker(world, 'third', bea, rest),
    keyer(world, dot, dotsMind, rest),
    maker(world, mind, rest),
    switcher(world, cal, rest),
  ]
}

const getRefused = (ledger: Ledger) =>
  ledger.entries.filter(
    ({ outcome }) => !['open', 'acknowledged', '404 Persona is not running.'].includes(outcome),
  )

interface View {
  readonly id: PersonaId
  readonly name: string
  readonly status: string
  readonly running: boolean
}

/**
 * Right after the power has come back: no persona is sick or missing, keys are known, and messages are
 * answered.
 */
const compareSoon = async (url: string, { ledger, knocks }: Life, ids: Ids): Promise<void> => {
  knocks.clear()
  const look = async (): Promise<readonly View[]> => (await call(url, 'GET', '/api/personas')).body.personas
  const list = await look()
  for (const [name, id] of Object.entries(ids))
    assert.ok(
      list.some((view) => view.id === id),
      `${name} is not listed`,
    )
  for (const { name, status } of list) assert.is(status, 'active', `${name} is ${status}`)
  const deletedOutcomes = new Map(ledger.listEntries('delete').map(({ value, outcome }) => [value, outcome]))
  const liveNames: string[] = []
  for (const { value, outcome } of ledger.listEntries('create')) {
    const listedCount = list.filter(({ name }) => name === value).length
    assert.ok(listedCount <= 1, `${value} is listed ${listedCount} times`)
    if (deletedOutcomes.get(value) === 'acknowledged') assert.is(listedCount, 0, `${value} should be gone`)
    if (outcome === 'acknowledged' && !deletedOutcomes.has(value))
      assert.is(listedCount, 1, `acknowledged ${value} is not listed`)
    if (listedCount === 1 && !deletedOutcomes.has(value)) liveNames.push(value)
  }
  const last = ledger.last('switch')
  /** Returns undefined if the last command was interrupted: a deletion stops the persona first. */
  const shouldRun = ({ id, name }: View): boolean | undefined =>
    id === ids.cal && last
      ? last.outcome === 'acknowledged'
        ? last.value === 'start'
        : undefined
      : deletedOutcomes.has(name)
        ? undefined
        : true
  let astray: readonly View[] = []
  const isSettled = async () => {
    const healthNow = await look()
    for (const { name, status } of healthNow) assert.is(status, 'active', `${name} is ${status}`)
    astray = healthNow.filter((view) => view.running !== (shouldRun(view) ?? view.running))
    return astray.length === 0
  }
  await waitFor('all to run', isSettled).catch((cause: unknown) => {
    throw new Error(
      `acknowledged, but not the case: ${JSON.stringify(astray.map(({ name, running }) => ({ name, running })))}`,
      { cause },
    )
  })
  // The key in a model's requests is the stored key.
  for (const value of liveNames)
    assert.is(
      knocks.get(`http://${value.replace(' ', '-')}.test`),
      `sk-${value}`,
      `the key of ${value} is lost`,
    )
  const keys = possibleKeys(ledger)
  assert.ok(
    keys.includes(knocks.get(dotsMind.url) ?? null),
    `the key is ${knocks.get(dotsMind.url)} after ${keys}`,
  )
  await expectAnswer(url, ids.bea)
}

/** Returns the last acknowledged key and those of later interrupted requests. */
const possibleKeys = (ledger: Ledger): readonly (string | null)[] => {
  const requests = ledger.listEntries('key')
  const last = requests.findLastIndex(({ outcome }) => outcome === 'acknowledged')
  return [requests[last]?.value ?? null, ...requests.slice(last + 1).map(({ value }) => value)]
}

/** Messages are processed in order: when this one is answered, all earlier ones were. */
const expectAnswer = async (url: string, id: PersonaId): Promise<void> => {
  const { status, body } = await call(
    url,
    'POST',
    `/api/persona/${id}/read?wait=30`,
    { message: 'Are you there?' },
    { timeoutMs: 60_000 },
  )
  assert.is(status, 200, JSON.stringify(body))
  assert.ok(body.reply, 'the persona does not answer')
}

const compareWhole = async (home: string, ledger: Ledger, ids: Ids): Promise<void> => {
  const stories = await readHome(home)
  for (const [id, { verdict }] of stories)
    assert.ok(verdict.intact, `the chain of ${id} is broken at ${verdict.firstBad}`)
  compareTalk(ledger, getStory(stories, ids.ada), ['first', 'second'], false)
  compareTalk(ledger, getStory(stories, ids.bea), ['third'], false)
  compareSwitches(ledger, getStory(stories, ids.cal))
  comparePersonas(ledger, stories)
  for (const { path } of await walk(home)) assert.not.match(path, /\.tmp$|probe-|^trash\/|^daemon$/)
  for (const folder of await readdir(join(home, 'personas')))
    assert.ok(stories.has(folder), `${folder} is a leftover`)
}

test.run()
