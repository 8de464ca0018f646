/**
 * Consolidates the conversation: new facts about the user, the carried context, and the summary of the day.
 */

import type { ConsolidationData, KnownStatement } from '../models/prompt-data.ts'
import { consolidateTalk, type RetoldFact } from './consolidate-talk.ts'
import { buildCarry, buildDaySummary } from './day.ts'
import { findReasons } from './initiative.ts'
import { ownLines } from './lines.ts'
import { isAlwaysNeeded, isContained, replacedBy } from './person-facts.ts'

type Operation =
  | {
      readonly op: 'keep'
      readonly document: string
      readonly text: string
      readonly sources: readonly number[]
      readonly pin?: true
    }
  | { readonly op: 'pin'; readonly ids: readonly string[] }
  | { readonly op: 'revise'; readonly id: string; readonly text: string; readonly sources: readonly number[] }

const maxOperations = 40

/** Returns the JSON object that the prompt asks for. Throws the signal's reason if it is aborted. */
export const consolidate = async (data: ConsolidationData, signal: AbortSignal): Promise<string> => {
  const { name, statements, forgotten, carried, day } = data
  const lines = ownLines(data.lines)
  if (lines.length === 0) return JSON.stringify({ operations: [], carry: '', summary: '' })
  const result = await consolidateTalk(lines, { known: statements, name }, signal)
  const facts = result.toldFacts.filter(({ text }) => !forgotten.some((old) => isContained(old, text)))
  const hiddenTexts = [...forgotten, ...result.goneTexts]
  return JSON.stringify({
    operations: [
      ...pinOperations(statements),
      ...(data.initiative ? findReasons(lines, data.initiative, data.aheadMinutes) : []),
      ...facts.flatMap((fact) => operationFor(fact, statements)),
    ].slice(0, maxOperations),
    carry: buildCarry({ ...result, lines, hidden: hiddenTexts, before: carried.toWellFormed() }),
    summary: buildDaySummary({
      ...result,
      toldFacts: facts,
      lines,
      hidden: hiddenTexts,
      before: day.toWellFormed(),
    }),
  })
}

/** Pins statements that the persona kept in its turns. */
const pinOperations = (statements: readonly KnownStatement[]): readonly Operation[] => {
  const ids = statements.flatMap((statement) =>
    !statement.pinned && isAlwaysNeeded(statement) ? statement.id : [],
  )
  return ids.length > 0 ? [{ op: 'pin', ids }] : []
}

const operationFor = (
  { kept, document, text, sources, of }: RetoldFact,
  statements: readonly KnownStatement[],
): readonly Operation[] => {
  if (kept) return []
  const old = statements.find(({ id }) => id === of) ?? replacedBy({ document, text }, statements)
  const pin = isAlwaysNeeded({ document, text }) ? { pin: true as const } : {}
  if (!old) return [{ op: 'keep', document, text, sources, ...pin }]
  return isContained(old.text, text) ? [] : [{ op: 'revise', id: old.id, text, sources }]
}
