/** Creates the store of all personas of a home. */
import type { Cause, PersonaId } from '../../facts/fact-values.ts'
import type { Journals } from '../../facts/persona-journal.ts'
import type { Catalog } from '../../home/catalog.ts'
import { type FileStores, openFileStores } from '../../home/file-stores.ts'
import type { KeptDiaries } from '../../home/kept-diaries.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { type Clock, systemClock } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { inSpan, isTracing } from '../../packages/kit/tracing/tracing.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Bus } from '../bus.ts'
import { createForking } from './fork.ts'
import { createInspectJournal } from './inspect-journal.ts'
import { committedPersona, type JournalHandle, type PublishedHeads, requireGate } from './journal-handle.ts'
import { createJournalPool } from './journal-pool.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { createMediaIntegrity, type MediaIntegrity } from './media-integrity.ts'
import { createPersonaMedia } from './persona-media.ts'
import type { ExecuteResult, PersonaStore } from './persona-store.ts'
import { pruneCalls } from './prune-calls.ts'
import { reconcileHome } from './reconcile.ts'
import { inTimeOr, Refused } from './refusals.ts'
import { createReplacing } from './replace-journal.ts'
import { createRoster, type Roster, rejectIfRemoved } from './roster.ts'
import { type Command, decide } from './rules/decide.ts'
import { createSharedPast } from './shared-past.ts'

interface Deps {
  readonly home: string
  readonly journals: Journals
  /** Stores for media, secrets and diaries. Default: in the home. */
  readonly files?: FileStores
  readonly catalog: Catalog
  readonly bus: Bus
  readonly clock: Clock
  /** Measures disk timeouts. Real time: a clock that is moved by hand would time out a busy disk. */
  readonly stopwatch?: Stopwatch
  readonly log: DiscreetLog
  /** Max journals open at once. */
  readonly maxOpenJournals?: number
  /** If true, `admit` and `dismiss` decide which personas are hosted. If false, all journals on disk are. */
  readonly isInformed?: boolean
}

const noLimit = Number.POSITIVE_INFINITY

export const createPersonaStore = ({
  home,
  journals,
  catalog,
  bus,
  clock,
  stopwatch = systemClock(),
  log,
  files = openFileStores(home, stopwatch),
  maxOpenJournals = noLimit,
  isInformed = false,
}: Deps): PersonaStore => {
  const now = () => {
    const time = clock.now()
    return { at: time, offset: offsetAt(time, clock.zone) }
  }
  const base = { home, journals, catalog, bus, clock, stopwatch, log, now }
  const roster = createRoster(catalog, bus)
  const keyring = createKeyring(files.secrets, log, stopwatch)
  const sound = createMediaIntegrity(home, files.media)
  const publishedHeads: PublishedHeads = new Map()
  const removalDeps = {
    journals,
    catalog,
    roster,
    keyring,
    published: publishedHeads,
    sound,
    diaries: files.diaries,
  }
  const removeNow = (id: PersonaId, isPurge: boolean) =>
    removePersona(id, { at: clock.now(), purge: isPurge }, removalDeps)
  const pool = createJournalPool({
    ...base,
    roster,
    keyring,
    published: publishedHeads,
    maxOpenJournals,
    onDelete: ({ id, purged }) => removeNow(id, purged),
  })
  const whenReady = isInformed
    ? Promise.resolve()
    : reconcileHome({ journals, catalog, roster, keyring, pool })

  const assertKnown = async (id: PersonaId) => {
    if (!roster.get(id)) await whenReady
    if (!roster.get(id)) throw new Refused({ code: 'persona_unknown' })
  }
  const executeIn = async (
    handle: JournalHandle,
    command: Command,
    author: Cause['by'],
  ): Promise<ExecuteResult> => {
    const gate = requireGate(handle)
    // The state holds only the latest dedupe keys, the journal all of them.
    const key = command.type === 'Hear' ? command.key : null
    if (
      key !== null &&
      (await inTimeOr('the disk does not answer', stopwatch, handle.journal.findByKey(key)))
    )
      return { persona: committedPersona(handle), entries: [] }
    const result = await gate.execute(command, author)
    // Callers rely on a key being cleared or replaced when this resolves.
    await handle.swept
    return result
  }
  const executeNow: PersonaStore['execute'] = (id, command, author) =>
    rejectIfRemoved(
      roster,
      id,
      pool.use(id, (handle) => executeIn(handle, command, author)),
    )
  const execute: PersonaStore['execute'] = (id, command, author) =>
    isTracing() ? traceCommand(id, command, author, executeNow) : executeNow(id, command, author)
  const { media } = files
  const parts = {
    ...base,
    roster,
    keyring,
    sound,
    media,
    published: publishedHeads,
    pool,
    ready: whenReady,
    assertKnown,
  }

  return {
    all: roster.all,
    getRow: (id) => (roster.get(id)?.self.deleted ? undefined : roster.get(id)),
    unread: pool.unread,
    ready: whenReady,
    would: async (id, command) => {
      await assertKnown(id)
      await pool.use(id, async (handle) => decideOrThrow(requireGate(handle).persona, command))
    },
    // No promise of its own for known personas: it would be garbage for every appended fact.
    execute: (id, command, author) =>
      roster.get(id)
        ? execute(id, command, author)
        : assertKnown(id).then(() => execute(id, command, author)),
    create: async (command) => {
      await whenReady
      return pool.make(command.id, {
        events: decideOrThrow(undefined, command),
        cause: { by: 'person' },
        ...now(),
      })
    },
    read: async (id, readFrom) => {
      await assertKnown(id)
      const reading = pool.use(id, async (handle) =>
        readFrom({ persona: committedPersona(handle), journal: handle.journal }),
      )
      return rejectIfRemoved(roster, id, reading)
    },
    readUntilClosed: async (id, signal, readFrom) => {
      await assertKnown(id)
      const reading = pool.useUntilClosed(id, signal, async (handle, untilClosed) =>
        readFrom({ persona: committedPersona(handle), journal: handle.journal }, untilClosed),
      )
      return rejectIfRemoved(roster, id, reading)
    },
    keepPart: (id, bytes) =>
      pool.use(id, (handle) => requireGate(handle).write((journal) => journal.putPart(bytes))),
    pruneCalls: (id, beforeMs, signal) =>
      pool.use(id, (handle) => {
        const { write } = requireGate(handle)
        const { turn, parked } = committedPersona(handle).talk
        const openTurns = new Set([...(turn ? [turn] : []), ...parked].map(({ id: seq }) => seq))
        return pruneCalls({ journal: handle.journal, write, openTurns }, beforeMs, signal)
      }),
    flush: (id) => pool.use(id, (handle) => requireGate(handle).write((journal) => journal.flush())),
    keepSecret: async (id, value) => {
      // The cleanup after a crash deletes keys without a persona, so it must run before.
      await whenReady
      return keyring.keep(id, value)
    },
    dropSecret: async (id, ref) => {
      if (!roster.get(id)) return keyring.discard(id)
      await pool.use(id, async (handle) => {
        // Settles a write in doubt first: the fact that names the key may be on disk.
        await requireGate(handle).write(async () => {})
        await keyring.drop(committedPersona(handle), ref)
      })
    },
    replaceSecret: keyring.replace,
    secret: keyring.secret,
    ...createInspectJournal(parts),
    ...createReplacing(parts),
    sharedPast: createSharedPast({ roster, pool }),
    ...createForking({ ...parts, remove: (id) => removeNow(id, false) }),
    ...createPersonaMedia(parts),
    remove: async (id, isPurge) => {
      const wasDeleted = roster.get(id)?.self.deleted ?? true
      const removal = pool.close(id, async () => {
        await removeNow(id, isPurge)
        if (!wasDeleted) bus.sign({ type: 'gone', id })
      })
      await inTimeOr(
        'the disk does not answer; the remaining files are removed when it does',
        stopwatch,
        removal,
      )
    },
    admit: async (id) => {
      await pool.close(id)
      keyring.reread(id)
      await pool.use(id, async () => {})
    },
    dismiss: async (id) => {
      roster.remove(id)
      // Listeners that follow the persona release its journal.
      bus.sign({ type: 'left', id })
      await pool.close(id)
      // Commits in flight while it closed have listed it again.
      roster.remove(id)
      keyring.forget(id)
      sound.forget(id)
      publishedHeads.delete(id)
    },
    close: async () => {
      pool.leave()
      await whenReady.catch(() => undefined)
      await pool.closeAll()
    },
  }
}

const traceCommand = (
  id: PersonaId,
  command: Command,
  author: Cause['by'],
  execute: PersonaStore['execute'],
): Promise<ExecuteResult> => {
  const { type } = command
  const attributes = { 'daimon.command': type, 'daimon.author': author, 'daimon.persona.id': id }
  return inSpan({ name: `command ${type}`, attributes }, () => execute(id, command, author))
}

const decideOrThrow = (persona: Persona | undefined, command: Command) => {
  const decision = decide(persona, command)
  if ('refused' in decision) throw new Refused(decision.refused)
  return decision.events
}

interface RemoveDeps {
  readonly journals: Journals
  readonly catalog: Catalog
  readonly roster: Roster
  readonly keyring: Keyring
  readonly published: PublishedHeads
  readonly sound: MediaIntegrity
  readonly diaries: KeptDiaries
}

/**
 * `at`: epoch milliseconds, when the retention of the last diary begins unless `purge` is set. The journal
 * must be closed. Resumable.
 */
const removePersona = async (
  id: PersonaId,
  { at, purge: isPurge }: { readonly at: number; readonly purge: boolean },
  deps: RemoveDeps,
): Promise<void> => {
  const { journals, catalog, roster, keyring, published: publishedHeads, sound, diaries } = deps
  roster.remove(id)
  keyring.forget(id)
  publishedHeads.delete(id)
  sound.forget(id)
  // First, while the journal still says that it is deleted: the next start resumes from here.
  await (isPurge ? diaries.removeAll(id) : diaries.retire(id, at))
  // Durably: a listed persona without a journal would be marked as sick.
  await catalog.forget(id)
  if (isPurge) await catalog.renew()
  await journals.remove(id)
}
