/** Reads the text and numbers of an Excel workbook (ECMA-376, SpreadsheetML), row by row. */
import type { Archive } from './archive.ts'
import { formatComment, readCellComments, readCommenters } from './comments.ts'
import type { Limits } from './limits.ts'
import { type Attributes, getAttribute, getPrefixedAttribute, listen } from './markup.ts'
import { getNumberShape, numberAs, type Shape } from './numbers.ts'
import type { Paper } from './paper.ts'
import { getTargets, mainPart, readRelations } from './relations.ts'

export const readXlsx = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  const main = await mainPart(archive, limits)
  const relations = await readRelations(archive, main, limits)
  const part = (type: string) => getTargets(relations, type).find(archive.has)
  const { sheets, from1904 } = await readWorkbook(archive, main, limits)
  const book: Book = {
    from1904,
    shapes: await readShapes(archive, part('styles'), limits),
    strings: await readStrings(archive, part('sharedStrings'), limits),
  }
  const people = await readCommenters(archive, getTargets(relations, 'person').filter(archive.has), limits)
  for (const { name, relation } of sheets) {
    const target = relations.get(relation)?.target
    paper.gap()
    paper.line(`# ${name}`)
    if (target === undefined || !archive.has(target)) continue
    await readSheet(archive.read(target), limits, book, paper)
    const sheetRelations = await readRelations(archive, target, limits)
    const getParts = (type: string) => getTargets(sheetRelations, type).filter(archive.has)
    const parts = { comments: getParts('comments'), threaded: getParts('threadedComment') }
    for (const [place, comments] of await readCellComments(archive, parts, people, limits))
      for (const comment of comments) paper.line(formatComment(comment, place))
  }
}

interface Book {
  readonly from1904: boolean
  /** Index: the style number of a cell. */
  readonly shapes: readonly Shape[]
  readonly strings: readonly string[]
}

interface Sheet {
  readonly name: string
  readonly relation: string
}

const readWorkbook = async (archive: Archive, part: string, limits: Limits) => {
  const sheets: Sheet[] = []
  let from1904 = false
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = isTrue(getAttribute(attributes, 'date1904'))
      if (name === 'sheet')
        sheets.push({
          name: getAttribute(attributes, 'name') ?? '',
          relation: getPrefixedAttribute(attributes, 'id') ?? '',
        })
    },
  })
  return { sheets, from1904 }
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

const readShapes = async (
  archive: Archive,
  part: string | undefined,
  limits: Limits,
): Promise<readonly Shape[]> => {
  const codes = new Map<number, string>()
  const shapes: Shape[] = []
  if (part === undefined) return shapes
  await listen(archive.read(part), limits, {
    open: (name, attributes, path) => {
      const id = Number(getAttribute(attributes, 'numFmtId') ?? 0)
      if (name === 'numFmt') codes.set(id, getAttribute(attributes, 'formatCode') ?? '')
      if (name === 'xf' && path.at(-2) === 'cellXfs') shapes.push(getNumberShape(id, codes.get(id)))
    },
  })
  return shapes
}

const readStrings = async (
  archive: Archive,
  part: string | undefined,
  limits: Limits,
): Promise<readonly string[]> => {
  const strings: string[] = []
  if (part === undefined) return strings
  let text = ''
  await listen(archive.read(part), limits, {
    open: (name) => {
      if (name === 'si') text = ''
    },
    words: (words, path) => {
      if (isText(path)) text += words
    },
    close: (name) => {
      if (name === 'si') strings.push(text)
    },
  })
  return strings
}

/** Phonetic text (`rPh`) above East Asian text would duplicate it. */
const isText = (path: readonly string[]): boolean => path.at(-1) === 't' && path.at(-2) !== 'rPh'

/** A wider gap of empty cells is written as one mark. */
const maxGap = 16

const readSheet = async (
  chunks: AsyncIterable<Uint8Array>,
  limits: Limits,
  book: Book,
  paper: Paper,
): Promise<void> => {
  let row: string[] = []
  let column = 0
  let cell = createCell({})
  let margin = ''
  /** Formula texts by shared formula number. */
  const sharedFormulas = new Map<string, string>()

  const place = (reference: string | undefined) => {
    const columnIndex = toColumn(reference) ?? column
    if (columnIndex - column > maxGap) row.push('…')
    else for (let empty = column; empty < columnIndex; empty++) row.push('')
    column = columnIndex + 1
  }
  await listen(chunks, limits, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = []
        column = 0
      }
      if (name === 'v') cell.hasValue = true
      if (name === 'f') {
        const kind = getAttribute(attributes, 't')
        cell.isArray = kind === 'array'
        if (kind === 'shared') cell.shared = getAttribute(attributes, 'si')
      }
      if (name !== 'c') return
      place(getAttribute(attributes, 'r'))
      cell = createCell(attributes)
    },
    words: (words, path) => {
      if (path.at(-2) === 'headerFooter') margin += words
      if (path.at(-1) === 'f' && path.at(-2) === 'c') cell.formula += words
      if (path.at(-1) === 'v' || (isText(path) && path.includes('is'))) cell.text += words
    },
    close: (name) => {
      if (name === 'c') {
        const formula = formatFormula(cell, sharedFormulas)
        row.push(isComputed(cell) ? formatValue(cell, book) : formula)
      }
      const mark = margins[name]
      if (mark) paper.row([removeCodes(margin)].filter(Boolean).map((text) => mark + text))
      if (mark) margin = ''
      if (name === 'row') paper.row(row.every((text) => text === '' || text === '…') ? [] : row)
    },
  })
}

const margins: Readonly<Record<string, string>> = { oddHeader: '[header] ', oddFooter: '[footer] ' }

/** Removes the codes for position, font and generated text: `&C&"Arial,Bold"&12Offer` becomes "Offer". */
const removeCodes = (margin: string): string =>
  margin
    .replace(/&("[^"]*"|K[0-9A-F]{6}|\d+|[A-Z&])/gi, (code) => (code === '&&' ? '&' : ' '))
    .replace(/\s+/g, ' ')
    .trim()

interface Cell {
  readonly type: string
  readonly style: number
  text: string
  hasValue: boolean
  formula: string
  isArray: boolean
  /** Number of the shared formula. */
  shared: string | undefined
}

const createCell = (attributes: Attributes): Cell => ({
  type: getAttribute(attributes, 't') ?? 'n',
  style: Number(getAttribute(attributes, 's') ?? 0),
  text: '',
  hasValue: false,
  formula: '',
  isArray: false,
  shared: undefined,
})

/**
 * An empty result is a string. Programs that do not compute formulas leave the value of a number empty or
 * omit it.
 */
const isComputed = ({ type, text, hasValue }: Cell): boolean => text !== '' || (type === 'str' && hasValue)

/** Max characters of a shared formula that is repeated in each of its cells. */
const maxSharedLength = 200

/**
 * Returns the formula to show if there is no result, or '' if there is none. Only the first cell of a shared
 * formula has its text. In the other cells the references are shifted, so the formula is marked as shared.
 */
const formatFormula = ({ formula, isArray, shared }: Cell, sharedFormulas: Map<string, string>): string => {
  // Excel adds these prefixes to functions and parameters that are newer than the file format.
  const text = formula.trim().replace(/_xl(?:fn|ws|pm)\./g, '')
  if (text && shared !== undefined) sharedFormulas.set(shared, text.slice(0, maxSharedLength))
  if (text) return isArray ? `{=${text}}` : `=${text}`
  if (shared === undefined) return ''
  const base = sharedFormulas.get(shared)
  return base === undefined ? '=…' : `=… (like =${base})`
}

const formatValue = ({ type, style, text }: Cell, { strings, shapes, from1904 }: Book): string => {
  if (type === 's') return strings[Number(text)] ?? ''
  if (type === 'b') return text.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return text.replace('T', ' ')
  return type === 'n' ? numberAs(text, shapes[style] ?? 'number', from1904) : text
}

/** Zero-based: C5 gives 2. */
const toColumn = (reference: string | undefined): number | undefined => {
  const letters = /^[A-Z]{1,3}(?=\d)/i.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
