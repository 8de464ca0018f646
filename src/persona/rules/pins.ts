/** Rules of pins: which statements are part of every system prompt. */
import type { Origin } from '../../../facts/fact-values.ts'
import type { PersonaEvent } from '../../../facts/facts.ts'
import { countPinned, type Knowledge, type Statement } from '../../../projections/knowledge.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, refuse } from './decision.ts'

export const maxPinned = 30

/** Pins a statement, so that it is always part of the system prompt, or ends that. */
export interface PinMemory {
  readonly type: 'PinMemory'
  readonly id: string
  readonly pinned: boolean
  readonly origin: 'consolidation'
}

/** The night changes no pin of the user, and pins no words of others. */
export const pinEvents = (
  knowledge: Knowledge,
  statement: Statement,
  isPinned: boolean,
  origin: Origin,
): readonly PersonaEvent[] => {
  const { id, pinnedBy } = statement
  if ((statement.pinned ?? false) === isPinned) return []
  const isUsers = origin === 'person'
  if (!isUsers && (pinnedBy === 'person' || (isPinned && statement.via))) return []
  if (isPinned && countPinned(knowledge) >= maxPinned) return []
  return [{ type: 'MemoryPinned', id, pinned: isPinned, origin }]
}

export const pinMemory = ({ knowledge }: Persona, { id, pinned, origin }: PinMemory): Decision => {
  const statement = valueAt(knowledge.statements, id)
  return statement
    ? accept(...pinEvents(knowledge, statement, pinned, origin))
    : refuse({ code: 'statement_unknown', id })
}
