/** Erasing: the words of facts are gone for good, wherever the daemon keeps them. */
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { KeptDiary } from '../../journal/files/kept-diaries.ts'
import type { ErasePlan } from '../persona/word-erasure.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'log' | 'personas' | 'search'>

interface Wish {
  readonly seqs: readonly Seq[]
  /** What was made of the same words goes, too. */
  readonly also: boolean
  /** Diaries that hold the words go, too. */
  readonly diaries: boolean
  /** Nothing goes: what would is told. */
  readonly preview: boolean
}

interface Erased extends Pick<ErasePlan, 'asked' | 'made'> {
  /** Diaries here that hold the words, the newest first. */
  readonly diaries: readonly KeptDiary[]
}

/**
 * It rests meanwhile: a turn is cut and goes on without the words, a night is run again. Refused:
 * persona_unknown, fact_unknown, fact_wordless. JournalDamaged, JournalUnavailable.
 */
export const eraseWords = (deps: Deps, id: PersonaId, wish: Wish): Promise<Erased> =>
  deps.inTurn(id, async () => {
    const { agents, diaries, personas, search } = deps
    known(personas, id)
    if (wish.preview) return previewOf(deps, id, wish.seqs)
    await personas.wouldErase(id, wish.seqs)
    return agents.rest(id, async () => {
      await diaries.cut(id)
      const { asked, made } = await personas.eraseWords(id, wish.seqs, wish.also, () => search.drop(id))
      const held = await holding(deps, id, asked)
      if (wish.diaries) for (const diary of held) await diaries.drop(diary)
      return { asked, made, diaries: held }
    })
  })

const previewOf = async (deps: Deps, id: PersonaId, seqs: readonly Seq[]): Promise<Erased> => {
  const { asked, made } = await deps.personas.previewErase(id, seqs)
  return { asked, made, diaries: await holding(deps, id, asked) }
}

/** A diary holds all that was written before it. */
const holding = async (
  { diaries }: Pick<Deps, 'diaries'>,
  id: PersonaId,
  [first = 0]: readonly Seq[],
): Promise<readonly KeptDiary[]> => (await diaries.list(id)).filter(({ seq }) => seq >= first)
