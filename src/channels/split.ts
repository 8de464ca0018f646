/** Words for a platform that takes only so many at once: cut where they part by themselves. */
import { closes, fenceIn } from '../../projections/message-parts.ts'

/**
 * Each part has at most `most` UTF-16 units and something to read in it. What is cut away between them is
 * blank. A code fence that a cut falls into is closed at the end of its part and begun again, with its
 * language, at the beginning of the next.
 */
export const split = (text: string, most: number): readonly string[] => {
  const parts: string[] = []
  let rest = text.trim()
  /** The line that the fence began with into which the last cut fell. */
  let opening = ''
  while (opening.length + rest.length > most) {
    const { end, fence } = cutAt(rest, most, opening)
    const part = rest.slice(0, end).trimEnd()
    if (part !== '') parts.push(`${opening}${part}${fence === null ? '' : closingOf(fence)}`)
    // How a line is indented belongs to it, and so do empty lines to code.
    rest = rest.slice(end).replace(fence === null ? /^(?:\s*\n|\s+)/ : /^[^\S\n]*\n|^[^\S\n]+/, '')
    // All that was left of the fence was its end.
    if (fence !== null && closes(rest.split('\n', 1)[0] ?? '', fence.mark)) {
      rest = rest.slice(rest.indexOf('\n') < 0 ? rest.length : rest.indexOf('\n')).replace(/^\s*\n/, '')
      opening = ''
    } else opening = fence === null ? '' : `${fence.line}\n`
  }
  return rest.trim() === '' ? parts : [...parts, `${opening}${rest}`]
}

interface Fence {
  /** As it was begun, where that is short. */
  readonly line: string
  readonly mark: string
}

const closingOf = ({ mark }: Fence): string => `\n${mark}`

/** Where to cut, and the fence that the cut falls into. */
const cutAt = (
  rest: string,
  most: number,
  opening: string,
): { readonly end: number; readonly fence: Fence | null } => {
  const room = most - opening.length
  const inFence = fenceAt(opening, most).fence
  const read = (end: number) => fenceAt(`${opening}${rest.slice(0, end)}`, most)
  const first = cutIn(rest, room)
  const found = read(first)
  if (found.fence === null) return { end: first, fence: null }
  const end = cutIn(rest, room - closingOf(found.fence).length)
  const { fence, begins } = read(end)
  if (fence === null) return { end, fence }
  // A fence that begins with the last line of a part begins in the next instead.
  const before = begins - opening.length
  if (before > 0 && rest.slice(before, end).trimEnd().indexOf('\n') < 0)
    return { end: before, fence: inFence }
  return { end, fence }
}

/** What is open at the end of a text, and where that began. */
const fenceAt = (text: string, most: number): { readonly fence: Fence | null; readonly begins: number } => {
  let fence: Fence | null = null
  let begins = 0
  let at = 0
  for (const line of text.split('\n')) {
    const mark: string | null = fence === null ? fenceIn(line) : null
    if (fence !== null && closes(line, fence.mark)) fence = null
    // One so long that it leaves no room for code is none.
    else if (mark !== null && mark.length <= most / 8) {
      fence = { line: line.length <= most / 4 ? line : mark, mark }
      begins = at
    }
    at += line.length + 1
  }
  return { fence, begins }
}

/**
 * After a paragraph, a line or a word, the last that fits; where one fills all there is, between two letters.
 */
const cutIn = (text: string, most: number): number => {
  // What follows the limit may be the blank to cut at.
  const head = text.slice(0, most + 1)
  for (const ends of [/\n[^\S\n]*\n/g, /\n/g, /\s/g]) {
    const last = [...head.matchAll(ends)].at(-1)?.index ?? 0
    // A paragraph that ends at once would make many small parts of few words.
    if (last > (ends.source === '\\s' ? 0 : most / 4)) return last
  }
  return letterEnd(text, most)
}

/** One letter that is longer than all that fits is cut between its code points. */
const letterEnd = (text: string, most: number): number => {
  // A letter that reaches over the limit must be seen whole to be left whole; beyond this none is.
  const window = text.slice(0, most + longestLetter)
  let end = 0
  // Made where it is needed, which is seldom: the first takes 5 ms, which were those of each start.
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { index } of letters.segment(window)) {
    if (index > most) break
    end = index
  }
  if (end > 0) return end
  return /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? Math.max(most - 1, 1) : most
}

/** UTF-16 units: families of emoji have eleven, and anybody may stack accents. */
const longestLetter = 64
