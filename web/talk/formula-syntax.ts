/** Finds formulas in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, but not prices or escaped brackets. */
import type { TokenizerAndRendererExtension } from 'marked'

/** A formula with its delimiters starts with one of these. A longer one comes first. */
const delimiters = [
  { open: '$$', close: '$$', isDisplay: true },
  { open: '\\[', close: '\\]', isDisplay: true },
  { open: '\\(', close: '\\)', isDisplay: false },
  { open: '$', close: '$', isDisplay: false },
] as const

/** Max UTF-16 units. The time to typeset a formula grows with its length. */
const maxUnits = 2_000

/** Returns the TeX of a formula without its delimiters. */
export const parseFormula = (raw: string): { readonly tex: string; readonly isDisplay: boolean } => {
  const pair = delimiters.find(({ open }) => raw.startsWith(open))
  return pair
    ? { tex: raw.slice(pair.open.length, -pair.close.length), isDisplay: pair.isDisplay }
    : { tex: raw, isDisplay: false }
}

/** Returns the formula at the start of the text with its delimiters, or null if there is none. */
export const readFormula = (source: string): string | null => {
  const pair = delimiters.find(({ open }) => source.startsWith(open))
  if (!pair) return null
  const start = pair.open.length
  const end = findEnd(source, start, pair.close)
  if (end <= start) return null
  const tex = source.slice(start, end)
  const raw = source.slice(0, end + pair.close.length)
  if (pair.open === '$') return isDollarFormula(tex, source.slice(raw.length)) ? raw : null
  return isTex.test(tex) || !isProse(tex, pair.open) ? raw : null
}

/** Returns the index of the closing delimiter, or -1 if the text ends, or has a code span or a blank line. */
const findEnd = (source: string, start: number, close: string): number => {
  const limit = Math.min(source.length, start + maxUnits)
  for (let index = start; index < limit; index += 1) {
    if (source.startsWith(close, index)) return index
    const sign = source[index]
    if (sign === '\\') index += 1
    else if (sign === '`' || (sign === '\n' && blankLine.test(source.slice(index, index + 80)))) return -1
  }
  return -1
}

const blankLine = /^\n[ \t]*(?:\n|$)/
const isTex = /[\\^_={}]/

/** `\[note\]` and `\[1\]` are brackets that Markdown would otherwise use for a link. */
const isProse = (tex: string, open: string): boolean =>
  tex.startsWith('$') ||
  hasWords(tex) ||
  (open === '\\[' ? /^[\p{L}\d]+$/u : isWord).test(tex.replaceAll(' ', ''))

/** The signs at both ends, and the words between them, distinguish a formula from two prices. */
const isDollarFormula = (tex: string, rest: string): boolean => {
  if (/^\s|[\s\\]$/.test(tex) || /^[\p{L}\p{N}$]/u.test(rest)) return false
  const plain = tex.replace(/\\[a-zA-Z]+|\{[^{}]*\}/g, ' ')
  return !(hasWords(plain) || (/^\d/.test(tex) && plain.split(/\s+/).some((word) => /^\p{L}{2}/u.test(word))))
}

const hasWords = (tex: string): boolean => {
  const words = tex.trim().split(/\s+/)
  return words.some((word, n) => isWord.test(word) && isWord.test(words[n + 1] ?? ''))
}

const isWord = /^\p{L}{2,}[.,;:]?$/u

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toSpan = (raw: string): string => `<span class="formula">${escapeHtml(raw)}</span>`

/** A formula inside a line. */
const inlineFormula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => {
    const index = source.search(/(?<![\p{L}\p{N}$\\])\$|\\[[(]/u)
    return index < 0 ? undefined : index
  },
  tokenizer: (source) => {
    const raw = readFormula(source)
    return raw === null ? undefined : { type: 'formula', raw }
  },
  renderer: ({ raw }) => toSpan(raw),
}

/** A formula on lines of its own, in which Markdown would find lists and headings. */
const blockFormula: TokenizerAndRendererExtension = {
  name: 'formulaBlock',
  level: 'block',
  start: (source) => {
    const index = source.search(/\n {0,3}(?:\$\$|\\\[)/)
    return index < 0 ? undefined : index + 1
  },
  tokenizer: (source) => {
    const indent = /^ {0,3}(?=\$\$|\\\[)/.exec(source)?.[0]
    if (indent === undefined) return undefined
    const formula = readFormula(source.slice(indent.length))
    if (formula === null) return undefined
    const rest = source.slice(indent.length + formula.length)
    const tail = /^([.,;:!?]?)[ \t]*(?:\n|$)/.exec(rest)
    if (!tail) return undefined
    return { type: 'formulaBlock', raw: `${indent}${formula}${tail[0]}`, formula, mark: tail[1] ?? '' }
  },
  renderer: ({ formula, mark }) => `<p>${toSpan(String(formula))}${String(mark)}</p>\n`,
}

export const formulaExtensions = [blockFormula, inlineFormula]

/** Replaces formulas by letters of the same length, so that no sign in them counts as emphasis. */
export const maskFormulas = (source: string): string => {
  let result = ''
  for (let rest = source; rest !== ''; ) {
    const index = rest.search(/\$|\\[[(]/)
    if (index < 0) return result + rest
    const raw = readFormula(rest.slice(index))
    result += rest.slice(0, index) + (raw === null ? (rest[index] ?? '') : 'a'.repeat(raw.length))
    rest = rest.slice(index + (raw?.length ?? 1))
  }
  return result
}
