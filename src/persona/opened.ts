/** A persona's journal while it is open: its gate, or what can still be read of it; how it comes to be, and how it ends. */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { traitsOf } from '../../journal/facts/facts.ts'
import { Damaged, Denied, InDoubt, Unavailable, Unknown } from '../../journal/log/errors.ts'
import { type Commit, type Draft, type Head, type Journal, type Journals, nowhere } from '../../journal/log/journal.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { DiscreetLog } from '../log.ts'
import { fold, projector } from './fold.ts'
import { createGate, type Gate } from './gate.ts'
import type { Keyring } from './keyring.ts'
import { Refused } from './refusals.ts'
import type { Roster } from './roster.ts'
import { JournalUnavailable } from './unavailable.ts'

/** A damaged journal has no gate, only its trouble: it can be read up to the damage. */
export interface Opened {
  readonly journal: Journal
  readonly state: { readonly gate: Gate } | { readonly persona: Persona; readonly trouble: Error }
  /** Position of the newest kept snapshot. */
  kept: number
  /** Resolves when the snapshot that is being kept is. */
  keeping: Promise<void>
  /** Resolves when the keys that nothing of its own refers to any more are off the disk. */
  swept: Promise<void>
}

export const gateOf = ({ state }: Opened): Gate => {
  if ('trouble' in state) throw state.trouble
  return state.gate
}

export const personaOf = ({ state }: Opened): Persona => {
  const persona = 'gate' in state ? state.gate.persona : state.persona
  if (!persona || persona.self.deleted) throw new Refused({ code: 'persona_unknown' })
  return persona
}

export interface Opening {
  /** Makes its journal where there is a first draft of it. Refused · JournalUnavailable · Newer; Damaged where nothing can be read. */
  open(id: PersonaId, birth: Draft | undefined): Promise<Opened>
  shut(opened: Opened): Promise<void>
  /** Its journal is gone, or another lies in its place; `head`: up to there it is told to nobody. */
  forget(id: PersonaId, head?: Head): void
}

interface Deps {
  readonly journals: Journals
  readonly roster: Roster
  readonly keyring: Keyring
  readonly now: () => { readonly at: number; readonly offset: number }
  readonly stopwatch: Stopwatch
  readonly log: DiscreetLog
  /** Called for every commit in order, once it is on disk, across all openings. Must not throw. */
  readonly publish: (commit: Commit, persona: Persona) => void
  readonly troubled: (self: Self, sentence: string) => void
  /** Damage was found while it was open. */
  readonly damaged: (id: PersonaId, error: Damaged) => void
  /** It is not known what is on disk, and could not be found out now. */
  readonly doubtful: (id: PersonaId) => void
  /** It was deleted, and what is left of it is to go. */
  readonly deleted: (self: Self) => Promise<void>
}

/** ⏱ A waking reads what lies behind the newest one, 60 µs a record in a young process. */
const snapshotEvery = 1024
/** A longer tail than this is worth a snapshot when the journal is closed. */
const snapshotAtClose = 64

export const createOpening = (deps: Deps): Opening => {
  const { journals, roster, keyring, now, stopwatch, log } = deps
  /** How far each persona was told: what a journal that was put away in doubt proves to hold is told when it is opened again. */
  const told = new Map<PersonaId, Head>()

  const keepSnapshot = async (opened: Opened, persona: Persona, head: Head) => {
    opened.kept = head.seq
    const snapshot = { projector, version: personaVersion, head, state: persona }
    await gateOf(opened)
      .write((journal) => journal.keepSnapshot(snapshot))
      .catch((err: unknown) => log.warn({ id: persona.self.id, err }, 'a snapshot could not be kept'))
  }

  const guarded = (id: PersonaId, journal: Journal, persona: Persona | undefined, kept: number, head: Head): Opened => {
    const publish = (commit: Commit, after: Persona) => {
      told.set(id, commit.head)
      roster.note(after.self, commit.head)
      if (commit.entries.some(({ type }) => traitsOf(type).changes.includes('keys'))) opened.swept = keyring.settle(after.self)
      if (commit.head.seq - opened.kept >= snapshotEvery) opened.keeping = keepSnapshot(opened, after, commit.head)
      deps.publish(commit, after)
    }
    const damaged = (error: Damaged) => deps.damaged(id, error)
    const doubtful = () => deps.doubtful(id)
    const gate = createGate({ journal, persona, head, now, stopwatch, publish, damaged, doubtful })
    const opened: Opened = { journal, kept, state: { gate }, keeping: Promise.resolve(), swept: Promise.resolve() }
    return opened
  }

  const openSound = async (id: PersonaId, journal: Journal): Promise<Opened> => {
    const { persona, kept, damage } = await fold(journal)
    if (damage || !persona) throw damage ?? new Damaged(1, 'there is no first fact')
    if (persona.self.id !== id) throw new Damaged(1, 'is of somebody else')
    const before = told.get(id)
    if (before && before.seq < journal.head.seq) {
      const then = await fold(journal, before.seq)
      await gateOf(guarded(id, journal, then.persona, then.kept, before)).readOn()
    }
    if (persona.self.deleted) {
      await journal.close()
      await deps.deleted(persona.self)
      throw new Refused({ code: 'persona_unknown' })
    }
    roster.note(persona.self, journal.head)
    await keyring.settle(persona.self)
    return guarded(id, journal, persona, kept, journal.head)
  }

  const openDamaged = async (id: PersonaId, journal: Journal, trouble: Error): Promise<Opened> => {
    const { persona, kept } = await fold(journal)
    const self = persona?.self ?? roster.get(id)?.self
    if (self) deps.troubled(self, trouble.message)
    if (!persona) throw trouble
    log.error({ id, reason: trouble.message }, 'a damaged journal can only be read')
    return { journal, kept, state: { persona, trouble }, keeping: Promise.resolve(), swept: Promise.resolve() }
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
    open: async (id, birth) => {
      if (birth) return guarded(id, await journals.create(id, birth), undefined, 0, nowhere)
      try {
        return await openThere(id)
      } catch (error) {
        if (error instanceof Unknown) throw new Refused({ code: 'persona_unknown' })
        if (error instanceof Denied)
          throw new JournalUnavailable(`the journal cannot be opened: ${error.message} (personas/${id})`, { cause: error })
        if (error instanceof Unavailable || error instanceof InDoubt) throw new JournalUnavailable('the journal cannot be opened now')
        throw error
      }
    },
    shut: async (opened) => {
      if ('gate' in opened.state) {
        await opened.state.gate.quiet()
        await opened.keeping
        const { persona, head } = opened.state.gate
        if (persona && head.seq - opened.kept > snapshotAtClose) await keepSnapshot(opened, persona, head)
      }
      await opened.swept
      await opened.journal.close()
    },
    forget: (id, head) => {
      if (head) told.set(id, head)
      else told.delete(id)
    },
  }
}
