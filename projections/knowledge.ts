/** What she knows: single statements, each with its origin and the records it came from, and how she handles kinds of moments. */
import { Document, type Origin, type Seq } from '../journal/events.ts'
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

/** A lesson of her own. */
export interface Instruction {
  readonly id: string
  readonly intention: string
  readonly body: string
  /** The fact its body stands in. */
  readonly seq: Seq
}

/** By id, in the order they were kept. */
export interface Knowledge {
  readonly statements: Readonly<Record<string, Statement>>
  readonly instructions: Readonly<Record<string, Instruction>>
}

export const unknowing: Knowledge = { statements: {}, instructions: {} }

export const evolveKnowledge = (knowledge: Knowledge, { seq, event }: Fact): Knowledge => {
  switch (event.type) {
    case 'MemoryKept': {
      const { type: _, ...statement } = event
      return { ...knowledge, statements: { ...knowledge.statements, [statement.id]: { ...statement, seq } } }
    }
    case 'MemoryRevised': {
      const old = knowledge.statements[event.id]
      if (!old) return knowledge
      const { text, sources } = event
      return { ...knowledge, statements: { ...knowledge.statements, [event.id]: { ...old, text, sources, seq } } }
    }
    case 'MemoryForgotten': {
      const { [event.id]: _, ...statements } = knowledge.statements
      return { ...knowledge, statements }
    }
    case 'InstructionLearned': {
      const { id, intention, body } = event
      return { ...knowledge, instructions: { ...knowledge.instructions, [id]: { id, intention, body, seq } } }
    }
    case 'InstructionRevised': {
      const old = knowledge.instructions[event.id]
      if (!old) return knowledge
      return { ...knowledge, instructions: { ...knowledge.instructions, [event.id]: { ...old, body: event.body, seq } } }
    }
    case 'InstructionRemoved': {
      const { [event.id]: _, ...instructions } = knowledge.instructions
      return { ...knowledge, instructions }
    }
    default:
      return knowledge
  }
}

/** Each document as a Markdown list, in the order its statements were kept; one without a statement is left out. */
export const documentsOf = ({ statements }: Knowledge): Partial<Record<Document, string>> => {
  const all = Object.values(statements)
  const documents = Document.options.map((document) => {
    const lines = all.filter((statement) => statement.document === document).map(({ text }) => `- ${text.replace(/\s+/g, ' ')}`)
    return [document, lines.join('\n')] as const
  })
  return Object.fromEntries(documents.filter(([, text]) => text !== ''))
}
