/** Extracts the text of a part of a page, block by block, and its links. */
import type { PageNode } from './page-nodes.ts'

export interface Link {
  readonly text: string
  readonly url: string
}

/** Elements whose text is not visible to readers. */
const ignoredElements = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT SELECT TEXTAREA BUTTON TITLE DIALOG RP RT'.split(' '),
)
const blocks = new Set(
  [
    'P DIV SECTION ARTICLE ASIDE HEADER FOOTER MAIN NAV FIGURE FIGCAPTION BLOCKQUOTE PRE HR BODY FORM ADDRESS',
    'H1 H2 H3 H4 H5 H6 UL OL LI DL DT DD TABLE CAPTION TR DETAILS SUMMARY',
  ]
    .join(' ')
    .split(' '),
)
/** Elements that start after an empty line. */
const spacedElements = new Set('P PRE BLOCKQUOTE TABLE UL OL DL H1 H2 H3 H4 H5 H6'.split(' '))

const elementNode = 1
const textNode = 3

/** Returns the text below a node. It is not recursive, because elements may be nested 10,000 levels deep. */
export const extractPageText = (root: PageNode): string => {
  const sheet = createSheet()
  let inPre = 0
  let node: PageNode | null = root
  while (node) {
    const name: string = node.nodeName.toUpperCase()
    const isIgnored = node.nodeType === elementNode && ignoredElements.has(name)
    if (node.nodeType === textNode) sheet.words(node.textContent ?? '', inPre > 0)
    else if (!isIgnored) sheet.open(name)
    if (name === 'PRE') inPre++
    if (!isIgnored && node.firstChild) {
      node = node.firstChild
      continue
    }
    while (node) {
      const elementName: string = node.nodeName.toUpperCase()
      if (elementName === 'PRE') inPre--
      sheet.close(elementName)
      if (node === root) return sheet.text()
      if (node.nextSibling) break
      node = node.parentNode
    }
    node = node?.nextSibling ?? null
  }
  return sheet.text()
}

const labels = new Set(['-', '#', '##', '###', '####', '#####', '######'])

const createSheet = () => {
  const lines: string[] = []
  let line = ''
  const end = (gap: boolean, isOpening = false) => {
    const words = line.trimEnd()
    const isLabel = labels.has(words)
    // Text that begins within an item or heading follows its label on the same line.
    if (isLabel && isOpening) return
    if (words !== '' && !isLabel) lines.push(words)
    if (gap && lines.length > 0 && lines.at(-1) !== '') lines.push('')
    line = ''
  }
  return {
    open: (name: string) => {
      if (blocks.has(name)) end(spacedElements.has(name), true)
      if (name === 'LI') line = '- '
      if (name === 'BR') end(false)
      if (/^H[1-6]$/.test(name)) line = `${'#'.repeat(Number(name[1]))} `
      if ((name === 'TD' || name === 'TH') && line.trim() !== '') line += ' | '
    },
    words: (text: string, isPreformatted: boolean) => {
      const plainText = text.replace(control, '')
      if (isPreformatted) {
        const [first = '', ...rest] = plainText.split('\n')
        line += first
        for (const next of rest) {
          lines.push(line.trimEnd())
          line = next
        }
        return
      }
      const words = plainText.replace(/\s+/g, ' ')
      line += line === '' || line.endsWith(' ') ? words.replace(/^ /, '') : words
    },
    close: (name: string) => {
      if (blocks.has(name)) end(spacedElements.has(name))
    },
    text: () => {
      end(false)
      return lines.join('\n').trim()
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

const maxLinks = 50
const maxUrlLength = 400
const maxTextLength = 100

/** Returns the links in page order, without duplicates. Relative addresses are resolved against `base`. */
export const extractLinks = (root: PageNode, base: string): readonly Link[] => {
  const links = new Map<string, Link>()
  for (const anchor of root.querySelectorAll('a[href]')) {
    if (links.size >= maxLinks) break
    const href = anchor.getAttribute('href') ?? ''
    const url = URL.canParse(href, base) ? new URL(href, base) : null
    if (!url || !/^https?:$/.test(url.protocol)) continue
    url.hash = ''
    const text = (anchor.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (text === '' || url.href.length > maxUrlLength || url.href === base) continue
    if (!links.has(url.href))
      links.set(url.href, { text: text.slice(0, maxTextLength).toWellFormed(), url: url.href })
  }
  return [...links.values()]
}
