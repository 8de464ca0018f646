/**
 * The persona's knowledge: statements, each with its origin and source records, and lessons for kinds of
 * situations.
 */

import { Document, type LoreEntry, type Origin, type Seq, type Via } from '../facts/fact-values.ts'
import type { FactFor } from './fact.ts'
import {
  countValues,
  countWhile,
  emptyKeyed,
  firstBy,
  isAt,
  type Keyed,
  listValues,
  valueAt,
  withoutValue,
  withValue,
} from './persistent-map.ts'

export interface Statement {
  readonly id: string
  readonly document: Document
  readonly text: string
  readonly sources: readonly Seq[]
  readonly origin: Origin
  /** Source of third-party text in it; absent or null if there is none. */
  readonly via?: Via | null | undefined
  /** When it begins or ends to be true: a partial date; absent or null if unknown. */
  readonly from?: string | null | undefined
  readonly until?: string | null | undefined
  /** Whether it is always part of the system prompt, and who decided it last. Absent: it was never pinned. */
  readonly pinned?: boolean
  readonly pinnedBy?: Origin
  /** Position of the fact that contains the text. */
  readonly seq: Seq
  /** Time of that fact, in epoch ms. */
  readonly at: number
}

/**
 * A forgotten statement and the position of the fact that removed it. Consolidation of older messages must
 * not learn it again.
 */
export interface Forgotten extends Statement {
  readonly forgotten: Seq
  /** Id of the statement that it was merged into. */
  readonly into?: string
  /** True if the persona dropped it without a request of the user. */
  readonly unasked?: true
}

/** A lesson that the persona learned. */
export interface Instruction {
  readonly id: string
  readonly intention: string
  readonly body: string
  /** Position of the fact that contains the body. */
  readonly seq: Seq
}

/** The lorebook of the character. `card`: name of the character card that it comes from, if any. */
export interface Lore {
  readonly entries: readonly LoreEntry[]
  readonly card: string | null
  /** Position of the fact that contains the entries. */
  readonly seq: Seq
}

/** Maps by id, in insertion order. */
export interface Knowledge {
  readonly statements: Keyed<Statement>
  /** The latest ones only. */
  readonly forgotten: Keyed<Forgotten>
  readonly instructions: Keyed<Instruction>
  /**
   * Position of the last imported conversation: the following statements of origin `history` come from it.
   */
  readonly history: Seq | null
  readonly lore: Lore | null
}

export const initialKnowledge: Knowledge = {
  statements: emptyKeyed,
  forgotten: emptyKeyed,
  instructions: emptyKeyed,
  history: null,
  lore: null,
}

const forgottenKept = 500

export const evolveKnowledge = (
  knowledge: Knowledge,
  { seq, at, event }: FactFor<'knowledge'>,
): Knowledge => {
  switch (event.type) {
    case 'MemoryKept': {
      const { type: _, ...statement } = event
      // Both facts are of one commit, so the statement could not name the position of `HistoryFed`.
      const sources =
        statement.origin === 'history' && knowledge.history !== null ? [knowledge.history] : statement.sources
      return {
        ...knowledge,
        statements: withValue(knowledge.statements, statement.id, { ...statement, sources, seq, at }),
      }
    }
    case 'CharacterSet': {
      const { lore: entries, card } = event
      return { ...knowledge, lore: entries.length === 0 ? null : { entries, card, seq } }
    }
    case 'HistoryFed':
      return { ...knowledge, history: seq }
    case 'MemoryRestored': {
      const { type: _, ...statement } = event
      const forgotten = withoutValue(knowledge.forgotten, statement.id)
      return {
        ...knowledge,
        forgotten,
        statements: withValue(knowledge.statements, statement.id, { ...statement, seq, at }),
      }
    }
    case 'MemoryRevised': {
      const old = valueAt(knowledge.statements, event.id)
      if (!old) return knowledge
      const { text, sources, origin, via = null, from = null, until = null } = event
      return {
        ...knowledge,
        statements: withValue(knowledge.statements, event.id, {
          ...old,
          text,
          sources,
          origin,
          via,
          from,
          until,
          seq,
          at,
        }),
      }
    }
    case 'MemoryForgotten': {
      const old = valueAt(knowledge.statements, event.id)
      if (!old) return knowledge
      const statements = withoutValue(knowledge.statements, event.id)
      // Its text was erased, so there is nothing to remember.
      if (old.text === '') return { ...knowledge, statements }
      const { pinned: _, pinnedBy: __, ...statement } = old
      const forgotten = withValue(knowledge.forgotten, event.id, {
        ...statement,
        forgotten: seq,
        ...(event.into !== undefined && { into: event.into }),
        ...(event.unasked && { unasked: true }),
      })
      return { ...knowledge, statements, forgotten: keepLatest(forgotten) }
    }
    case 'MemoryPinned': {
      const old = valueAt(knowledge.statements, event.id)
      if (!old) return knowledge
      const { pinned, origin: pinnedBy } = event
      return {
        ...knowledge,
        statements: withValue(knowledge.statements, event.id, { ...old, pinned, pinnedBy }),
      }
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
      return { ...knowledge, instructions: withoutValue(knowledge.instructions, event.id) }
  }
}

const keepLatest = (forgotten: Keyed<Forgotten>): Keyed<Forgotten> => {
  const [oldestForgotten] = countValues(forgotten) > forgottenKept ? listValues(forgotten) : []
  return oldestForgotten ? withoutValue(forgotten, oldestForgotten.id) : forgotten
}

/** Sorts pinned statements first, in the order in which they were learned. */
export const pinnedFirst = ({ pinned, seq }: Statement): string =>
  `${pinned ? 0 : 1}${String(seq).padStart(16, '0')}`

export const countPinned = ({ statements }: Knowledge): number =>
  countWhile(statements, pinnedFirst, ({ pinned }) => pinned === true)

/** Returns whether a forgotten statement is still known as a part of the one that it was merged into. */
export const isMerged = (knowledge: Knowledge, statement: Forgotten): boolean => {
  // A statement that others were merged into can be merged itself.
  for (let next: Forgotten | undefined = statement, steps = 0; next?.into && steps < forgottenKept; steps++) {
    if (isAt(knowledge.statements, next.into)) return true
    next = valueAt(knowledge.forgotten, next.into)
  }
  return false
}

/** Returns the source of third-party text in a statement; null if all of it comes from the user. */
export const getVia = ({ via, origin }: Pick<Statement, 'via' | 'origin'>): Via | null =>
  via ?? (origin === 'history' ? { from: 'history', by: null } : null)

const froms: Readonly<Record<Via['from'], string>> = {
  program: 'a program',
  forwarded: 'a forwarded message',
  quoted: 'a quotation',
  replied: 'an answered message',
  embedded: 'a link preview',
  shared: 'a shared card',
  pasted: 'pasted text',
  file: 'a file',
  page: 'a web page',
  tool: 'a tool',
  skill: 'a skill',
  teacher: 'the Teacher',
  history: 'a talk with another AI',
  talk: 'words of others in the talk',
}

/** Formats a source, for example `a forwarded message: Ana`. */
export const formatVia = ({ from, by }: Via): string => (by ? `${froms[from]}: ${by}` : froms[from])

/** Returns a statement on one line, without control characters that could reorder text. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim()

/** The lines that the persona keeps about itself, in insertion order. */
export const listSelfLines = ({ statements }: Pick<Knowledge, 'statements'>): readonly Statement[] =>
  firstBy(statements, selfFirst, ({ document }) => document === 'self')

const selfFirst = ({ document }: Statement): string => (document === 'self' ? '0' : '1')

/** Returns the statement of a document with exactly this text. */
export const findWritten = (
  { statements }: Knowledge,
  document: Document,
  text: string,
): Statement | undefined =>
  listValues(statements).find(
    (statement) => statement.document === document && statement.text === oneLine(text),
  )

/** Removes case, accents and punctuation. Statements with equal results count as duplicates. */
export const toPlainText = (text: string): string => {
  const plainText = text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase()
  return plainText.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || plainText.trim()
}

/** Accents of Latin, Greek and Cyrillic. A combining mark of other scripts may be a vowel. */
const accents = /[\u0300-\u036f]/g

/** Returns each document as a Markdown list of its statements, in insertion order. Omits empty documents. */
export const toDocuments = ({ statements }: Knowledge): Partial<Record<Document, string>> => {
  const all = listValues(statements)
  const documents = Document.options.map((document) => {
    const lines = all
      .filter((statement) => statement.document === document)
      .map((statement) => {
        const via = statement.via ? ` (from ${formatVia(statement.via)})` : ''
        return `- ${statement.text}${via}`.replace(/\s+/g, ' ')
      })
    return [document, lines.join('\n')] as const
  })
  return Object.fromEntries(documents.filter(([, text]) => text !== ''))
}
