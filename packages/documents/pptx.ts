/**
 * Reads the text of a PowerPoint presentation (ECMA-376, PresentationML): slide by slide in the order of the
 * show, each with its notes and comments.
 */
import type { Archive } from './archive.ts'
import { formatComment, readCommenters, readSlideComments } from './comments.ts'
import type { Limits } from './limits.ts'
import { getAttribute, getPrefixedAttribute, listen } from './markup.ts'
import type { Paper } from './paper.ts'
import { getTargets, mainPart, readRelations } from './relations.ts'
import { createTables, type Lines, type TablePart } from './tables.ts'

export const readPptx = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  const main = await mainPart(archive, limits)
  const relations = await readRelations(archive, main, limits)
  const order: string[] = []
  await listen(archive.read(main), limits, {
    open: (name, attributes) => {
      if (name === 'sldId')
        order.push(relations.get(getPrefixedAttribute(attributes, 'id') ?? '')?.target ?? '')
    },
  })
  const authorParts = ['commentAuthors', 'authors'].flatMap((type) => getTargets(relations, type))
  const authors = await readCommenters(archive, authorParts.filter(archive.has), limits)
  for (const [index, slide] of order.filter(archive.has).entries()) {
    paper.gap()
    paper.line(`[slide ${index + 1}]`)
    await readSlide(archive.read(slide), limits, paper)
    const slideRelations = await readRelations(archive, slide, limits)
    const notes = getTargets(slideRelations, 'notesSlide').find(archive.has)
    if (notes !== undefined) await readSlide(archive.read(notes), limits, withMark('[notes] ', paper))
    for (const part of getTargets(slideRelations, 'comments').filter(archive.has))
      for (const comment of await readSlideComments(archive, part, authors, limits))
        paper.line(formatComment(comment))
  }
}

const tableParts: Readonly<Record<string, TablePart>> = { tbl: 'table', tr: 'row', tc: 'cell' }

/** Placeholders with generated text. */
const skippedPlaceholders = new Set(['sldNum', 'dt', 'sldImg', 'hdr'])

const readSlide = async (chunks: AsyncIterable<Uint8Array>, limits: Limits, paper: Lines): Promise<void> => {
  const tables = createTables(paper)
  let place = ''
  let text: string | undefined
  let level = 0
  let skippedDepth = 0

  const end = () => {
    const words = text?.trim() ?? ''
    text = undefined
    if (!words || skippedPlaceholders.has(place)) return
    tables.line((/title$/i.test(place) ? '# ' : '  '.repeat(Math.min(level, 8))) + words)
  }
  await listen(chunks, limits, {
    open: (name, attributes) => {
      // The same drawing again, for programs that do not support the first version.
      if (name === 'Fallback') skippedDepth++
      if (skippedDepth) return
      const table = tableParts[name]
      if (table) tables.open(table)
      if (name === 'sp') place = ''
      if (name === 'ph') place = getAttribute(attributes, 'type') ?? ''
      if (name === 'p') {
        text = ''
        level = 0
      }
      if (name === 'pPr') level = Number(getAttribute(attributes, 'lvl') ?? 0) || 0
      if (name === 'br' && text !== undefined) text += '\n'
    },
    words: (words, path) => {
      if (text !== undefined && !skippedDepth && path.at(-1) === 't') text += words
    },
    close: (name) => {
      if (skippedDepth) {
        if (name === 'Fallback') skippedDepth--
        return
      }
      const table = tableParts[name]
      if (table) tables.close(table)
      if (name === 'p') end()
      if (name === 'sp') place = ''
    },
  })
}

const withMark = (mark: string, paper: Paper): Lines => ({
  line: (text) => paper.line(mark + text.trim()),
  row: (cells) => paper.row([mark + (cells[0] ?? ''), ...cells.slice(1)]),
  gap: () => {},
})
