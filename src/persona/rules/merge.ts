/** The rule that merges statements. */
import { isDeepStrictEqual } from 'node:util'
import type { Seq } from '../../../facts/fact-values.ts'
import { getVia, oneLine } from '../../../projections/knowledge.ts'
import { isAt, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, refuse } from './decision.ts'
import {
  isForgotten,
  knownAs,
  maxSources,
  type Period,
  periodFields,
  refuseUnfit,
  viaField,
} from './statements.ts'

/** Merges statements that say the same: the first gets the text, the others are forgotten. */
export interface MergeMemories extends Period {
  readonly type: 'MergeMemories'
  readonly ids: readonly string[]
  readonly text: string
  /** Messages of the user beside those of the statements. */
  readonly sources: readonly Seq[]
}

/**
 * Only statements of one document and of one origin are merged, so that words of others stay marked. A
 * statement that the user wrote keeps its text. All sources are kept, so that erasing one erases the result.
 */
export const mergeMemories = (persona: Persona, command: MergeMemories): Decision => {
  const { knowledge } = persona
  const ids = [...new Set(command.ids)]
  const statements = ids.flatMap((id) => valueAt(knowledge.statements, id) ?? [])
  const [first, ...otherStatements] = statements
  const unknownId = ids.find((id) => !isAt(knowledge.statements, id))
  if (!first || unknownId !== undefined) return refuse({ code: 'statement_unknown', id: unknownId ?? '' })
  const text = oneLine(command.text)
  const refusal = refuseUnfit(text, first.document)
  if (refusal) return refusal
  const sources = [...new Set([...statements.flatMap((statement) => statement.sources), ...command.sources])]
  const isSameKind = otherStatements.every(
    (other) =>
      other.document === first.document &&
      other.origin !== 'person' &&
      isDeepStrictEqual(getVia(other), getVia(first)),
  )
  const isUnchanged = text === first.text
  const equalStatement = knownAs(knowledge, { document: first.document, text, origin: 'consolidation' })
  if (
    otherStatements.length === 0 ||
    !isSameKind ||
    sources.length > maxSources ||
    (first.origin === 'person' && !isUnchanged) ||
    (equalStatement && !ids.includes(equalStatement.id)) ||
    (!isUnchanged && isForgotten(knowledge, { text, sources: [] }))
  )
    return accept()
  const id = first.id
  const pinnedOther =
    first.pinned || first.pinnedBy ? undefined : otherStatements.find(({ pinned }) => pinned)
  return accept(
    ...otherStatements.map(
      (other) => ({ type: 'MemoryForgotten', id: other.id, why: null, into: id }) as const,
    ),
    ...(first.origin === 'person'
      ? []
      : [
          {
            type: 'MemoryRevised',
            id,
            text,
            sources,
            origin: 'consolidation',
            ...viaField(getVia(first)),
            ...periodFields({
              from: command.from ?? first.from ?? null,
              until: command.until ?? first.until ?? null,
            }),
          } as const,
        ]),
    ...(pinnedOther
      ? [
          {
            type: 'MemoryPinned',
            id,
            pinned: true,
            origin: pinnedOther.pinnedBy ?? 'consolidation',
          } as const,
        ]
      : []),
  )
}
