/**
 * Converts the Markdown of models to Telegram's HTML (core.telegram.org/bots/api#html-style). Markers become
 * tags; every other character stays.
 */

/** Telegram's limit in UTF-16 units for a message, also for formatted text. */
const maxLength = 4096

/** Returns null if there is nothing to format and the text can be sent as it is. */
export const toTelegramHtml = (markdown: string): string | null => {
  if (markdown.length > maxLength) return null
  // Odd indexes hold the captured group: whole fenced blocks.
  // Linear: at most 4096 units.
  const parts = markdown.split(/(^```[\w+#.-]*[ \t]*\n[\s\S]*?\n```[ \t]*$)/m)
  const html = parts
    .map((part, place) => (place % 2 ? block(part) : part.split('\n').map(line).join('\n')))
    .join('')
  return html === escapeHtml(markdown) ? null : html
}

const block = (part: string): string => {
  const [, language = '', code = ''] = /^```([\w+#.-]*)[ \t]*\n([\s\S]*)\n```[ \t]*$/.exec(part) ?? []
  if (!code.trim()) return escapeHtml(part)
  return language
    ? `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(code)}</code></pre>`
    : `<pre>${escapeHtml(code)}</pre>`
}

const line = (words: string): string => {
  const [, heading] = /^#{1,6}[ \t]+(\S.*)$/.exec(words) ?? []
  if (heading !== undefined) return `<b>${inline(heading)}</b>`
  const [, indent = '', item] = /^([ \t]*)[-*][ \t]+(\S.*)$/.exec(words) ?? []
  // A horizontal rule of dashes or stars is not a list item.
  if (item !== undefined && !/^[-* \t]+$/.test(item)) return `${indent}• ${inline(item)}`
  return inline(words)
}

/**
 * Matches the content between two marks, which contains no such mark itself. Code spans are matched first,
 * whatever they contain.
 */
const toContentPattern = (mark: string): string =>
  `(?=[^\\s${mark}])(?:\`[^\`]+\`|[^\`${mark}])*(?<=[^\\s${mark}])`
const letter = '[\\p{L}\\p{N}]'

// Linear: at most 4096 units.
const marks = new RegExp(
  [
    '(?<!`)`(?<code>[^`]+)`(?!`)',
    '\\[(?<label>[^\\[\\]]+)\\]\\((?<link>https?://(?:[^\\s()<>"]|\\([^\\s()<>"]*\\))+)\\)',
    '(?<!\\*)\\*\\*(?<bold>(?=[^\\s*])(?:`[^`]+`|[^`])*?(?<=[^\\s*]))\\*\\*(?!\\*)',
    `(?<!${letter}|\\*)\\*(?<slanted>${toContentPattern('*')})\\*(?!${letter}|\\*)`,
    `(?<!${letter}|_)_(?<italic>${toContentPattern('_')})_(?!${letter}|_)`,
    `(?<!~)~~(?<struck>${toContentPattern('~')})~~(?!~)`,
  ].join('|'),
  'u',
)

/** Formats recursively, so that tags always close in order. */
const inline = (words: string): string => {
  const match = marks.exec(words)
  if (!match) return escapeHtml(words)
  const {
    code,
    label = '',
    link,
    bold,
    slanted: starItalic,
    italic = starItalic,
    struck: strikethrough = '',
  } = match.groups ?? {}
  const form = () => {
    if (code !== undefined) return `<code>${escapeHtml(code)}</code>`
    if (link !== undefined) return `<a href="${escapeHtml(link)}">${inline(label)}</a>`
    if (bold !== undefined) return `<b>${inline(bold)}</b>`
    return italic === undefined ? `<s>${inline(strikethrough)}</s>` : `<i>${inline(italic)}</i>`
  }
  return `${escapeHtml(words.slice(0, match.index))}${form()}${inline(words.slice(match.index + match[0].length))}`
}

const escapeHtml = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
