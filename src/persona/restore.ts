/** Restores a persona from a diary, with or without a local journal. */

import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import type { Journal, Journals, Staged } from '../../facts/persona-journal.ts'
import type { Catalog } from '../../home/catalog.ts'
import { Unknown } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import { foldWhole, projector } from './fold.ts'
import { Refused } from './refusals.ts'
import { decide } from './rules/decide.ts'
import type { RestorePersona } from './rules/persona.ts'

/** An unpacked diary: a folder in the home with `journal` and `media`, and the head of the journal. */
export interface UnpackedDiary {
  readonly folder: string
  readonly head: Head
}

/** `new`: no local journal. `stays`: the local journal is newer. `replaced`: the diary is newer. */
export type RestoreOutcome = 'new' | 'stays' | 'replaced'

interface Deps {
  readonly journals: Journals
  readonly catalog: Pick<Catalog, 'forget'>
  readonly now: () => Instant
}

/** Dry run of `placeDiary`. Throws Refused (histories_parted), Damaged or Unavailable. */
export const compareDiary = async (
  id: PersonaId,
  diary: UnpackedDiary,
  localJournal: Journal | undefined,
  journals: Journals,
): Promise<RestoreOutcome> => {
  const stagedJournal = await journals.stage(id, diary.folder, diary.head)
  try {
    const { outcome } = await compare(localJournal, stagedJournal.journal)
    // Verified now, while the local journal still exists.
    if (outcome !== 'stays') await readPersona(id, stagedJournal.journal)
    return outcome
  } finally {
    await stagedJournal.close()
  }
}

/**
 * If the local journal stays, only adds its missing files. The journal must be closed. Throws like
 * `compareDiary`, or Refused by the rules.
 */
export const placeDiary = async (
  id: PersonaId,
  diary: UnpackedDiary,
  command: RestorePersona,
  deps: Deps,
): Promise<RestoreOutcome> => {
  const { journals, catalog } = deps
  const stagedJournal = await journals.stage(id, diary.folder, diary.head)
  try {
    const { outcome, apart, over } = await compareAtRest(id, stagedJournal.journal, journals)
    if (outcome === 'stays') {
      await stagedJournal.placeFiles()
      return outcome
    }
    await append(id, stagedJournal, { ...command, ...(over > 0 && { over }) }, deps)
    // Before the switch: otherwise a crash in between would look like damage.
    if (outcome === 'replaced') await catalog.forget(id)
    await stagedJournal.place(apart ? 'keep' : 'drop')
    return outcome
  } finally {
    await stagedJournal.close()
  }
}

const append = async (
  id: PersonaId,
  { journal }: Staged,
  command: RestorePersona,
  { now }: Deps,
): Promise<void> => {
  const decision = decide(await readPersona(id, journal), command)
  if ('refused' in decision) throw new Refused(decision.refused)
  await journal.append([{ events: decision.events, cause: { by: 'person' }, ...now() }], journal.head)
}

/** Stores a snapshot, so that the next opening need not replay everything. */
const readPersona = async (id: PersonaId, journal: Journal): Promise<Persona> => {
  const { head } = journal
  const { persona, kept } = await foldWhole(id, journal)
  if (kept < head.seq)
    await journal.keepSnapshot({ projector, version: personaVersion, head, state: persona })
  return persona
}

/** `apart`: both continued separately, but the local facts after that are not missed. */
const compare = async (
  localJournal: Journal | undefined,
  diary: Journal,
): Promise<{ outcome: RestoreOutcome; apart: boolean }> => {
  if (!localJournal) return { outcome: 'new', apart: false }
  const sharedSeq = await lastSharedSeq(localJournal, diary)
  if (sharedSeq === diary.head.seq) return { outcome: 'stays', apart: false }
  if (sharedSeq === localJournal.head.seq) return { outcome: 'replaced', apart: false }
  for await (const { type } of localJournal.read({ after: sharedSeq }))
    if (getTraits(type).missed) throw await historiesParted(sharedSeq, localJournal)
  return { outcome: 'replaced', apart: true }
}

/** Also returns where the local journal ends. Throws Damaged unless it is readable to the end. */
const compareAtRest = async (id: PersonaId, diary: Journal, journals: Journals) => {
  const localJournal = await openLocal(id, journals)
  try {
    return { ...(await compare(localJournal, diary)), over: localJournal?.head.seq ?? 0 }
  } finally {
    await localJournal?.close()
  }
}

const openLocal = async (id: PersonaId, journals: Journals): Promise<Journal | undefined> => {
  try {
    return await journals.open(id, 'writer')
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

/** Binary search for the last common position. A chain hash covers all facts before it. */
const lastSharedSeq = async (first: Journal, second: Journal): Promise<Seq | 0> => {
  let equalSeq = 0
  let firstUnequal = Math.min(first.head.seq, second.head.seq) + 1
  // First tries the shorter journal's head: usually one just continues the other.
  for (
    let seq = firstUnequal - 1;
    equalSeq + 1 < firstUnequal;
    seq = Math.floor((equalSeq + firstUnequal) / 2)
  ) {
    const hash = await first.hashAt(seq)
    const otherHash = await second.hashAt(seq)
    if (hash !== undefined && hash === otherHash) equalSeq = seq
    else firstUnequal = seq
  }
  return equalSeq
}

const historiesParted = async (sharedSeq: Seq | 0, localJournal: Journal): Promise<Refused> => {
  const last = sharedSeq > 0 ? await entryAt(localJournal, sharedSeq) : undefined
  return new Refused({ code: 'histories_parted', at: last ? { at: last.at, offset: last.offset } : null })
}
