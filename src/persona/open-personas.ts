/** All personas of a home: who they are, their journals opened when used, their keys. */
import { setMaxListeners } from 'node:events'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { createDiaryShelf } from '../../journal/files/kept-diaries.ts'
import { bytesIn, journalFolder, mediaFolder } from '../../journal/files/places.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import { Damaged, Denied, InDoubt, Newer, Unavailable } from '../../journal/log/errors.ts'
import { type Draft, type Journals, nowhere } from '../../journal/log/journal.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { Bus } from '../bus.ts'
import { createKeyedPool } from '../flow/keyed-pool.ts'
import type { DiscreetLog } from '../log.ts'
import { type Clock, offsetAt, systemClock } from '../time/clock.ts'
import { createKeyring } from './keyring.ts'
import { createMediaKeeper, isNamed } from './media-keeper.ts'
import { createOpening, gateOf, type Opened, personaOf } from './opened.ts'
import type { Executed, Listed, Personas } from './personas.ts'
import { Refused } from './refusals.ts'
import { bringBack, meet } from './restore.ts'
import { createRoster } from './roster.ts'
import type { Command } from './rules/decide.ts'
import { decide } from './rules/decide.ts'
import { salvage } from './salvage-facts.ts'
import { createSoundMedia } from './sound-media.ts'
import { JournalUnavailable } from './unavailable.ts'

interface Deps {
  readonly home: string
  readonly journals: Journals
  readonly catalog: Catalog
  readonly bus: Bus
  readonly clock: Clock
  /** What the disk is timed by: real time, for a clock that is moved by hand would give up a disk that is only busy. */
  readonly stopwatch?: Stopwatch
  readonly log: DiscreetLog
  /** Journals that may be open at once. */
  readonly most?: number
}

/** A journal nobody uses any more stays open this long, in milliseconds. */
const lingers = 60_000
const unbounded = Number.POSITIVE_INFINITY
/** Journals that are looked at together after a crash. */
const atOnce = 16
const silent = 'the disk does not answer'
/** Milliseconds before a journal that could not be read is looked at again. */
const lookAgainAfter = 5000

export const openPersonas = ({ home, journals, catalog, bus, clock, stopwatch = systemClock(), log, most = unbounded }: Deps): Personas => {
  const roster = createRoster(catalog)
  /** First drafts of personas that are being made. */
  const births = new Map<PersonaId, Draft>()
  const keyring = createKeyring(home, log, stopwatch)
  const media = createMediaKeeper(home, stopwatch)
  const sound = createSoundMedia(home)
  const diaries = createDiaryShelf({ home, stopwatch })
  const closing = new AbortController()
  // One listener for each journal that is looked at again; Node warns of a leak from the eleventh on.
  setMaxListeners(0, closing.signal)

  const now = () => {
    const at = clock.now()
    return { at, offset: offsetAt(at, clock.zone) }
  }

  const troubled = (self: Self, sentence: string) => {
    roster.trouble(self, sentence)
    bus.sign({ type: 'presence', id: self.id })
  }

  /** Nobody may ask for it for a long time: what is on disk all the same is told without. */
  const lookAgain = async (id: PersonaId) => {
    await stopwatch.wait(lookAgainAfter, closing.signal)
    if (closing.signal.aborted) return
    await pool.use(id, async (opened) => gateOf(opened).write(async () => {})).catch((error: unknown) => cannotOpen(id, error))
  }

  const opening = createOpening({
    journals,
    roster,
    keyring,
    now,
    stopwatch,
    log,
    publish: (commit, persona) => bus.publish({ ...commit, id: persona.self.id, persona }),
    troubled,
    damaged: (id, error) => {
      const self = roster.get(id)?.self
      if (self) troubled(self, error.message)
      pool.close(id).catch((err: unknown) => log.error({ id, err }, 'a damaged journal could not be closed'))
    },
    doubtful: (id) => void lookAgain(id),
    deleted: ({ id, purged }) => forget(id, purged),
  })

  const onError = (err: unknown) => log.error({ err }, 'a journal could not be closed')
  /** What takes long goes on without whoever waited for it. */
  const within = async <T>(awaited: Promise<T>, sentence: string): Promise<T> => {
    try {
      return await inTime(stopwatch, awaited)
    } catch (error) {
      throw error instanceof TookTooLong ? new JournalUnavailable(sentence) : error
    }
  }
  const pool = createKeyedPool<Opened>({
    open: (id) => opening.open(id, births.get(id)),
    close: opening.shut,
    inTime: (opened) => within(opened, 'the journal is still being opened'),
    onError,
    clock,
    interval: lingers,
    most,
  })

  const forget = async (id: PersonaId, purge: boolean) => {
    roster.remove(id)
    keyring.forget(id)
    opening.forget(id)
    sound.forget(id)
    // While its journal still says that it is deleted: what is cut off here is done at the next start.
    await (purge ? diaries.removeAll(id) : diaries.retire(id, clock.now()))
    catalog.remove(id)
    if (purge) await catalog.renew()
    await journals.remove(id)
  }

  /** What a birth that failed left behind; what cannot be removed now is an unnamed folder. */
  const unborn = async (id: PersonaId) => {
    await pool.close(id)
    await journals.remove(id).catch((err: unknown) => cannotClear(id, err))
    await keyring.discard(id)
  }
  const cannotClear = (id: PersonaId, err: unknown) => log.warn({ id, err }, 'a journal that was not finished could not be removed')

  const known = async (id: PersonaId) => {
    if (!roster.get(id)) await ready
    if (!roster.get(id)) throw new Refused({ code: 'persona_unknown' })
  }

  const mayBeReplaced = (id: PersonaId) => {
    if ((roster.get(id)?.trouble ?? null) !== null) throw new Refused({ code: 'damaged_here' })
  }

  /** What is taken away under whoever reads or writes it is not there any more, whatever the disk says. */
  const orGone = async <T>(id: PersonaId, asked: Promise<T>): Promise<T> => {
    const wasThere = roster.get(id)?.self.deleted === false
    try {
      return await asked
    } catch (error) {
      throw wasThere && isOfTheDisk(error) && (roster.get(id)?.self.deleted ?? true) ? new Refused({ code: 'persona_unknown' }) : error
    }
  }

  const mustBeListed = (id: PersonaId) => {
    const listed = roster.get(id)
    if (!listed || listed.self.deleted) throw new Refused({ code: 'persona_unknown' })
    return listed
  }

  /** After a crash the catalog may be behind: then every journal is looked at. One in trouble may be well again. */
  const reconcile = async () => {
    const ids = new Set(await journals.ids())
    for (const [id, entry] of catalog.all()) {
      // A catalog of before knew of no channels.
      const kept = entry.self as Self & Partial<Pick<Self, 'channels'>>
      const self: Self = kept.channels ? kept : { ...kept, channels: [] }
      if (ids.has(id)) roster.adopt(id, { self, trouble: entry.trouble ?? null })
      else catalog.remove(id)
    }
    const isUnsure = (listed: Listed | undefined) => !listed || listed.self.deleted || listed.trouble !== null
    const denied = new Set(await journals.denied())
    // Whoever is woken first is looked at last, and is open still: ⏱ of 1000 journals 512 are opened once instead of twice.
    const place = new Map(roster.all().map(({ self }, n) => [self.id, n]))
    const placeOf = (id: PersonaId) => place.get(id) ?? place.size
    const unsure = [...ids]
      .filter((id) => !catalog.complete || denied.has(id) || isUnsure(roster.get(id)))
      .sort((one, other) => placeOf(other) - placeOf(one))
    const look = async () => {
      for (let id = unsure.shift(); id !== undefined; id = unsure.shift()) {
        const unknown = id
        await pool.use(id, async () => {}).catch((error: unknown) => cannotOpen(unknown, error))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, look))
    await keyring.sweepOrphans(ids)
  }

  const cannotOpen = (id: PersonaId, error: unknown) => {
    if (error instanceof Refused) return
    const listed = roster.get(id)
    // Whatever else keeps a journal closed may pass: waking its tries again.
    if (listed && error instanceof Newer) troubled(listed.self, 'Its journal holds facts of a newer version.')
    else if (listed && error instanceof JournalUnavailable && error.cause instanceof Denied)
      troubled(listed.self, `${capital(error.message)}.`)
    log.error({ id, err: error }, 'a journal cannot be opened')
    if (!listed && error instanceof JournalUnavailable) void lookAgain(id)
  }

  const ready = reconcile()

  return {
    all: roster.all,
    listed: (id) => (roster.get(id)?.self.deleted ? undefined : roster.get(id)),
    ready,
    would: async (id, command) => {
      await known(id)
      await pool.use(id, async (opened) => judged(gateOf(opened).persona, command))
    },
    execute: async (id, command, by) => {
      await known(id)
      const executing = pool.use(id, async (opened) => {
        const gate = gateOf(opened)
        // Its state knows the latest dedupe keys, the journal all of them.
        const key = command.type === 'Hear' ? command.key : null
        if (key !== null && (await within(opened.journal.heard(key), silent))) return { persona: personaOf(opened), entries: [] }
        const executed = await gate.execute(command, by)
        // Whoever is told that a key was cleared or replaced may rely on it.
        await opened.swept
        return executed
      })
      return orGone(id, executing)
    },
    create: async (command) => {
      await ready
      const events = judged(undefined, command)
      births.set(command.id, { events, cause: { by: 'person' }, ...now() })
      try {
        return await pool.use(command.id, async (opened): Promise<Executed> => gateOf(opened).readOn())
      } catch (error) {
        // Where the disk still makes it, it goes when it is made.
        if (!roster.get(command.id)) await inTime(stopwatch, unborn(command.id)).catch((err: unknown) => cannotClear(command.id, err))
        throw error
      } finally {
        births.delete(command.id)
      }
    },
    read: async (id, look) => {
      await known(id)
      return orGone(
        id,
        pool.use(id, async (opened) => look({ persona: personaOf(opened), journal: opened.journal })),
      )
    },
    keepPart: (id, bytes) => pool.use(id, (opened) => gateOf(opened).write((journal) => journal.putPart(bytes))),
    keepSecret: async (id, value) => {
      // What a crash left behind is cleared away first, or a key that comes before its persona would go with it.
      await ready
      return keyring.keep(id, value)
    },
    dropSecret: async (id, ref) => {
      if (!roster.get(id)) return keyring.discard(id)
      await pool.use(id, async (opened) => {
        const gate = gateOf(opened)
        // Healed first: the fact that names it may have been kept after all.
        await gate.write(async () => {})
        await keyring.drop(personaOf(opened).self, ref)
      })
    },
    secret: keyring.secret,
    vitals: async (id) => {
      await known(id)
      const { self } = mustBeListed(id)
      const { head = nowhere, verified = null } = catalog.get(id) ?? {}
      const [bytes, keyless] = await Promise.all([within(bytesIn(journalFolder(home, id)), silent), keyring.keyless(self)])
      return { head, bytes, verified, keyless }
    },
    verify: async (id) => {
      await known(id)
      const verdict = await orGone(
        id,
        pool.use(id, ({ journal }) => journal.verify()),
      )
      const listed = roster.get(id)
      if (verdict.intact) roster.noteVerified(id, clock.now())
      if (verdict.reason === null || listed?.trouble !== null) return verdict
      troubled(listed.self, verdict.reason)
      await pool.close(id)
      return verdict
    },
    salvage: async (id) => {
      await known(id)
      const salvaged = await pool.whileClosed(id, async () => {
        const { self, trouble } = mustBeListed(id)
        const done = await salvage(id, { journals, now, self, damaged: trouble !== null })
        // The witness first: whoever opens the new journal compares it with this.
        catalog.put(id, { head: done.head, self })
        opening.forget(id)
        return done
      })
      log.warn({ id, count: salvaged.loss.lost }, 'a damaged journal was salvaged; the count is that of the facts that are lost')
      await pool.use(id, async () => {})
      bus.sign({ type: 'presence', id })
      return salvaged
    },
    meet: async (id, diary) => {
      await ready
      mayBeReplaced(id)
      const meeting = roster.get(id)
        ? pool.use(id, ({ journal }) => meet(id, diary, journal, journals))
        : meet(id, diary, undefined, journals)
      try {
        return await orUnavailable(meeting)
      } finally {
        // That its own is damaged may have shown only now: what was compared is not all of it.
        mayBeReplaced(id)
      }
    },
    restore: async (id, diary, command) => {
      await ready
      mayBeReplaced(id)
      const replacing = pool.whileClosed(id, async () => {
        const meeting = await bringBack(id, diary, command, { journals, catalog, now })
        // Who listens is told what came with it, from the diary's end on.
        if (meeting !== 'stays') opening.forget(id, diary.head)
        return meeting
      })
      const meeting = await orUnavailable(replacing).catch(async (error: unknown) => {
        // Whichever of the two lies there now is its own.
        opening.forget(id)
        await pool.use(id, async () => {}).catch((again: unknown) => cannotOpen(id, again))
        mayBeReplaced(id)
        throw error
      })
      return pool.use(id, async (opened) => {
        if (meeting !== 'stays') return { persona: personaOf(opened), entries: [] }
        const { recipient } = personaOf(opened).self
        return gateOf(opened).execute({ ...command, recipient }, 'person')
      })
    },
    remove: async (id, purge) => {
      const told = roster.get(id)?.self.deleted ?? true
      const removal = pool.close(id).then(async () => {
        await forget(id, purge)
        if (!told) bus.sign({ type: 'gone', id })
      })
      await within(removal, 'the disk does not answer; what is left of it goes when it does')
    },
    mediaFolder: (id) => mediaFolder(home, id),
    stageMedia: media.stage,
    keepMedia: async (id, from, extension) => {
      await known(id)
      return media.keep(id, from, extension)
    },
    dropMedia: async (id, filename) => {
      if (!roster.get(id)) return
      const unnamed = pool.use(id, async (opened) => {
        // Healed first: the fact that names it may have been kept after all.
        await gateOf(opened).write(async () => {})
        if (!(await isNamed(opened.journal, filename))) await media.drop(id, filename)
      })
      await unnamed.catch((err: unknown) => log.warn({ id, err }, 'a file that no fact names could not be removed'))
    },
    isSound: sound.isSound,
    isSoundFile: async (id, filename) => {
      await known(id)
      const vouched = await pool
        .use(id, ({ journal }) => sound.named(id, filename, journal))
        .catch((error: unknown) => {
          // Up to the damage nobody named it, and nobody can say who does behind it.
          if (error instanceof Damaged) return undefined
          throw error
        })
      return !vouched || sound.isSound(id, vouched)
    },
    close: async () => {
      closing.abort()
      await ready.catch(() => undefined)
      await pool.closeAll()
    },
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const isOfTheDisk = (error: unknown): boolean =>
  [Unavailable, InDoubt, Damaged, JournalUnavailable].some((kind) => error instanceof kind) ||
  typeof (error as { syscall?: unknown } | null)?.syscall === 'string'

/** As what is written is refused elsewhere. */
const orUnavailable = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    throw error instanceof Unavailable || error instanceof InDoubt ? new JournalUnavailable(error.message) : error
  }
}

const judged = (persona: Persona | undefined, command: Command) => {
  const decision = decide(persona, command)
  if ('refused' in decision) throw new Refused(decision.refused)
  return decision.events
}
