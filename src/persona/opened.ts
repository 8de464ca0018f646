/**
 * A persona's journal while it is open: its gate, and what follows from every commit of it; or what can still
 * be read of it.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { traitsOf } from '../../journal/facts/facts.ts'
import type { Damaged } from '../../journal/log/errors.ts'
import type { Commit, Head, Journal } from '../../journal/log/journal.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import type { Bus } from '../bus.ts'
import type { DiscreetLog } from '../log.ts'
import type { Instant } from '../time/clock.ts'
import { projector } from './fold.ts'
import { createGate, type Gate } from './gate.ts'
import type { Keyring } from './keyring.ts'
import { Refused } from './refusals.ts'
import type { Roster } from './roster.ts'

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

/** Throws the trouble of a damaged one. */
export const gateOf = ({ state }: Opened): Gate => {
  if ('trouble' in state) throw state.trouble
  return state.gate
}

/** Refused: persona_unknown. */
export const personaOf = ({ state }: Opened): Persona => {
  const persona = 'gate' in state ? state.gate.persona : state.persona
  if (!persona || persona.self.deleted) throw new Refused({ code: 'persona_unknown' })
  return persona
}

/**
 * How far each persona was told: what a journal that was put away in doubt proves to hold is told when it is
 * opened again.
 */
export type Published = Map<PersonaId, Head>

export interface GateDeps {
  readonly roster: Roster
  readonly keyring: Keyring
  readonly published: Published
  readonly bus: Bus
  readonly now: () => Instant
  readonly stopwatch: Stopwatch
  readonly log: DiscreetLog
  /** Damage was found while it was open. */
  readonly damaged: (id: PersonaId, error: Damaged) => void
  /** It is not known what is on disk, and could not be found out now. */
  readonly doubtful: (id: PersonaId) => void
}

/** `persona` as it was at `head`; `kept`: the position of its newest snapshot. */
interface Start {
  readonly journal: Journal
  readonly persona: Persona | undefined
  readonly kept: number
  readonly head: Head
}

/** ⏱ A waking reads what lies behind the newest one, 60 µs a record in a young process. */
const snapshotEvery = 1024

export const openGate = (id: PersonaId, { journal, persona, kept, head }: Start, deps: GateDeps): Opened => {
  const { roster, keyring, published, bus, now, stopwatch, log } = deps
  const publish = (commit: Commit, after: Persona) => {
    published.set(id, commit.head)
    roster.note(after.self, commit.head)
    if (commit.entries.some(({ type }) => traitsOf(type).changes.includes('keys')))
      opened.swept = keyring.settle(after.self)
    if (commit.head.seq - opened.kept >= snapshotEvery)
      opened.keeping = keepSnapshot(opened, after, commit.head, log)
    // ⏱ Field by field: a copy of the commit took two microseconds, a tenth of an append.
    bus.publish({ id, entries: commit.entries, head: commit.head, persona: after })
  }
  const damaged = (error: Damaged) => deps.damaged(id, error)
  const doubtful = () => deps.doubtful(id)
  const gate = createGate({ journal, persona, head, now, stopwatch, publish, damaged, doubtful })
  const opened: Opened = {
    journal,
    kept,
    state: { gate },
    keeping: Promise.resolve(),
    swept: Promise.resolve(),
  }
  return opened
}

/** Never rejects: without it more is read at the next opening. */
export const keepSnapshot = async (
  opened: Opened,
  persona: Persona,
  head: Head,
  log: DiscreetLog,
): Promise<void> => {
  opened.kept = head.seq
  const snapshot = { projector, version: personaVersion, head, state: persona }
  await gateOf(opened)
    .write((journal) => journal.keepSnapshot(snapshot))
    .catch((err: unknown) => log.warn({ id: persona.self.id, err }, 'a snapshot could not be kept'))
}
