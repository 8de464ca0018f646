/** One persona becomes two: the past of one, copied, and the first facts of the other behind it. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { MediaStore } from '../../journal/files/media.ts'
import { mediaFolder, trashFolder } from '../../journal/files/places.ts'
import type { Erased } from '../../journal/log/erasures.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head, Journal, Journals } from '../../journal/log/journal.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import { createSemaphore } from '../flow/semaphore.ts'
import type { Log } from '../log.ts'
import type { Instant } from '../time/clock.ts'
import { type Copying, copyFiles, copyRecords, isNearHead, takenFolder } from './copied-past.ts'
import { fold, projector } from './fold.ts'
import { headAt } from './head-at.ts'
import type { JournalPool } from './journal-pool.ts'
import { type Published, personaOf } from './opened.ts'
import type { Personas } from './personas.ts'
import { Refused } from './refusals.ts'
import { mustBeListed, orGone, type Roster } from './roster.ts'
import { decide } from './rules/decide.ts'
import type { ForkPersona } from './rules/self.ts'
import { isOfTheDisk, JournalUnavailable } from './unavailable.ts'

interface Deps {
  readonly home: string
  readonly journals: Journals
  readonly roster: Roster
  readonly pool: JournalPool
  readonly published: Published
  readonly media: Pick<MediaStore, 'bring'>
  readonly log: Log
  readonly now: () => Instant
  /** Refused: persona_unknown. */
  readonly known: (id: PersonaId) => Promise<void>
  /** All that there is of one, while nobody has its journal open. */
  readonly remove: (id: PersonaId) => Promise<void>
}

/** Who somebody was at a moment, and where in its journal that is. */
export interface Then {
  readonly persona: Persona
  readonly head: Head
}

/** `erased`: facts without words of which the fork has to say itself that they were erased. */
interface Past extends Then {
  readonly erased: readonly Erased[]
}

export const createForking = (deps: Deps): Pick<Personas, 'asOf' | 'fork'> => {
  const { home, journals, roster, pool, published, media, log, known, remove } = deps
  /** The disk is read from end to end for each. */
  const copying = createSemaphore(1)

  /** Others go on with it meanwhile: of its files hold is taken at once, and they are copied after. */
  const pastOf = async (id: PersonaId, copying: Copying): Promise<readonly Erased[]> => {
    const { head, folder } = copying
    const isThere = async (journal: Journal) => {
      if ((await journal.hashAt(head.seq)) !== head.hash)
        throw new JournalUnavailable('another history has taken its place meanwhile')
    }
    const taken = await pool.use(id, async ({ journal, state }) => {
      await isThere(journal)
      const asFiles = !('trouble' in state) && isNearHead(head, journal.head)
      return asFiles ? journals.take(id, takenFolder(folder)) : undefined
    })
    const past = taken && (await copyFiles(taken, copying))
    return (
      past ??
      pool.use(id, async ({ journal }) => {
        await isThere(journal)
        return copyRecords(journal, copying)
      })
    )
  }

  const copied = async (id: PersonaId, head: Head, folder: string, gone: AbortSignal) => {
    const goOn = () => {
      gone.throwIfAborted()
      mustBeListed(roster, id)
    }
    try {
      const bring = (filename: string) => media.bring(id, filename)
      const past = { head, folder, files: mediaFolder(home, id), bring, goOn }
      return await orGone(roster, id, pastOf(id, past))
    } catch (error) {
      const listed = roster.get(id)
      if (!(error instanceof Damaged) || !listed || listed.trouble !== null) throw error
      // From now on it is known how far it can be read.
      roster.trouble(listed.self, error.message)
      await pool.close(id)
      throw error
    }
  }

  /** Where it rejects, nothing of it is there. */
  const placed = async (past: Past, command: ForkPersona, folder: string) => {
    const { id } = command
    try {
      await pool.whileClosed(id, () => place(past, command, folder, deps))
      // Who listens is told what is its own, and nothing of what is not.
      published.set(id, past.head)
      return await pool.use(id, async (opened) => ({ persona: personaOf(opened), entries: [] }))
    } catch (error) {
      await pool
        .close(id, () => remove(id))
        .catch((err: unknown) => log.warn({ id, err }, 'a fork that was not finished could not be removed'))
      throw error
    }
  }

  return {
    asOf: async (id, moment) => {
      await known(id)
      const looking = pool.use(id, async ({ journal, state }) => {
        const head = await headAt(journal, moment, 'trouble' in state)
        const { persona } = head ? await fold(journal, head.seq) : {}
        if (!head || !persona) throw new Refused({ code: 'moment_unknown' })
        return { head, persona }
      })
      return orGone(roster, id, looking)
    },
    fork: (id, then, command, gone) =>
      copying.run(async () => {
        const folder = join(trashFolder(home), `fork-${randomUUID()}`)
        try {
          const erased = await copied(id, then.head, folder, gone)
          return await placed({ ...then, erased }, command, folder)
        } catch (error) {
          throw isOfTheDisk(error) && !(error instanceof Damaged || error instanceof JournalUnavailable)
            ? new JournalUnavailable('the fork could not be written', { cause: error })
            : error
        } finally {
          await rm(folder, { recursive: true, force: true }).catch(() => undefined)
        }
      }, gone),
  }
}

/** Facts of a commit: one of them all might be more than a commit holds. */
const atOnce = 500

const place = async (
  { head, persona, erased }: Past,
  command: ForkPersona,
  folder: string,
  { journals, now }: Deps,
) => {
  const staged = await journals.stage(command.id, folder, head)
  try {
    const decision = decide(persona, command)
    if ('refused' in decision) throw new Refused(decision.refused)
    const { journal } = staged
    // Whoever opens it next need not read all of it.
    await journal.keepSnapshot({ projector, version: personaVersion, head, state: persona })
    const told: PersonaEvent = { type: 'FactsErased', facts: [...erased], withdrawn: [] }
    const events = erased.length > 0 ? [...decision.events, told] : decision.events
    const drafts = chunked(events).map((events) => ({
      ...{ events, cause: { by: 'person' } as const, ...now() },
    }))
    for (const draft of drafts) await journal.append([draft], journal.head)
    await staged.place('drop')
  } finally {
    await staged.close()
  }
}

const chunked = (events: readonly PersonaEvent[]): readonly (readonly PersonaEvent[])[] =>
  Array.from({ length: Math.ceil(events.length / atOnce) }, (_, n) =>
    events.slice(n * atOnce, (n + 1) * atOnce),
  )
