/** The session of a daemon: one value on the servers that the daemon renews. All its leases depend on it. */
import { randomBytes } from 'node:crypto'
import { type Bucket, leaseTime } from './buckets.ts'

export interface Session {
  /**
   * Returns the token of the current session, or starts a new session. Rejects if the servers do not answer.
   */
  waitForStart(): Promise<string>
  /** Decides by the clock of this machine. */
  isHeld(token: string): boolean
  /** Never rejects. */
  close(): Promise<void>
}

/** Milliseconds. */
const renewEvery = leaseTime / 8
/** The session ends here this many milliseconds before it ends for the other daemons. */
const margin = leaseTime / 8

interface Current {
  readonly token: string
  expiresAt: number
  seq: number
}

/** Calls `onLost` once for each session that expires. `onLost` must not throw. */
export const createSession = (sessions: Bucket, onLost: () => void): Session => {
  let current: Current | undefined
  let beginning: Promise<string> | undefined
  let isRenewing = false

  const isHeld = () => current !== undefined && performance.now() < current.expiresAt
  const expire = () => {
    if (!current || isHeld()) return
    current = undefined
    onLost()
  }
  const beginSession = async (): Promise<string> => {
    const token = randomBytes(8).toString('hex')
    const askedAt = performance.now()
    const seq = (await sessions.put(token, token)) ?? 0
    current = { token, expiresAt: askedAt + leaseTime - margin, seq }
    return token
  }
  const renew = async (session: Current) => {
    const askedAt = performance.now()
    session.seq = (await sessions.put(session.token, session.token)) ?? session.seq
    session.expiresAt = Math.max(session.expiresAt, askedAt + leaseTime - margin)
  }
  const beat = () => {
    expire()
    if (!current || isRenewing) return
    isRenewing = true
    // A failed renewal needs no handling: the session expires.
    void renew(current)
      .catch(() => undefined)
      .finally(() => {
        isRenewing = false
      })
  }
  const beatTimer = setInterval(beat, renewEvery)

  return {
    waitForStart: () => {
      expire()
      if (current) return Promise.resolve(current.token)
      beginning ??= beginSession().finally(() => {
        beginning = undefined
      })
      return beginning
    },
    isHeld: (token) => current?.token === token && isHeld(),
    close: async () => {
      clearInterval(beatTimer)
      const last = current
      current = undefined
      if (last) await sessions.remove(last.seq).catch(() => undefined)
    },
  }
}
