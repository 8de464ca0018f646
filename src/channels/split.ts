/** Words for a platform that takes only so many at once: cut where they part by themselves. */

/** Each part has at most `most` UTF-16 units and something to read in it. What is cut away between them is blank. */
export const split = (text: string, most: number): readonly string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > most) {
    const end = cutIn(rest, most)
    const part = rest.slice(0, end).trimEnd()
    if (part !== '') parts.push(part)
    // How a line is indented belongs to it.
    rest = rest.slice(end).replace(/^(?:\s*\n|\s+)/, '')
  }
  return rest === '' ? parts : [...parts, rest]
}

/** After a paragraph, a line or a word, the last that fits; where one fills all there is, between two letters. */
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

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** One letter that is longer than all that fits is cut between its code points. */
const letterEnd = (text: string, most: number): number => {
  // A letter that reaches over the limit must be seen whole to be left whole; beyond this none is.
  const window = text.slice(0, most + longestLetter)
  let end = 0
  for (const { index } of letters.segment(window)) {
    if (index > most) break
    end = index
  }
  if (end > 0) return end
  return /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? Math.max(most - 1, 1) : most
}

/** UTF-16 units: families of emoji have eleven, and anybody may stack accents. */
const longestLetter = 64
