/**
 * Daemons of a cluster as processes, killed, halted and let go on at random moments while somebody talks with
 * every persona: each answers again, nothing acknowledged is lost, nothing is answered twice.
 */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createClosing } from '../../src/flow/closing.ts'
import { until } from '../calls.ts'
import { type Body, call, create, envOf, say } from '../cluster/daemons.ts'
import { tempHome } from '../daemon.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'
import { sized, tell, whole } from '../ordeal.ts'
import { type DaemonProcess, startProcess } from '../process/daemon.ts'
import { createChance } from '../random.ts'

const rounds = sized(30)
const people = whole ? 60 : 4
const daemons = 3

interface Member {
  readonly home: string
  process: DaemonProcess
}

withNats(test, () => {
  test('every persona goes on after its daemon was killed or halted', async () => {
    const { keep, close } = createClosing()
    try {
      const nats = await startNatsServers(whole ? 3 : 1)
      keep({ close: nats.end })
      const env = await envOf(nats.addresses, nats.servers[0]?.folder ?? '')
      const start = async (home: string): Promise<Member> => ({
        home,
        process: await startProcess({ home, env }),
      })
      const members = await Promise.all(Array.from({ length: daemons }, async () => start(await tempHome())))
      for (const member of members) keep({ close: () => end(member) })
      await hardship(members, start)
      for (const { process } of members) {
        process.child.kill('SIGTERM')
        assert.is((await process.ended).code, 0)
      }
    } finally {
      await close()
    }
  })
})

const hardship = async (members: readonly Member[], start: (home: string) => Promise<Member>) => {
  const chance = createChance('cluster')
  const pick = (among: readonly Member[]) => chance.pick(among as [Member])
  const ids: string[] = []
  for (let n = 0; n < people; n++) ids.push(await create(urlOf(pick(members)), `P${n}`))
  /** What was acknowledged, by persona. */
  const heard = new Map<string, string[]>(ids.map((id) => [id, []]))
  let [said, killed, halted] = [0, 0, 0]

  const talk = async (id: string, among: readonly Member[]) => {
    const words = `Remember the number ${++said}.`
    const answered = async () =>
      (await say(urlOf(pick(among)), id, words, `${id}-${words}`).catch(() => [0] as const))[0] === 200
    await until(`an answer of ${id} to ${said}`, answered, 120_000)
    heard.get(id)?.push(words)
  }
  const everybody = (among: readonly Member[]) => Promise.all(ids.map((id) => talk(id, among)))

  for (let round = 0; round < rounds; round++) {
    await everybody(members)
    const victim = pick(members)
    const others = members.filter((one) => one !== victim)
    victim.process.child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP')
    const began = performance.now()
    await everybody(others)
    const silence = performance.now() - began
    if (round % 2 === 0) {
      killed = Math.max(killed, silence)
      victim.process = (await start(victim.home)).process
    } else {
      halted = Math.max(halted, silence)
      victim.process.child.kill('SIGCONT')
    }
  }
  await everybody(members)
  for (const id of ids) {
    const told = await Promise.all(members.map((member) => conversationOf(urlOf(member), id)))
    for (const one of told) assert.equal(one, told[0])
    settled(told[0] ?? [], heard.get(id) ?? [])
  }
  const seconds = (time: number) => `${(time / 1000).toFixed(1)} s`
  tell('hosts', ...[`${rounds} rounds`, `${daemons} daemons`, `${people} personas`, `${said} messages`])
  tell('hosts', `all answered after a kill: ${seconds(killed)}`, `after a halt: ${seconds(halted)}`)
}

const urlOf = ({ process }: Member): string => `http://127.0.0.1:${process.port}`

const end = async ({ home, process }: Member): Promise<void> => {
  process.child.kill('SIGKILL')
  await process.ended
  await rm(home, { recursive: true, force: true })
}

const conversationOf = async (url: string, id: string): Promise<readonly string[]> => {
  const [status, body] = await call(`${url}/api/persona/${id}/conversation?limit=1000`)
  assert.is(status, 200, JSON.stringify(body))
  return body.messages.map(({ role, content }: Body) => `${role}: ${content}`)
}

/** Every acknowledged message is there once, and answered once. */
const settled = (messages: readonly string[], words: readonly string[]) => {
  const person = messages.filter((one) => one.startsWith('person: '))
  assert.equal([...person].sort(), words.map((one) => `person: ${one}`).sort())
  assert.is(messages.length - person.length, words.length, messages.join('\n'))
}

test.run()
