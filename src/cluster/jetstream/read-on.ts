/** Reads the messages of a history that a cache does not have yet. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Sha256 } from '../../../facts/fact-values.ts'
import { Damaged, Unavailable } from '../../../journal/log/errors.ts'
import { createGrowth } from '../../../journal/log/growth.ts'
import { partKey, seqInKey } from '../../../journal/log/keys.ts'
import type { Item, Op, Store } from '../../../journal/log/store.ts'
import type { Vocabulary } from '../../../journal/log/vocabulary.ts'
import { inSpan, readTraceHeaders } from '../../../packages/kit/tracing/tracing.ts'
import { type CacheMark, cacheMark } from './cache-mark.ts'
import type { PersonaLog } from './jetstream-log.ts'
import type { LogMessage } from './log-message.ts'
import { partOfSubject } from './places-in-cluster.ts'
import type { Incoming, Requests } from './server-requests.ts'

export interface ReadOn {
  readonly mark: CacheMark
  /** Set if another history has replaced this one. */
  readonly moved?: Buffer
  /** True if the servers have no message of this history any more. */
  readonly gone?: boolean
}

interface Reading {
  readonly vocabulary: Vocabulary
  readonly requests: Requests
  readonly log: PersonaLog
  readonly store: Store
  /** Matches every message of the history. */
  readonly filter: string
  readonly mark: CacheMark
  /** `skip` ignores messages that cannot be decrypted. A salvage uses it. */
  readonly onUnreadable: 'refuse' | 'skip'
}

/** Max number of empty pages. A server may lag behind the leader for a moment. */
const maxWaits = 100

/**
 * Stores records unchecked, because opening the journal checks them. Throws Damaged if a message cannot be
 * decrypted.
 */
export const readOn = async (reading: Reading): Promise<ReadOn> => {
  const newestMessage = await reading.log.newest()
  if (!newestMessage) return { mark: reading.mark, gone: true }
  const writer = readTraceHeaders({ traceparent: newestMessage.header('traceparent') })
  return inSpan({ ...receiveSpan, links: writer ? [writer] : [] }, () => readUpTo(newestMessage, reading))
}

/** Linked with the span that wrote the newest message. */
const receiveSpan = {
  name: 'receive',
  kind: 'consumer',
  attributes: { 'messaging.system': 'nats', 'messaging.operation.type': 'receive' },
} as const

const readUpTo = async (newestMessage: Incoming, reading: Reading): Promise<ReadOn> => {
  const { requests, log, filter, mark } = reading
  const operations = await createTaking(reading)
  for (let readSeq = mark.readUpTo, waits = 0; readSeq < newestMessage.seq; ) {
    const messages = await requests.page(log.stream, filter, readSeq)
    if (messages.length === 0 && ++waits > maxWaits)
      throw new Unavailable('the servers do not have messages that their leader reported')
    if (messages.length === 0) await delay(50)
    await operations.take(messages)
    readSeq = messages.at(-1)?.seq ?? readSeq
  }
  log.onMessage(newestMessage)
  const last = log.open(newestMessage)
  return { mark: operations.mark(), ...(last?.type === 'moved' && { moved: last.value }) }
}

const createTaking = async ({ vocabulary, log, store, mark, onUnreadable }: Reading) => {
  const growth = await createGrowth(vocabulary, store, mark.seq)
  /** Parts with missing chunks. */
  const parts = new Map<Sha256, { readonly first: number; readonly chunks: Map<number, Buffer> }>()
  let { seq, readUpTo } = mark

  /** Returns the write operation of a part once all its chunks are there. */
  const addChunk = (
    { seq: first, subject }: Incoming,
    { chunks, chunk, bytes }: LogMessage & { type: 'part' },
  ): readonly Op[] => {
    const sha = partOfSubject(subject) ?? ''
    const knownPart = parts.get(sha) ?? { first, chunks: new Map<number, Buffer>() }
    parts.set(sha, knownPart)
    knownPart.chunks.set(chunk, bytes)
    if (knownPart.chunks.size < chunks) return []
    parts.delete(sha)
    const pieces = Array.from({ length: chunks }, (_, n) => knownPart.chunks.get(n) ?? Buffer.alloc(0))
    return [{ type: 'put', key: partKey(sha), value: Buffer.concat(pieces) }]
  }
  const current = (): CacheMark => {
    // An incomplete part is read again from its first chunk.
    const partStarts = [...parts.values()].map(({ first }) => first - 1)
    return { token: mark.token, readUpTo: Math.min(readUpTo, ...partStarts), seq }
  }
  /** Stores the messages before the first one that cannot be decrypted, then throws. */
  const takeMessages = async (messages: readonly Incoming[]): Promise<void> => {
    const records: Item[] = []
    const ops: Op[] = []
    let unopenedOne: Damaged | undefined
    for (const message of messages) {
      const openedMessage = log.open(message)
      if (!openedMessage && onUnreadable === 'refuse')
        unopenedOne = new Damaged(seq + 1, 'its message cannot be decrypted')
      if (unopenedOne) break
      if (openedMessage?.type === 'part') ops.push(...addChunk(message, openedMessage))
      for (const record of openedMessage?.type === 'records' ? openedMessage.records : []) {
        records.push(record)
        seq = Math.max(seq, seqInKey(record[0]))
      }
      readUpTo = message.seq
    }
    await store.batch([...(await growth.take(records)), ...ops, cacheMark(current())], { sync: false })
    if (unopenedOne) throw unopenedOne
  }
  return { mark: current, take: takeMessages }
}
