/**
 * Another journal in the place of the one that is here: what verifies of a damaged one, what a diary holds,
 * or itself without some words.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { MediaStore } from '../../journal/files/media.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import type { Journal, Journals } from '../../journal/log/journal.ts'
import type { Bus } from '../bus.ts'
import type { Log } from '../log.ts'
import type { Instant } from '../time/clock.ts'
import type { JournalPool } from './journal-pool.ts'
import { gateOf, type Published, personaOf } from './opened.ts'
import type { Personas } from './personas.ts'
import { Refused } from './refusals.ts'
import { compareDiary, placeDiary } from './restore.ts'
import { mustBeListed, type Roster } from './roster.ts'
import { salvage } from './salvage-facts.ts'
import type { SoundMedia } from './sound-media.ts'
import { isOfTheDisk, JournalMissing, JournalUnavailable } from './unavailable.ts'
import { eraseWords, planErasure, wordedFacts } from './word-erasure.ts'

interface Deps {
  readonly journals: Journals
  readonly catalog: Catalog
  readonly roster: Roster
  readonly pool: JournalPool
  readonly published: Published
  readonly sound: SoundMedia
  readonly media: Pick<MediaStore, 'drop'>
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Instant
  /** Resolves when the journals that are here are known. */
  readonly ready: Promise<void>
  /** Refused: persona_unknown. */
  readonly known: (id: PersonaId) => Promise<void>
}

type Replacing = Pick<
  Personas,
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
  known,
}: Deps): Replacing => {
  const mayBeReplaced = (id: PersonaId) => {
    if ((roster.get(id)?.trouble ?? null) !== null) throw new Refused({ code: 'damaged_here' })
  }

  /** A damaged one is not written to. */
  const whole = <T>(id: PersonaId, look: (journal: Journal) => Promise<T>): Promise<T> =>
    pool.use(id, (opened) => {
      gateOf(opened)
      return look(opened.journal)
    })

  return {
    salvage: async (id) => {
      await known(id)
      const salvaging = pool.whileClosed(id, async () => {
        const { self, trouble } = mustBeListed(roster, id)
        // Nothing can be copied of one that is not there.
        if (!(await journals.ids()).includes(id)) throw new JournalMissing(id)
        const done = await salvage(id, { journals, now, self, damaged: trouble !== null })
        // The witness first: whoever opens the new journal compares it with this.
        catalog.put(id, { head: done.head, self })
        published.delete(id)
        return done
      })
      const salvaged = await orUnavailable(salvaging)
      log.warn(
        { id, count: salvaged.loss.lost },
        'a damaged journal was salvaged; the count is that of the facts that are lost',
      )
      // It is done, whether it can be opened right now or not. A second try: it is sick until it was opened.
      await pool.use(id, async () => {}).catch(() => pool.lookAt(id))
      bus.sign({ type: 'presence', id })
      return salvaged
    },
    wouldErase: async (id, seqs) => {
      await known(id)
      await orUnavailable(whole(id, (journal) => wordedFacts(journal, seqs)))
      const giveBack = await orUnavailable(journals.reserve(id, 'writer'))
      await giveBack()
    },
    previewErase: async (id, seqs) => {
      await known(id)
      return orUnavailable(whole(id, (journal) => planErasure(journal, seqs, true)))
    },
    eraseWords: async (id, seqs, also, beside) => {
      await known(id)
      const planned = () => orUnavailable(whole(id, (journal) => planErasure(journal, seqs, also)))
      const plan = await planned()
      const forget = async () => {
        sound.forget(id)
        await beside()
      }
      if (plan.erasure.seqs.size === 0) {
        for (const file of plan.files) await media.drop(id, file)
        await forget()
        if (plan.isInCatalog) await orUnavailable(catalog.renew())
        return plan
      }
      const erasing = pool.whileClosed(id, async () => {
        const { self } = mustBeListed(roster, id)
        if (!published.has(id)) published.set(id, plan.head)
        const head = await eraseWords(id, plan, { journals, now, beside: forget })
        catalog.put(id, { head, self })
      })
      await orUnavailable(erasing).catch(async (error: unknown) => {
        // It may have failed only after the switch: then the words are gone.
        const left = await planned().catch(() => plan)
        if (left.erasure.seqs.size > 0) throw error
      })
      // Who listens is told what was written. It is done, whether it can be opened right now or not.
      await pool.lookAt(id)
      if (plan.isInCatalog) await orUnavailable(catalog.renew())
      return plan
    },
    previewRestore: async (id, diary) => {
      await ready
      mayBeReplaced(id)
      const compared = roster.get(id)
        ? pool.use(id, ({ journal }) => compareDiary(id, diary, journal, journals))
        : compareDiary(id, diary, undefined, journals)
      try {
        return await orUnavailable(compared)
      } finally {
        // That its own is damaged may have shown only now: what was compared is not all of it.
        mayBeReplaced(id)
      }
    },
    restore: async (id, diary, command) => {
      await ready
      mayBeReplaced(id)
      const replacing = pool.whileClosed(id, async () => {
        const outcome = await placeDiary(id, diary, command, { journals, catalog, now }).catch(
          (error: unknown) => {
            // Before anyone opens it again: either of the two may be in its place.
            published.delete(id)
            throw error
          },
        )
        // Who listens is told what came with it, from the diary's end on.
        if (outcome !== 'stays') published.set(id, diary.head)
        return outcome
      })
      const outcome = await orUnavailable(replacing).catch(async (error: unknown) => {
        mayBeReplaced(id)
        throw error
      })
      return pool.use(id, async (opened) => {
        if (outcome !== 'stays') return { persona: personaOf(opened), entries: [] }
        const { recipient } = personaOf(opened).self
        return gateOf(opened).execute({ ...command, recipient }, 'person')
      })
    },
  }
}

/** As what is written is refused elsewhere. */
const orUnavailable = async <T>(asked: Promise<T>): Promise<T> => {
  try {
    return await asked
  } catch (error) {
    if (!isOfTheDisk(error) || error instanceof Damaged || error instanceof JournalUnavailable) throw error
    throw new JournalUnavailable(error instanceof Unavailable ? error.message : 'the disk refuses', {
      cause: error,
    })
  }
}
