/**
 * Clients that talk with the personas of a cluster through any daemon, and record the acknowledged messages.
 */
import * as assert from 'uvu/assert'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { createSemaphore } from '../../packages/kit/flow/keyed-pool.ts'
import { pause, waitFor } from '../calls.ts'
import { type Body, call } from '../cluster/daemons.ts'
import type { Chance } from '../random.ts'
import type { Member } from './hosts-world.ts'

export interface Talk {
  readonly ids: readonly string[]
  readonly countMessages: () => number
  /** Sends one message to each persona. Resolves when all have answered, with the elapsed ms. */
  talkToAll(members: readonly Member[]): Promise<number>
  /** Starts clients that talk to random personas. Returns a function that stops them. */
  load(clients: number, getMembers: () => readonly Member[]): () => Promise<void>
  /** The last messages of each persona are stored once and answered once. */
  judgeLast(members: readonly Member[]): Promise<void>
  /** All messages are stored once and answered once, and all daemons return the same. */
  judgeAll(members: readonly Member[]): Promise<void>
}

interface Deps {
  readonly ids: readonly string[]
  readonly chance: Chance
}

/** Max time for an answer in ms before the round fails. */
const maxWaitMs = 60_000
const all = Number.POSITIVE_INFINITY

export const createTalk = ({ ids, chance }: Deps): Talk => {
  /** Acknowledged messages by persona. */
  const acknowledgedById = new Map<string, string[]>(ids.map((id) => [id, []]))
  const turns = createKeyedMutex<string>()
  let messageCount = 0

  /** Sends a message under one key to random daemons until it is answered. */
  const speak = (id: string, getMembers: () => readonly Member[]) =>
    turns.run(id, async () => {
      const text = `Remember the number ${++messageCount}.`
      const ask = async () => {
        const isAnswered = await sendMessage(pick(chance, getMembers()).url, id, text).catch(() => false)
        if (!isAnswered) await pause(100)
        return isAnswered
      }
      await waitFor(`a reply of ${id} to ${text}`, ask, maxWaitMs)
      acknowledgedById.get(id)?.push(text)
    })

  const judge = async (id: string, member: Member, count: number) => {
    const texts = acknowledgedById.get(id)?.slice(-count) ?? []
    // One more than expected, if all are compared.
    const messages = await getConversation(member.url, id, texts.length * 2 + (count < all ? 0 : 1))
    assert.equal(
      messages.map(({ role }) => role),
      texts.flatMap(() => ['person', 'assistant']),
      `${id}: ${JSON.stringify(messages)}`,
    )
    assert.equal(
      messages.filter(({ role }) => role === 'person').map(({ content }) => content),
      texts,
    )
    return messages
  }
  // Limits parallel requests: this checks the content, not the capacity of the machine.
  const limit = createSemaphore(8)
  const forEachId = async (work: (id: string) => Promise<unknown>) => {
    await Promise.all(ids.map((id) => limit.run(() => turns.run(id, () => work(id)))))
  }

  return {
    ids,
    countMessages: () => messageCount,
    talkToAll: async (members) => {
      const startedAt = performance.now()
      await Promise.all(ids.map((id) => speak(id, () => members)))
      return performance.now() - startedAt
    },
    load: (clients, getMembers) => {
      let isStopped = false
      const talks = Array.from({ length: clients }, async () => {
        while (!isStopped) await speak(pick(chance, ids), getMembers)
      })
      return async () => {
        isStopped = true
        await Promise.all(talks)
      }
    },
    judgeLast: (members) => forEachId((id) => judge(id, pick(chance, members), 5)),
    judgeAll: (members) =>
      forEachId(async (id) => {
        const answers = await Promise.all(members.map((member) => judge(id, member, all)))
        for (const answer of answers) assert.equal(answer, answers[0])
      }),
  }
}

export const pick = <T>(chance: Chance, items: readonly T[]): T =>
  chance.pick(items as unknown as readonly [T, ...T[]])

/** Returns true if the message was answered. An acknowledged message may be answered later. */
const sendMessage = async (url: string, id: string, message: string): Promise<boolean> => {
  const answer = await fetch(`${url}/api/persona/${id}/read?wait=30`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `${id} ${message}` },
    body: JSON.stringify({ message }),
    // A daemon that is halted or cut off never answers.
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
 * Returns the last messages in order. `aged`: expects the `age` header, by which the daemon marks possibly
 * outdated data.
 */
export const getConversation = async (
  url: string,
  id: string,
  count: number,
  isAged = false,
): Promise<readonly Message[]> => {
  const messages: Message[] = []
  for (let previousId = ''; ; ) {
    const limit = Math.min(count - messages.length, 500)
    const [status, body, headers] = await call(
      `${url}/api/persona/${id}/conversation?limit=${limit}${previousId}`,
    )
    assert.is(status, 200, JSON.stringify(body))
    assert.is(headers.get('age') !== null, isAged, `${id} is returned with the age ${headers.get('age')}`)
    messages.unshift(...body.messages.map(({ role, content }: Body) => ({ role, content })))
    if (messages.length >= count || !body.has_more) return messages
    previousId = `&before=${body.messages[0].id}`
  }
}
