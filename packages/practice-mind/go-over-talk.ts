/**
 * Going over what was said, as the practice mind does it: what the person told and it does not know yet, what
 * it carries on, and what the day was like.
 */

import type { ConsolidationData, KnownStatement } from '../models/prompt-data.ts'
import { type RetoldFact, retell } from './consolidate-talk.ts'
import { carryOf, summaryOf } from './day.ts'
import { ownLines } from './lines.ts'
import { holds, replacedBy } from './person-facts.ts'

type Operation =
  | {
      readonly op: 'keep'
      readonly document: string
      readonly text: string
      readonly sources: readonly number[]
    }
  | { readonly op: 'revise'; readonly id: string; readonly text: string; readonly sources: readonly number[] }

const mostOperations = 40

/** One JSON object, as it is asked for. Throws the reason of the signal. */
export const goOver = async (data: ConsolidationData, signal: AbortSignal): Promise<string> => {
  const { name, statements: known, forgotten, carried, day } = data
  const lines = ownLines(data.lines)
  if (lines.length === 0) return JSON.stringify({ operations: [], carry: '', summary: '' })
  const retold = await retell(lines, { known, name }, signal)
  const told = retold.told.filter(({ text }) => !forgotten.some((old) => holds(old, text)))
  const hidden = [...forgotten, ...retold.gone]
  return JSON.stringify({
    operations: told.flatMap((fact) => operationFor(fact, known)).slice(0, mostOperations),
    carry: carryOf({ ...retold, lines, hidden, before: carried.toWellFormed() }),
    summary: summaryOf({ ...retold, told, lines, hidden, before: day.toWellFormed() }),
  })
}

const operationFor = (
  { kept, document, text, sources, of }: RetoldFact,
  known: readonly KnownStatement[],
): readonly Operation[] => {
  if (kept) return []
  const old = known.find(({ id }) => id === of) ?? replacedBy({ document, text }, known)
  if (!old) return [{ op: 'keep', document, text, sources }]
  return holds(old.text, text) ? [] : [{ op: 'revise', id: old.id, text, sources }]
}
