/** Words as text, with http and https addresses made into links. Nodes only: nothing anybody says becomes markup. */
import { el } from './dom.ts'

const address = /https?:\/\/[^\s<>"“”]+/gi

export const prose = (words: string): readonly (Node | string)[] => {
  const nodes: (Node | string)[] = []
  let done = 0
  for (const found of words.matchAll(address)) {
    const href = trimmed(found[0])
    if (!URL.canParse(href)) continue
    nodes.push(words.slice(done, found.index), el('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href))
    done = found.index + href.length
  }
  nodes.push(words.slice(done))
  return nodes
}

/** Words of the service, with what stands between backticks as something to type. */
export const told = (words: string): readonly (Node | string)[] =>
  words.split('`').map((part, at, all) => {
    const isCode = at % 2 === 1 && at < all.length - 1
    return isCode ? el('code', {}, part) : part
  })

/** The full stop after an address belongs to the sentence, and so does a bracket that was opened before it. */
const trimmed = (found: string): string => {
  const bare = found.replace(/[.,;:!?'’*_~]+$/, '')
  const unopened = /[)\]}]$/.test(bare) && count(bare, /[)\]}]/g) > count(bare, /[([{]/g)
  if (unopened) return trimmed(bare.slice(0, -1))
  return bare
}

const count = (words: string, pattern: RegExp) => words.match(pattern)?.length ?? 0
