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
  /** When that was, epoch milliseconds. */
  readonly at: number
}

/** What she was to forget, and the fact that says so: it is not learned again from what was said before. */
export interface Forgotten extends Statement {
  readonly forgotten: Seq
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
  /** The latest of them. */
  readonly forgotten: Readonly<Record<string, Forgotten>>
  readonly instructions: Readonly<Record<string, Instruction>>
  /** The conversation with another AI that was gone over last: what follows it comes from there. */
  readonly history: Seq | null
}

export const unknowing: Knowledge = { statements: {}, forgotten: {}, instructions: {}, history: null }

const forgottenKept = 500

export const evolveKnowledge = (knowledge: Knowledge, { seq, at, event }: Fact): Knowledge => {
  switch (event.type) {
    case 'MemoryKept': {
      const { type: _, ...kept } = event
      // Its position was not known when it was written: both went to the disk together.
      const sources = kept.origin === 'history' && knowledge.history !== null ? [knowledge.history] : kept.sources
      return { ...knowledge, statements: { ...knowledge.statements, [kept.id]: { ...kept, sources, seq, at } } }
    }
    case 'HistoryFed':
      return { ...knowledge, history: seq }
    case 'MemoryRestored': {
      const { type: _, ...statement } = event
      const { [statement.id]: __, ...forgotten } = knowledge.forgotten
      return { ...knowledge, forgotten, statements: { ...knowledge.statements, [statement.id]: { ...statement, seq, at } } }
    }
    case 'MemoryRevised': {
      const old = knowledge.statements[event.id]
      if (!old) return knowledge
      const { text, sources, origin } = event
      return { ...knowledge, statements: { ...knowledge.statements, [event.id]: { ...old, text, sources, origin, seq, at } } }
    }
    case 'MemoryForgotten': {
      const { [event.id]: old, ...statements } = knowledge.statements
      if (!old) return knowledge
      const all = Object.entries({ ...knowledge.forgotten, [event.id]: { ...old, forgotten: seq } })
      return { ...knowledge, statements, forgotten: Object.fromEntries(all.slice(-forgottenKept)) }
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

/** An id may be anything a caller wrote, also the name of what every object has. */
export const statementOf = <S extends Statement>(statements: Readonly<Record<string, S>>, id: string): S | undefined =>
  Object.hasOwn(statements, id) ? statements[id] : undefined

/** A statement as it is kept: nothing in it begins a line, or turns the words around it. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()

/** The statement that stands in these very words, if there is one. */
export const written = ({ statements }: Knowledge, document: Document, text: string): Statement | undefined =>
  Object.values(statements).find((statement) => statement.document === document && statement.text === oneLine(text))

/** Without case, accents and punctuation: two statements that read so alike are one. */
export const plainly = (text: string): string => {
  const plain = text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase()
  return plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || plain.trim()
}

/** Of Latin, Greek and Cyrillic; a mark of other scripts may be a vowel. */
const accents = /[\u0300-\u036f]/g

/** Each document as a Markdown list, in the order its statements were kept; one without a statement is left out. */
export const documentsOf = ({ statements }: Knowledge): Partial<Record<Document, string>> => {
  const all = Object.values(statements)
  const documents = Document.options.map((document) => {
    const lines = all.filter((statement) => statement.document === document).map(({ text }) => `- ${text.replace(/\s+/g, ' ')}`)
    return [document, lines.join('\n')] as const
  })
  return Object.fromEntries(documents.filter(([, text]) => text !== ''))
}
