/**
 * Removes the marks of prompts that weak models repeat in their answers: ids of statements and plans, times
 * in front of messages, `[due]`, `[note]`, `[you know: …]`. A mark in the talk would be repeated again.
 */

import type { Mind } from '../../../packages/models/mind.ts'

const id = String.raw`[mpi](?=[a-f]*\d)[0-9a-f]{1,8}`
const ids = String.raw`\[${id}(?:, ?${id})*\]`
const day = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

/** Everywhere. */
const idMark = new RegExp(String.raw`^(?:\(${ids}\)|${ids})`)
/** At the start of a line. */
const lineMark = new RegExp(
  String.raw`^(?:\[(?:due|note|quiet)\]|\[you know: \[[^\]\n]*\][^\]\n]*\]|\[you know: [^[\]\n]*\]|\(\d{1,2}:\d{2}\)|\(${day} \d{1,2} \p{L}+ \d{4}, \d{2}:\d{2}(?:, \d+ (?:hours?|days?) later)?\))`,
  'u',
)

/** Texts that the beginning of a longer one can match. */
const openIds = /^\(?(?:\[(?:[mpi][0-9a-f]{0,8})?(?:, ?[mpi]?[0-9a-f]{0,8})*\]?)?$/
const openLine = new RegExp(
  String.raw`^(?:\[[a-z]{0,5}\]?|\[you(?: k?n?o?w?)?|\[you know:[^\n]{0,1000}|\(\d{0,2}(?::\d{0,2})?|\([A-Z][a-z]{0,8}|\(${day} [\w ,:]{0,50})$`,
)

const isIn = (text: string, isLineStart: boolean): boolean =>
  openIds.test(text) || (isLineStart && openLine.test(text))

/** Removes the ids in front of a text that a model copied together with them. */
export const withoutLeadingIds = (text: string): string => text.replace(leadingIds, '')
const leadingIds = new RegExp(String.raw`^\s*(?:${ids}\s*)+`)

/** Returns a Mind whose words are without marks. Holds back words only while they can become a mark. */
export const withoutMarks = (mind: Mind): Mind => ({
  async *think(prompt, signal, maxTokens) {
    let filter = createMarkFilter()
    for await (const part of mind.think(prompt, signal, maxTokens)) {
      const text = part.type === 'words' ? filter.next(part.text) : part.type === 'end' ? filter.end() : ''
      if (text !== '') yield { type: 'words', text }
      if (part.type === 'again') filter = createMarkFilter()
      if (part.type !== 'words') yield part
    }
  },
})

/** Returns a complete answer without marks. */
export const removeMarks = (answer: string): string => {
  const filter = createMarkFilter()
  return filter.next(answer) + filter.end()
}

interface MarkFilter {
  /** Takes a piece of the answer and returns the text that is certainly no mark. */
  next(text: string): string
  end(): string
}

const createMarkFilter = (): MarkFilter => {
  let buffer = ''
  /** The line so far. */
  let line = ''
  let isEmpty = true
  let isCode = false
  /** Blanks after a mark at the start of a line are removed. */
  let isSkipping = false

  const emit = (text: string): string => {
    if (text === '') return ''
    isEmpty = false
    const lines = `${line}${text}`.split('\n')
    for (const one of lines.slice(0, -1)) if (one.trimStart().startsWith('```')) isCode = !isCode
    line = lines.at(-1) ?? ''
    return text
  }

  const advance = (isEnd: boolean): string => {
    let cleanText = ''
    while (buffer !== '') {
      if (isSkipping) {
        buffer = buffer.replace(isEmpty ? /^\s+/ : /^[ \t]+/, '')
        if (buffer === '') break
        isSkipping = false
      }
      const at = buffer.search(/[[(]/)
      const textBefore = at < 0 ? buffer : buffer.slice(0, at)
      // Blanks in front of a mark are removed with it.
      const text = isEnd && at < 0 ? textBefore : textBefore.replace(/(?<![ \t])[ \t]+$/, '')
      cleanText += emit(text)
      buffer = buffer.slice(text.length)
      if (at < 0) break
      const blanks = textBefore.slice(text.length)
      const rest = buffer.slice(blanks.length)
      const isLineStart = /^[\s>*-]*$/.test(line)
      const isAfterWord = blanks === '' && /[\p{L}\p{N}_)\]]$/u.test(line)
      const mark =
        isCode || isAfterWord ? null : (idMark.exec(rest) ?? (isLineStart ? lineMark.exec(rest) : null))
      if (mark) {
        buffer = rest.slice(mark[0].length)
        isSkipping = line === ''
        continue
      }
      if (!isEnd && !isCode && !isAfterWord && isIn(rest, isLineStart)) break
      cleanText += emit(`${blanks}${rest.charAt(0)}`)
      buffer = rest.slice(1)
    }
    return cleanText
  }

  return {
    next: (text) => {
      buffer += text
      return advance(false)
    },
    end: () => advance(true),
  }
}
