/**
 * The words of a Word document (ECMA-376, WordprocessingML): paragraphs, headings, lists, tables, notes,
 * headers and footers.
 */
import type { Archive } from './archive.ts'
import type { Limits } from './limits.ts'
import { type Attributes, attributeOf, listen } from './markup.ts'
import { type ListPlace, type Numbering, readNumbering } from './numbering.ts'
import type { Paper } from './paper.ts'
import { mainPart, relationsOf, targetsOf } from './relations.ts'
import { createTables, type Lines, type TablePart, type Tables } from './tables.ts'

export const readDocx = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  const main = await mainPart(archive, limits)
  const relations = await relationsOf(archive, main, limits)
  const parts = (type: string) => [...new Set(targetsOf(relations, type))].filter(archive.has)
  const setting: Setting = {
    archive,
    limits,
    styles: await readStyles(archive, parts('styles')[0], limits),
    numbering: await readNumbering(archive, parts('numbering')[0], limits),
    notes: [],
  }
  await readMargins(setting, parts('header'), '[header]', paper)
  await readStory(setting, main, paper)
  await readNotes(setting, [...parts('footnotes'), ...parts('endnotes')], paper)
  await readMargins(setting, parts('footer'), '[footer]', paper)
}

interface Setting {
  readonly archive: Archive
  readonly limits: Limits
  readonly styles: ReadonlyMap<string, Style>
  readonly numbering: Numbering
  /** In the order in which the text refers to them: "footnote 2". */
  readonly notes: string[]
}

interface Style {
  /** 1 to 9. */
  heading?: number
  list?: List
  basis?: string
}

/** The outline of a style comes from itself or from the style it is based on. */
const readStyles = async (
  archive: Archive,
  part: string | undefined,
  limits: Limits,
): Promise<ReadonlyMap<string, Style>> => {
  const styles = new Map<string, Style>()
  if (part === undefined) return styles
  let style: Style = {}
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      const value = attributeOf(attributes, 'val') ?? ''
      if (name === 'style') {
        style = {}
        styles.set(attributeOf(attributes, 'styleId') ?? '', style)
      }
      if (name === 'basedOn') style.basis = value
      if (name === 'outlineLvl') style.heading = headingOf(value)
      if (name === 'numId') style.list = { ...style.list, id: value }
      if (name === 'ilvl') style.list = { ...style.list, level: Number(value) }
      // The names of built-in styles are English in every language's Word; their ids are not.
      const named = name === 'name' ? /^(?:heading ([1-9])|title)$/i.exec(value) : null
      if (named) style.heading = Number(named[1] ?? 1)
    },
  })
  for (const own of styles.values()) inherit(own, styles)
  return styles
}

const inherit = (style: Style, styles: ReadonlyMap<string, Style>): void => {
  let basis = style.basis
  for (let steps = 0; basis !== undefined && steps < 20; steps++) {
    const below = styles.get(basis)
    if (below?.heading !== undefined) style.heading ??= below.heading
    if (below?.list) style.list ??= below.list
    basis = below?.basis
  }
}

/** 0 is none. */
const headingOf = (outline: string): number => (/^[0-8]$/.test(outline) ? Number(outline) + 1 : 0)

interface List {
  id?: string
  level?: number
}

interface Paragraph {
  text: string
  style: string
  heading?: number
  list: List
}

/**
 * What was deleted or moved away, what stood before a change, a second drawing of the same, the reading aid
 * above a word.
 */
const passedOver = new Set(['del', 'moveFrom', 'pPrChange', 'rPrChange', 'Fallback', 'rt'])

const tableParts: Readonly<Record<string, TablePart>> = { tbl: 'table', tr: 'row', tc: 'cell' }

/** `onNote` hears which note the paragraphs that follow belong to. */
const readStory = async (
  setting: Setting,
  part: string,
  lines: Lines,
  onNote?: (key: string) => void,
): Promise<void> => {
  const tables = createTables(lines)
  // A text box is a story within a paragraph.
  const paragraphs: Paragraph[] = []
  let passing = 0

  await listen(setting.archive.read(part), setting.limits, {
    open: (name, attributes, path) => {
      if (passedOver.has(name)) passing++
      if (passing) return
      if (name === 'footnote' || name === 'endnote') onNote?.(noteKey(name, attributes))
      if (name === 'p') paragraphs.push({ text: '', style: '', list: {} })
      const [table, paragraph] = [tableParts[name], paragraphs.at(-1)]
      if (table) tables.open(table)
      if (paragraph) note(paragraph, name, attributes, path.at(-2), setting)
    },
    words: (text, path) => {
      const paragraph = paragraphs.at(-1)
      if (paragraph && !passing && path.at(-1) === 't') paragraph.text += text
    },
    close: (name) => {
      if (passedOver.has(name)) passing--
      if (passing || passedOver.has(name)) return
      const table = tableParts[name]
      if (table) tables.close(table)
      const paragraph = name === 'p' ? paragraphs.pop() : undefined
      if (paragraph?.text.trim()) write(paragraph, tables, setting)
    },
  })
}

/** What an element within a paragraph says about it, or puts into its text. */
const note = (
  paragraph: Paragraph,
  name: string,
  attributes: Attributes,
  within: string | undefined,
  { notes }: Setting,
): void => {
  const value = attributeOf(attributes, 'val') ?? ''
  if (name === 'pStyle') paragraph.style = value
  if (name === 'outlineLvl') paragraph.heading = headingOf(value)
  if (name === 'numId') paragraph.list.id = value
  if (name === 'ilvl') paragraph.list.level = Number(value)
  if (name === 'noBreakHyphen') paragraph.text += '-'
  if (name === 'br' || name === 'cr') paragraph.text += '\n'
  // Where tabs stop is said by elements of the same name.
  if (name === 'tab' && within === 'r') paragraph.text += '\t'
  if (name === 'footnoteReference' || name === 'endnoteReference') {
    notes.push(noteKey(name.replace('Reference', ''), attributes))
    paragraph.text += `[^${notes.length}]`
  }
}

const write = (paragraph: Paragraph, tables: Tables, { styles, numbering }: Setting): void => {
  const style = styles.get(paragraph.style)
  const place = placeOf({ ...style?.list, ...paragraph.list })
  const text = (place ? numbering.next(place) : '') + paragraph.text.trim()
  const heading = paragraph.heading ?? style?.heading ?? 0
  if (heading > 0) tables.heading(heading, text.trim())
  else tables.line(text)
}

/** List 0 is none. */
const placeOf = ({ id, level = 0 }: List): ListPlace | undefined =>
  id === undefined || id === '0'
    ? undefined
    : { id, level: Number.isInteger(level) ? Math.max(0, Math.min(level, 8)) : 0 }

const noteKey = (kind: string, attributes: Attributes): string => `${kind} ${attributeOf(attributes, 'id')}`

/** In the order in which the text refers to them. */
const readNotes = async (setting: Setting, parts: readonly string[], paper: Paper): Promise<void> => {
  const found = new Map<string, string[]>()
  for (const part of parts) {
    let lines: string[] = []
    const begin = (key: string) => {
      lines = []
      found.set(key, lines)
    }
    const gather = gathering(() => lines)
    await readStory(setting, part, gather, begin)
  }
  paper.gap()
  setting.notes.forEach((key, index) => {
    const text = found.get(key)?.join(' ')
    if (text) paper.line(`[^${index + 1}]: ${text}`)
  })
}

/** Each once, though a section may have three that say the same. */
const readMargins = async (
  setting: Setting,
  parts: readonly string[],
  mark: string,
  paper: Paper,
): Promise<void> => {
  const said = new Set<string>()
  for (const part of parts) {
    const lines: string[] = []
    await readStory(
      setting,
      part,
      gathering(() => lines),
    )
    if (lines.length > 0) said.add(`${mark} ${lines.join(' / ')}`)
  }
  paper.gap()
  for (const line of said) paper.line(line)
  paper.gap()
}

const gathering = (lines: () => string[]): Lines => ({
  line: (text) => lines().push(text.trim()),
  row: (cells) => lines().push(cells.filter(Boolean).join(' | ')),
  gap: () => {},
})
