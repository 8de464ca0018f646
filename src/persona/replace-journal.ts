/** Replaces a journal: by its valid records, by a diary, or by itself without some payloads. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Journal, Journals } from '../../facts/persona-journal.ts'
import type { Catalog } from '../../home/catalog.ts'
import type { MediaStore } from '../../home/media.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import type { Bus } from '../bus.ts'
import { eraseWords, planErasure, wordedFacts } from './erase-payloads.ts'
import { committedPersona, type PublishedHeads, requireGate } from './journal-handle.ts'
import type { JournalPool } from './journal-pool.ts'
import type { MediaIntegrity } from './media-integrity.ts'
import type { PersonaStore } from './persona-store.ts'
import { isOfTheDisk, JournalMissing, JournalUnavailable, Refused } from './refusals.ts'
import { compareDiary, placeDiary } from './restore.ts'
import { mustBeListed, type Roster } from './roster.ts'
import { salvage } from './salvage.ts'

interface Deps {
  readonly journals: Journals
  readonly catalog: Catalog
  readonly roster: Roster
  readonly pool: JournalPool
  readonly published: PublishedHeads
  readonly sound: MediaIntegrity
  readonly media: Pick<MediaStore, 'drop'>
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Instant
  /** Resolves when the journals on disk are known. */
  readonly ready: Promise<void>
  /** Throws Refused: persona_unknown. */
  readonly assertKnown: (id: PersonaId) => Promise<void>
}

type Replacing = Pick<
  PersonaStore,
  'salvage' | 'wouldErase' | 'previewErase' | 'eraseWords' | 'previewRestore' | 'restore'
>

export const createReplacing = ({
  journals,
  catalog,
  roster,
  pool,
  published,
  sound,
  media,
  bus,
  log,
  now,
  ready,
  assertKnown,
}: Deps): Replacing => {
  const assertNotDamaged = (id: PersonaId) => {
    if ((roster.get(id)?.trouble ?? null) !== null) throw new Refused({ code: 'damaged_here' })
  }

  /** Throws for a damaged journal. */
  const readSound = <T>(id: PersonaId, work: (journal: Journal) => Promise<T>): Promise<T> =>
    pool.use(id, (handle) => {
      requireGate(handle)
      return work(handle.journal)
    })

  return {
    salvage: async (id) => {
      await assertKnown(id)
      const salvageTask = pool.whileClosed(id, async () => {
        const { self, trouble } = mustBeListed(roster, id)
        // A missing journal has nothing to copy.
        if (!(await journals.ids()).includes(id)) throw new JournalMissing(id)
        const result = await salvage(id, { journals, now, self, damaged: trouble !== null })
        // The catalog first: opening the new journal compares its head with the catalog.
        catalog.put(id, { head: result.head, self })
        published.delete(id)
        return result
      })
      const outcome = await orUnavailable(salvageTask)
      log.warn(
        { id, count: outcome.loss.lost },
        'salvaged a damaged journal; count is the number of lost facts',
      )
      // Succeeds even if it cannot be opened now. Tries twice, since it is sick until it was opened.
      await pool.use(id, async () => {}).catch(() => pool.tryOpen(id))
      bus.sign({ type: 'presence', id })
      return outcome
    },
    wouldErase: async (id, seqs) => {
      await assertKnown(id)
      await orUnavailable(readSound(id, (journal) => wordedFacts(journal, seqs)))
      const release = await orUnavailable(journals.reserve(id, 'writer'))
      await release()
    },
    previewErase: async (id, seqs) => {
      await assertKnown(id)
      return orUnavailable(readSound(id, (journal) => planErasure(journal, seqs, true)))
    },
    eraseWords: async (id, seqs, isCascade, eraseFiles) => {
      await assertKnown(id)
      const planAgain = () => orUnavailable(readSound(id, (journal) => planErasure(journal, seqs, isCascade)))
      const plan = await planAgain()
      const deleteCopies = async () => {
        sound.forget(id)
        await eraseFiles()
      }
      if (plan.erasure.seqs.size === 0) {
        for (const file of plan.files) await media.drop(id, file)
        await deleteCopies()
        if (plan.isInCatalog) await orUnavailable(catalog.renew())
        return plan
      }
      const eraseTask = pool.whileClosed(id, async () => {
        const { self } = mustBeListed(roster, id)
        if (!published.has(id)) published.set(id, plan.head)
        const head = await eraseWords(id, plan, { journals, now, eraseFiles: deleteCopies })
        catalog.put(id, { head, self })
      })
      await orUnavailable(eraseTask).catch(async (error: unknown) => {
        // It may have failed after the switch. Then the words are gone.
        const remainingPlan = await planAgain().catch(() => plan)
        if (remainingPlan.erasure.seqs.size > 0) throw error
      })
      // Publishes the new facts. Succeeds even if the journal cannot be opened now.
      await pool.tryOpen(id)
      if (plan.isInCatalog) await orUnavailable(catalog.renew())
      return plan
    },
    previewRestore: async (id, diary) => {
      await ready
      assertNotDamaged(id)
      const row = roster.get(id)
        ? pool.use(id, ({ journal }) => compareDiary(id, diary, journal, journals))
        : compareDiary(id, diary, undefined, journals)
      try {
        return await orUnavailable(row)
      } finally {
        // Damage found during the comparison makes the result unreliable.
        assertNotDamaged(id)
      }
    },
    restore: async (id, diary, command) => {
      await ready
      assertNotDamaged(id)
      const replaceTask = pool.whileClosed(id, async () => {
        const outcome = await placeDiary(id, diary, command, { journals, catalog, now }).catch(
          (error: unknown) => {
            // Either of the two journals may be in place now.
            published.delete(id)
            throw error
          },
        )
        // Publishes only the facts after the diary's end.
        if (outcome !== 'stays') published.set(id, diary.head)
        return outcome
      })
      const outcome = await orUnavailable(replaceTask).catch(async (error: unknown) => {
        assertNotDamaged(id)
        throw error
      })
      return pool.use(id, async (handle) => {
        if (outcome !== 'stays') return { persona: committedPersona(handle), entries: [] }
        const { recipient } = committedPersona(handle).self
        return requireGate(handle).execute({ ...command, recipient }, 'person')
      })
    },
  }
}

/** Turns disk errors into JournalUnavailable. */
const orUnavailable = async <T>(request: Promise<T>): Promise<T> => {
  try {
    return await request
  } catch (error) {
    if (!isOfTheDisk(error) || error instanceof Damaged || error instanceof JournalUnavailable) throw error
    throw new JournalUnavailable(error instanceof Unavailable ? error.message : 'the disk refuses', {
      cause: error,
    })
  }
}
