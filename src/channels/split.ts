/** Splits text for a platform with a size limit, preferably between paragraphs, lines or words. */
import { closes, fenceIn } from '../../projections/message-parts.ts'

/**
 * Splits a text. Each part has at most `maxUnits` UTF-16 units and is not blank. Only whitespace is dropped
 * between parts. A code fence that is split is closed at the end of its part and opened again, with its
 * language, in the next part.
 */
export const split = (text: string, maxUnits: number): readonly string[] => {
  const parts: string[] = []
  let rest = text.trim()
  /** The opening line of the code fence that the last split fell into. */
  let opening = ''
  while (opening.length + rest.length > maxUnits) {
    const { end, fence } = cutAt(rest, maxUnits, opening)
    const part = rest.slice(0, end).trimEnd()
    if (part !== '') parts.push(`${opening}${part}${fence === null ? '' : toClosing(fence)}`)
    // Keeps the indentation of the next line, and empty lines inside code.
    rest = rest.slice(end).replace(fence === null ? /^(?:\s*\n|\s+)/ : /^[^\S\n]*\n|^[^\S\n]+/, '')
    // Only the closing line of the fence was left.
    if (fence !== null && closes(rest.split('\n', 1)[0] ?? '', fence.mark)) {
      rest = rest.slice(rest.indexOf('\n') < 0 ? rest.length : rest.indexOf('\n')).replace(/^\s*\n/, '')
      opening = ''
    } else opening = fence === null ? '' : `${fence.line}\n`
  }
  return rest.trim() === '' ? parts : [...parts, `${opening}${rest}`]
}

interface Fence {
  /** The opening line, or only its mark if the line is long. */
  readonly line: string
  readonly mark: string
}

const toClosing = ({ mark }: Fence): string => `\n${mark}`

/** Returns the position of the split and the fence that it falls into. */
const cutAt = (
  rest: string,
  maxUnits: number,
  opening: string,
): { readonly end: number; readonly fence: Fence | null } => {
  const room = maxUnits - opening.length
  const inFence = fenceAt(opening, maxUnits).fence
  const getFence = (end: number) => fenceAt(`${opening}${rest.slice(0, end)}`, maxUnits)
  const first = cutIn(rest, room)
  const firstCut = getFence(first)
  if (firstCut.fence === null) return { end: first, fence: null }
  const end = cutIn(rest, room - toClosing(firstCut.fence).length)
  const { fence, begins } = getFence(end)
  if (fence === null) return { end, fence }
  // A fence whose opening line is the last line of a part moves to the next part.
  const fenceEnd = begins - opening.length
  if (fenceEnd > 0 && rest.slice(fenceEnd, end).trimEnd().indexOf('\n') < 0)
    return { end: fenceEnd, fence: inFence }
  return { end, fence }
}

/** Returns the fence that is open at the end of a text, and the position where it begins. */
const fenceAt = (
  text: string,
  maxUnits: number,
): { readonly fence: Fence | null; readonly begins: number } => {
  let fence: Fence | null = null
  let fenceStart = 0
  let position = 0
  for (const line of text.split('\n')) {
    const mark: string | null = fence === null ? fenceIn(line) : null
    if (fence !== null && closes(line, fence.mark)) fence = null
    // A mark so long that it leaves no room for code is not treated as a fence.
    else if (mark !== null && mark.length <= maxUnits / 8) {
      fence = { line: line.length <= maxUnits / 4 ? line : mark, mark }
      fenceStart = position
    }
    position += line.length + 1
  }
  return { fence, begins: fenceStart }
}

/** Returns the position after the last paragraph, line or word that fits, or else between two letters. */
const cutIn = (text: string, maxUnits: number): number => {
  // The character after the limit may be whitespace to split at.
  const head = text.slice(0, maxUnits + 1)
  for (const breakPattern of [/\n[^\S\n]*\n/g, /\n/g, /\s/g]) {
    const last = [...head.matchAll(breakPattern)].at(-1)?.index ?? 0
    // Splitting after an early paragraph would make many small parts.
    if (last > (breakPattern.source === '\\s' ? 0 : maxUnits / 4)) return last
  }
  return letterEnd(text, maxUnits)
}

/** A single letter that exceeds the limit is split between its code points. */
const letterEnd = (text: string, maxUnits: number): number => {
  // A letter that crosses the limit must be complete in the window to be recognized.
  const window = text.slice(0, maxUnits + maxLetterUnits)
  let end = 0
  // Created on demand: the first one takes 5 ms, which would delay each start.
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { index } of letters.segment(window)) {
    if (index > maxUnits) break
    end = index
  }
  if (end > 0) return end
  return /[\ud800-\udbff]/.test(text.charAt(maxUnits - 1)) ? Math.max(maxUnits - 1, 1) : maxUnits
}

/** Max UTF-16 units of a letter. A family emoji has 11, and a letter can have any number of accents. */
const maxLetterUnits = 64
