/**
 * Converts the Markdown of models to the HTML of Matrix messages
 * (https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes). Every tag is written here; all
 * text is escaped, also HTML inside the Markdown.
 */
import { Marked, type Token, type Tokens } from 'marked'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const isSafeLink = (href: string): boolean => /^(?:https?:\/\/|mailto:)[^\s"<>]{1,2000}$/i.test(href)

interface Parsing {
  readonly parser: { parse(tokens: Token[]): string; parseInline(tokens: Token[]): string }
}

const toLink = (href: string, label: string): string =>
  isSafeLink(href) ? `<a href="${escapeHtml(href)}">${label}</a>` : label

const renderer = {
  html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
  code: ({ text, lang }: Tokens.Code) => {
    const language = /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0]
    const opening = language ? `<code class="language-${language}">` : '<code>'
    return `<pre>${opening}${escapeHtml(text)}\n</code></pre>\n`
  },
  codespan: ({ text }: Tokens.Codespan) => `<code>${escapeHtml(text)}</code>`,
  link(this: Parsing, { href, tokens }: Tokens.Link) {
    return toLink(href, this.parser.parseInline(tokens))
  },
  // A picture would be loaded from the address that a model wrote.
  image: ({ href, text }: Tokens.Image) => toLink(href, escapeHtml(text || href)),
  checkbox: ({ checked: isChecked }: Tokens.Checkbox) => (isChecked ? '☑ ' : '☐ '),
  tablecell(this: Parsing, { tokens, header: isHeader }: Tokens.TableCell) {
    const tag = isHeader ? 'th' : 'td'
    return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
  },
}

const marked = new Marked({ gfm: true, breaks: true, async: false })
marked.use({ renderer })

/** Returns null if there is nothing to format. */
export const toMatrixHtml = (markdown: string): string | null => {
  const html = (marked.parse(markdown) as string).trim()
  const isPlain = html === `<p>${escapeHtml(markdown.trim())}</p>` || !/<(?!\/?p>|br>)/.test(html)
  return isPlain ? null : html
}
