/** Salvages a damaged journal; verifies a journal, its media, snapshots and diaries. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { KeptDiary } from '../../home/kept-diaries.ts'
import type { Salvaged, Verdict } from '../../journal/log/journal.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import type { MediaChecksum } from '../persona/media-integrity.ts'
import { isUnavailable, Refused } from '../persona/refusals.ts'
import {
  type MediaVerdict,
  mediaIn,
  type SnapshotsVerdict,
  verifyMedia,
  verifySnapshots,
} from '../persona/verify-files.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'personas'>

/** Throws Refused (persona_unknown, not_damaged), or JournalDamaged if nothing is left. */
export const salvageJournal = (
  { agents, diaries, inTurn, personas }: Deps,
  id: PersonaId,
): Promise<Salvaged & { readonly running: boolean }> =>
  inTurn(id, async () => {
    const { trouble } = requireListed(personas, id)
    // Before closing anything: readers of an intact journal must not be interrupted.
    if (trouble === null && (await personas.verify(id)).intact) throw new Refused({ code: 'not_damaged' })
    await diaries.cut(id)
    const result = await personas.salvage(id)
    await agents.wakeIfWanted(id)
    return { ...result, running: agents.isRunning(id) }
  })

/** Without the phrase, only the format and the recipient can be checked. */
export interface DiaryVerdict extends KeptDiary {
  readonly readable: boolean
  /** For the current recovery phrase. */
  readonly current: boolean
}

export interface LifeVerdict extends Verdict {
  /** Null if the journal is not intact. */
  readonly media: MediaVerdict | null
  /** Null if the journal is not intact or it was not requested. */
  readonly snapshots: SnapshotsVerdict | null
  /** Newest first. */
  readonly diaries: readonly DiaryVerdict[]
}

/** `deep`: compares each snapshot with a replay. Throws Refused: persona_unknown, or JournalUnavailable. */
export const verifyLife = async (
  { diaries, personas }: Pick<CommandDeps, 'diaries' | 'personas'>,
  id: PersonaId,
  { deep }: { readonly deep: boolean },
  disconnectSignal: AbortSignal,
): Promise<LifeVerdict> => {
  const { self } = requireListed(personas, id)
  const vouchers: MediaChecksum[] = []
  const verdict = await personas.verify(id, (record) => {
    const media = mediaIn(record)
    if (media) vouchers.push(media)
  })
  const maybeYield = createYielding(disconnectSignal)
  const diaryVerdicts: DiaryVerdict[] = []
  for (const diary of await diaries.list(id)) {
    const kind = await diaries.kindOfKept(diary).catch(orUnreadable)
    // A new diary replaced it meanwhile.
    if (kind === 'gone') continue
    diaryVerdicts.push({ ...diary, readable: kind === 'diary', current: diary.isFor(self.recipient) })
  }
  if (!verdict.intact) return { ...verdict, media: null, snapshots: null, diaries: diaryVerdicts }
  return personas.read(id, async ({ journal }) => ({
    ...verdict,
    media: await verifyMedia(vouchers, await personas.mediaFolder(id), (media) =>
      personas.isSound(id, media),
    ),
    snapshots: deep ? await verifySnapshots(journal, maybeYield) : null,
    diaries: diaryVerdicts,
  }))
}

/** Reports a disk error with the diary. */
const orUnreadable = (error: unknown): 'other' => {
  if (isUnavailable(error)) return 'other'
  throw error
}
