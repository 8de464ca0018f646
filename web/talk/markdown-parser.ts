/** Parses Markdown into nodes. It cannot run scripts, load remote content or imitate the page. */
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

/** Throws for some texts that nest deeply. */
export const parseMarkdown = (text: string): DocumentFragment => {
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
}

/** Splits a growing text into blocks. All but the last are complete. */
export const parseBlocks = (text: string): readonly string[] =>
  parser.lexer(text).reduce<string[]>((blocks, { type, raw }: Token) => {
    if (type === 'space' && blocks.length > 0) blocks.push(`${blocks.pop()}${raw}`)
    else blocks.push(raw)
    return blocks
  }, [])
