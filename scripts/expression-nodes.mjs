/**
 * A regular expression as nodes: steps that read nothing, perhaps under a condition, and steps that read one
 * of a set of characters.
 */
import { RegExpParser } from '@eslint-community/regexpp'
import { Chars, toUnicodeSet } from 'regexp-ast-analysis'

/** More copies of a counted part change nothing in what can repeat without end. */
const mostCopies = 3

/**
 * `nodes` have `free` steps, `{ to, condition }`, and `reads`, `{ to, set }`; the search for a beginning is
 * part of them. `endless` is a look-behind without a bound, where there is one.
 */
export const nodesOf = (source, flagText) => {
  const parser = new RegExpParser()
  const [unicode, unicodeSets] = [flagText.includes('u'), flagText.includes('v')]
  const pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets })
  const flags = parser.parseFlags(flagText)
  const nodes = []
  const node = () => nodes.push({ free: [], reads: [] }) - 1
  const free = (from, to, condition) => {
    nodes[from].free.push({ to, condition })
    return to
  }
  const read = (from, set, to = node()) => {
    nodes[from].reads.push({ set, to })
    return to
  }
  const parts = { node, free, read, flags, endless: undefined }
  const start = node()
  const begin = free(start, node())
  if (!flags.sticky) {
    const searching = read(start, Chars.all(flags))
    read(searching, Chars.all(flags), searching)
    free(searching, begin)
  }
  const end = alternatives(pattern.alternatives, begin, parts)
  return { nodes, flags, start, end, endless: parts.endless }
}

const alternatives = (all, from, parts) => {
  const end = parts.node()
  for (const { elements } of all)
    parts.free(
      elements.reduce((at, element) => one(element, at, parts), from),
      end,
    )
  return end
}

const one = (element, from, parts) => {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return alternatives(element.alternatives, from, parts)
    case 'Quantifier':
      return quantified(element, from, parts)
    case 'Assertion':
      return asserted(element, from, parts)
    case 'Backreference':
      return [element.resolved]
        .flat()
        .reduce((at, group) => alternatives(group.alternatives, at, parts), from)
    default:
      return parts.read(from, toUnicodeSet(element, parts.flags).chars)
  }
}

const quantified = ({ element, min, max }, from, parts) => {
  let at = from
  for (let n = 0; n < Math.min(min, mostCopies); n += 1) at = one(element, at, parts)
  if (max === Number.POSITIVE_INFINITY) {
    const head = parts.free(at, parts.node())
    parts.free(one(element, head, parts), head)
    return parts.free(head, parts.node())
  }
  const end = parts.free(at, parts.node())
  for (let n = 0; n < Math.min(max - min, mostCopies); n += 1) {
    at = one(element, at, parts)
    parts.free(at, end)
  }
  return end
}

const asserted = (element, from, parts) => {
  const { kind, negate = false } = element
  if (kind === 'start' || kind === 'end' || kind === 'word')
    return parts.free(from, parts.node(), { kind, negate })
  const to = parts.free(from, parts.node(), neighbourOf(element, parts.flags))
  // What a look-ahead reads is read again by what comes after it, and nothing is won where it ends.
  if (kind === 'lookahead') alternatives(element.alternatives, parts.free(from, parts.node()), parts)
  else if (hasLoop(element)) parts.endless ??= element.raw
  return to
}

/**
 * What must, or must not, stand beside a place for a look-around to be content: of one that forbids, only
 * where that is all it looks at.
 */
const neighbourOf = ({ kind, alternatives: all, negate }, flags) => {
  const sets = all.map(({ elements }) =>
    negate && elements.length !== 1
      ? undefined
      : edgeOf(elements.at(kind === 'lookahead' ? 0 : -1), negate, flags),
  )
  return sets.includes(undefined)
    ? undefined
    : { kind, negate, set: sets.reduce((union, set) => union.union(set)) }
}

const edgeOf = (element, alone, flags) => {
  if (element?.type === 'Quantifier')
    return element.min > 0 && !alone ? edgeOf(element.element, alone, flags) : undefined
  return ['Character', 'CharacterSet', 'CharacterClass'].includes(element?.type)
    ? toUnicodeSet(element, flags).chars
    : undefined
}

const hasLoop = (element) =>
  (element.type === 'Quantifier' && element.max === Number.POSITIVE_INFINITY) ||
  [
    ...(element.alternatives ?? []),
    ...(element.elements ?? []),
    ...(element.type === 'Quantifier' ? [element.element] : []),
  ].some(hasLoop)
