/** Whoever talks with the personas of a cluster, by any of its daemons, and knows what was acknowledged. */
import * as assert from 'uvu/assert'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { createSemaphore } from '../../packages/kit/flow/keyed-pool.ts'
import { pause, until } from '../calls.ts'
import { type Body, call } from '../cluster/daemons.ts'
import type { Chance } from '../random.ts'
import type { Member } from './hosts-world.ts'

export interface Talk {
  readonly ids: readonly string[]
  readonly said: () => number
  /** Each is spoken to once more. Resolves when all have answered, with how long that took. */
  everybody(among: readonly Member[]): Promise<number>
  /** As many of them as that talk on, each with one persona after the other, until it is called off. */
  load(clients: number, among: () => readonly Member[]): () => Promise<void>
  /** What each said last stands there once, and is answered once. */
  judgeLast(members: readonly Member[]): Promise<void>
  /** The same of all, told alike by every daemon. */
  judgeAll(members: readonly Member[]): Promise<void>
}

interface Deps {
  readonly ids: readonly string[]
  readonly chance: Chance
}

/** Milliseconds for which an answer is sought before a round has failed. */
const longest = 60_000
const all = Number.POSITIVE_INFINITY

export const createTalk = ({ ids, chance }: Deps): Talk => {
  /** What was acknowledged, by persona. */
  const heard = new Map<string, string[]>(ids.map((id) => [id, []]))
  const turns = createKeyedMutex<string>()
  let said = 0

  /** Under one key until it is answered, by whomever is asked. */
  const speak = (id: string, among: () => readonly Member[]) =>
    turns.run(id, async () => {
      const words = `Remember the number ${++said}.`
      const ask = async () => {
        const isAnswered = await tell(pick(chance, among()).url, id, words).catch(() => false)
        if (!isAnswered) await pause(100)
        return isAnswered
      }
      await until(`an answer of ${id} to ${words}`, ask, longest)
      heard.get(id)?.push(words)
    })

  const judge = async (id: string, member: Member, count: number) => {
    const words = heard.get(id)?.slice(-count) ?? []
    // One more than there are, where all are looked at.
    const messages = await conversationOf(member.url, id, words.length * 2 + (count < all ? 0 : 1))
    assert.equal(
      messages.map(({ role }) => role),
      words.flatMap(() => ['person', 'assistant']),
      `${id}: ${JSON.stringify(messages)}`,
    )
    assert.equal(
      messages.filter(({ role }) => role === 'person').map(({ content }) => content),
      words,
    )
    return messages
  }
  // Not all at once: what is judged is what is there, and not how much a machine bears.
  const few = createSemaphore(8)
  const each = async (work: (id: string) => Promise<unknown>) => {
    await Promise.all(ids.map((id) => few.run(() => turns.run(id, () => work(id)))))
  }

  return {
    ids,
    said: () => said,
    everybody: async (among) => {
      const began = performance.now()
      await Promise.all(ids.map((id) => speak(id, () => among)))
      return performance.now() - began
    },
    load: (clients, among) => {
      let over = false
      const talking = Array.from({ length: clients }, async () => {
        while (!over) await speak(pick(chance, ids), among)
      })
      return async () => {
        over = true
        await Promise.all(talking)
      }
    },
    judgeLast: (members) => each((id) => judge(id, pick(chance, members), 5)),
    judgeAll: (members) =>
      each(async (id) => {
        const told = await Promise.all(members.map((member) => judge(id, member, all)))
        for (const one of told) assert.equal(one, told[0])
      }),
  }
}

export const pick = <T>(chance: Chance, among: readonly T[]): T =>
  chance.pick(among as unknown as readonly [T, ...T[]])

/** Whether it is answered: what is only acknowledged may be answered later. */
const tell = async (url: string, id: string, message: string): Promise<boolean> => {
  const answer = await fetch(`${url}/api/persona/${id}/read?wait=30`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `${id} ${message}` },
    body: JSON.stringify({ message }),
    // One that is halted or cut off never answers.
    signal: AbortSignal.timeout(4000),
  })
  const { reply = null }: Body = await answer.json()
  return answer.status === 200 && reply !== null
}

interface Message {
  readonly role: string
  readonly content: string
}

/**
 * The last of them, the newest at the end; with an age, where the daemon says that it may know no newer ones.
 */
export const conversationOf = async (
  url: string,
  id: string,
  count: number,
  aged = false,
): Promise<readonly Message[]> => {
  const found: Message[] = []
  for (let before = ''; ; ) {
    const limit = Math.min(count - found.length, 500)
    const [status, body, told] = await call(`${url}/api/persona/${id}/conversation?limit=${limit}${before}`)
    assert.is(status, 200, JSON.stringify(body))
    assert.is(told.get('age') !== null, aged, `${id} is told with the age ${told.get('age')}`)
    found.unshift(...body.messages.map(({ role, content }: Body) => ({ role, content })))
    if (found.length >= count || !body.has_more) return found
    before = `&before=${body.messages[0].id}`
  }
}
