/**
 * The open journal of a persona: its gate and everything that follows a commit, or a read-only damaged
 * journal.
 */

import type { PersonaId } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import type { Commit, Journal } from '../../facts/persona-journal.ts'
import type { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import type { Bus } from '../bus.ts'
import { projector } from './fold.ts'
import { createGate, type Gate } from './gate.ts'
import type { Keyring } from './keyring.ts'
import { Refused } from './refusals.ts'
import type { Roster } from './roster.ts'

/** A damaged journal has no gate. It can be read up to the damage. */
export interface JournalHandle {
  readonly journal: Journal
  readonly state: { readonly gate: Gate } | { readonly persona: Persona; readonly trouble: Error }
  /** Position of the newest stored snapshot. */
  snapshotSeq: number
  /** Resolves when the snapshot in progress is stored. */
  snapshotTask: Promise<void>
  /** Resolves when unreferenced keys are off the disk. */
  swept: Promise<void>
}

/** Throws the error of a damaged journal. */
export const requireGate = ({ state }: JournalHandle): Gate => {
  if ('trouble' in state) throw state.trouble
  return state.gate
}

/** Throws Refused: persona_unknown. */
export const committedPersona = ({ state }: JournalHandle): Persona => {
  const persona = 'gate' in state ? state.gate.persona : state.persona
  if (!persona || persona.self.deleted) throw new Refused({ code: 'persona_unknown' })
  return persona
}

/** Head of the last published commit. Commits after it are published when the journal is opened again. */
export type PublishedHeads = Map<PersonaId, Head>

export interface GateDeps {
  readonly roster: Roster
  readonly keyring: Keyring
  readonly published: PublishedHeads
  readonly bus: Bus
  readonly now: () => Instant
  readonly stopwatch: Stopwatch
  readonly log: DiscreetLog
  /** Called when damage is found in an open journal. */
  readonly onDamage: (id: PersonaId, error: Damaged) => void
  /** Called when the state on disk is unknown. */
  readonly doubtful: (id: PersonaId) => void
}

/** `persona` is the state at `head`; `kept` is the position of the newest snapshot. */
interface Start {
  readonly journal: Journal
  readonly persona: Persona | undefined
  readonly kept: number
  readonly head: Head
}

/** Waking replays the facts after the newest snapshot. Measured: 60 µs per record in a young process. */
const snapshotEvery = 1024

export const openGate = (
  id: PersonaId,
  { journal, persona, kept: snapshotSeq, head }: Start,
  deps: GateDeps,
): JournalHandle => {
  const { roster, keyring, published, bus, now, stopwatch, log } = deps
  const publish = (commit: Commit, personaAfter: Persona) => {
    published.set(id, commit.head)
    roster.update(personaAfter.self, commit.head)
    if (commit.entries.some(({ type }) => getTraits(type).changes.includes('keys')))
      handle.swept = keyring.settle(personaAfter)
    if (commit.head.seq - handle.snapshotSeq >= snapshotEvery)
      handle.snapshotTask = keepSnapshot(handle, personaAfter, commit.head, log)
    // Not a copy of the commit: measured 2 µs, a tenth of an append.
    bus.publish({ id, entries: commit.entries, head: commit.head, persona: personaAfter })
  }
  const onDamage = (error: Damaged) => deps.onDamage(id, error)
  const isDoubtful = () => deps.doubtful(id)
  const gate = createGate({ journal, persona, head, now, stopwatch, publish, onDamage, doubtful: isDoubtful })
  const handle: JournalHandle = {
    journal,
    snapshotSeq,
    state: { gate },
    snapshotTask: Promise.resolve(),
    swept: Promise.resolve(),
  }
  return handle
}

/** Never rejects. Without a snapshot, the next opening only reads more. */
export const keepSnapshot = async (
  handle: JournalHandle,
  persona: Persona,
  head: Head,
  log: DiscreetLog,
): Promise<void> => {
  // A stale part is folded again at each opening, so that it recovers when its fold is corrected.
  if (persona.stale) return
  handle.snapshotSeq = head.seq
  const snapshot = { projector, version: personaVersion, head, state: persona }
  await requireGate(handle)
    .write((journal) => journal.keepSnapshot(snapshot))
    .catch((err: unknown) => log.warn({ id: persona.self.id, err }, 'failed to store a snapshot'))
}
