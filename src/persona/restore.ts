/** Restores a persona from a diary, with or without a local journal. */

import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { getTraits } from '../../journal/facts/facts.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import { Unknown } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Journal, Journals, Staged } from '../../journal/log/journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import { foldWhole, projector } from './fold.ts'
import { Refused } from './refusals.ts'
import { decide } from './rules/decide.ts'
import type { RestorePersona } from './rules/persona.ts'

/** An unpacked diary: a folder in the home with `journal` and `media`, and the head of the journal. */
export interface Unpacked {
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
  diary: Unpacked,
  here: Journal | undefined,
  journals: Journals,
): Promise<RestoreOutcome> => {
  const staged = await journals.stage(id, diary.folder, diary.head)
  try {
    const { outcome } = await compare(here, staged.journal)
    // Verified now, while the local journal still exists.
    if (outcome !== 'stays') await readPersona(id, staged.journal)
    return outcome
  } finally {
    await staged.close()
  }
}

/**
 * If the local journal stays, only adds its missing files. The journal must be closed. Throws like
 * `compareDiary`, or Refused by the rules.
 */
export const placeDiary = async (
  id: PersonaId,
  diary: Unpacked,
  command: RestorePersona,
  deps: Deps,
): Promise<RestoreOutcome> => {
  const { journals, catalog } = deps
  const staged = await journals.stage(id, diary.folder, diary.head)
  try {
    const { outcome, apart, over } = await compareAtRest(id, staged.journal, journals)
    if (outcome === 'stays') {
      await staged.placeFiles()
      return outcome
    }
    await append(id, staged, { ...command, ...(over > 0 && { over }) }, deps)
    // Before the switch: otherwise a crash in between would look like damage.
    if (outcome === 'replaced') await catalog.forget(id)
    await staged.place(apart ? 'keep' : 'drop')
    return outcome
  } finally {
    await staged.close()
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
  here: Journal | undefined,
  diary: Journal,
): Promise<{ outcome: RestoreOutcome; apart: boolean }> => {
  if (!here) return { outcome: 'new', apart: false }
  const shared = await lastSharedSeq(here, diary)
  if (shared === diary.head.seq) return { outcome: 'stays', apart: false }
  if (shared === here.head.seq) return { outcome: 'replaced', apart: false }
  for await (const { type } of here.read({ after: shared }))
    if (getTraits(type).missed) throw await historiesParted(shared, here)
  return { outcome: 'replaced', apart: true }
}

/** Also returns where the local journal ends. Throws Damaged unless it is readable to the end. */
const compareAtRest = async (id: PersonaId, diary: Journal, journals: Journals) => {
  const here = await openLocal(id, journals)
  try {
    return { ...(await compare(here, diary)), over: here?.head.seq ?? 0 }
  } finally {
    await here?.close()
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
const lastSharedSeq = async (one: Journal, other: Journal): Promise<Seq | 0> => {
  let same = 0
  let apart = Math.min(one.head.seq, other.head.seq) + 1
  // First tries the shorter journal's head: usually one just continues the other.
  for (let seq = apart - 1; same + 1 < apart; seq = Math.floor((same + apart) / 2)) {
    const hash = await one.hashAt(seq)
    const otherHash = await other.hashAt(seq)
    if (hash !== undefined && hash === otherHash) same = seq
    else apart = seq
  }
  return same
}

const historiesParted = async (shared: Seq | 0, here: Journal): Promise<Refused> => {
  const last = shared > 0 ? await entryAt(here, shared) : undefined
  return new Refused({ code: 'histories_parted', at: last ? { at: last.at, offset: last.offset } : null })
}
