/**
 * Reads the text of OpenDocument texts and presentations (ISO 26300): paragraphs, headings, lists, tables,
 * notes, headers and footers, slides.
 */
import type { Archive } from './archive.ts'
import { type Limits, Unreadable } from './limits.ts'
import { listen } from './markup.ts'
import type { CountingStyles } from './odf-lists.ts'
import { createStory, type Story } from './odf-story.ts'
import type { Paper } from './paper.ts'
import type { Lines } from './tables.ts'

export const readOdt = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  await refuseLocked(archive, limits)
  const countingStyles: CountingStyles = new Set()
  const margins = await readStyles(archive, limits, countingStyles)
  for (const text of margins.header) paper.line(`[header] ${text}`)
  paper.gap()
  const notes = await readStory(archive, limits, countingStyles, paper)
  paper.gap()
  notes.forEach((note, index) => {
    paper.line(`[^${index + 1}]: ${note.join(' ')}`)
  })
  paper.gap()
  for (const text of margins.footer) paper.line(`[footer] ${text}`)
}

export const readOdp = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  await refuseLocked(archive, limits)
  await readStory(archive, limits, new Set(), paper)
}

/** Throws `Unreadable` if the entries are encrypted individually, as OpenDocument does. */
export const refuseLocked = async (archive: Archive, limits: Limits): Promise<void> => {
  const manifest = 'META-INF/manifest.xml'
  if (!archive.has(manifest)) return
  await listen(archive.read(manifest), limits, {
    open: (name) => {
      if (name === 'encryption-data') throw new Unreadable('encrypted')
    },
  })
}

interface Margins {
  readonly header: Set<string>
  readonly footer: Set<string>
}

const getMargin = (name: string, path: readonly string[]): keyof Margins | undefined =>
  path.at(-2) === 'master-page'
    ? (/^(header|footer)(-left|-first)?$/.exec(name)?.[1] as keyof Margins | undefined)
    : undefined

/**
 * Reads headers and footers without duplicates: the first page and left pages may have their own with the
 * same text.
 */
const readStyles = async (
  archive: Archive,
  limits: Limits,
  countingStyles: CountingStyles,
): Promise<Margins> => {
  const margins: Margins = { header: new Set(), footer: new Set() }
  if (!archive.has('styles.xml')) return margins
  let lines: string[] = []
  const gather: Lines = {
    line: (text) => lines.push(text.trim()),
    row: (cells) => lines.push(cells.join(' | ')),
    gap: () => {},
  }
  const story = createStory(countingStyles, gather)
  await listen(archive.read('styles.xml'), limits, {
    open: (name, attributes, path) => {
      if (getMargin(name, path)) lines = []
      story.open(name, attributes)
    },
    words: story.words,
    close: (name, path) => {
      story.close(name)
      const margin = getMargin(name, path)
      if (margin && lines.length > 0) margins[margin].add(lines.join(' / '))
    },
  })
  return margins
}

const readStory = async (
  archive: Archive,
  limits: Limits,
  countingStyles: CountingStyles,
  paper: Paper,
): Promise<Story['notes']> => {
  const story = createStory(countingStyles, paper)
  await listen(archive.read('content.xml'), limits, story)
  return story.notes
}
