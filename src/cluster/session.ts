/** The session of a daemon: one value on the servers that it renews, and that its leases stand with. */
import { randomBytes } from 'node:crypto'
import { type Bucket, leaseTime } from './buckets.ts'

export interface Session {
  /** The name of the session there is, else of a new one. Rejects where the servers do not answer. */
  begun(): Promise<string>
  /** By this machine's own clock. */
  held(token: string): boolean
  /** Never rejects. */
  close(): Promise<void>
}

/** Milliseconds. */
const renewEvery = leaseTime / 8
/** Before it is over for the others it is over here. */
const margin = leaseTime / 8

interface Current {
  readonly token: string
  until: number
  seq: number
}

/** `lost` is told once of each session that ran out. Must not throw. */
export const createSession = (sessions: Bucket, lost: () => void): Session => {
  let current: Current | undefined
  let beginning: Promise<string> | undefined
  let renewing = false

  const isHeld = () => current !== undefined && performance.now() < current.until
  const look = () => {
    if (!current || isHeld()) return
    current = undefined
    lost()
  }
  const begin = async (): Promise<string> => {
    const [token, asked] = [randomBytes(8).toString('hex'), performance.now()]
    const seq = (await sessions.put(token, token)) ?? 0
    current = { token, until: asked + leaseTime - margin, seq }
    return token
  }
  const renew = async (session: Current) => {
    const asked = performance.now()
    session.seq = (await sessions.put(session.token, session.token)) ?? session.seq
    session.until = Math.max(session.until, asked + leaseTime - margin)
  }
  const beat = () => {
    look()
    if (!current || renewing) return
    renewing = true
    // Whoever is silent is told of by its time.
    void renew(current)
      .catch(() => undefined)
      .finally(() => {
        renewing = false
      })
  }
  const beating = setInterval(beat, renewEvery)

  return {
    begun: () => {
      look()
      if (current) return Promise.resolve(current.token)
      beginning ??= begin().finally(() => {
        beginning = undefined
      })
      return beginning
    },
    held: (token) => current?.token === token && isHeld(),
    close: async () => {
      clearInterval(beating)
      const last = current
      current = undefined
      if (last) await sessions.remove(last.seq).catch(() => undefined)
    },
  }
}
