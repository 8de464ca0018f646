/**
 * Leases: of all who ask, one holds a name, under a session that its daemon goes on renewing. Who was held up
 * for longer than that finds its leases lost before anything else.
 */
import { type Bucket, openBucket, type Servers } from './buckets.ts'
import { createSession, type Session } from './session.ts'

export interface Lease {
  readonly name: string
  /** Later holders of the name have a higher one. */
  readonly epoch: number
  /** Told by this machine's own clock, so also where nobody answers. */
  held(): boolean
  /** Aborts when it is lost, not where it was given back. */
  readonly lost: AbortSignal
  /** Others may have it at once. Never rejects: what is not given back runs out. */
  release(): Promise<void>
}

export interface Leases {
  /** Null where another holds it. Rejects where the servers do not answer. */
  take(name: string): Promise<Lease | null>
  /** Gives all of them back. */
  close(): Promise<void>
}

interface Held {
  readonly lease: Lease
  lose(): void
}

/**
 * `daemon` is that of a home, of which one process has the lock: what an earlier one left it takes at once.
 */
export const openLeases = async (servers: Servers, daemon: string): Promise<Leases> => {
  const [bucket, sessions] = [await openBucket(servers, 'leases'), await openBucket(servers, 'sessions')]
  const held = new Map<string, Held>()
  /** Every one is told before any is taken again: after a halt of the process nothing else is known. */
  const lost = () => {
    const all = [...held.values()]
    held.clear()
    for (const one of all) one.lose()
  }
  const session = createSession(sessions, lost)
  /** Given back, and not removed yet: under a session that lives on, nobody else could have them. */
  const owed = new Set<number>()
  const giveBack = async (epoch: number) => {
    owed.add(epoch)
    await bucket.remove(epoch).then(
      () => owed.delete(epoch),
      () => undefined,
    )
  }
  const trying = setInterval(() => {
    for (const epoch of owed) void giveBack(epoch)
  }, again)
  const taking = new Set<string>()

  const take = async (name: string, token: string): Promise<Lease | null> => {
    const epoch = await claim({ bucket, sessions, daemon, name, token })
    if (epoch === null) return null
    const one = holding({ session, token, name, epoch, over: () => held.delete(name), giveBack })
    held.set(name, one)
    // It was lost while the servers answered.
    if (!one.lease.held()) {
      held.delete(name)
      one.lose()
    }
    return one.lease
  }
  return {
    take: async (name) => {
      const token = await session.begun()
      if (held.has(name) || taking.has(name)) return null
      taking.add(name)
      return take(name, token).finally(() => taking.delete(name))
    },
    close: async () => {
      clearInterval(trying)
      await Promise.all([...held.values()].map(({ lease }) => lease.release()))
      await session.close()
    },
  }
}

interface Claiming {
  readonly bucket: Bucket
  readonly sessions: Bucket
  readonly daemon: string
  readonly name: string
  readonly token: string
}

/** Its epoch; null where another has it. */
const claim = async ({ bucket, sessions, daemon, name, token }: Claiming): Promise<number | null> => {
  const there = await bucket.get(name)
  const [holder = '', under = ''] = there?.data.toString('utf8').split(' ') ?? []
  if (there && holder !== daemon && (await sessions.get(under))) return null
  return (await bucket.put(name, `${daemon} ${token}`, there?.seq ?? 0)) ?? null
}

/** Milliseconds between two tries to remove what was given back. */
const again = 2000

interface Claimed {
  readonly session: Session
  readonly token: string
  readonly name: string
  readonly epoch: number
  readonly over: () => void
  /** Never rejects. */
  readonly giveBack: (epoch: number) => Promise<void>
}

const holding = ({ session, token, name, epoch, over, giveBack }: Claimed): Held => {
  const losing = new AbortController()
  let ended = false
  const lease: Lease = {
    ...{ name, epoch, lost: losing.signal },
    held: () => !ended && session.held(token),
    release: async () => {
      if (ended) return
      ended = true
      over()
      await giveBack(epoch)
    },
  }
  const lose = () => {
    if (ended) return
    ended = true
    losing.abort()
  }
  return { lease, lose }
}
