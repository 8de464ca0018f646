/**
 * Reads the text of a Word document (ECMA-376, WordprocessingML): paragraphs, headings, lists, tables, notes,
 * comments, headers and footers.
 */
import type { Archive } from './archive.ts'
import { type Comment, formatComment } from './comments.ts'
import { type List, readStyles, type Style, toHeading } from './docx-styles.ts'
import type { Limits } from './limits.ts'
import { type Attributes, getAttribute, listen } from './markup.ts'
import { type ListPlace, type Numbering, readNumbering } from './numbering.ts'
import type { Paper } from './paper.ts'
import { getTargets, mainPart, readRelations } from './relations.ts'
import { createTables, type Lines, type TablePart, type Tables } from './tables.ts'

export const readDocx = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  const main = await mainPart(archive, limits)
  const relations = await readRelations(archive, main, limits)
  const parts = (type: string) => [...new Set(getTargets(relations, type))].filter(archive.has)
  const setting: Setting = {
    archive,
    limits,
    styles: await readStyles(archive, parts('styles')[0], limits),
    numbering: await readNumbering(archive, parts('numbering')[0], limits),
    notes: [],
    comments: new Map(),
  }
  await readComments(setting, parts('comments'))
  await readMargins(setting, parts('header'), '[header]', paper)
  await readStory(setting, main, paper)
  await readNotes(setting, [...parts('footnotes'), ...parts('endnotes')], paper)
  for (const comment of setting.comments.values()) paper.line(formatComment(comment))
  await readMargins(setting, parts('footer'), '[footer]', paper)
}

interface Setting {
  readonly archive: Archive
  readonly limits: Limits
  readonly styles: ReadonlyMap<string, Style>
  readonly numbering: Numbering
  /** In order of reference in the text, like "footnote 2". */
  readonly notes: string[]
  /** Comments by id. Each is removed when it is written, so the remaining ones can follow the text. */
  readonly comments: Map<string, Comment>
}

interface Paragraph {
  text: string
  style: string
  heading?: number
  list: List
}

/** Skipped elements: deleted or moved text, properties before a change, alternative drawings, ruby text. */
const skippedElements = new Set(['del', 'moveFrom', 'pPrChange', 'rPrChange', 'Fallback', 'rt'])

const tableParts: Readonly<Record<string, TablePart>> = { tbl: 'table', tr: 'row', tc: 'cell' }

/** Calls `onNote` for each element that starts a note or a comment. The following paragraphs belong to it. */
const readStory = async (
  setting: Setting,
  part: string,
  lines: Lines,
  onNote?: (name: string, attributes: Attributes) => void,
): Promise<void> => {
  const tables = createTables(lines)
  // A stack, because a text box is a story within a paragraph.
  const paragraphs: Paragraph[] = []
  let skippedDepth = 0

  await listen(setting.archive.read(part), setting.limits, {
    open: (name, attributes, path) => {
      if (skippedElements.has(name)) skippedDepth++
      if (skippedDepth) return
      if (name === 'footnote' || name === 'endnote' || name === 'comment') onNote?.(name, attributes)
      if (name === 'p') paragraphs.push({ text: '', style: '', list: {} })
      const table = tableParts[name]
      const paragraph = paragraphs.at(-1)
      if (table) tables.open(table)
      if (paragraph) note(paragraph, name, attributes, path.at(-2), setting)
    },
    words: (text, path) => {
      const paragraph = paragraphs.at(-1)
      if (paragraph && !skippedDepth && path.at(-1) === 't') paragraph.text += text
    },
    close: (name) => {
      if (skippedElements.has(name)) skippedDepth--
      if (skippedDepth || skippedElements.has(name)) return
      const table = tableParts[name]
      if (table) tables.close(table)
      const paragraph = name === 'p' ? paragraphs.pop() : undefined
      if (paragraph?.text.trim()) write(paragraph, tables, setting)
    },
  })
}

/** Handles an element within a paragraph: a property of the paragraph, or a part of its text. */
const note = (
  paragraph: Paragraph,
  name: string,
  attributes: Attributes,
  parentName: string | undefined,
  { notes, comments }: Setting,
): void => {
  const value = getAttribute(attributes, 'val') ?? ''
  if (name === 'pStyle') paragraph.style = value
  if (name === 'outlineLvl') paragraph.heading = toHeading(value)
  if (name === 'numId') paragraph.list.id = value
  if (name === 'ilvl') paragraph.list.level = Number(value)
  if (name === 'noBreakHyphen') paragraph.text += '-'
  if (name === 'br' || name === 'cr') paragraph.text += '\n'
  // Definitions of tab stops use the same element name outside of runs.
  if (name === 'tab' && parentName === 'r') paragraph.text += '\t'
  if (name === 'footnoteReference' || name === 'endnoteReference') {
    notes.push(getNoteKey(name.replace('Reference', ''), attributes))
    paragraph.text += `[^${notes.length}]`
  }
  if (name !== 'commentReference') return
  const id = getAttribute(attributes, 'id') ?? ''
  const comment = comments.get(id)
  if (comment) paragraph.text += ` ${formatComment(comment)}`
  comments.delete(id)
}

const write = (paragraph: Paragraph, tables: Tables, { styles, numbering }: Setting): void => {
  const style = styles.get(paragraph.style)
  const place = getPlace({ ...style?.list, ...paragraph.list })
  const text = (place ? numbering.next(place) : '') + paragraph.text.trim()
  const heading = paragraph.heading ?? style?.heading ?? 0
  if (heading > 0) tables.heading(heading, text.trim())
  else tables.line(text)
}

/** List 0 means no list. */
const getPlace = ({ id, level = 0 }: List): ListPlace | undefined =>
  id === undefined || id === '0'
    ? undefined
    : { id, level: Number.isInteger(level) ? Math.max(0, Math.min(level, 8)) : 0 }

const getNoteKey = (kind: string, attributes: Attributes): string =>
  `${kind} ${getAttribute(attributes, 'id')}`

/** Writes the notes in order of reference in the text. */
const readNotes = async (setting: Setting, parts: readonly string[], paper: Paper): Promise<void> => {
  const notesById = new Map<string, string[]>()
  for (const part of parts) {
    let lines: string[] = []
    const beginElement = (name: string, attributes: Attributes) => {
      lines = []
      notesById.set(getNoteKey(name, attributes), lines)
    }
    const gather = collectLines(() => lines)
    await readStory(setting, part, gather, beginElement)
  }
  paper.gap()
  setting.notes.forEach((key, index) => {
    const text = notesById.get(key)?.join(' ')
    if (text) paper.line(`[^${index + 1}]: ${text}`)
  })
}

const readComments = async (setting: Setting, parts: readonly string[]): Promise<void> => {
  for (const part of parts) {
    const read: Comment[] = []
    const lines: Lines = {
      line: (text) => append(read.at(-1), text),
      row: (cells) => append(read.at(-1), cells.filter(Boolean).join(' | ')),
      gap: () => {},
    }
    await readStory(setting, part, lines, (_, attributes) => {
      const [id, author, date] = ['id', 'author', 'date'].map((key) => getAttribute(attributes, key) ?? '')
      const comment = { author: author ?? '', date: date ?? '', text: '' }
      read.push(comment)
      setting.comments.set(id ?? '', comment)
    })
  }
}

const append = (comment: Comment | undefined, text: string): void => {
  if (comment) comment.text += `${text}\n`
}

/** Reads headers and footers without duplicates: a section may have three with the same text. */
const readMargins = async (
  setting: Setting,
  parts: readonly string[],
  mark: string,
  paper: Paper,
): Promise<void> => {
  const margins = new Set<string>()
  for (const part of parts) {
    const lines: string[] = []
    await readStory(
      setting,
      part,
      collectLines(() => lines),
    )
    if (lines.length > 0) margins.add(`${mark} ${lines.join(' / ')}`)
  }
  paper.gap()
  for (const line of margins) paper.line(line)
  paper.gap()
}

const collectLines = (lines: () => string[]): Lines => ({
  line: (text) => lines().push(text.trim()),
  row: (cells) => lines().push(cells.filter(Boolean).join(' | ')),
  gap: () => {},
})
