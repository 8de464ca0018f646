/**
 * Markdown as models write it, as the HTML that Telegram reads (core.telegram.org/bots/api#html-style).
 * Markers turn into form; every other character stays.
 */

/** UTF-16 units of a message, and of words that are formed: Telegram takes no more at once. */
const longest = 4096

/** null: there is nothing to form, the words can go as they are. */
export const htmlOf = (markdown: string): string | null => {
  if (markdown.length > longest) return null
  // Odd places hold what the group matched: whole fenced blocks.
  // Linear: of at most 4096 units.
  const parts = markdown.split(/(^```[\w+#.-]*[ \t]*\n[\s\S]*?\n```[ \t]*$)/m)
  const html = parts
    .map((part, place) => (place % 2 ? block(part) : part.split('\n').map(line).join('\n')))
    .join('')
  return html === escaped(markdown) ? null : html
}

const block = (part: string): string => {
  const [, language = '', code = ''] = /^```([\w+#.-]*)[ \t]*\n([\s\S]*)\n```[ \t]*$/.exec(part) ?? []
  if (!code.trim()) return escaped(part)
  return language
    ? `<pre><code class="language-${escaped(language)}">${escaped(code)}</code></pre>`
    : `<pre>${escaped(code)}</pre>`
}

const line = (words: string): string => {
  const [, heading] = /^#{1,6}[ \t]+(\S.*)$/.exec(words) ?? []
  if (heading !== undefined) return `<b>${inline(heading)}</b>`
  const [, indent = '', item] = /^([ \t]*)[-*][ \t]+(\S.*)$/.exec(words) ?? []
  // A rule of dashes or stars is no item.
  if (item !== undefined && !/^[-* \t]+$/.test(item)) return `${indent}• ${inline(item)}`
  return inline(words)
}

/** What may stand between two marks, none of them itself: code is read before any form, whatever it holds. */
const between = (mark: string): string => `(?=[^\\s${mark}])(?:\`[^\`]+\`|[^\`${mark}])*(?<=[^\\s${mark}])`
const letter = '[\\p{L}\\p{N}]'

// Linear: of at most 4096 units.
const marks = new RegExp(
  [
    '(?<!`)`(?<code>[^`]+)`(?!`)',
    '\\[(?<label>[^\\[\\]]+)\\]\\((?<link>https?://(?:[^\\s()<>"]|\\([^\\s()<>"]*\\))+)\\)',
    '(?<!\\*)\\*\\*(?<bold>(?=[^\\s*])(?:`[^`]+`|[^`])*?(?<=[^\\s*]))\\*\\*(?!\\*)',
    `(?<!${letter}|\\*)\\*(?<slanted>${between('*')})\\*(?!${letter}|\\*)`,
    `(?<!${letter}|_)_(?<italic>${between('_')})_(?!${letter}|_)`,
    `(?<!~)~~(?<struck>${between('~')})~~(?!~)`,
  ].join('|'),
  'u',
)

/** Each form is written inside the one around it, so that tags always close in order. */
const inline = (words: string): string => {
  const found = marks.exec(words)
  if (!found) return escaped(words)
  const { code, label = '', link, bold, slanted, italic = slanted, struck = '' } = found.groups ?? {}
  const form = () => {
    if (code !== undefined) return `<code>${escaped(code)}</code>`
    if (link !== undefined) return `<a href="${escaped(link)}">${inline(label)}</a>`
    if (bold !== undefined) return `<b>${inline(bold)}</b>`
    return italic === undefined ? `<s>${inline(struck)}</s>` : `<i>${inline(italic)}</i>`
  }
  return `${escaped(words.slice(0, found.index))}${form()}${inline(words.slice(found.index + found[0].length))}`
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
