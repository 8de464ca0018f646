/**
 * Consolidates the conversation: new facts about the user, the carried context, and the summary of the day.
 */

import type { ConsolidationData, KnownStatement } from '../models/prompt-data.ts'
import { consolidateTalk, type RetoldFact } from './consolidate-talk.ts'
import { buildCarry, buildDaySummary } from './day.ts'
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

const maxOperations = 40

/** Returns the JSON object that the prompt asks for. Throws the signal's reason if it is aborted. */
export const consolidate = async (data: ConsolidationData, signal: AbortSignal): Promise<string> => {
  const { name, statements: known, forgotten, carried, day } = data
  const lines = ownLines(data.lines)
  if (lines.length === 0) return JSON.stringify({ operations: [], carry: '', summary: '' })
  const retold = await consolidateTalk(lines, { known, name }, signal)
  const facts = retold.told.filter(({ text }) => !forgotten.some((old) => holds(old, text)))
  const hidden = [...forgotten, ...retold.gone]
  return JSON.stringify({
    operations: facts.flatMap((fact) => operationFor(fact, known)).slice(0, maxOperations),
    carry: buildCarry({ ...retold, lines, hidden, before: carried.toWellFormed() }),
    summary: buildDaySummary({ ...retold, told: facts, lines, hidden, before: day.toWellFormed() }),
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
