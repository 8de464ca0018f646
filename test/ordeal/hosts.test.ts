/**
 * Servers and daemons of a cluster run as processes and are disturbed in many ways while all personas are in
 * use. Each persona answers again, nothing acknowledged is lost, and nothing is answered or sent twice.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, create } from '../cluster/daemons.ts'
import { withNats } from '../nats-servers.ts'
import { isWhole, printFigures, scaleSize } from '../ordeal.ts'
import { type Chance, createChance } from '../random.ts'
import { type Bot, openBot } from './hosts-bot.ts'
import { disturbances } from './hosts-disturbances.ts'
import { createTalk, pick, type Talk } from './hosts-talk.ts'
import { type Member, openWorld, type World } from './hosts-world.ts'
import { hasHosts } from './network-hosts.ts'

/** `HOSTS_ROUNDS` and `HOSTS_PERSONAS` reduce the size. */
const rounds = Number(process.env.HOSTS_ROUNDS) || scaleSize(100)
const personaCount = Number(process.env.HOSTS_PERSONAS) || scaleSize(200)
const clients = 8
/** Max time in ms until every persona answers again; one minute for all other disturbances. */
const maxSilenceMs: Readonly<Record<string, number>> = { 'kill -9 of a daemon': 10_000 }

withNats(test, () => {
  test('every persona recovers from failures of its daemon and of the servers', async () => {
    const world = await openWorld(3, 3)
    try {
      const chance = createChance('hosts')
      const ids: string[] = []
      for (let n = 0; n < personaCount; n++) ids.push(await create(pick(chance, world.members).url, `P${n}`))
      const talk = createTalk({ ids, chance })
      const bot = await openBot(world.telegram, world.members)
      // The first answers open the journals on all daemons.
      await talk.talkToAll(world.members)
      const usual = await talk.talkToAll(world.members)
      const silences = await disturb({ world, chance, talk, bot })
      await judgeEnd({ world, talk, bot })
      report({ silences, usual, talk, bot })
      if (isWhole) judgeTimes(silences)
    } finally {
      await world.close()
    }
  })
})

interface Ordeal {
  readonly world: World
  readonly chance: Chance
  readonly talk: Talk
  readonly bot: Bot
}

type Silences = ReadonlyMap<string, readonly number[]>

const disturb = async ({ world, chance, talk, bot }: Ordeal): Promise<Silences> => {
  const silences = new Map<string, number[]>()
  const names = Object.keys(disturbances)
  let deck: string[] = []
  for (let round = 1; round <= rounds; round++) {
    // Every disturbance happens once before one is repeated.
    if (deck.length === 0) deck = shuffle(chance, names)
    const name = process.env.HOSTS_ONLY ?? deck.pop() ?? ''
    let members: readonly Member[] = world.members
    const ask = (currentMembers: readonly Member[]) => {
      members = currentMembers
    }
    const quiet = talk.load(clients, () => members)
    const silent = bot.talk()
    const disturbance = await disturbances[name]?.({ world, chance, ask })
    if (!disturbance) throw new Error(`there is no disturbance ${name}`)
    const silence = await talk.talkToAll(disturbance.members)
    await disturbance.mend()
    members = world.members
    await Promise.all([quiet(), silent()])
    await talk.judgeLast(world.members)
    silences.set(name, [...(silences.get(name) ?? []), silence])
    console.log(`  round ${round}: ${name}: ${(silence / 1000).toFixed(1)} s`)
  }
  return silences
}

const judgeEnd = async ({ world, talk, bot }: Omit<Ordeal, 'chance'>): Promise<void> => {
  await talk.judgeAll(world.members)
  await bot.judge(world.members)
  for (const [n, id] of [...talk.ids, bot.id].entries()) {
    const member = world.members[n % world.members.length]
    const [status, body] = await call(`${member ? member.url : ''}/api/persona/${id}/verify`, {
      method: 'POST',
    })
    assert.is(status, 200)
    assert.ok(body.intact, id)
  }
  for (const { process } of world.members) assert.is((await process.kill('SIGTERM')).code, 0)
}

const judgeTimes = (silences: Silences): void => {
  for (const [name, maxMs] of Object.entries(maxSilenceMs)) {
    const longest = Math.max(...(silences.get(name) ?? []))
    assert.ok(longest < maxMs, `all answered only ${longest} ms after ${name}`)
  }
}

interface ReportData extends Pick<Ordeal, 'talk' | 'bot'> {
  readonly silences: Silences
  /** Time until all have answered without a disturbance in ms. */
  readonly usual: number
}

const report = ({ silences, usual, talk, bot }: ReportData): void => {
  printFigures(
    'hosts',
    `${rounds} rounds`,
    `${personaCount} personas`,
    `${talk.countMessages()} messages, ${bot.countDuplicates()} sent twice`,
    hasHosts ? 'daemons on hosts of their own' : 'daemons on one host, by links',
  )
  printFigures('hosts', `nothing: all answered after ${(usual / 1000).toFixed(1)} s`)
  for (const [name, all] of silences)
    printFigures(
      'hosts',
      `${name}: ${all.length} times, all answered after at most ${(Math.max(...all) / 1000).toFixed(1)} s`,
    )
}

const shuffle = (chance: Chance, names: readonly string[]): string[] =>
  names
    .map((name) => [chance.next(), name] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name)

test.run()
