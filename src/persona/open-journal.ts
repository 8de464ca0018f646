/** Opens and closes the journal of a persona, sound or damaged. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Draft, Journal, Journals } from '../../facts/persona-journal.ts'
import { Damaged, Denied, InDoubt, Unavailable, Unknown } from '../../journal/log/errors.ts'
import { emptyHead } from '../../journal/log/head.ts'
import type { Self } from '../../projections/self.ts'
import { fold, foldWhole } from './fold.ts'
import { type GateDeps, type JournalHandle, keepSnapshot, openGate, requireGate } from './journal-handle.ts'
import { JournalMissing, JournalUnavailable, Refused } from './refusals.ts'

export interface JournalOpener {
  /**
   * Creates the journal if `first` is given. Throws Refused, JournalUnavailable, Newer, or Damaged if nothing
   * is readable.
   */
  open(id: PersonaId, first: Draft | undefined): Promise<JournalHandle>
  shut(handle: JournalHandle): Promise<void>
}

export interface OpeningDeps extends GateDeps {
  readonly journals: Journals
  /** Called when a deleted persona still has files. */
  readonly onDelete: (self: Self) => Promise<void>
}

/** Min facts after the last snapshot for a new one at close. */
const snapshotAtClose = 64

export const createJournalOpener = (deps: OpeningDeps): JournalOpener => {
  const { journals, roster, keyring, published, log } = deps

  const openSound = async (id: PersonaId, journal: Journal): Promise<JournalHandle> => {
    const { persona, kept } = await foldWhole(id, journal)
    assertOwner(id, persona.self)
    const lastPublished = published.get(id)
    if (lastPublished && lastPublished.seq < journal.head.seq) {
      const start = await fold(journal, lastPublished.seq)
      await requireGate(openGate(id, { journal, ...start, head: lastPublished }, deps)).readOn()
    }
    if (persona.self.deleted) {
      await journal.close()
      await deps.onDelete(persona.self)
      throw new Refused({ code: 'persona_unknown' })
    }
    roster.update(persona.self, journal.head)
    await keyring.settle(persona)
    return openGate(id, { journal, persona, kept, head: journal.head }, deps)
  }

  const openDamaged = async (id: PersonaId, journal: Journal, damage: Error): Promise<JournalHandle> => {
    const { persona, kept: snapshotSeq } = await fold(journal)
    if (persona) assertOwner(id, persona.self)
    const self = persona?.self ?? roster.get(id)?.self
    if (self) roster.trouble(self, damage.message)
    if (!persona) throw damage
    log.error({ id, reason: damage.message }, 'journal is damaged and read-only')
    return {
      journal,
      snapshotSeq,
      state: { persona, trouble: damage },
      snapshotTask: Promise.resolve(),
      swept: Promise.resolve(),
    }
  }

  /** Returns the error for a known persona without a journal. The pool retries, since it may come back. */
  const findMissing = (id: PersonaId): JournalMissing | undefined => {
    const row = roster.get(id)
    if (!row || row.self.deleted) return undefined
    const error = new JournalMissing(id)
    if (row.trouble !== error.message) {
      roster.trouble(row.self, error.message)
      log.error({ id, reason: error.message }, 'the journal of a persona is missing')
    }
    deps.doubtful(id)
    return error
  }

  const openExisting = async (id: PersonaId): Promise<JournalHandle> => {
    try {
      const journal = await journals.open(id, 'writer')
      return await closeOnError(journal, openSound(id, journal))
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
      const journal = await journals.open(id, 'reader')
      return closeOnError(journal, openDamaged(id, journal, error))
    }
  }

  return {
    open: async (id, first) => {
      if (first)
        return openGate(
          id,
          { journal: await journals.create(id, first), persona: undefined, kept: 0, head: emptyHead },
          deps,
        )
      try {
        return await openExisting(id)
      } catch (error) {
        throw (error instanceof Unknown && findMissing(id)) || toOpenError(id, error)
      }
    },
    shut: async (handle) => {
      if ('gate' in handle.state) {
        await handle.state.gate.quiet()
        await handle.snapshotTask
        const { persona, head } = handle.state.gate
        if (persona && head.seq - handle.snapshotSeq > snapshotAtClose)
          await keepSnapshot(handle, persona, head, log)
      }
      await handle.swept
      await handle.journal.close()
    },
  }
}

/** A copied folder under another name must not pass for the original persona. */
const assertOwner = (id: PersonaId, self: Self): void => {
  if (self.id !== id) throw new Refused({ code: 'persona_unknown' })
}

/** A journal left open after a failure would lock out every retry. */
const closeOnError = async (journal: Journal, opening: Promise<JournalHandle>): Promise<JournalHandle> => {
  try {
    return await opening
  } catch (error) {
    await journal.close()
    throw error
  }
}

const toOpenError = (id: PersonaId, error: unknown): unknown => {
  if (error instanceof Unknown) return new Refused({ code: 'persona_unknown' })
  if (error instanceof Denied)
    return new JournalUnavailable(`the journal cannot be opened: ${error.message} (personas/${id})`, {
      cause: error,
    })
  if (error instanceof Unavailable || error instanceof InDoubt)
    return new JournalUnavailable('the journal cannot be opened now', { cause: error })
  return error
}
