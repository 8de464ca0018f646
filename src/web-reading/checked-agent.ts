/**
 * Connections that lead to public addresses alone: a name is looked up once for each connection, and what was
 * looked at is what is connected to.
 */
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { type IsPublic, literalIn, notPublic } from './page-address.ts'
import { PageUnread } from './page-unread.ts'

/** All addresses of a name. Rejects as Node's own does. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface Reach {
  readonly resolve: Resolve
  readonly isPublic: IsPublic
}

/** Milliseconds until a connection stands. */
const timeout = 8000

/** To be destroyed by whoever asked for it. */
export const checkedAgent = async (reach: Reach): Promise<Agent> => {
  const { Agent, buildConnector } = await import('undici')
  const connect = buildConnector({ timeout, lookup: checkedLookup(reach) })
  return new Agent({
    // An address that stands in place of a name is looked up by nobody.
    connect: (options, done) => {
      const literal = literalIn(options.hostname)
      if (literal !== null && !reach.isPublic(literal)) return done(new PageUnread(notPublic), null)
      connect(options, done)
    },
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

const checkedLookup =
  ({ resolve, isPublic }: Reach): LookupFunction =>
  (hostname, { all }, done) => {
    const give = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses
      // One that is not public among those that are is a trick, or a network of one's own.
      if (!first || !addresses.every(({ address }) => isPublic(address)))
        return done(new PageUnread(first ? notPublic : 'its name is not known'), '')
      if (all) return done(null, [...addresses])
      done(null, first.address, first.family)
    }
    resolve(hostname).then(give, (error: NodeJS.ErrnoException) => done(error, ''))
  }
