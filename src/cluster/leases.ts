/**
 * Leases: one daemon at a time holds a name, under a session that it renews. A daemon that was suspended too
 * long first learns that its leases are lost.
 */
import { type Bucket, openBucket, type Servers } from './buckets.ts'
import { createSession, type Session } from './session.ts'

export interface Lease {
  readonly name: string
  /** Increases with each holder of the name. */
  readonly epoch: number
  /** Decides by the clock of this machine, so it also works without a connection. */
  held(): boolean
  /** Aborts when the lease is lost, but not when it is released. */
  readonly lost: AbortSignal
  /**
   * Gives the lease back, so that other daemons can take it immediately. Never rejects: if the servers do not
   * answer, the lease expires.
   */
  release(): Promise<void>
}

export interface Leases {
  /** Returns null if another daemon holds the name. Rejects if the servers do not answer. */
  take(name: string): Promise<Lease | null>
  /** Releases all leases. */
  close(): Promise<void>
}

interface Held {
  readonly lease: Lease
  lose(): void
}

/**
 * `daemon` is the id stored in the home. Only one process can lock a home, so leases of an earlier process
 * with the same id are taken immediately.
 */
export const openLeases = async (servers: Servers, daemon: string): Promise<Leases> => {
  const [bucket, sessions] = [await openBucket(servers, 'leases'), await openBucket(servers, 'sessions')]
  const held = new Map<string, Held>()
  /**
   * All holders are notified before a lease is taken again: after the process was suspended, every lease is
   * lost.
   */
  const lost = () => {
    const all = [...held.values()]
    held.clear()
    for (const one of all) one.lose()
  }
  const session = createSession(sessions, lost)
  /**
   * Epochs of released leases that are not removed from the servers yet. Because the session stays alive, no
   * other daemon could take these leases.
   */
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
    // The session expired while the request was pending.
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

/** Returns the epoch, or null if another daemon holds the name. */
const claim = async ({ bucket, sessions, daemon, name, token }: Claiming): Promise<number | null> => {
  const there = await bucket.get(name)
  const [holder = '', under = ''] = there?.data.toString('utf8').split(' ') ?? []
  if (there && holder !== daemon && (await sessions.get(under))) return null
  return (await bucket.put(name, `${daemon} ${token}`, there?.seq ?? 0)) ?? null
}

/** Milliseconds between two attempts to remove released leases. */
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
