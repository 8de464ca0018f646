/** How a persona's journal is opened, sound or damaged, and closed. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Damaged, Denied, InDoubt, Unavailable, Unknown } from '../../journal/log/errors.ts'
import { type Draft, type Journal, type Journals, nowhere } from '../../journal/log/journal.ts'
import type { Self } from '../../projections/self.ts'
import { fold, foldWhole } from './fold.ts'
import { type GateDeps, gateOf, keepSnapshot, type Opened, openGate } from './opened.ts'
import { Refused } from './refusals.ts'
import { JournalMissing, JournalUnavailable } from './unavailable.ts'

export interface Opening {
  /**
   * Makes its journal where there is a first draft of it. Refused · JournalUnavailable · Newer; Damaged where
   * nothing can be read.
   */
  open(id: PersonaId, first: Draft | undefined): Promise<Opened>
  shut(opened: Opened): Promise<void>
}

export interface OpeningDeps extends GateDeps {
  readonly journals: Journals
  /** It was deleted, and what is left of it is to go. */
  readonly deleted: (self: Self) => Promise<void>
}

/** A longer tail than this is worth a snapshot when the journal is closed. */
const snapshotAtClose = 64

export const createOpening = (deps: OpeningDeps): Opening => {
  const { journals, roster, keyring, published, log } = deps

  const openSound = async (id: PersonaId, journal: Journal): Promise<Opened> => {
    const { persona, kept } = await foldWhole(id, journal)
    mustBeItsOwn(id, persona.self)
    const before = published.get(id)
    if (before && before.seq < journal.head.seq) {
      const then = await fold(journal, before.seq)
      await gateOf(openGate(id, { journal, ...then, head: before }, deps)).readOn()
    }
    if (persona.self.deleted) {
      await journal.close()
      await deps.deleted(persona.self)
      throw new Refused({ code: 'persona_unknown' })
    }
    roster.note(persona.self, journal.head)
    await keyring.settle(persona.self)
    return openGate(id, { journal, persona, kept, head: journal.head }, deps)
  }

  const openDamaged = async (id: PersonaId, journal: Journal, trouble: Error): Promise<Opened> => {
    const { persona, kept } = await fold(journal)
    if (persona) mustBeItsOwn(id, persona.self)
    const self = persona?.self ?? roster.get(id)?.self
    if (self) roster.trouble(self, trouble.message)
    if (!persona) throw trouble
    log.error({ id, reason: trouble.message }, 'a damaged journal can only be read')
    return {
      journal,
      kept,
      state: { persona, trouble },
      keeping: Promise.resolve(),
      swept: Promise.resolve(),
    }
  }

  /** Why one that is known cannot be opened. It may come back, and is looked for. */
  const missing = (id: PersonaId): JournalMissing | undefined => {
    const listed = roster.get(id)
    if (!listed || listed.self.deleted) return undefined
    const error = new JournalMissing(id)
    if (listed.trouble !== error.message) {
      roster.trouble(listed.self, error.message)
      log.error({ id, reason: error.message }, 'the journal of a persona is missing')
    }
    deps.doubtful(id)
    return error
  }

  const openThere = async (id: PersonaId): Promise<Opened> => {
    try {
      const journal = await journals.open(id, 'writer')
      return await orClosed(journal, openSound(id, journal))
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
      const journal = await journals.open(id, 'reader')
      return orClosed(journal, openDamaged(id, journal, error))
    }
  }

  return {
    open: async (id, first) => {
      if (first)
        return openGate(
          id,
          { journal: await journals.create(id, first), persona: undefined, kept: 0, head: nowhere },
          deps,
        )
      try {
        return await openThere(id)
      } catch (error) {
        throw (error instanceof Unknown && missing(id)) || closedBecause(id, error)
      }
    },
    shut: async (opened) => {
      if ('gate' in opened.state) {
        await opened.state.gate.quiet()
        await opened.keeping
        const { persona, head } = opened.state.gate
        if (persona && head.seq - opened.kept > snapshotAtClose)
          await keepSnapshot(opened, persona, head, log)
      }
      await opened.swept
      await opened.journal.close()
    },
  }
}

/** A copy of a folder under another name: nothing of it may be taken for the original's. */
const mustBeItsOwn = (id: PersonaId, self: Self): void => {
  if (self.id !== id) throw new Refused({ code: 'persona_unknown' })
}

/** Left open, a journal that cannot be read now would hold out everyone who tries again. */
const orClosed = async (journal: Journal, opening: Promise<Opened>): Promise<Opened> => {
  try {
    return await opening
  } catch (error) {
    await journal.close()
    throw error
  }
}

const closedBecause = (id: PersonaId, error: unknown): unknown => {
  if (error instanceof Unknown) return new Refused({ code: 'persona_unknown' })
  if (error instanceof Denied)
    return new JournalUnavailable(`the journal cannot be opened: ${error.message} (personas/${id})`, {
      cause: error,
    })
  if (error instanceof Unavailable || error instanceof InDoubt)
    return new JournalUnavailable('the journal cannot be opened now', { cause: error })
  return error
}
