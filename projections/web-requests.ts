/** Counts the requests to the web per day, for the limits of searches and pages. */
import type { SearchProvider } from '../facts/fact-values.ts'
import { searchServer, webServer } from './declared-servers.ts'
import type { FactFor } from './fact.ts'

/** All counts are of one day in UTC. A clock that jumps back does not reset them. */
export interface WebRequests {
  /** Days since 1970-01-01. */
  readonly day: number
  /** Searches and pages that were begun. */
  readonly begun: number
  /** Searches by provider, with failed ones. */
  readonly searches: Readonly<Partial<Record<SearchProvider, number>>>
}

export const initialWebRequests: WebRequests = { day: 0, begun: 0, searches: {} }

const dayMs = 24 * 3_600_000

const toDay = (timeMs: number): number => Math.floor(timeMs / dayMs)

/** Returns the counts of the day of an instant, epoch milliseconds. */
export const getRequestsOf = (requests: WebRequests, timeMs: number): WebRequests =>
  toDay(timeMs) > requests.day ? { ...initialWebRequests, day: toDay(timeMs) } : requests

export const evolveWebRequests = (state: WebRequests, { at, event }: FactFor<'web'>): WebRequests => {
  const requests = getRequestsOf(state, at)
  switch (event.type) {
    // The web was used by another machine, or by the original.
    case 'PersonaRestored':
    case 'PersonaForked':
      return initialWebRequests
    case 'ToolCalled':
      return isOfWeb(event.of?.server) ? { ...requests, begun: requests.begun + 1 } : state
    case 'WebSearched': {
      const count = (requests.searches[event.provider] ?? 0) + 1
      return { ...requests, searches: { ...requests.searches, [event.provider]: count } }
    }
  }
}

const isOfWeb = (server: string | undefined): boolean => server === webServer || server === searchServer
