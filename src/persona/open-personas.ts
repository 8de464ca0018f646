/** All personas of a home: who they are, their journals opened when used, their keys. */
import { join } from 'node:path'
import type { Catalog } from '../../journal/catalog.ts'
import { Damaged, InDoubt, Newer, Unavailable, Unknown } from '../../journal/errors.ts'
import type { PersonaId } from '../../journal/events.ts'
import type { Commit, Draft, Head, Journal, Journals } from '../../journal/journal.ts'
import { nowhere } from '../../journal/journal.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { Bus } from '../bus.ts'
import { type Clock, offsetAt, type Stopwatch, systemClock } from '../clock.ts'
import type { DiscreetLog } from '../log.ts'
import type { Command } from './commands.ts'
import { decide } from './decide.ts'
import { createGate, type Gate, JournalUnavailable } from './gate.ts'
import { createKeyring } from './keyring.ts'
import type { Executed, Personas } from './personas.ts'
import { Refused } from './refusals.ts'
import { createRoster } from './roster.ts'
import { createShelf } from './shelf.ts'

interface Deps {
  readonly home: string
  readonly journals: Journals
  readonly catalog: Catalog
  readonly bus: Bus
  readonly clock: Clock
  /** What the disk is timed by: real time, for a clock that is moved by hand would give up a disk that is only busy. */
  readonly stopwatch?: Stopwatch
  readonly log: DiscreetLog
}

/** A damaged journal has no gate, only its trouble: it can be read up to the damage. */
interface Opened {
  readonly journal: Journal
  readonly state: { readonly gate: Gate } | { readonly persona: Persona; readonly trouble: Error }
  /** Position of the newest kept snapshot. */
  kept: number
  /** Resolves when the keys that nothing of hers refers to any more are off the disk. */
  swept: Promise<void>
}

/** A journal nobody uses any more stays open this long, in milliseconds. */
const lingers = 60_000
const snapshotEvery = 4096
/** A longer tail than this is worth a snapshot when the journal is closed. */
const snapshotAtClose = 256
const projector = 'persona'

export const openPersonas = ({ home, journals, catalog, bus, clock, stopwatch = systemClock(), log }: Deps): Personas => {
  const roster = createRoster(catalog)
  /** First drafts of personas that are being made. */
  const births = new Map<PersonaId, Draft>()
  const keyring = createKeyring(home, log)

  const now = () => {
    const at = clock.now()
    return { at, offset: offsetAt(at, clock.zone) }
  }

  const troubled = (self: Self, sentence: string) => {
    roster.trouble(self, sentence)
    bus.sign({ type: 'presence', id: self.id })
  }

  const keepSnapshot = async (opened: Opened, persona: Persona, head: Head) => {
    opened.kept = head.seq
    const snapshot = { projector, version: personaVersion, head, state: persona }
    await gateOf(opened)
      .write((journal) => journal.keepSnapshot(snapshot))
      .catch((err: unknown) => log.warn({ id: persona.self.id, err }, 'a snapshot could not be kept'))
  }

  const guarded = (id: PersonaId, journal: Journal, persona: Persona | undefined, kept: number) => {
    const publish = (commit: Commit, after: Persona) => {
      roster.note(after.self, commit.head)
      if (commit.entries.some(({ type }) => type === 'OrganReplaced' || type === 'OrganRemoved')) opened.swept = keyring.settle(after.self)
      if (commit.head.seq - opened.kept >= snapshotEvery) void keepSnapshot(opened, after, commit.head)
      bus.publish({ ...commit, id: after.self.id, persona: after })
    }
    const damaged = (error: Damaged) => {
      const self = roster.get(id)?.self
      if (self) troubled(self, error.message)
      shelf.putAway(id).catch((err: unknown) => log.error({ id, err }, 'a damaged journal could not be closed'))
    }
    const head = persona ? journal.head : nowhere
    const opened: Opened = {
      journal,
      kept,
      state: { gate: createGate({ journal, persona, head, now, stopwatch, publish, damaged }) },
      swept: Promise.resolve(),
    }
    return opened
  }

  const openDamaged = async (id: PersonaId, trouble: Error): Promise<Opened> => {
    const journal = await journals.open(id, 'reader')
    const { persona, kept } = await fold(journal)
    const self = persona?.self ?? roster.get(id)?.self
    if (self) troubled(self, trouble.message)
    if (!persona) {
      await journal.close()
      throw trouble
    }
    log.error({ id, reason: trouble.message }, 'a damaged journal can only be read')
    return { journal, kept, state: { persona, trouble }, swept: Promise.resolve() }
  }

  const openSound = async (id: PersonaId): Promise<Opened> => {
    const journal = await journals.open(id, 'writer')
    const { persona, kept, damage } = await fold(journal)
    if (damage || !persona) {
      await journal.close()
      throw damage ?? new Damaged(1, 'there is no first fact')
    }
    if (persona.self.deleted) {
      await journal.close()
      await forget(id)
      throw new Refused({ code: 'persona_unknown' })
    }
    roster.note(persona.self, journal.head)
    await keyring.settle(persona.self)
    return guarded(id, journal, persona, kept)
  }

  const open = async (id: PersonaId): Promise<Opened> => {
    const birth = births.get(id)
    if (birth) return guarded(id, await journals.create(id, birth), undefined, 0)
    try {
      return await openSound(id)
    } catch (error) {
      if (error instanceof Damaged) return openDamaged(id, error)
      if (error instanceof Unknown) throw new Refused({ code: 'persona_unknown' })
      if (error instanceof Unavailable || error instanceof InDoubt) throw new JournalUnavailable('the journal cannot be opened now')
      throw error
    }
  }

  const shut = async (opened: Opened) => {
    if ('gate' in opened.state) {
      await opened.state.gate.quiet()
      const { persona, head } = opened.state.gate
      if (persona && head.seq - opened.kept > snapshotAtClose) await keepSnapshot(opened, persona, head)
    }
    await opened.swept
    await opened.journal.close()
  }

  const shelf = createShelf<Opened>({ open, shut, onError: (err) => log.error({ err }, 'a journal could not be closed'), clock, lingers })

  const forget = async (id: PersonaId) => {
    roster.remove(id)
    keyring.forget(id)
    await journals.remove(id)
    catalog.remove(id)
  }

  /** What a birth that failed left behind; what cannot be removed now is an unnamed folder. */
  const unborn = async (id: PersonaId) => {
    await shelf.putAway(id)
    await journals.remove(id).catch((err: unknown) => log.warn({ id, err }, 'a journal that was not finished could not be removed'))
    await keyring.discard(id)
  }

  const known = async (id: PersonaId) => {
    if (!roster.get(id)) await ready
    if (!roster.get(id)) throw new Refused({ code: 'persona_unknown' })
  }

  /** After a crash the catalog may be behind: then every journal is looked at. */
  const reconcile = async () => {
    const ids = new Set(await journals.ids())
    for (const [id, entry] of catalog.all()) {
      const self = entry.self as Self
      if (ids.has(id)) roster.adopt(id, { self, trouble: entry.trouble ?? null })
      else catalog.remove(id)
    }
    const unsure = [...ids].filter((id) => !catalog.complete || (roster.get(id)?.self.deleted ?? true))
    for (const id of unsure) await shelf.use(id, async () => {}).catch((error: unknown) => cannotOpen(id, error))
    await keyring.sweepOrphans(ids)
  }

  const cannotOpen = (id: PersonaId, error: unknown) => {
    if (error instanceof Refused) return
    const listed = roster.get(id)
    // Whatever else keeps a journal closed may pass: waking her tries again.
    if (listed && error instanceof Newer) troubled(listed.self, 'Her journal holds facts of a newer version.')
    log.error({ id, err: error }, 'a journal cannot be opened')
  }

  const ready = reconcile()

  return {
    all: roster.all,
    listed: (id) => (roster.get(id)?.self.deleted ? undefined : roster.get(id)),
    ready,
    would: async (id, command) => {
      await known(id)
      await shelf.use(id, async (opened) => judged(gateOf(opened).persona, command))
    },
    execute: async (id, command, by) => {
      await known(id)
      return shelf.use(id, async (opened) => {
        const gate = gateOf(opened)
        // Her state knows the latest dedupe keys, the journal all of them.
        if (command.type === 'Hear' && command.key !== null && (await opened.journal.heard(command.key)))
          return { persona: personaOf(opened), entries: [] }
        const executed = await gate.execute(command, by)
        // Whoever is told that a key was cleared or replaced may rely on it.
        await opened.swept
        return executed
      })
    },
    create: async (command) => {
      await ready
      const events = judged(undefined, command)
      births.set(command.id, { events, cause: { by: 'person' }, ...now() })
      try {
        return await shelf.use(command.id, async (opened): Promise<Executed> => gateOf(opened).readOn())
      } catch (error) {
        if (!roster.get(command.id)) await unborn(command.id)
        throw error
      } finally {
        births.delete(command.id)
      }
    },
    read: async (id, look) => {
      await known(id)
      return shelf.use(id, async (opened) => look({ persona: personaOf(opened), journal: opened.journal }))
    },
    keepPart: (id, bytes) => shelf.use(id, (opened) => gateOf(opened).write((journal) => journal.putPart(bytes))),
    keepSecret: async (id, value) => {
      // What a crash left behind is cleared away first, or a key that comes before its persona would go with it.
      await ready
      return keyring.keep(id, value)
    },
    dropSecret: async (id, ref) => {
      if (!roster.get(id)) return keyring.discard(id)
      await shelf.use(id, async (opened) => {
        const gate = gateOf(opened)
        // Healed first: the fact that names it may have been kept after all.
        await gate.write(async () => {})
        await keyring.drop(personaOf(opened).self, ref)
      })
    },
    secret: keyring.secret,
    remove: async (id) => {
      const told = roster.get(id)?.self.deleted ?? true
      await shelf.putAway(id)
      await forget(id)
      if (!told) bus.sign({ type: 'gone', id })
    },
    mediaFolder: (id) => join(home, 'personas', id, 'media'),
    close: async () => {
      await ready.catch(() => undefined)
      await shelf.close()
    },
  }
}

const gateOf = ({ state }: Opened): Gate => {
  if ('trouble' in state) throw state.trouble
  return state.gate
}

const personaOf = ({ state }: Opened): Persona => {
  const persona = 'gate' in state ? state.gate.persona : state.persona
  if (!persona || persona.self.deleted) throw new Refused({ code: 'persona_unknown' })
  return persona
}

/** Folds what lies behind the newest snapshot; a damaged journal gives what can be read of it, and the damage. */
const fold = async (journal: Journal): Promise<{ persona: Persona | undefined; kept: number; damage: Damaged | null }> => {
  const snapshot = await journal.snapshot(projector, personaVersion, journal.head.seq)
  let persona = snapshot?.state as Persona | undefined
  const kept = snapshot?.head.seq ?? 0
  try {
    for await (const entry of journal.read({ after: kept })) persona = evolve(persona, entry)
    return { persona, kept, damage: null }
  } catch (error) {
    if (error instanceof Damaged) return { persona, kept, damage: error }
    throw error
  }
}

const judged = (persona: Persona | undefined, command: Command) => {
  const decision = decide(persona, command)
  if ('refused' in decision) throw new Refused(decision.refused)
  return decision.events
}
