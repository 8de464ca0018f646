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
  isHeld(): boolean
  /** Aborts when the lease is lost, but not when it is released. */
  readonly lostSignal: AbortSignal
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

interface HeldLease {
  readonly lease: Lease
  lose(): void
}

/**
 * `daemon` is the id stored in the home. Only one process can lock a home, so leases of an earlier process
 * with the same id are taken immediately.
 */
export const openLeases = async (servers: Servers, daemon: string): Promise<Leases> => {
  const bucket = await openBucket(servers, 'leases')
  const sessions = await openBucket(servers, 'sessions')
  const holders = new Map<string, HeldLease>()
  /**
   * All holders are notified before a lease is taken again: after the process was suspended, every lease is
   * lost.
   */
  const loseAll = () => {
    const all = [...holders.values()]
    holders.clear()
    for (const holder of all) holder.lose()
  }
  const session = createSession(sessions, loseAll)
  /**
   * Epochs of released leases that are not removed from the servers yet. Because the session stays alive, no
   * other daemon could take these leases.
   */
  const releasedEpochs = new Set<number>()
  const giveBack = async (epoch: number) => {
    releasedEpochs.add(epoch)
    await bucket.remove(epoch).then(
      () => releasedEpochs.delete(epoch),
      () => undefined,
    )
  }
  const retryTimer = setInterval(() => {
    for (const epoch of releasedEpochs) void giveBack(epoch)
  }, retryMs)
  const takingNames = new Set<string>()

  const takeLease = async (name: string, token: string): Promise<Lease | null> => {
    const epoch = await claim({ bucket, sessions, daemon, name, token })
    if (epoch === null) return null
    const holder = createHeldLease({
      session,
      token,
      name,
      epoch,
      onEnd: () => holders.delete(name),
      giveBack,
    })
    holders.set(name, holder)
    // The session expired while the request was pending.
    if (!holder.lease.isHeld()) {
      holders.delete(name)
      holder.lose()
    }
    return holder.lease
  }
  return {
    take: async (name) => {
      const token = await session.waitForStart()
      if (holders.has(name) || takingNames.has(name)) return null
      takingNames.add(name)
      return takeLease(name, token).finally(() => takingNames.delete(name))
    },
    close: async () => {
      clearInterval(retryTimer)
      await Promise.all([...holders.values()].map(({ lease }) => lease.release()))
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
  const current = await bucket.get(name)
  const [holder = '', sessionToken = ''] = current?.data.toString('utf8').split(' ') ?? []
  if (current && holder !== daemon && (await sessions.get(sessionToken))) return null
  return (await bucket.put(name, `${daemon} ${token}`, current?.seq ?? 0)) ?? null
}

/** Milliseconds between two attempts to remove released leases. */
const retryMs = 2000

interface LeaseClaim {
  readonly session: Session
  readonly token: string
  readonly name: string
  readonly epoch: number
  readonly onEnd: () => void
  /** Never rejects. */
  readonly giveBack: (epoch: number) => Promise<void>
}

const createHeldLease = ({ session, token, name, epoch, onEnd, giveBack }: LeaseClaim): HeldLease => {
  const lostController = new AbortController()
  let isEnded = false
  const lease: Lease = {
    name,
    epoch,
    lostSignal: lostController.signal,
    isHeld: () => !isEnded && session.isHeld(token),
    release: async () => {
      if (isEnded) return
      isEnded = true
      onEnd()
      await giveBack(epoch)
    },
  }
  const loseLease = () => {
    if (isEnded) return
    isEnded = true
    lostController.abort()
  }
  return { lease, lose: loseLease }
}
