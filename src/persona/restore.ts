/** Its life out of a diary, put in the place of the one that is here, or where there is none. */

import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { traitsOf } from '../../journal/facts/facts.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import { Unknown } from '../../journal/log/errors.ts'
import type { Head, Journal, Journals, Staged } from '../../journal/log/journal.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import type { Instant } from '../time/clock.ts'
import { foldWhole, projector } from './fold.ts'
import { Refused } from './refusals.ts'
import { decide } from './rules/decide.ts'
import type { RestorePersona } from './rules/self.ts'

/**
 * What was unpacked of a diary: a folder within the home with it `journal` and it `media`, and how far the
 * journal goes.
 */
export interface Unpacked {
  readonly folder: string
  readonly head: Head
}

/**
 * `new`: nobody of its name is here. `stays`: what is here goes on from the diary. `replaced`: the diary goes
 * on from what is here.
 */
export type RestoreOutcome = 'new' | 'stays' | 'replaced'

interface Deps {
  readonly journals: Journals
  readonly catalog: Pick<Catalog, 'forget'>
  readonly now: () => Instant
}

/**
 * What would come of a diary where this is here, if anything is. Refused histories_parted · Damaged ·
 * Unavailable.
 */
export const compareDiary = async (
  id: PersonaId,
  diary: Unpacked,
  here: Journal | undefined,
  journals: Journals,
): Promise<RestoreOutcome> => {
  const staged = await journals.stage(id, diary.folder, diary.head)
  try {
    const { outcome } = await compare(here, staged.journal)
    // Read now, while everybody may still have what is here.
    if (outcome !== 'stays') await personaIn(id, staged.journal)
    return outcome
  } finally {
    await staged.close()
  }
}

/**
 * Where what is here stays, only files of its own that are missing come with it. Nobody may have its journal
 * open. The same errors; Refused where the rules say so.
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
    // Nothing may compare what comes with what was: a crash between the two would look like damage.
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
  const decision = decide(await personaIn(id, journal), command)
  if ('refused' in decision) throw new Refused(decision.refused)
  await journal.append([{ events: decision.events, cause: { by: 'person' }, ...now() }], journal.head)
}

/** Who it tells of. Kept beside it: whoever opens it next need not read all of it again. */
const personaIn = async (id: PersonaId, journal: Journal): Promise<Persona> => {
  const { head } = journal
  const { persona, kept } = await foldWhole(id, journal)
  if (kept < head.seq)
    await journal.keepSnapshot({ projector, version: personaVersion, head, state: persona })
  return persona
}

/** `apart`: both went on by themselves, but what happened here is nothing that anybody would miss. */
const compare = async (
  here: Journal | undefined,
  diary: Journal,
): Promise<{ outcome: RestoreOutcome; apart: boolean }> => {
  if (!here) return { outcome: 'new', apart: false }
  const shared = await sharedUpTo(here, diary)
  if (shared === diary.head.seq) return { outcome: 'stays', apart: false }
  if (shared === here.head.seq) return { outcome: 'replaced', apart: false }
  for await (const { type } of here.read({ after: shared }))
    if (traitsOf(type).missed) throw await partedAt(shared, here)
  return { outcome: 'replaced', apart: true }
}

/**
 * With where the journal that is here ends. Damaged where not all of it can be read: what is not seen cannot
 * be judged.
 */
const compareAtRest = async (id: PersonaId, diary: Journal, journals: Journals) => {
  const here = await openHere(id, journals)
  try {
    return { ...(await compare(here, diary)), over: here?.head.seq ?? 0 }
  } finally {
    await here?.close()
  }
}

const openHere = async (id: PersonaId, journals: Journals): Promise<Journal | undefined> => {
  try {
    return await journals.open(id, 'writer')
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

/** The last position up to which two journals are one: a chain hash speaks for all before it. */
const sharedUpTo = async (one: Journal, other: Journal): Promise<Seq | 0> => {
  let [same, apart] = [0, Math.min(one.head.seq, other.head.seq) + 1]
  // Most often one of them just goes on.
  for (let at = apart - 1; same + 1 < apart; at = Math.floor((same + apart) / 2)) {
    const [hash, another] = [await one.hashAt(at), await other.hashAt(at)]
    if (hash !== undefined && hash === another) same = at
    else apart = at
  }
  return same
}

const partedAt = async (shared: Seq | 0, here: Journal): Promise<Refused> => {
  const last = shared > 0 ? await entryAt(here, shared) : undefined
  return new Refused({ code: 'histories_parted', at: last ? { at: last.at, offset: last.offset } : null })
}
