/** Reads the text of HTML: chapters of a book, the body of a mail. */
import type { Limits } from './limits.ts'
import { listen } from './markup.ts'
import type { TablePart, Tables } from './tables.ts'

/** Parses as HTML, not as XML: many chapters are not well-formed, and they use HTML entities. */
export const readHtml = async (
  chunks: AsyncIterable<Uint8Array>,
  { depth }: Limits,
  tables: Tables,
): Promise<void> => {
  const lists: { nextNumber: number | undefined }[] = []
  let text = ''
  let heading = 0
  let label = ''
  let skippedDepth = 0

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
    if (list?.nextNumber !== undefined) list.nextNumber++
    label =
      '  '.repeat(Math.max(0, Math.min(lists.length - 1, 8))) +
      (list?.nextNumber === undefined ? '- ' : `${list.nextNumber}. `)
  }
  await listen(
    chunks,
    { depth, html: true },
    {
      open: (name, attributes) => {
        if (skippedElements.has(name)) skippedDepth++
        if (skippedDepth) return
        if (blocks.has(name)) end()
        const table = tableParts[name]
        if (table) tables.open(table)
        if (/^h[1-6]$/.test(name)) heading = Number(name[1])
        if (name === 'ol') lists.push({ nextNumber: Number(attributes.start ?? 1) - 1 || 0 })
        if (name === 'ul') lists.push({ nextNumber: undefined })
        if (name === 'li') beginItem()
        if (name === 'br') text += '\n'
      },
      words: (words, path) => {
        if (skippedDepth) return
        if (path.includes('pre')) text += words
        else
          text +=
            text === '' || /\s$/.test(text)
              ? words.replace(/\s+/g, ' ').replace(/^ /, '')
              : words.replace(/\s+/g, ' ')
      },
      close: (name) => {
        if (skippedElements.has(name)) skippedDepth--
        if (skippedDepth || skippedElements.has(name)) return
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

const tableParts: Readonly<Record<string, TablePart>> = { table: 'table', tr: 'row', td: 'cell', th: 'cell' }

/** `rt` is ruby text, a reading aid above a word. */
const skippedElements = new Set(['script', 'style', 'head', 'template', 'svg', 'math', 'rt', 'rp'])

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
