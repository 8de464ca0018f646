/** Disturbances of a cluster. Each happens once at a time, and the cluster recovers before the next. */
import * as assert from 'uvu/assert'
import { pause, waitFor } from '../calls.ts'
import { call } from '../cluster/daemons.ts'
import { listenTo } from '../listener.ts'
import type { NatsServer } from '../nats-servers.ts'
import type { Chance } from '../random.ts'
import { getConversation, pick } from './hosts-talk.ts'
import type { Member, World } from './hosts-world.ts'

export interface ActiveDisturbance {
  /** The daemons that are used until the cluster is mended. */
  readonly members: readonly Member[]
  /** Restores the cluster after all personas have answered. */
  mend(): Promise<void>
}

/** Resolves when every persona should be reachable again. */
export type Disturbance = (strike: Strike) => Promise<ActiveDisturbance>

interface Strike {
  readonly world: World
  readonly chance: Chance
  /** Restricts the clients to these daemons. */
  readonly ask: (members: readonly Member[]) => void
}

const minute = 60_000
const doNothing = async () => undefined
const getOthers = ({ members }: World, member: Member) => members.filter((item) => item !== member)

/** Returns the server that leads most streams. */
const findLeader = async ({ stand, nats }: World): Promise<NatsServer> => {
  const { streams } = await stand()
  const leads = ({ name }: NatsServer) => streams.filter(({ leader }) => leader === name).length
  const [first] = [...nats.servers].sort((a, b) => leads(b) - leads(a))
  if (!first) throw new Error('no server')
  return first
}

/** Waits until all servers follow. */
const waitForFollowers = ({ stand }: World) =>
  waitFor('all servers to follow', async () => {
    const stateNow = await stand().catch(() => undefined)
    return stateNow?.streams.every(
      ({ leader, followers, replicas }) =>
        leader !== null && followers.length === replicas - 1 && followers.every(({ current }) => current),
    )
  })

/** Waits until the daemon refuses commands with a reason. Reads still work. */
const expectCutOff = async (member: Member, ids: readonly string[]) => {
  const url = member.url
  const [id] = ids
  if (id === undefined) return
  await waitFor('commands to be refused', async () => {
    const body = { method: 'POST', body: { when: '2035-01-01T10:00', content: 'later' } }
    const [status, answer] = await call(`${url}/api/persona/${id}/calendar`, body)
    if (status === 200) return false
    assert.is(status, 503, JSON.stringify(answer))
    assert.type(answer.detail, 'string')
    // While its lease is valid, its data is current and is sent without an age.
    return (await call(`${url}/api/persona/${id}/conversation?limit=1`))[2].get('age') !== null
  })
  for (const id of ids.slice(0, 5)) assert.is((await getConversation(url, id, 1, true)).length, 1)
}

/**
 * Waits until the daemon has contact to the servers: its answers have no age. Returns the first such answer.
 */
const firstCurrentAnswer = async (member: Member, id: string): Promise<readonly MessageView[]> => {
  const latest = `${member.url}/api/persona/${id}/conversation?limit=50`
  let first: readonly MessageView[] = []
  await waitFor('the servers to answer', async () => {
    const [status, body, headers] = await call(latest)
    if (status !== 200 || headers.get('age') !== null) return false
    first = body.messages
    return true
  })
  return first
}

interface MessageView {
  readonly content: string
}

/**
 * Reads from a daemon while it reconnects: its first answers without an age must contain messages that were
 * sent elsewhere meanwhile.
 */
const expectNewest = async (
  member: Member,
  { ids, getOtherUrl, reconnect }: ReturningMember,
): Promise<void> => {
  const newest = await Promise.all(
    ids.map(async (id) => (await getConversation(getOtherUrl(), id, 1))[0]?.content),
  )
  const pendingAnswers = ids.map((id) => firstCurrentAnswer(member, id))
  const [first] = await Promise.all([Promise.all(pendingAnswers), reconnect()])
  for (const [n, content] of newest.entries())
    assert.ok(
      first[n]?.some((message) => message.content === content),
      `${ids[n]}: ${JSON.stringify(first[n])} without ${content}`,
    )
}

interface ReturningMember {
  /** The personas that it hosted. */
  readonly ids: readonly string[]
  /** URL of another daemon. */
  readonly getOtherUrl: () => string
  readonly reconnect: () => Promise<void>
}

export const disturbances: Readonly<Record<string, Disturbance>> = {
  'kill -9 of a daemon': async ({ world, chance, ask }) => {
    const victim = pick(chance, world.members)
    const otherMembers = getOthers(world, victim)
    ask(otherMembers)
    victim.process.child.kill('SIGKILL')
    await victim.process.whenEnded
    return { members: otherMembers, mend: () => world.startAgain(victim) }
  },
  'kill -9 of the leading server': async ({ world }) => {
    const leader = await findLeader(world)
    await leader.kill()
    return {
      members: world.members,
      mend: async () => {
        await leader.start()
        await waitForFollowers(world)
      },
    }
  },
  'two of three servers dead': async ({ world, chance }) => {
    const hostedIds = await Promise.all(world.members.map(world.listHosted))
    const alive = pick(chance, world.nats.servers)
    const dead = world.nats.servers.filter((server) => server !== alive)
    await Promise.all(dead.map((server) => server.kill()))
    await Promise.all(world.members.map((member, n) => expectCutOff(member, hostedIds[n] ?? [])))
    await Promise.all(dead.map((server) => server.start()))
    return { members: world.members, mend: async () => void (await waitForFollowers(world)) }
  },
  'a host halted past its lease': async ({ world, chance, ask }) => {
    const victim = pick(chance, world.members)
    const otherMembers = getOthers(world, victim)
    const hostedIds = await world.listHosted(victim)
    const [id = ''] = hostedIds
    const socket = await listenTo(victim.url, `/ws/${id}`)
    ask(otherMembers)
    victim.process.child.kill('SIGSTOP')
    return {
      members: otherMembers,
      mend: async () => {
        const pickOtherUrl = () => pick(chance, otherMembers).url
        const reconnect = async () => void victim.process.child.kill('SIGCONT')
        await expectNewest(victim, { ids: hostedIds, getOtherUrl: pickOtherUrl, reconnect })
        const messages = await getConversation(pickOtherUrl(), id, 1000)
        const knownTexts = new Set(messages.map(({ content }) => content))
        // Its frames match the stored messages, without the refused ones.
        for (const { type, content } of socket.frames)
          if (type === 'chat_message') assert.ok(knownTexts.has(content), content)
        socket.leave()
      },
    }
  },
  'a daemon cut off from servers and daemons': async ({ world, chance, ask }) => {
    const victim = pick(chance, world.members)
    const otherMembers = getOthers(world, victim)
    const hostedIds = await world.listHosted(victim)
    ask(otherMembers)
    await victim.place.cut()
    return {
      members: otherMembers,
      mend: async () => {
        await expectCutOff(victim, hostedIds)
        await expectNewest(victim, {
          ids: hostedIds,
          getOtherUrl: () => pick(chance, otherMembers).url,
          reconnect: victim.place.mend,
        })
      },
    }
  },
  'a server whose disk stalls': async ({ world, chance }) => {
    const slow = pick(chance, world.nats.servers)
    await stopRepeatedly((signal) => slow.signal(signal))
    return { members: world.members, mend: doNothing }
  },
  'a daemon whose disk stalls': async ({ world, chance }) => {
    const { process } = pick(chance, world.members)
    await stopRepeatedly((signal) => void process.child.kill(signal))
    return { members: world.members, mend: doNothing }
  },
  'a clock that jumps': async ({ world, chance }) => {
    const member = pick(chance, world.members)
    await world.setClock(member, chance.pickBetween(-45, 45) * minute)
    return { members: world.members, mend: () => world.setClock(member, 0) }
  },
  'everything restarted, one after the other': async ({ world, ask }) => {
    for (const member of world.members) {
      ask(getOthers(world, member))
      assert.is((await member.process.kill('SIGTERM')).code, 0)
      await world.startAgain(member)
    }
    ask(world.members)
    for (const server of world.nats.servers) {
      await server.kill('SIGTERM')
      await server.start()
      await waitForFollowers(world)
    }
    return { members: world.members, mend: doNothing }
  },
}

/** Stops a process repeatedly for five seconds, each time as long as a disk under heavy write-back blocks. */
const stopRepeatedly = async (send: (signal: NodeJS.Signals) => void): Promise<void> => {
  for (let n = 0; n < 10; n++) {
    send('SIGSTOP')
    await pause(400)
    send('SIGCONT')
    await pause(100)
  }
}
