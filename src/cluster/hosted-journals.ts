/**
 * Restricts the journals of a cluster to those that this daemon may write: the personas whose lease it holds,
 * and each only until another daemon writes to its journal.
 */

import type { PersonaId } from '../../facts/fact-values.ts'
import type { Journal, Journals } from '../../facts/persona-journal.ts'
import { Conflict, Unavailable } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import type { HeldLeases } from './held-leases.ts'

interface Deps {
  readonly holdings: HeldLeases
  /** Id of this daemon. */
  readonly self: string
  /** The local caches of journals. Opening one sends no request to the servers. */
  readonly cachedJournals: Pick<Journals, 'open'>
  /**
   * Whether it is unknown which daemon holds the lease. The local cache is then read, and served with its
   * age.
   */
  readonly waits: (id: PersonaId) => boolean
}

/**
 * Throws Unavailable for a persona that another daemon holds. Opens the journal for reading only if the
 * holder is unknown.
 */
export const hostedJournals = (journals: Journals, deps: Deps): Journals => {
  const { holdings, self, cachedJournals, waits } = deps
  const mustHold = (id: PersonaId) => {
    if (!holdings.has(id)) throw new Unavailable('another daemon hosts it, or the cluster does not answer')
  }
  const toHostedJournal = (id: PersonaId, journal: Journal): Journal =>
    guardJournal(id, journal, { holdings, self, mustHold })
  const takePersona = async (id: PersonaId) => {
    const lease = await holdings.take(id).catch((cause: unknown) => {
      throw new Unavailable('the cluster does not answer', { cause })
    })
    if (!lease) throw new Unavailable('another daemon hosts it')
  }

  return {
    ...journals,
    create: async (id, first) => {
      await takePersona(id)
      try {
        return toHostedJournal(id, await journals.create(id, first))
      } catch (error) {
        await holdings.giveBack(id)
        throw error
      }
    },
    open: async (id, role) => {
      if (!holdings.has(id) && waits(id)) return toHostedJournal(id, await cachedJournals.open(id, 'reader'))
      mustHold(id)
      return toHostedJournal(id, await journals.open(id, role))
    },
    salvage: async (id, ...options) => {
      mustHold(id)
      return journals.salvage(id, ...options)
    },
    erase: async (id, ...options) => {
      mustHold(id)
      return journals.erase(id, ...options)
    },
    stage: async (id, ...options) => {
      await takePersona(id)
      return journals.stage(id, ...options)
    },
    remove: async (id) => {
      mustHold(id)
      await journals.remove(id)
      await holdings.giveBack(id)
    },
  }
}

interface Guards extends Pick<Deps, 'holdings' | 'self'> {
  readonly mustHold: (id: PersonaId) => void
}

const guardJournal = (id: PersonaId, journal: Journal, { holdings, self, mustHold }: Guards): Journal => {
  /** Up to this head no other daemon can have written. */
  let knownHead: Head = journal.head

  const fence = (cause: unknown): Unavailable => {
    holdings.onFenced(id)
    return new Unavailable('another daemon has taken it over', { cause })
  }
  const append: Journal['append'] = async (drafts, expectedHead) => {
    mustHold(id)
    try {
      const commits = await journal.append(drafts, expectedHead)
      knownHead = commits.at(-1)?.head ?? knownHead
      return commits
    } catch (error) {
      throw error instanceof Conflict ? fence(error) : error
    }
  }
  /**
   * The journal may contain commits of another daemon by now. To append after them would let two daemons
   * write alternately.
   */
  const settleHead = async (): Promise<Head> => {
    mustHold(id)
    const head = await journal.settle()
    for await (const { entries } of journal.commits(knownHead))
      for (const { event } of entries)
        if (event.type === 'Hosted' && event.daemon !== self) throw fence(undefined)
    knownHead = head
    return head
  }
  // Copies the property descriptors, because the journal's `head` is a getter that must stay live.
  return Object.defineProperties({} as Journal, {
    ...Object.getOwnPropertyDescriptors(journal),
    append: { value: append, enumerable: true },
    settle: { value: settleHead, enumerable: true },
  })
}
