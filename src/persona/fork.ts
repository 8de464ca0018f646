/** Forks a persona: copies its past and appends the first facts of the fork. */

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Journal, Journals } from '../../facts/persona-journal.ts'
import type { MediaStore } from '../../home/media.ts'
import { mediaFolder, trashFolder } from '../../home/places.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Erased } from '../../journal/log/vocabulary.ts'
import { createSemaphore } from '../../packages/kit/flow/keyed-pool.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import { personaVersion } from '../../projections/persona.ts'
import { fold, projector } from './fold.ts'
import { type Copying, copyFiles, copyRecords, isNearHead, takenFolder } from './fork-copy.ts'
import { committedPersona, type PublishedHeads } from './journal-handle.ts'
import type { JournalPool } from './journal-pool.ts'
import { getHeadAt } from './past.ts'
import type { PastPersona, PersonaStore } from './persona-store.ts'
import { isOfTheDisk, JournalUnavailable, Refused } from './refusals.ts'
import { mustBeListed, type Roster, rejectIfRemoved } from './roster.ts'
import { decide } from './rules/decide.ts'
import type { ForkPersona } from './rules/persona.ts'

interface Deps {
  readonly home: string
  readonly journals: Journals
  readonly roster: Roster
  readonly pool: JournalPool
  readonly published: PublishedHeads
  readonly media: Pick<MediaStore, 'bring'>
  readonly log: Log
  readonly now: () => Instant
  /** Throws Refused: persona_unknown. */
  readonly assertKnown: (id: PersonaId) => Promise<void>
  /** Removes all files. The journal must be closed. */
  readonly remove: (id: PersonaId) => Promise<void>
}

/** `erased`: facts with erased payloads that the fork must declare in its own journal. */
interface StagedPast extends PastPersona {
  readonly erased: readonly Erased[]
}

export const createForking = (deps: Deps): Pick<PersonaStore, 'getPast' | 'fork'> => {
  const { home, journals, roster, pool, published, media, log, assertKnown, remove } = deps
  /** One at a time: each reads the disk from end to end. */
  const copySemaphore = createSemaphore(1)

  /**
   * 1. Near the head, hard-links the files, so that writers can continue, then copies them.
   * 2. Otherwise, or if the files are corrupt, copies the records.
   */
  const copyPast = async (id: PersonaId, context: Copying): Promise<readonly Erased[]> => {
    const { head, folder } = context
    const assertSameHistory = async (journal: Journal) => {
      if ((await journal.hashAt(head.seq)) !== head.hash)
        throw new JournalUnavailable('another history has taken its place meanwhile')
    }
    const takenFiles = await pool.use(id, async ({ journal, state }) => {
      await assertSameHistory(journal)
      const canCopyFiles = !('trouble' in state) && isNearHead(head, journal.head)
      return canCopyFiles ? journals.take(id, takenFolder(folder)) : undefined
    })
    const stagedPast = takenFiles && (await copyFiles(takenFiles, context))
    return (
      stagedPast ??
      pool.use(id, async ({ journal }) => {
        await assertSameHistory(journal)
        return copyRecords(journal, context)
      })
    )
  }

  const copyOrMarkDamaged = async (
    id: PersonaId,
    head: Head,
    folder: string,
    disconnectSignal: AbortSignal,
  ) => {
    const assertWanted = () => {
      disconnectSignal.throwIfAborted()
      mustBeListed(roster, id)
    }
    try {
      const bringFile = (filename: string) => media.bring(id, filename)
      const stagedPast = { head, folder, files: mediaFolder(home, id), bringFile, assertWanted }
      return await rejectIfRemoved(roster, id, copyPast(id, stagedPast))
    } catch (error) {
      const row = roster.get(id)
      if (!(error instanceof Damaged) || !row || row.trouble !== null) throw error
      // Marks the persona as damaged, so that readers know how far it is readable.
      roster.trouble(row.self, error.message)
      await pool.close(id)
      throw error
    }
  }

  /** Removes the fork on failure. */
  const placeOrRemove = async (stagedPast: StagedPast, command: ForkPersona, folder: string) => {
    const { id } = command
    try {
      await pool.whileClosed(id, () => place(stagedPast, command, folder, deps))
      // Publishes only the fork's own facts, not the copied ones.
      published.set(id, stagedPast.head)
      return await pool.use(id, async (handle) => ({ persona: committedPersona(handle), entries: [] }))
    } catch (error) {
      await pool
        .close(id, () => remove(id))
        .catch((err: unknown) => log.warn({ id, err }, 'failed to remove an unfinished fork'))
      throw error
    }
  }

  return {
    getPast: async (id, moment) => {
      await assertKnown(id)
      const readTask = pool.use(id, async ({ journal, state }) => {
        const head = await getHeadAt(journal, moment, 'trouble' in state)
        const { persona } = head ? await fold(journal, head.seq) : {}
        if (!head || !persona) throw new Refused({ code: 'moment_unknown' })
        return { head, persona }
      })
      return rejectIfRemoved(roster, id, readTask)
    },
    fork: (id, origin, command, disconnectSignal) =>
      copySemaphore.run(async () => {
        const folder = join(trashFolder(home), `fork-${randomUUID()}`)
        try {
          const erasedFacts = await copyOrMarkDamaged(id, origin.head, folder, disconnectSignal)
          return await placeOrRemove({ ...origin, erased: erasedFacts }, command, folder)
        } catch (error) {
          throw isOfTheDisk(error) && !(error instanceof Damaged || error instanceof JournalUnavailable)
            ? new JournalUnavailable('the fork could not be written', { cause: error })
            : error
        } finally {
          await rm(folder, { recursive: true, force: true }).catch(() => undefined)
        }
      }, disconnectSignal),
  }
}

/** Keeps a commit below the size limit. */
const maxFactsPerDraft = 500

const place = async (
  { head, persona, erased }: StagedPast,
  command: ForkPersona,
  folder: string,
  { journals, now }: Deps,
) => {
  const stagedJournal = await journals.stage(command.id, folder, head)
  try {
    const decision = decide(persona, command)
    if ('refused' in decision) throw new Refused(decision.refused)
    const { journal } = stagedJournal
    // So that the next opening need not replay everything.
    await journal.keepSnapshot({ projector, version: personaVersion, head, state: persona })
    const declaration: PersonaEvent = { type: 'FactsErased', facts: [...erased], withdrawn: [] }
    const events = erased.length > 0 ? [...decision.events, declaration] : decision.events
    const cause = { by: 'person' } as const
    const drafts = splitIntoBatches(events).map((events) => ({ events, cause, ...now() }))
    for (const draft of drafts) await journal.append([draft], journal.head)
    await stagedJournal.place('drop')
  } finally {
    await stagedJournal.close()
  }
}

const splitIntoBatches = (events: readonly PersonaEvent[]): readonly (readonly PersonaEvent[])[] =>
  Array.from({ length: Math.ceil(events.length / maxFactsPerDraft) }, (_, n) =>
    events.slice(n * maxFactsPerDraft, (n + 1) * maxFactsPerDraft),
  )
