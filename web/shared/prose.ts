/**
 * Renders text with http and https addresses as links. Only creates nodes, so that no text becomes markup.
 */
import { el } from './dom.ts'

const address = /https?:\/\/[^\s<>"“”]+/gi

export const prose = (text: string): readonly (Node | string)[] => {
  const nodes: (Node | string)[] = []
  let position = 0
  for (const match of text.matchAll(address)) {
    const href = trimEnd(match[0])
    if (!URL.canParse(href)) continue
    nodes.push(
      text.slice(position, match.index),
      el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href),
    )
    position = match.index + href.length
  }
  nodes.push(text.slice(position))
  return nodes
}

/**
 * Cuts off a full stop, which belongs to the sentence, and a closing bracket that was opened before the
 * address.
 */
const trimEnd = (match: string): string => {
  let unopened = count(match, ')]}') - count(match, '([{')
  let end = match.length
  for (; end > 0; end -= 1) {
    const last = match.charAt(end - 1)
    if (')]}'.includes(last) && unopened > 0) unopened -= 1
    else if (!".,;:!?'’*_~".includes(last)) break
  }
  return match.slice(0, end)
}

const count = (text: string, signs: string) => [...text].filter((sign) => signs.includes(sign)).length
