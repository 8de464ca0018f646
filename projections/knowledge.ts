/** What she knows: single statements, each with its origin and the records it came from. */
import type { Document, Origin, Seq } from '../journal/events.ts'
import type { Fact } from './persona.ts'

export interface Statement {
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly sources: readonly Seq[]
  readonly origin: Origin
  /** The fact its text stands in. */
  readonly seq: Seq
}

/** By id, in the order they were kept. */
export interface Knowledge {
  readonly statements: Readonly<Record<string, Statement>>
}

export const unknowing: Knowledge = { statements: {} }

export const evolveKnowledge = (knowledge: Knowledge, { seq, event }: Fact): Knowledge => {
  switch (event.type) {
    case 'MemoryKept': {
      const { type: _, ...statement } = event
      return { statements: { ...knowledge.statements, [statement.id]: { ...statement, seq } } }
    }
    case 'MemoryRevised': {
      const old = knowledge.statements[event.id]
      if (!old) return knowledge
      const { text, sources } = event
      return { statements: { ...knowledge.statements, [event.id]: { ...old, text, sources, seq } } }
    }
    case 'MemoryForgotten': {
      const { [event.id]: _, ...statements } = knowledge.statements
      return { statements }
    }
    default:
      return knowledge
  }
}
