/** Erases the payloads of facts permanently, in all places where the daemon stores them. */

import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { KeptDiary } from '../../home/kept-diaries.ts'
import type { ErasePlan } from '../persona/erase-payloads.ts'
import type { FactHashes, Sharing } from '../persona/persona-store.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'

type Deps = Pick<CommandDeps, 'agents' | 'diaries' | 'inTurn' | 'log' | 'personas' | 'search'>

interface Wish {
  readonly seqs: readonly Seq[]
  /** Also erases derived facts. */
  readonly also: boolean
  /** Also deletes the diaries that contain the words. */
  readonly diaries: boolean
  /** Also erases in other personas with the same past: all, or these. */
  readonly forks: boolean | readonly PersonaId[]
  /** Only reports; erases nothing. */
  readonly preview: boolean
}

interface EraseResult extends Pick<ErasePlan, 'askedSeqs' | 'made'> {
  /** Diaries here that contain the words, newest first. */
  readonly diaries: readonly KeptDiary[]
  /** Other personas that hold the same facts. */
  readonly forks: readonly Fork[]
}

/** `error`: why erasing failed in the fork. */
type Fork = Sharing &
  ({ readonly outcome: 'kept' | 'erased' } | { readonly outcome: 'refused'; readonly error: unknown })

/**
 * Stops the agent meanwhile; an interrupted turn continues without the words, a sleep starts again. Then
 * erases in the forks, one by one; a failure in one does not stop the others. Throws Refused
 * (persona_unknown, fact_unknown, fact_wordless), JournalDamaged or JournalUnavailable.
 */
export const eraseWords = async (deps: Deps, id: PersonaId, wish: Wish): Promise<EraseResult> => {
  const { facts, ...own } = await deps.inTurn(id, async () => {
    requireListed(deps.personas, id)
    const facts = await deps.personas.sharedPast.hashes(id, wish.seqs)
    return { ...(await (wish.preview ? preview(deps, id, wish.seqs) : erase(deps, id, wish))), facts }
  })
  return { ...own, forks: await eraseInForks(deps, id, facts, wish) }
}

type OwnErased = Omit<EraseResult, 'forks'>

/** Must run in `inTurn`. */
const erase = async (
  deps: Deps,
  id: PersonaId,
  { seqs, also, diaries: withDiaries }: Wish,
): Promise<OwnErased> => {
  const { agents, diaries, personas, search } = deps
  await personas.wouldErase(id, seqs)
  return agents.rest(id, async () => {
    await diaries.cut(id)
    // Before the erasure: a failure to list must not look like a failed erasure.
    const holders = await findDiaries(deps, id, seqs)
    const { askedSeqs, made } = await personas.eraseWords(id, seqs, also, () => search.drop(id))
    if (withDiaries) for (const diary of holders) await diaries.drop(diary)
    return { askedSeqs, made, diaries: holders }
  })
}

const preview = async (deps: Deps, id: PersonaId, seqs: readonly Seq[]): Promise<OwnErased> => {
  const { askedSeqs, made } = await deps.personas.previewErase(id, seqs)
  return { askedSeqs, made, diaries: await findDiaries(deps, id, askedSeqs) }
}

/** Outside of the origin's `inTurn`: two erasures from both sides would deadlock. */
const eraseInForks = async (
  deps: Deps,
  id: PersonaId,
  facts: FactHashes,
  wish: Wish,
): Promise<readonly Fork[]> => {
  const isWished = (fork: PersonaId) =>
    !wish.preview && (typeof wish.forks === 'boolean' ? wish.forks : wish.forks.includes(fork))
  const forks: Fork[] = []
  for (const fork of await deps.personas.sharedPast.findSharing(id, facts)) {
    if (isWished(fork.id)) forks.push(await eraseFork(deps, fork, facts, wish))
    else if (await holdsWords(deps, fork)) forks.push({ ...fork, outcome: 'kept' })
  }
  return forks
}

/** True if unknown. */
const holdsWords = ({ personas }: Deps, { id, seqs }: Sharing): Promise<boolean> =>
  personas.previewErase(id, seqs).then(
    ({ erasure }) => erasure.seqs.size > 0,
    () => true,
  )

const eraseFork = (deps: Deps, fork: Sharing, facts: FactHashes, wish: Wish): Promise<Fork> =>
  deps
    .inTurn(fork.id, async (): Promise<Fork> => {
      requireListed(deps.personas, fork.id)
      // The journal may have been replaced by another history.
      const seqs = await deps.personas.sharedPast.findShared(fork.id, facts)
      if (seqs.length > 0) await erase(deps, fork.id, { ...wish, seqs })
      return { ...fork, seqs, outcome: 'erased' }
    })
    .catch((error: unknown) => {
      deps.log.warn({ id: fork.id, err: error }, 'failed to erase facts in a fork')
      return { ...fork, outcome: 'refused', error }
    })

/** A diary contains every fact up to its own sequence number. */
const findDiaries = async (
  { diaries }: Pick<Deps, 'diaries'>,
  id: PersonaId,
  seqs: readonly Seq[],
): Promise<readonly KeptDiary[]> => {
  const first = Math.min(...seqs)
  return (await diaries.list(id)).filter(({ seq }) => seq >= first)
}
