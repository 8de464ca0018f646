/** The words of an EPUB book (EPUB 3.3): its chapters in reading order. */
import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { type Limits, Unreadable } from './limits.ts'
import { attributeOf, listen } from './markup.ts'
import type { Paper } from './paper.ts'
import { resolvePart } from './relations.ts'
import { createTables, type TablePart } from './tables.ts'

export const readEpub = async (archive: Archive, limits: Limits, paper: Paper): Promise<void> => {
  const book = await readBook(archive, await packagePart(archive, limits), limits)
  await refuseLocked(archive, book.chapters, limits)
  paper.line([book.title, book.creator].filter(Boolean).join(', '))
  for (const chapter of book.chapters.filter(archive.has)) {
    paper.gap()
    await readChapter(archive.read(chapter), limits, paper)
  }
}

const packagePart = async (archive: Archive, limits: Limits): Promise<string> => {
  let part: string | undefined
  await listen(archive.read('META-INF/container.xml'), limits, {
    open: (name, attributes) => {
      if (name === 'rootfile') part ??= attributeOf(attributes, 'full-path')
    },
  })
  if (part === undefined) throw new Unreadable('damaged')
  return posix.join('/', part).slice(1)
}

interface Book {
  readonly title: string
  readonly creator: string
  readonly chapters: readonly string[]
}

const readBook = async (archive: Archive, part: string, limits: Limits): Promise<Book> => {
  const items = new Map<string, string>()
  const order: string[] = []
  const about = { title: '', creator: '' }
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      if (name === 'item')
        items.set(
          attributeOf(attributes, 'id') ?? '',
          resolvePart(part, attributeOf(attributes, 'href') ?? ''),
        )
      if (name === 'itemref') order.push(attributeOf(attributes, 'idref') ?? '')
    },
    words: (text, path) => {
      const name = path.at(-1)
      if (path.at(-2) === 'metadata' && (name === 'title' || name === 'creator')) about[name] += text
    },
  })
  const chapters = order.flatMap((id) => items.get(id) ?? [])
  return { title: about.title.trim(), creator: about.creator.trim(), chapters: [...new Set(chapters)] }
}

/** Fonts are often made unreadable for other programmes; only a chapter that is keeps the book closed. */
const refuseLocked = async (archive: Archive, chapters: readonly string[], limits: Limits): Promise<void> => {
  const list = 'META-INF/encryption.xml'
  if (!archive.has(list)) return
  await listen(archive.read(list), limits, {
    open: (name, attributes) => {
      if (
        name === 'CipherReference' &&
        chapters.includes(resolvePart('', attributeOf(attributes, 'URI') ?? ''))
      )
        throw new Unreadable('encrypted')
    },
  })
}

const tableParts: Readonly<Record<string, TablePart>> = { table: 'table', tr: 'row', td: 'cell', th: 'cell' }

/** `rt` is the reading aid above a word. */
const passedOver = new Set(['script', 'style', 'head', 'template', 'svg', 'math', 'rt', 'rp'])

const blocks = new Set([
  ...[
    'p',
    'div',
    'section',
    'article',
    'aside',
    'header',
    'footer',
    'main',
    'nav',
    'figure',
    'figcaption',
    'blockquote',
    'pre',
    'hr',
    'body',
  ],
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'tr',
    'td',
    'th',
    'caption',
    'address',
  ],
])

/** As HTML, not as XML: many chapters are not well-formed, and their names for characters are HTML's. */
const readChapter = async (
  chunks: AsyncIterable<Uint8Array>,
  limits: Limits,
  paper: Paper,
): Promise<void> => {
  const tables = createTables(paper)
  const lists: { counted: number | undefined }[] = []
  let text = ''
  let heading = 0
  let label = ''
  let passing = 0

  const end = () => {
    const words = text.replace(/(?<![ \t])[ \t]+\n/g, '\n').trim()
    text = ''
    if (!words) return
    if (heading > 0) tables.heading(heading, words.replace(/\n/g, ' '))
    else tables.line(label + words)
    label = label.replace(/\S/g, ' ')
  }
  const beginItem = () => {
    const list = lists.at(-1)
    if (list?.counted !== undefined) list.counted++
    label =
      '  '.repeat(Math.max(0, Math.min(lists.length - 1, 8))) +
      (list?.counted === undefined ? '- ' : `${list.counted}. `)
  }
  await listen(
    chunks,
    { ...limits, html: true },
    {
      open: (name, attributes) => {
        if (passedOver.has(name)) passing++
        if (passing) return
        if (blocks.has(name)) end()
        const table = tableParts[name]
        if (table) tables.open(table)
        if (/^h[1-6]$/.test(name)) heading = Number(name[1])
        if (name === 'ol') lists.push({ counted: Number(attributes.start ?? 1) - 1 || 0 })
        if (name === 'ul') lists.push({ counted: undefined })
        if (name === 'li') beginItem()
        if (name === 'br') text += '\n'
      },
      words: (words, path) => {
        if (passing) return
        if (path.includes('pre')) text += words
        else
          text +=
            text === '' || /\s$/.test(text)
              ? words.replace(/\s+/g, ' ').replace(/^ /, '')
              : words.replace(/\s+/g, ' ')
      },
      close: (name) => {
        if (passedOver.has(name)) passing--
        if (passing || passedOver.has(name)) return
        if (blocks.has(name)) end()
        const table = tableParts[name]
        if (table) tables.close(table)
        if (/^h[1-6]$/.test(name)) heading = 0
        if (name === 'ol' || name === 'ul') lists.pop()
        if (name === 'li' || lists.length === 0) label = ''
      },
    },
  )
  end()
}
