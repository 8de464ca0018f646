/**
 * Writes an OpenDocument story as its elements are parsed: paragraphs, headings, lists, tables, notes,
 * comments, slides.
 */
import { type Comment, formatComment } from './comments.ts'
import { type Attributes, getAttribute } from './markup.ts'
import { type CountingStyles, createLists } from './odf-lists.ts'
import { createTables, type Lines, type TablePart } from './tables.ts'

export interface Story {
  open(name: string, attributes: Attributes): void
  words(text: string): void
  close(name: string): void
  /** The lines of each note, in document order. */
  readonly notes: readonly (readonly string[])[]
}

const tableParts: Readonly<Record<string, TablePart>> = {
  table: 'table',
  'table-row': 'row',
  'table-cell': 'cell',
  'covered-table-cell': 'cell',
}

/** Skipped elements: deleted text, marks of notes, ruby text, forms. */
const skippedElements = new Set(['tracked-changes', 'note-citation', 'ruby-text', 'forms'])

/** Slide frames with generated text. */
const skippedFrames = new Set(['page-number', 'date-time', 'header'])

/** One space element may repeat 10^9 times. */
const maxSpaces = 100

interface Paragraph {
  text: string
  /** 0 means no heading. */
  readonly heading: number
}

export const createStory = (countingStyles: CountingStyles, lines: Lines): Story => {
  const notes: string[][] = []
  const paragraphs: Paragraph[] = []
  const lists = createLists(countingStyles)
  const tables = createTables(lines)
  const frames = createFrames()
  const comments = createComments()
  let note: string[] | undefined
  let slides = 0
  let inNotes = false
  let skippedDepth = 0

  const write = ({ text, heading }: Paragraph) => {
    const words = text.trim()
    if (!words || frames.passed()) return
    if (note) return note.push(words)
    if (inNotes) return lines.line(`[notes] ${words}`)
    if (heading > 0) return tables.heading(heading, words)
    tables.line((frames.title() ? '# ' : lists.label()) + words)
  }
  const putText = (text: string) => {
    const paragraph = paragraphs.at(-1)
    if (paragraph) paragraph.text += text
  }
  const beginNote = () => {
    note = []
    notes.push(note)
    putText(`[^${notes.length}]`)
  }
  const beginSlide = () => {
    lines.gap()
    lines.line(`[slide ${++slides}]`)
  }
  const open = (name: string, attributes: Attributes) => {
    if (skippedElements.has(name) || skippedDepth > 0) skippedDepth++
    if (skippedDepth > 0 || comments.open(name)) return
    const table = tableParts[name]
    if (table) tables.open(table)
    lists.open(name, attributes)
    frames.open(name, attributes)
    if (name === 'page') beginSlide()
    if (name === 'notes') inNotes = true
    if (name === 'p') paragraphs.push({ text: '', heading: 0 })
    if (name === 'h')
      paragraphs.push({ text: '', heading: Number(getAttribute(attributes, 'outline-level') ?? 1) || 1 })
    if (name === 's')
      putText(' '.repeat(Math.min(Number(getAttribute(attributes, 'c') ?? 1) || 1, maxSpaces)))
    if (name === 'tab') putText('\t')
    if (name === 'line-break') putText('\n')
    if (name === 'note') beginNote()
  }
  const close = (name: string) => {
    if (skippedDepth > 0) {
      skippedDepth--
      return
    }
    if (comments.isOpen()) {
      const comment = comments.close(name)
      if (comment && paragraphs.length > 0) putText(` ${comment}`)
      else if (comment) lines.line(comment)
      return
    }
    const table = tableParts[name]
    if (table) tables.close(table)
    const paragraph = name === 'p' || name === 'h' ? paragraphs.pop() : undefined
    if (paragraph) write(paragraph)
    lists.close(name)
    frames.close(name)
    if (name === 'note') note = undefined
    if (name === 'notes') inNotes = false
  }
  const words = (text: string) => {
    // Line breaks in the file have no meaning.
    if (skippedDepth > 0) return
    const plainText = text.replace(/[ \t\r\n]+/g, ' ')
    if (comments.isOpen()) comments.words(plainText)
    else putText(plainText)
  }
  return { open, close, words, notes }
}

/** Collects the open comment: its author, date and paragraphs. */
export const createComments = () => {
  let comment: Comment | undefined
  const path: string[] = []
  return {
    isOpen: () => comment !== undefined,
    /** Returns true if the element is a comment or inside one. */
    open: (name: string): boolean => {
      if (!comment && name !== 'annotation') return false
      comment ??= { author: '', date: '', text: '' }
      path.push(name)
      return true
    },
    words: (text: string) => {
      if (!comment) return
      if (path.includes('p')) comment.text += text
      else if (path.at(-1) === 'creator') comment.author += text
      else if (path.at(-1) === 'date') comment.date += text
    },
    /** Returns the comment in brackets when it ends. */
    close: (name: string): string | undefined => {
      path.pop()
      if (comment && name === 'p') comment.text += '\n'
      if (!comment || path.length > 0) return undefined
      const text = formatComment(comment)
      comment = undefined
      return text
    },
  }
}

/** Tracks the slide frame that contains the text. */
const createFrames = () => {
  const places: string[] = []
  return {
    open: (name: string, attributes: Attributes) => {
      if (name === 'frame') places.push(getAttribute(attributes, 'class') ?? '')
    },
    close: (name: string) => {
      if (name === 'frame') places.pop()
    },
    passed: () => places.some((place) => skippedFrames.has(place)),
    title: () => places.at(-1) === 'title',
  }
}
