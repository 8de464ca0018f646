/** Renders a persona's Markdown as nodes. It cannot run scripts, load remote content or imitate the page. */
import DOMPurify from 'dompurify'
import { Marked, type Token } from 'marked'
import { formulaExtensions, maskFormulas } from './formula-syntax.ts'

/** Allowed inline HTML tags. All other tags are shown as text. */
const harmless = /^<\/?(?:br|sub|sup|kbd|u|mark|b|i|s)\s*\/?>$/i

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')

const parser = new Marked({
  gfm: true,
  breaks: true,
  extensions: formulaExtensions,
  hooks: { emStrongMask: maskFormulas },
  renderer: {
    html: ({ text, block }) =>
      harmless.test(text.trim()) ? text : block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text),
    // The levels above belong to the page.
    heading({ tokens, depth }) {
      const tag = `h${Math.min(6, depth + 2)}`
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
    },
    // A remote picture would reveal the user to its host, so it becomes a link.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', (node) => {
  if (!(node instanceof HTMLAnchorElement)) return
  if (!node.hasAttribute('href')) return node.removeAttribute('title')
  node.target = '_blank'
  node.rel = 'noopener noreferrer'
})

const tags =
  'p br hr strong b em i s del u mark sub sup kbd code pre a ul ol li blockquote h1 h2 h3 h4 h5 h6 table thead tbody tr th td span'

/** Returns null if the text cannot be rendered as Markdown. Never throws. */
export const rendered = (text: string): DocumentFragment | null => {
  if (isWild(text)) return null
  if (!marking.test(text)) return paragraph(text)
  try {
    const fragment = purify.sanitize(parser.parse(text, { async: false }), {
      ALLOWED_TAGS: tags.split(' '),
      ALLOWED_ATTR: ['href', 'title', 'class', 'start', 'align'],
      // The value of every other attribute must look like an address, too.
      ADD_URI_SAFE_ATTR: ['title', 'class', 'start', 'align'],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const node of [...fragment.childNodes])
      if (node instanceof Text && node.data.trim() === '') node.remove()
    // Each block has its own writing direction, taken from its first letter.
    for (const block of fragment.children) if (block instanceof HTMLElement) block.dir = 'auto'
    return fragment
  } catch {
    return null
  }
}

/** A text without any of these is a single paragraph, as most messages are. */
const marking = /[\n\r\t\\*_~`[\]<>&|#@:$]|www|^\s|^[-+=\d]/

const paragraph = (text: string): DocumentFragment => {
  const fragment = document.createDocumentFragment()
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  paragraph.dir = 'auto'
  fragment.append(paragraph)
  return fragment
}

/** Splits a growing text into blocks. All but the last are complete. */
export const splitBlocks = (text: string): readonly string[] => {
  if (isWild(text)) return [text]
  try {
    return parser.lexer(text).reduce<string[]>((blocks, { type, raw }: Token) => {
      if (type === 'space' && blocks.length > 0) blocks.push(`${blocks.pop()}${raw}`)
      else blocks.push(raw)
      return blocks
    }, [])
  } catch {
    return [text]
  }
}

/** Max number of marks in a paragraph and before a line. The parser's time grows with their number. */
const maxMarks = 1_000
const maxDepth = 40

/** Returns true if parsing might take very long. */
const isWild = (text: string): boolean => {
  let isFenced = false
  let marks = 0
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    if (isFenced) continue
    if (line.trim() === '') marks = 0
    marks += count(line, inline)
    if (marks > maxMarks || getDepth(line.slice(0, 400)) > maxDepth) return true
  }
  return false
}

const inline = new Set('*_~`[]!<&')

/** Returns the number of quotes and lists that are nested at the start of a line. */
const getDepth = (line: string): number =>
  /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]))+/.exec(line)?.[0].match(/[>+*.)-]/g)?.length ?? 0

const count = (line: string, signs: ReadonlySet<string>): number => {
  let depth = 0
  for (const sign of line) if (signs.has(sign)) depth += 1
  return depth
}
