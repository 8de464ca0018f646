/** Reports size, head and integrity of a journal. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Catalog } from '../../home/catalog.ts'
import { journalFolder } from '../../home/places.ts'
import { bytesIn } from '../../journal/leveldb/durable-files.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Persona } from '../../projections/persona.ts'
import type { JournalPool } from './journal-pool.ts'
import type { Keyring } from './keyring.ts'
import type { PersonaStore } from './persona-store.ts'
import { inTimeOr } from './refusals.ts'
import { mustBeListed, type Roster, rejectIfRemoved } from './roster.ts'

interface Deps {
  readonly home: string
  readonly catalog: Catalog
  readonly roster: Roster
  readonly keyring: Keyring
  readonly pool: JournalPool
  readonly clock: Clock
  readonly stopwatch: Stopwatch
  readonly log: DiscreetLog
  /** Throws Refused: persona_unknown. */
  readonly assertKnown: (id: PersonaId) => Promise<void>
}

type Inspection = Pick<PersonaStore, 'vitals' | 'peekState' | 'rebuildState' | 'verify'>

export const createInspectJournal = ({
  home,
  catalog,
  roster,
  keyring,
  pool,
  clock,
  stopwatch,
  log,
  assertKnown,
}: Deps): Inspection => ({
  vitals: async (id) => {
    await assertKnown(id)
    const { self } = mustBeListed(roster, id)
    const { head = emptyHead, verified = null } = catalog.get(id) ?? {}
    const size = inTimeOr('the disk does not answer', stopwatch, bytesIn(journalFolder(home, id)))
    const [bytes, keylessSlots] = await Promise.all([size, keyring.keyless(self)])
    return { head, bytes, verified, keyless: keylessSlots }
  },
  peekState: (id) => {
    const { state } = pool.peek(id) ?? {}
    if (!state || !('gate' in state)) return null
    return { seq: state.gate.head.seq, stale: state.gate.persona?.stale ?? {} }
  },
  rebuildState: async (id, { signal, onPosition }) => {
    const { rebuildState } = await import('./rebuild-state.ts')
    await assertKnown(id)
    const onReplaced = ({ self }: Persona, head: Head) => roster.update(self, head)
    const rebuilding = pool.useUntilClosed(id, signal, (handle, untilClosed) =>
      rebuildState(handle, { log, signal: untilClosed, ...(onPosition && { onPosition }), onReplaced }),
    )
    return rejectIfRemoved(roster, id, rebuilding)
  },
  verify: async (id, onRecord) => {
    await assertKnown(id)
    const verifyTask = pool.use(id, ({ journal }) => journal.verify(onRecord))
    const verdict = await rejectIfRemoved(roster, id, verifyTask)
    const row = roster.get(id)
    if (verdict.intact) roster.noteVerified(id, clock.now())
    if (verdict.reason === null || row?.trouble !== null) return verdict
    roster.trouble(row.self, verdict.reason)
    await pool.close(id)
    return verdict
  },
})
