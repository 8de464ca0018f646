/**
 * What it knows: single statements, each with its origin and the records it came from, and how it handles
 * kinds of moments.
 */
import { Document, type Origin, type Seq, type Via } from '../journal/facts/fact-values.ts'
import { countOf, type Keyed, nothing, valueAt, valuesOf, without, withValue } from './persistent-map.ts'
import type { FactFor } from './persona.ts'

export interface Statement {
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly sources: readonly Seq[]
  readonly origin: Origin
  /** Where words of others in it came from; absent or null if there are none. */
  readonly via?: Via | null | undefined
  /** The fact its text stands in. */
  readonly seq: Seq
  /** When that was, epoch milliseconds. */
  readonly at: number
}

/** What it was to forget, and the fact that says so: it is not learned again from what was said before. */
export interface Forgotten extends Statement {
  readonly forgotten: Seq
}

/** A lesson of its own. */
export interface Instruction {
  readonly id: string
  readonly intention: string
  readonly body: string
  /** The fact its body stands in. */
  readonly seq: Seq
}

/** By id, in the order they were kept. */
export interface Knowledge {
  readonly statements: Keyed<Statement>
  /** The latest of them. */
  readonly forgotten: Keyed<Forgotten>
  readonly instructions: Keyed<Instruction>
  /** The conversation with another AI that was gone over last: what follows it comes from there. */
  readonly history: Seq | null
}

export const initialKnowledge: Knowledge = {
  statements: nothing,
  forgotten: nothing,
  instructions: nothing,
  history: null,
}

const forgottenKept = 500

export const evolveKnowledge = (
  knowledge: Knowledge,
  { seq, at, event }: FactFor<'knowledge'>,
): Knowledge => {
  switch (event.type) {
    case 'MemoryKept': {
      const { type: _, ...kept } = event
      // Its position was not known when it was written: both went to the disk together.
      const sources =
        kept.origin === 'history' && knowledge.history !== null ? [knowledge.history] : kept.sources
      return {
        ...knowledge,
        statements: withValue(knowledge.statements, kept.id, { ...kept, sources, seq, at }),
      }
    }
    case 'HistoryFed':
      return { ...knowledge, history: seq }
    case 'MemoryRestored': {
      const { type: _, ...statement } = event
      const forgotten = without(knowledge.forgotten, statement.id)
      return {
        ...knowledge,
        forgotten,
        statements: withValue(knowledge.statements, statement.id, { ...statement, seq, at }),
      }
    }
    case 'MemoryRevised': {
      const old = valueAt(knowledge.statements, event.id)
      if (!old) return knowledge
      const { text, sources, origin, via = null } = event
      return {
        ...knowledge,
        statements: withValue(knowledge.statements, event.id, {
          ...old,
          text,
          sources,
          origin,
          via,
          seq,
          at,
        }),
      }
    }
    case 'MemoryForgotten': {
      const old = valueAt(knowledge.statements, event.id)
      if (!old) return knowledge
      const statements = without(knowledge.statements, event.id)
      // Of one whose words were erased there is nothing to remember.
      if (old.text === '') return { ...knowledge, statements }
      const forgotten = withValue(knowledge.forgotten, event.id, { ...old, forgotten: seq })
      return { ...knowledge, statements, forgotten: latest(forgotten) }
    }
    case 'InstructionLearned': {
      const { id, intention, body } = event
      return {
        ...knowledge,
        instructions: withValue(knowledge.instructions, id, { id, intention, body, seq }),
      }
    }
    case 'InstructionRevised': {
      const old = valueAt(knowledge.instructions, event.id)
      if (!old) return knowledge
      return {
        ...knowledge,
        instructions: withValue(knowledge.instructions, event.id, { ...old, body: event.body, seq }),
      }
    }
    case 'InstructionRemoved':
      return { ...knowledge, instructions: without(knowledge.instructions, event.id) }
  }
}

const latest = (forgotten: Keyed<Forgotten>): Keyed<Forgotten> => {
  const [oldest] = countOf(forgotten) > forgottenKept ? valuesOf(forgotten) : []
  return oldest ? without(forgotten, oldest.id) : forgotten
}

/** Where words of others in a statement came from; null if all of it is the user's. */
export const viaOf = ({ via, origin }: Pick<Statement, 'via' | 'origin'>): Via | null =>
  via ?? (origin === 'history' ? { from: 'history', by: null } : null)

const froms: Readonly<Record<Via['from'], string>> = {
  ...{ program: 'a program', forwarded: 'a forwarded message', quoted: 'a quotation' },
  ...{ replied: 'an answered message', embedded: 'a link preview', shared: 'a shared card' },
  ...{ pasted: 'pasted text', file: 'a file', page: 'a web page', tool: 'a tool', skill: 'a skill' },
  ...{ teacher: 'the Teacher', history: 'a talk with another AI', talk: 'words of others in the talk' },
}

/** As `a forwarded message by Ana`. */
export const viaTold = ({ from, by }: Via): string => (by ? `${froms[from]}: ${by}` : froms[from])

/** A statement as it is kept: nothing in it begins a line, or turns the words around it. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()

/** The statement that stands in these very words, if there is one. */
export const written = ({ statements }: Knowledge, document: Document, text: string): Statement | undefined =>
  valuesOf(statements).find(
    (statement) => statement.document === document && statement.text === oneLine(text),
  )

/** Without case, accents and punctuation: two statements that read so alike are one. */
export const plainly = (text: string): string => {
  const plain = text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase()
  return plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || plain.trim()
}

/** Of Latin, Greek and Cyrillic; a mark of other scripts may be a vowel. */
const accents = /[\u0300-\u036f]/g

/**
 * Each document as a Markdown list, in the order its statements were kept; one without a statement is left
 * out.
 */
export const documentsOf = ({ statements }: Knowledge): Partial<Record<Document, string>> => {
  const all = valuesOf(statements)
  const documents = Document.options.map((document) => {
    const lines = all
      .filter((statement) => statement.document === document)
      .map((statement) => {
        const via = statement.via ? ` (from ${viaTold(statement.via)})` : ''
        return `- ${statement.text}${via}`.replace(/\s+/g, ' ')
      })
    return [document, lines.join('\n')] as const
  })
  return Object.fromEntries(documents.filter(([, text]) => text !== ''))
}
