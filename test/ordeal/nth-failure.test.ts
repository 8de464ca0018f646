/**
 * The n-th call to the disk fails: of every main command, each call in turn, in every way a call can fail.
 */
// Runs alone: it puts other file calls in the place of Node's.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { openJournals } from '../../journal/log/journals.ts'
import type { Mind } from '../../packages/models/mind.ts'
import type { Models } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { call, pause, type Reply, until } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { migrate, nobodys, unpacked } from '../contract/diaries.ts'
import { nowhereUrl, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { tell, whole } from '../ordeal.ts'
import { providerUrls } from '../provider-urls.ts'
import { type Chance, createChance } from '../random.ts'
import { type Call, createFaultyDisk, type Fault, type FaultyDisk, placesOf } from './faulty.ts'
import { type Returning, returning } from './returning.ts'
import { seed } from './seeded.ts'

interface World {
  readonly home: string
  readonly disk: FaultyDisk
  readonly clock: FakeClock
  /** The last key that was shown at the endpoint. */
  readonly keys: (string | null)[]
  readonly start: () => Promise<TestDaemon>
  daemon: TestDaemon
}

interface Hosted {
  readonly id: string
  readonly at: string
  readonly listener: Returning
}

/** What can be seen of it without opening its journal, and what was said. */
interface Seen {
  readonly there: boolean
  readonly name: string | null
  readonly status: string | null
  readonly running: boolean
}

interface Deed {
  readonly name: string
  /** What it is like before it. */
  readonly ready?: (world: World, persona: Hosted) => Promise<unknown>
  readonly act: (world: World, persona: Hosted) => Promise<Reply>
  /** What is seen once it was done, beside what was there before. */
  readonly makes: Partial<Seen>
  /** Beside 200 and 500. */
  readonly answers?: readonly number[]
  /** What may have become of its running where it was not done. */
  readonly mayRest?: boolean
  /** Whoever asked waits as long as the disk does not answer: nothing is lost by that. */
  readonly waits?: boolean
  /** Where more follows than is waited for: whether it is over. */
  readonly over?: (persona: Hosted) => boolean
  /** What it comes to in the end, whatever was answered. */
  readonly comesTo?: (world: World, persona: Hosted, reply: Reply) => Promise<void>
}

const post = (world: World, path: string, body?: unknown) => call(world.daemon.url, 'POST', path, body)
const get = (world: World, path: string) => call(world.daemon.url, 'GET', path)
const ask =
  (route: string, body?: unknown): Deed['act'] =>
  (world, { at }) =>
    post(world, `${at}/${route}`, body)

const oldKey = 'sk-old-key-of-hers'
const newKey = 'sk-new-key-of-hers'

const letter = 'Dear Ada, the plants are fine.'

const talkOf = async (world: World, { at }: Pick<Hosted, 'at'>): Promise<readonly string[]> => {
  const { status, body } = await get(world, `${at}/conversation`)
  return status === 200
    ? body.messages.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`)
    : []
}

/** What came of it, where its end tells that it is whole. */
const fetched = async (world: World, { at }: Hosted): Promise<Reply & { readonly bytes?: Buffer }> => {
  try {
    const response = await fetch(`${world.daemon.url}${at}/export`, { signal: AbortSignal.timeout(60_000) })
    const bytes = Buffer.from(await response.arrayBuffer())
    return response.status === 200
      ? { status: 200, body: null, bytes }
      : { status: response.status, body: JSON.parse(String(bytes)) }
  } catch {
    return { status: 500, body: { detail: 'the connection ended early' } }
  }
}

/** Its diaries as they were taken away before. */
const diaries = new Map<string, Buffer>()

/** Looks while time goes by: what the disk refused is tried again by the clock. */
const inTime = (world: World, what: string, look: () => Promise<boolean>) =>
  until(what, async () => {
    if (await look()) return true
    await world.clock.advance(1000)
    return false
  })

/**
 * Woken anew, it probes with the key that came with what was done, or with the one from before where it was
 * not.
 */
const knocksWith = async (world: World, { at }: Hosted, { status }: Reply): Promise<void> => {
  world.keys.length = 0
  assert.is((await post(world, `${at}/restart`)).status, 200)
  const [key] = world.keys
  if (status === 200) assert.is(key, newKey)
  else assert.ok(key === newKey || key === oldKey, `the key at the provider is ${key}`)
}

const allDeeds: readonly Deed[] = [
  { name: 'update name', act: ask('update', { name: 'Bea' }), makes: { name: 'Bea' } },
  {
    name: 'update organ',
    act: ask('update', { thinking: { model: 'embedded/practice', api_key: newKey } }),
    makes: {},
    mayRest: true,
    comesTo: knocksWith,
  },
  {
    name: 'clear',
    act: ask('update', { clear_mouth: true, status: 'hibernate' }),
    makes: { status: 'hibernate', running: false },
  },
  {
    name: 'start',
    ready: (world, { at }) => post(world, `${at}/stop`),
    act: ask('start'),
    makes: { running: true },
    answers: [400],
  },
  { name: 'stop', act: ask('stop'), makes: { running: false } },
  { name: 'restart', act: ask('restart'), makes: { running: true }, answers: [400], mayRest: true },
  {
    name: 'hush',
    ready: async (world, persona) => {
      await post(world, `${persona.at}/read`, { message: 'ponder' })
      await until('a turn', () => persona.listener.frames.some(({ title }) => title === 'TurnBegan'))
    },
    act: ask('hush'),
    makes: {},
  },
  { name: 'delete', act: ask('delete'), makes: { there: false }, answers: [400], mayRest: true },
  {
    name: 'turn',
    act: ask('read', { message: 'My name is Mia.' }),
    makes: {},
    over: ({ listener }) => listener.frames.some(({ title }) => title === 'TurnEnded'),
    comesTo: async (world, persona, { status }) => {
      const heard = async () =>
        (await talkOf(world, persona)).filter((said) => said.startsWith('person: ')).length
      if (status === 200) assert.is(await heard(), 1)
      if ((await heard()) === 0) return
      await inTime(world, 'an answer', async () =>
        persona.listener.frames.some(({ title }) => title === 'TurnEnded'),
      )
      const talk = await talkOf(world, persona)
      assert.is(talk.filter((said) => /Nice to meet you, Mia/.test(said)).length, 1, JSON.stringify(talk))
      assert.is(persona.listener.frames.filter(({ title }) => title === 'MemoryKept').length, 1)
    },
  },
  {
    name: 'sleep',
    ready: async (world, persona) => {
      await post(world, `${persona.at}/read`, { message: 'My name is Mia.' })
      await until('an answer', () => persona.listener.frames.some(({ title }) => title === 'TurnEnded'))
    },
    act: async (world, persona) => {
      const asked = ask('sleep')(world, persona)
      let over = false
      void asked.finally(() => {
        over = true
      })
      // What the disk refuses of its waking is tried again by the clock.
      await inTime(world, 'a morning', async () => over)
      return asked
    },
    makes: {},
    answers: [400],
    comesTo: async (world, persona, { status }) => {
      const count = (fact: string) => persona.listener.frames.filter(({ title }) => title === fact).length
      if (status === 200) assert.is(count('DayClosed'), 1)
      await inTime(world, 'a morning', async () => count('SleepEnded') === count('SleepBegan'))
      // Once more: what was not done is done now, and what was done is not done again.
      assert.is((await post(world, `${persona.at}/sleep`)).status, 200)
      assert.equal([count('DayClosed'), count('ContextCarried'), count('MemoryKept')], [1, 1, 1])
      assert.is((await talkOf(world, persona)).length, 2)
    },
  },
  {
    name: 'attach',
    act: async (world, { at }) => {
      const form = new FormData()
      form.append('file', new Blob([letter]), 'letter.txt')
      const response = await fetch(`${world.daemon.url}${at}/attach`, { method: 'POST', body: form })
      return { status: response.status, body: await response.json() }
    },
    makes: {},
    over: ({ listener }) => listener.frames.some(({ title }) => title === 'TurnEnded'),
    comesTo: async (world, persona, { status }) => {
      const { body } = await get(world, `${persona.at}/conversation`)
      const shown = body.messages.filter(({ media }: { media: unknown }) => media !== null)
      assert.ok(status === 200 ? shown.length === 1 : shown.length <= 1, JSON.stringify(body))
      for (const { media } of shown) assert.equal(await get(world, media.url), { status: 200, body: letter })
      if (shown.length > 0)
        await inTime(world, 'an answer', async () =>
          persona.listener.frames.some(({ title }) => title === 'TurnEnded'),
        )
    },
  },
  {
    name: 'export',
    act: async (world, persona) => {
      const { bytes, ...reply } = await fetched(world, persona)
      if (bytes) assert.is((await unpacked(bytes, nobodys)).manifest.persona.id, persona.id)
      return reply
    },
    makes: {},
  },
  {
    name: 'phrase',
    act: ask('phrase'),
    makes: {},
    comesTo: async (world, { id }, { status, body }) => {
      const names = await readdir(join(world.home, 'diaries', id)).catch((): string[] => [])
      assert.equal(
        names.filter((name) => !name.endsWith('.diary')),
        [],
      )
      if (status === 200) assert.is(names.length, body.older + 1)
    },
  },
  {
    name: 'migrate',
    ready: async (world, persona) => {
      const { bytes } = await fetched(world, persona)
      if (bytes) diaries.set(persona.id, bytes)
    },
    act: async (world, { id }) => {
      const sent = {
        diary: diaries.get(id),
        phrase: nobodys.phrase,
        model: 'embedded/practice',
        api_key: newKey,
      }
      const [status, body] = await migrate(world.daemon, sent)
      return { status, body }
    },
    makes: {},
    answers: [400],
    mayRest: true,
    waits: true,
    comesTo: async (world, persona, reply) => {
      await knocksWith(world, persona, reply)
      assert.equal(await readdir(join(world.home, 'trash')).catch(() => []), [])
    },
  },
  {
    name: 'reminder',
    ready: async (world, persona) => {
      await post(world, `${persona.at}/read`, { message: 'Remind me in 30 minutes to water the plants' })
      await until('a plan', () => persona.listener.frames.some(({ title }) => title === 'TurnEnded'))
    },
    act: async (world) => {
      world.clock.set(world.clock.now() + 31 * 60_000)
      await world.clock.advance(1000)
      return { status: 200, body: null }
    },
    makes: {},
    over: ({ listener }) => listener.frames.some(({ title }) => title === 'EntryDone'),
    comesTo: async (world, persona) => {
      await inTime(world, 'a reminder', async () =>
        persona.listener.frames.some(({ title }) => title === 'EntryDone'),
      )
      await world.clock.advance(60_000)
      for (const fact of ['EntryDue', 'EntryDone'])
        assert.is(persona.listener.frames.filter(({ title }) => title === fact).length, 1, fact)
      const told = (await talkOf(world, persona)).filter((said) =>
        /^assistant: (?!.*I will remind).*water/s.test(said),
      )
      assert.is(told.length, 1, JSON.stringify(told))
    },
  },
]

/** `DEED=<name>` tries that one alone. */
const { DEED } = process.env
/** A diary is opened by a key that is slow to derive: in a run of all tests there is no time for so many. */
const deeds = allDeeds.filter(({ name }) => (DEED ? name === DEED : whole || name !== 'migrate'))

const kinds: readonly Fault[] = ['refused', 'lost', 'kept', 'torn', 'unreadable', 'hanging', 'EIO', 'ENOSPC']

/** Hands over a daemon with so many personas who rest. */
const openWorld = async (
  count: number,
): Promise<{ readonly world: World; readonly ids: readonly string[] }> => {
  const [home, clock] = [await tempHome(), createFakeClock(undefined, undefined, () => pause(2))]
  const ids = await seed(home, clock, count, oldKey)
  const disk = createFaultyDisk()
  const keys: (string | null)[] = []
  const start = () =>
    startDaemon({
      home,
      clock,
      models: attentive(keys),
      stopwatch: disk.stopwatch,
      random: () => 0,
      stores: (stores) => disk.around(stores, home),
    })
  return { world: { home, disk, clock, keys, start, daemon: await start() }, ids }
}

/** The practice mind, which can be asked to ponder, behind a endpoint that notes the keys it is shown. */
const attentive = (keys: (string | null)[]): Models => {
  const models = createModels({ urls: providerUrls({ local: nowhereUrl }) })
  const ponders = (mind: Mind): Mind => ({
    think: async function* (prompt, signal) {
      const last = prompt.messages.at(-1)
      if (last?.role === 'user' && /ponder/.test(last.content))
        await new Promise((_, cut) => signal.addEventListener('abort', () => cut(signal.reason)))
      yield* mind.think(prompt, signal)
    },
  })
  return {
    ...models,
    probe: async (organ, wrapper, signal) => {
      keys.push(organ.apiKey)
      await models.probe(organ, wrapper, signal)
    },
    mind: (organ, wrapper) => ponders(models.mind(organ, wrapper)),
  }
}

const known = async (world: World, id: string): Promise<Hosted> => ({
  id,
  at: `/api/persona/${id}`,
  listener: await returning(world.daemon.url, id),
})

const see = async (world: World, id: string): Promise<Seen> => {
  const { status, body } = await get(world, '/api/personas')
  assert.is(status, 200)
  const view = body.personas.find((persona: { id: string }) => persona.id === id)
  return {
    there: view !== undefined,
    name: view?.name ?? null,
    status: view?.status ?? null,
    running: view?.running ?? false,
  }
}

/** Its journal has been put away, so that the next command opens it. */
const lieStill = (world: World, { id }: Hosted) =>
  until('her journal to be put away', async () => {
    await world.clock.advance(61_000)
    return !world.disk.isOpen(id)
  })

interface Outcome {
  readonly calls: readonly Call[]
  readonly met: boolean
  readonly told: Told
}

const run = async (world: World, deed: Deed, id: string, fault?: Fault, n?: number): Promise<Outcome> => {
  const persona = await known(world, id)
  assert.is((await post(world, `${persona.at}/start`)).status, 200)
  await deed.ready?.(world, persona)
  await lieStill(world, persona)
  const before = await see(world, persona.id)
  const trap = world.disk.set((id) => id === persona.id, fault, n)
  let reply: Reply
  try {
    reply = await inPatience(world, deed.act(world, persona))
    if (deed.over && reply.status === 200)
      await inTime(world, 'the end of it', async () => trap.met || deed.over?.(persona) === true)
    if (fault === 'hanging') await whileItHangs(world, persona)
  } finally {
    trap.release()
  }
  const { status, body } = reply
  const said = `${status} ${JSON.stringify(body)}`
  assert.ok([200, 500, ...(deed.answers ?? [])].includes(status), said)
  if (status !== 200) assert.type(body.detail, 'string', said)
  const sick = await goesOn(world, persona, deed, before, reply)
  if (!sick) await deed.comesTo?.(world, persona, reply)
  return {
    calls: trap.calls,
    met: trap.met,
    told: await rests(
      world,
      persona,
      fault ? `${fault} at call ${n} of ${trap.calls.join(', ')}` : 'no failure',
      fault,
    ),
  }
}

/** The longest that anybody waited while something hung, in milliseconds of the stopwatch. */
let slowest = 0

/**
 * Ten seconds for what was asked, ten for what follows from it, and room for a machine that is slower than
 * its stopwatch.
 */
const inPatience = async (world: World, asked: Promise<Reply>): Promise<Reply> => {
  const began = world.disk.elapsed
  const reply = await asked
  const waited = world.disk.elapsed - began
  slowest = Math.max(slowest, waited)
  assert.ok(waited < 100_000, `${JSON.stringify(reply)} after ${waited} ms`)
  return reply
}

/** Nobody waits for a disk that hangs, and what is in memory is served. */
const whileItHangs = async (world: World, { at }: Hosted): Promise<void> => {
  if (!world.disk.hanging) return
  const [list, ...told] = await Promise.all(
    [
      get(world, '/api/personas'),
      post(world, `${at}/update`, { idle_timeout: 600 }),
      post(world, `${at}/verify`),
      get(world, `${at}/conversation`),
    ].map((asked) => inPatience(world, asked)),
  )
  assert.is(list?.status, 200)
  for (const { status, body } of told)
    assert.ok([200, 404, 500].includes(status), `${status} ${JSON.stringify(body)}`)
}

/**
 * What is seen is one of before and after, and it can be told something else at once. True where it was found
 * damaged.
 */
const goesOn = async (
  world: World,
  { id, at, listener }: Hosted,
  deed: Deed,
  before: Seen,
  reply: Reply,
): Promise<boolean> => {
  const said = JSON.stringify(reply)
  const after = { ...before, ...deed.makes, ...(deed.makes.there === false && gone) }
  const now = await see(world, id)
  const sick = now.there && now.status === 'sick'
  if (sick) {
    assert.is((await get(world, `${at}/conversation`)).status, 200, said)
    return true
  }
  const one = deed.mayRest ? { ...now, running: false } : now
  const ends = (reply.status === 200 ? [after] : [before, after]).map((seen) =>
    deed.mayRest ? { ...seen, running: false } : seen,
  )
  assert.ok(
    ends.some((seen) => JSON.stringify(seen) === JSON.stringify(one)),
    `${said} and then ${JSON.stringify(now)}`,
  )
  if (!now.there) return true
  const told = () => post(world, `${at}/update`, { name: `after ${deed.name}` })
  const first = await told()
  // What goes on behind an answer may be failing at this moment, and what is said then fails with it.
  const behind = deed.over || /is still being opened/.test(said)
  const next = behind && first.status === 500 ? await told() : first
  // Whether it was deleted was in doubt, and now it is known.
  if (deed.makes.there === false && reply.status !== 200 && next.status === 404) return true
  // What was found damaged behind an answer may show only now.
  if (deed.over && /^JournalDamaged/.test(next.body.detail)) return true
  assert.is(next.status, 200, `${said} and then ${JSON.stringify(next)}`)
  await until('the next fact', () =>
    listener.frames.some(({ details }) => details?.name === `after ${deed.name}`),
  )
  return false
}

const gone: Seen = { there: false, name: null, status: null, running: false }

interface Told {
  readonly id: string
  /** What it met with. */
  readonly what: string
  readonly seen: Seen
  readonly talk: readonly string[]
  /** Position and title of each fact that its listener was told of. */
  readonly facts: readonly string[]
  /** Who comes back to what cannot be read in that moment is told what follows, and nothing of what was. */
  readonly whole: boolean
}

/** It is laid down, and what was told of it is kept for a comparison with what lies on disk. */
const rests = async (world: World, persona: Hosted, what: string, fault?: Fault): Promise<Told> => {
  const stopped = await post(world, `${persona.at}/stop`)
  assert.ok([200, 404].includes(stopped.status), JSON.stringify(stopped))
  const [seen, talk] = [await see(world, persona.id), await talkOf(world, persona)]
  persona.listener.leave()
  const facts = persona.listener.frames.flatMap(({ seq, title, type }) =>
    typeof seq === 'number' ? [`${seq} ${title ?? type}`] : [],
  )
  return { id: persona.id, seen, talk, facts, what, whole: fault !== 'unreadable' }
}

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('the n-th failure', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

interface Case {
  readonly fault: Fault
  readonly n: number
}

/** All of them, or one of every other kind: what one deed leaves out, the next one meets. */
const chosen = ({ waits }: Deed, calls: readonly Call[], chance: Chance, turn: number): readonly Case[] => {
  const places = kinds.map((fault) => (waits && fault === 'hanging' ? [] : placesOf(calls, fault)))
  return kinds.flatMap((fault, kind) => {
    const all = (places[kind] ?? []).map((n) => ({ fault, n }))
    if (whole || all.length === 0) return all
    const lucky = chance.between(0, all.length - 1)
    return all.filter((_, place) => place === lucky && (kind + turn) % 2 === 0)
  })
}

/** What was told is what a new daemon shows, and what lies on disk. */
const compare = async (world: World, tolds: readonly Told[]): Promise<void> => {
  await world.daemon.close()
  world.daemon = await world.start()
  const judge = async ({ id, what, seen, talk }: Told) => {
    const talked = await talkOf(world, { at: `/api/persona/${id}` })
    // One who could not be read for a moment and was to run is woken by the new daemon, and says what it
    // owes.
    assert.equal(seen.status === 'sick' ? talked.slice(0, talk.length) : talked, talk, what)
    // One who could not be read for a moment is well again as soon as it is looked at.
    assert.equal(
      { ...(await see(world, id)), running: false },
      seen.status === 'sick' ? { ...seen, status: 'active' } : seen,
      what,
    )
  }
  await Promise.all(tolds.map(judge))
  await world.daemon.close()
  const journals = openJournals({ stores: await openLevelStores(world.home), witness: async () => undefined })
  const read = async ({ id, what, facts, whole }: Told) => {
    const journal = await journals.open(id, 'writer').catch(() => undefined)
    if (!journal) return
    const there: string[] = []
    for await (const { seq, event } of journal.read({})) there.push(`${seq} ${event.type}`)
    assert.ok((await journal.verify()).intact)
    const from = whole ? 0 : Math.max(0, there.indexOf(facts.map(named)[0] ?? ''))
    assert.equal(facts.map(named), there.slice(from, from + facts.length), what)
    await journal.close()
  }
  await Promise.all(tolds.map(read))
}

/** As the fact is named that the frame tells of. */
const named = (fact: string): string =>
  fact.replace('chat_message', 'MessageSpoken').replace('person_message', 'MessageHeard')

let met = 0
let tried = 0

const ordealOf = async (deed: Deed): Promise<void> => {
  const chance = createChance(`failure of ${deed.name}`)
  const { world, ids } = await openWorld(whole ? 160 : 12)
  try {
    const [first = '', ...others] = ids
    const { calls, told } = await run(world, deed, first)
    const tolds = [told]
    const failures = chosen(deed, calls, chance, deeds.indexOf(deed))
    assert.ok(
      failures.length <= others.length,
      `${failures.length} failures and ${others.length} personas to suffer them`,
    )
    for (const { fault, n } of failures) {
      try {
        const outcome = await run(world, deed, others.shift() ?? '', fault, n)
        tolds.push(outcome.told)
        tried++
        if (outcome.met) met++
      } catch (error) {
        throw new Error(`${fault} at call ${n} of ${calls.join(', ')}: ${(error as Error).message}`)
      }
    }
    await compare(world, tolds)
  } finally {
    await closed(world)
  }
}

const closed = async (world: World): Promise<void> => {
  world.disk.restore()
  await world.daemon.close()
  await rm(world.home, { recursive: true, force: true })
}

/**
 * Most of the time something is waited for, so several of them are under way at once, each with a disk and a
 * clock of its own.
 */
const atOnce = 4
let ordeals: ReadonlyMap<Deed, Promise<void>> | undefined

const begin = (): ReadonlyMap<Deed, Promise<void>> => {
  const lanes = Array.from({ length: atOnce }, () => Promise.resolve())
  // The longest stand last.
  const begun = [...deeds].reverse().map((deed, n) => {
    const ordeal = (lanes[n % atOnce] ?? Promise.resolve()).then(() => ordealOf(deed))
    lanes[n % atOnce] = ordeal.catch(() => undefined)
    return [deed, ordeal] as const
  })
  return new Map(begun)
}

// Fails if a journal stays open that cannot be folded (`another process has opened it` until a restart), and
// if healing does not publish the commits that it finds.
for (const deed of deeds) {
  test(`${deed.name}: whichever call to the disk fails, it was done or it was not, everyone is told the same, and it goes on`, async () => {
    ordeals ??= begin()
    await ordeals.get(deed)
  })
}

// Seen failing with `heard` waited for without end: it stands behind the write, and the caller is never
// answered.
test('while a write hangs, a message with a key is answered too, and is heard once when it is sent again', async ({
  ends,
}) => {
  const { world, ids } = await openWorld(1)
  ends.push(() => closed(world))
  const persona = await known(world, ids[0] ?? '')
  assert.is((await post(world, `${persona.at}/start`)).status, 200)
  const trap = world.disk.set(() => true, 'hanging', 0)
  ends.push(trap.release)
  const say = () =>
    call(world.daemon.url, 'POST', `${persona.at}/read`, { message: 'hello' }, { key: 'a key' })
  const update = post(world, `${persona.at}/update`, { name: 'Bea' })
  await until('a write that hangs', () => trap.met)
  const said = await Promise.all([inPatience(world, say()), inPatience(world, update)])
  assert.equal(
    said.map(({ status }) => status),
    [500, 500],
  )
  trap.release()
  for (let n = 0; n < 2; n++) assert.is((await say()).status, 200)
  assert.is((await talkOf(world, persona)).filter((words) => words === 'person: hello').length, 1)
})

test('most of the failures that were asked for were met', () => {
  assert.ok(met > tried * 0.8, `${met} of ${tried}`)
  tell(
    'nth failure',
    `${deeds.length} commands`,
    `${met} of ${tried} failures met`,
    `${slowest / 1000} s the longest wait for what hangs`,
  )
})

test.run()
