/** The history of a persona on the servers: its commits, and the parts of model calls. */

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sha256 } from '../../../facts/fact-values.ts'
import { Conflict, InDoubt, TooLarge } from '../../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../../journal/log/head.ts'
import { seqInKey } from '../../../journal/log/keys.ts'
import { decodeRecord } from '../../../journal/log/record.ts'
import type { Item } from '../../../journal/log/store.ts'
import { getCommitId } from '../../../journal/log/stored-record.ts'
import { openSeal, sealBytes, sealFor } from './cluster-key.ts'
import { decodeMessage, encodeMessage, type LogMessage, recordFrame } from './log-message.ts'
import type { History, Names } from './places-in-cluster.ts'
import { type Incoming, nameHeader, type Outgoing, type Requests } from './server-requests.ts'

export interface PersonaLog {
  readonly history: History
  readonly stream: string
  /** Aborts after another daemon has written. Every later append is a conflict. */
  readonly lostSignal: AbortSignal
  /** Returns the sequence of the last known commit message. */
  last(): number
  /** Returns false if a message was sent and its result is unknown. */
  isSure(): boolean
  /**
   * Appends whole commits. With InDoubt, the first commits of several may be stored. Rejects with Conflict,
   * InDoubt, Unavailable or TooLarge.
   */
  append(records: readonly Item[]): Promise<void>
  /**
   * After this resolves, no pending message can be accepted any more. Rejects with InDoubt or Unavailable.
   */
  bar(): Promise<void>
  putPart(sha: Sha256, value: Buffer): Promise<void>
  dropPart(sha: Sha256): Promise<void>
  /**
   * Ends this history with a last message that names its successor. Resolves to false if another daemon has
   * written.
   */
  end(value: Buffer): Promise<boolean>
  /** Returns the leader's last commit message. */
  newest(): Promise<Incoming | undefined>
  open(message: Incoming): LogMessage | undefined
  /** Records that the history was read up to this message. */
  onMessage(message: Incoming): void
}

interface Deps {
  readonly requests: Requests
  readonly names: Names
  readonly history: History
}

/** Max bytes of a message with several commits, and of a chunk of a part. */
const usualSize = 512 * 1024
const headHeader = 'Daimon-Head'
/** Milliseconds: between two checks of a pending message, and the longest wait for it. */
const pause = 100
const maxWaitMs = 5000

export const createPersonaLog = ({ requests, names, history }: Deps, from = 0): PersonaLog => {
  const { id, key, token } = history
  const stream = names.getStream(id)
  const subject = names.commits(history)
  const lostSignal = new AbortController()
  let last = from
  let head = ''
  let isSure = true

  const readNewest = () => requests.last(stream, subject)
  const seal = (subject: string, message: LogMessage): Buffer => {
    const data = sealFor(key, subject, encodeMessage(message))
    if (data.length + 512 > requests.largest)
      throw new TooLarge(`the servers accept messages of at most ${requests.largest} bytes`)
    return data
  }
  /** Resolves to false if another daemon has written. */
  const send = async (message: LogMessage, name: string, newHead = head): Promise<boolean> => {
    const data = seal(subject, message)
    isSure = false
    const outgoing = {
      subject,
      data,
      after: last,
      name: `${token}.${name}`,
      headers: { [headHeader]: newHead },
    }
    const seq = await publishOnce(outgoing)
    isSure = true
    if (seq === undefined) return false
    last = seq
    head = newHead
    return true
  }
  /**
   * If the message was sent twice, the conflict may be with its first copy. If the last message is still the
   * expected one, the conflict is with a pending message: wait for it.
   */
  const publishOnce = async (message: Outgoing): Promise<number | undefined> => {
    for (let waitedMs = 0; ; waitedMs += pause) {
      const seq = await requests.publish(message)
      if (seq !== undefined) return seq
      const last = await readNewest()
      if (last?.header(nameHeader) === message.name) return last.seq
      if ((last?.seq ?? 0) !== message.after || waitedMs >= maxWaitMs) return undefined
      await delay(pause)
    }
  }
  const toConflict = async (): Promise<Conflict> => {
    lostSignal.abort()
    return new Conflict(parseHead((await readNewest().catch(() => undefined))?.header(headHeader) ?? ''))
  }
  const append = async (records: readonly Item[]): Promise<void> => {
    if (lostSignal.signal.aborted) throw await toConflict()
    for (const [place, group] of inMessages(records).entries()) {
      const { seq, hash } = group.head
      const name = `${seq}.${hash}`
      if (await send({ type: 'records', records: group.records }, name, name)) continue
      if (place === 0) throw await toConflict()
      throw new InDoubt('another daemon wrote between two commits of one batch', {
        cause: await toConflict(),
      })
    }
  }
  return {
    history,
    stream,
    lostSignal: lostSignal.signal,
    append,
    newest: readNewest,
    last: () => last,
    isSure: () => isSure,
    bar: async () => {
      // A message of another daemon is a barrier as well, and its writer must not be disturbed.
      if ((await readNewest())?.seq !== last) return
      await send({ type: 'barrier' }, `barrier.${randomBytes(8).toString('hex')}`)
    },
    putPart: async (sha, value) => {
      const chunks = Math.max(1, Math.ceil(value.length / usualSize))
      for (let chunk = 0; chunk < chunks; chunk++) {
        const subject = names.part(history, sha, chunk)
        const bytes = value.subarray(chunk * usualSize, (chunk + 1) * usualSize)
        const data = seal(subject, { type: 'part', chunks, chunk, bytes })
        // An existing part is identical, because its subject contains its hash.
        await requests.publish({
          subject,
          data,
          after: 0,
          name: `${token}.${randomBytes(8).toString('hex')}`,
        })
      }
    },
    dropPart: (sha) => requests.purge(stream, names.part(history, sha, '*')),
    end: (value) => send({ type: 'moved', value }, 'moved'),
    open: (message) => {
      const bytes = openSeal(key, message.subject, message.data)
      return bytes && decodeMessage(bytes)
    },
    onMessage: ({ seq, header }) => {
      last = seq
      head = header(headHeader)
    },
  }
}

const parseHead = (header: string): Head => {
  const [, seq, hash] = /^(\d+)\.([0-9a-f]{64})$/.exec(header) ?? []
  return seq && hash ? { seq: Number(seq), hash } : emptyHead
}

interface Group {
  readonly records: Item[]
  size: number
  commit: string
  head: Head
}

/** Packs whole commits into messages, as many as fit. */
const inMessages = (records: readonly Item[]): readonly Group[] => {
  const groups: Group[] = []
  const commits: Group[] = []
  for (const item of records) {
    const { seq, commit, hash } = readRecord(item)
    const current = commits.at(-1)
    const size = item[1].length + recordFrame
    if (current?.commit === commit) {
      current.records.push(item)
      current.size += size
      current.head = { seq, hash }
    } else commits.push({ records: [item], size, commit, head: { seq, hash } })
  }
  for (const next of commits) {
    const group = groups.at(-1)
    if (group && group.size + next.size + sealBytes <= usualSize) {
      group.records.push(...next.records)
      group.size += next.size
      group.head = next.head
    } else groups.push(next)
  }
  return groups
}

/** Damaged records are sent unchanged. The reader detects the damage. */
const readRecord = ([key, value]: Item): {
  readonly seq: number
  readonly commit: string
  readonly hash: string
} => {
  const seq = seqInKey(key)
  try {
    const record = decodeRecord(seq, value)
    return { seq, commit: getCommitId(record), hash: record.hash }
  } catch {
    return { seq, commit: `${seq}`, hash: '' }
  }
}
