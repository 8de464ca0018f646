/** Verifying: the whole chain, and what lies beside it. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { KeptDiary } from '../../journal/files/kept-diaries.ts'
import type { Verdict } from '../../journal/log/journal.ts'
import { createYielding } from '../flow/yielding.ts'
import type { Vouched } from '../persona/sound-media.ts'
import { isUnavailable } from '../persona/unavailable.ts'
import {
  type MediaVerdict,
  mediaIn,
  type SnapshotsVerdict,
  verifyMedia,
  verifySnapshots,
} from '../persona/verify-beside.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

/** Without its phrase no more of a diary can be told than whether it is one, and for whom. */
export interface DiaryVerdict extends KeptDiary {
  readonly readable: boolean
  /** For the recovery phrase of now. */
  readonly current: boolean
}

export interface LifeVerdict extends Verdict {
  /** Null where the journal itself is not whole. */
  readonly media: MediaVerdict | null
  /** Null where that was not asked for, too. */
  readonly snapshots: SnapshotsVerdict | null
  /** The newest first. */
  readonly diaries: readonly DiaryVerdict[]
}

/** `deep`: every snapshot is compared with a replay. Refused: persona_unknown. JournalUnavailable. */
export const verifyLife = async (
  { diaries, personas }: Pick<CommandDeps, 'diaries' | 'personas'>,
  id: PersonaId,
  { deep }: { readonly deep: boolean },
  gone: AbortSignal,
): Promise<LifeVerdict> => {
  const { self } = known(personas, id)
  const named: Vouched[] = []
  const verdict = await personas.verify(id, (record) => {
    const media = mediaIn(record)
    if (media) named.push(media)
  })
  const maybeYield = createYielding(gone)
  const kept: DiaryVerdict[] = []
  for (const diary of await diaries.list(id)) {
    const kind = await diaries.kindOfKept(diary).catch(orUnreadable)
    // One that was made meanwhile takes the place of the oldest.
    if (kind === 'gone') continue
    kept.push({ ...diary, readable: kind === 'diary', current: diary.isFor(self.recipient) })
  }
  if (!verdict.intact) return { ...verdict, media: null, snapshots: null, diaries: kept }
  return personas.read(id, async ({ journal }) => ({
    ...verdict,
    media: await verifyMedia(named, await personas.mediaFolder(id), (media) => personas.isSound(id, media)),
    snapshots: deep ? await verifySnapshots(journal, maybeYield) : null,
    diaries: kept,
  }))
}

/** What the disk does not give is told with the diary it is about, beside what it does give. */
const orUnreadable = (error: unknown): 'other' => {
  if (isUnavailable(error)) return 'other'
  throw error
}
