/** Erasing: the words of facts are gone for good, wherever the daemon keeps them. */
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { KeptDiary } from '../../journal/files/kept-diaries.ts'
import type { FactHashes, Sharing } from '../persona/shared-past.ts'
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
  /** Other personas of the same past in which the words go, too: all, or some. */
  readonly forks: boolean | readonly PersonaId[]
  /** Nothing goes: what would is told. */
  readonly preview: boolean
}

interface Erased extends Pick<ErasePlan, 'asked' | 'made'> {
  /** Diaries here that hold the words, the newest first. */
  readonly diaries: readonly KeptDiary[]
  /** Other personas that hold the same facts. */
  readonly forks: readonly Fork[]
}

/** `outcome`: what became of the words there; `error` is why they could not be erased. */
type Fork = Sharing &
  ({ readonly outcome: 'kept' | 'erased' } | { readonly outcome: 'refused'; readonly error: unknown })

/**
 * It rests meanwhile: a turn is cut and goes on without the words, a night is run again. Each fork that is
 * named is erased by itself, after it: one that refuses keeps no other from it. Refused: persona_unknown,
 * fact_unknown, fact_wordless. JournalDamaged, JournalUnavailable.
 */
export const eraseWords = async (deps: Deps, id: PersonaId, wish: Wish): Promise<Erased> => {
  const { facts, ...own } = await deps.inTurn(id, async () => {
    known(deps.personas, id)
    const facts = await deps.personas.sharedPast.hashes(id, wish.seqs)
    return { ...(await (wish.preview ? previewOf(deps, id, wish.seqs) : erase(deps, id, wish))), facts }
  })
  return { ...own, forks: await forksOf(deps, id, facts, wish) }
}

type Own = Omit<Erased, 'forks'>

/** In its turn. */
const erase = async (deps: Deps, id: PersonaId, { seqs, also, diaries: too }: Wish): Promise<Own> => {
  const { agents, diaries, personas, search } = deps
  await personas.wouldErase(id, seqs)
  return agents.rest(id, async () => {
    await diaries.cut(id)
    // Listed first: a listing that fails after the erasure would report a failure of what is done.
    const held = await holding(deps, id, seqs)
    const { asked, made } = await personas.eraseWords(id, seqs, also, () => search.drop(id))
    if (too) for (const diary of held) await diaries.drop(diary)
    return { asked, made, diaries: held }
  })
}

const previewOf = async (deps: Deps, id: PersonaId, seqs: readonly Seq[]): Promise<Own> => {
  const { asked, made } = await deps.personas.previewErase(id, seqs)
  return { asked, made, diaries: await holding(deps, id, asked) }
}

/** None of them in the turn of another: two that are erased from both sides would wait for each other. */
const forksOf = async (
  deps: Deps,
  id: PersonaId,
  facts: FactHashes,
  wish: Wish,
): Promise<readonly Fork[]> => {
  const isWished = (fork: PersonaId) =>
    !wish.preview && (typeof wish.forks === 'boolean' ? wish.forks : wish.forks.includes(fork))
  const forks: Fork[] = []
  for (const fork of await deps.personas.sharedPast.sharing(id, facts)) {
    if (isWished(fork.id)) forks.push(await eraseThere(deps, fork, facts, wish))
    else if (await holdsWords(deps, fork)) forks.push({ ...fork, outcome: 'kept' })
  }
  return forks
}

/** Also if that cannot be told now. */
const holdsWords = ({ personas }: Deps, { id, seqs }: Sharing): Promise<boolean> =>
  personas.previewErase(id, seqs).then(
    ({ erasure }) => erasure.seqs.size > 0,
    () => true,
  )

const eraseThere = (deps: Deps, fork: Sharing, facts: FactHashes, wish: Wish): Promise<Fork> =>
  deps
    .inTurn(fork.id, async (): Promise<Fork> => {
      known(deps.personas, fork.id)
      // It may have been replaced by another history since it was looked at.
      const seqs = await deps.personas.sharedPast.shared(fork.id, facts)
      if (seqs.length > 0) await erase(deps, fork.id, { ...wish, seqs })
      return { ...fork, seqs, outcome: 'erased' }
    })
    .catch((error: unknown) => {
      deps.log.warn({ id: fork.id, err: error }, 'the words could not be erased in a fork')
      return { ...fork, outcome: 'refused', error }
    })

/** A diary contains every fact up to its own sequence number. */
const holding = async (
  { diaries }: Pick<Deps, 'diaries'>,
  id: PersonaId,
  seqs: readonly Seq[],
): Promise<readonly KeptDiary[]> => {
  const first = Math.min(...seqs)
  return (await diaries.list(id)).filter(({ seq }) => seq >= first)
}
