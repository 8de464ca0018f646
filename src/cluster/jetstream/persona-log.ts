/** The history of a persona on the servers: commits behind its last one, and parts of model calls. */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sha256 } from '../../../journal/facts/fact-values.ts'
import { Conflict, InDoubt, TooLarge } from '../../../journal/log/errors.ts'
import { type Head, nowhere } from '../../../journal/log/journal.ts'
import { seqOf } from '../../../journal/log/keys.ts'
import { decodeRecord } from '../../../journal/log/record.ts'
import type { Item } from '../../../journal/log/store.ts'
import { commitIdOf } from '../../../journal/log/stored-record.ts'
import { openSeal, sealBytes, sealFor } from './cluster-key.ts'
import { decodeMessage, encodeMessage, type LogMessage, recordFrame } from './log-message.ts'
import type { History, Names } from './places-in-cluster.ts'
import { type Incoming, nameHeader, type Outgoing, type Requests } from './server-requests.ts'

export interface PersonaLog {
  readonly history: History
  readonly stream: string
  /** Aborted once somebody else has written: every append from then on is a conflict. */
  readonly lost: AbortSignal
  /** Sequence of the last message of its commits that is known here. */
  last(): number
  /** Nothing of what is under way here was left unanswered. */
  isSure(): boolean
  /**
   * All, or of several commits the first ones where it is in doubt. Conflict, InDoubt, Unavailable, TooLarge.
   */
  append(records: readonly Item[]): Promise<void>
  /** Nothing that is still under way can be let in once this resolves. InDoubt, Unavailable. */
  bar(): Promise<void>
  putPart(sha: Sha256, value: Buffer): Promise<void>
  dropPart(sha: Sha256): Promise<void>
  /** Its last message: from here on it is another history. False where somebody else has written. */
  end(value: Buffer): Promise<boolean>
  /** The last message of its commits, as the leader has it. */
  newest(): Promise<Incoming | undefined>
  open(message: Incoming): LogMessage | undefined
  /** It is known up to this message. */
  seen(message: Incoming): void
}

interface Deps {
  readonly requests: Requests
  readonly names: Names
  readonly history: History
}

/** Commits that go together, and a chunk of a part. */
const usualSize = 512 * 1024
const headHeader = 'Daimon-Head'
/** Milliseconds: between two looks at what is under way; for which it is waited for. */
const [pause, longestWait] = [100, 5000]

export const createPersonaLog = ({ requests, names, history }: Deps, from = 0): PersonaLog => {
  const { id, key, token } = history
  const stream = names.streamOf(id)
  const subject = names.commits(history)
  const lost = new AbortController()
  let last = from
  let head = ''
  let isSure = true

  const newest = () => requests.last(stream, subject)
  const seal = (where: string, message: LogMessage): Buffer => {
    const data = sealFor(key, where, encodeMessage(message))
    if (data.length + 512 > requests.largest)
      throw new TooLarge(`the servers take messages of ${requests.largest} bytes at most`)
    return data
  }
  /** False where somebody else has written. */
  const send = async (message: LogMessage, name: string, told = head): Promise<boolean> => {
    const data = seal(subject, message)
    isSure = false
    const sent = { subject, data, after: last, name: `${token}.${name}`, headers: { [headHeader]: told } }
    const seq = await sequenceOf(sent)
    isSure = true
    if (seq === undefined) return false
    last = seq
    head = told
    return true
  }
  /**
   * A conflict of one that was sent twice may be with itself; and where the last one is still that behind
   * which it was sent, with one that is under way, which is waited for.
   */
  const sequenceOf = async (sent: Outgoing): Promise<number | undefined> => {
    for (let waited = 0; ; waited += pause) {
      const seq = await requests.publish(sent)
      if (seq !== undefined) return seq
      const found = await newest()
      if (found?.header(nameHeader) === sent.name) return found.seq
      if ((found?.seq ?? 0) !== sent.after || waited >= longestWait) return undefined
      await delay(pause)
    }
  }
  const another = async (): Promise<Conflict> => {
    lost.abort()
    return new Conflict(headOf((await newest().catch(() => undefined))?.header(headHeader) ?? ''))
  }
  const append = async (records: readonly Item[]): Promise<void> => {
    if (lost.signal.aborted) throw await another()
    for (const [place, group] of inMessages(records).entries()) {
      const { seq, hash } = group.head
      const name = `${seq}.${hash}`
      if (await send({ type: 'records', records: group.records }, name, name)) continue
      if (place === 0) throw await another()
      throw new InDoubt('another wrote between two commits of one batch', { cause: await another() })
    }
  }
  return {
    ...{ history, stream, lost: lost.signal, append, newest },
    last: () => last,
    isSure: () => isSure,
    bar: async () => {
      // Somebody else's message is a barrier, too, and whoever wrote it must not be disturbed.
      if ((await newest())?.seq !== last) return
      await send({ type: 'barrier' }, `barrier.${randomBytes(8).toString('hex')}`)
    },
    putPart: async (sha, value) => {
      const chunks = Math.max(1, Math.ceil(value.length / usualSize))
      for (let chunk = 0; chunk < chunks; chunk++) {
        const where = names.part(history, sha, chunk)
        const bytes = value.subarray(chunk * usualSize, (chunk + 1) * usualSize)
        const data = seal(where, { type: 'part', chunks, chunk, bytes })
        // Where there is one already, it is the same: it is named by what it holds.
        await requests.publish({
          subject: where,
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
    seen: ({ seq, header }) => {
      last = seq
      head = header(headHeader)
    },
  }
}

const headOf = (told: string): Head => {
  const [, seq, hash] = /^(\d+)\.([0-9a-f]{64})$/.exec(told) ?? []
  return seq && hash ? { seq: Number(seq), hash } : nowhere
}

interface Group {
  readonly records: Item[]
  size: number
  commit: string
  head: Head
}

/** Whole commits, as many to a message as go in. */
const inMessages = (records: readonly Item[]): readonly Group[] => {
  const groups: Group[] = []
  const commits: Group[] = []
  for (const item of records) {
    const { seq, commit, hash } = told(item)
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

/** One that is damaged is sent as it lies, too: whoever reads it finds that. */
const told = ([key, value]: Item): {
  readonly seq: number
  readonly commit: string
  readonly hash: string
} => {
  const seq = seqOf(key)
  try {
    const record = decodeRecord(seq, value)
    return { seq, commit: commitIdOf(record), hash: record.hash }
  } catch {
    return { seq, commit: `${seq}`, hash: '' }
  }
}
