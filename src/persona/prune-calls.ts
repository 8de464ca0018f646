/** Removes stored model requests that only old calls use. Answers stay. */

import * as z from 'zod'
import { Answer, type Seq, type Sha256 } from '../../facts/fact-values.ts'
import { type EventOf, personaVocabulary } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import type { Opaque } from '../../packages/models/mind.ts'

interface Deps {
  readonly journal: Journal
  readonly write: <T>(act: (journal: Journal) => Promise<T>) => Promise<T>
  /** Turns that are running or wait for approvals. Their next step sends parts of their calls again. */
  readonly openTurns: ReadonlySet<Seq>
}

/** Parts removed per write. */
const batchSize = 500

/**
 * Prunes calls from before an instant (epoch milliseconds). Progress is written last, so an interrupted run
 * is repeated. Throws JournalUnavailable, or the signal's reason.
 */
export const pruneCalls = async (
  { journal, write, openTurns }: Deps,
  beforeMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const pruneTask = journal.pruning()
  try {
    const isKept = (entry: Entry) => entry.at >= beforeMs || isOfTurn(entry, openTurns)
    const { old, upTo } = await findOldParts(journal, await pruneTask.begun(), isKept, signal)
    const parts = [...old]
    for (let n = 0; n < parts.length; n += batchSize) {
      signal.throwIfAborted()
      await write(() => pruneTask.drop(parts.slice(n, n + batchSize)))
    }
    if (upTo !== null) await write(() => pruneTask.done(upTo))
  } finally {
    pruneTask.end()
  }
}

/**
 * Compares positions: no call after the first recent one, or the first of an open turn, counts as old, even
 * if the clock was set back.
 */
const findOldParts = async (
  journal: Journal,
  afterSeq: Seq | 0,
  isKept: (entry: Entry) => boolean,
  signal: AbortSignal,
): Promise<{ readonly old: ReadonlySet<Sha256>; readonly upTo: Seq | null }> => {
  const old = new Set<Sha256>()
  let upTo: Seq | null = null
  let isRecent = false
  const maybeYield = createYielding(signal)
  for await (const entry of journal.read({ kind: 'calls', after: afterSeq })) {
    isRecent ||= isKept(entry)
    if (isRecent && old.size === 0) break
    if (!isRecent) upTo = entry.seq
    for (const part of getPrunableParts(entry, !isRecent)) {
      if (isRecent) old.delete(part)
      else old.add(part)
    }
    await maybeYield()
  }
  return { old, upTo }
}

const isOfTurn = ({ event }: Entry, turns: ReadonlySet<Seq>): boolean =>
  event.type === 'ModelAnswered' && event.turn !== null && turns.has(event.turn)

/** Parts of a call; without the answer for an old call. */
const getPrunableParts = ({ type, event }: Entry, isOld: boolean): readonly Sha256[] => {
  if (type !== 'ModelAnswered' || event.type !== 'ModelAnswered') return []
  return personaVocabulary.partsIn(type, isOld ? { ...event, answer: null } : event)
}

/** Returns null if another fact holds the answer or it is lost. */
export const keptAnswer = async (
  journal: Pick<Journal, 'part'>,
  { answer }: Pick<EventOf<'ModelAnswered'>, 'answer'>,
): Promise<Answer | null> => {
  if (!answer || !('part' in answer)) return answer
  const bytes = await journal.part(answer.part)
  return bytes ? Answer.parse(JSON.parse(Buffer.from(bytes).toString())) : null
}

const KeptOpaque = z.strictObject({ for: z.string(), data: z.unknown() })

/** Undefined if there was none, or if it is kept no longer. */
export const keptOpaque = async (
  journal: Pick<Journal, 'part'>,
  { opaque }: Pick<EventOf<'ModelAnswered'>, 'opaque'>,
): Promise<Opaque | undefined> => {
  const bytes = opaque ? await journal.part(opaque) : undefined
  return bytes && KeptOpaque.parse(JSON.parse(Buffer.from(bytes).toString()))
}
