/**
 * Converts a regular expression to a graph of nodes. A `free` step reads no character and may have a
 * condition; a `reads` step reads one character of a set.
 */
import { RegExpParser } from '@eslint-community/regexpp'
import { Chars, toUnicodeSet } from 'regexp-ast-analysis'

/** More copies of a counted part do not change the parts that can repeat forever. */
const mostCopies = 3

/**
 * Returns `nodes` with `free` steps (`{ to, condition }`) and `reads` steps (`{ to, set }`), including the
 * search for the start of a match. `endless` is the source of an unbounded look-behind, if there is one.
 */
export const getNodes = (source, flagText) => {
  const parser = new RegExpParser()
  const unicode = flagText.includes('u')
  const unicodeSets = flagText.includes('v')
  const pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets })
  const flags = parser.parseFlags(flagText)
  const nodes = []
  const node = () => nodes.push({ free: [], reads: [] }) - 1
  const addFreeEdge = (from, to, condition) => {
    nodes[from].free.push({ to, condition })
    return to
  }
  const read = (from, set, to = node()) => {
    nodes[from].reads.push({ set, to })
    return to
  }
  const parts = { node, free: addFreeEdge, read, flags, endless: undefined }
  const start = node()
  const beginNode = addFreeEdge(start, node())
  if (!flags.sticky) {
    const searching = read(start, Chars.all(flags))
    read(searching, Chars.all(flags), searching)
    addFreeEdge(searching, beginNode)
  }
  const end = alternatives(pattern.alternatives, beginNode, parts)
  return { nodes, flags, start, end, endless: parts.endless }
}

const alternatives = (all, from, parts) => {
  const end = parts.node()
  for (const { elements } of all)
    parts.free(
      elements.reduce((node, element) => addElement(element, node, parts), from),
      end,
    )
  return end
}

const addElement = (element, from, parts) => {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return alternatives(element.alternatives, from, parts)
    case 'Quantifier':
      return addQuantifier(element, from, parts)
    case 'Assertion':
      return addAssertion(element, from, parts)
    case 'Backreference':
      return [element.resolved]
        .flat()
        .reduce((node, group) => alternatives(group.alternatives, node, parts), from)
    default:
      return parts.read(from, toUnicodeSet(element, parts.flags).chars)
  }
}

const addQuantifier = ({ element, min, max }, from, parts) => {
  let node = from
  for (let n = 0; n < Math.min(min, mostCopies); n += 1) node = addElement(element, node, parts)
  if (max === Number.POSITIVE_INFINITY) {
    const head = parts.free(node, parts.node())
    parts.free(addElement(element, head, parts), head)
    return parts.free(head, parts.node())
  }
  const end = parts.free(node, parts.node())
  for (let n = 0; n < Math.min(max - min, mostCopies); n += 1) {
    node = addElement(element, node, parts)
    parts.free(node, end)
  }
  return end
}

const addAssertion = (element, from, parts) => {
  const { kind, negate = false } = element
  if (kind === 'start' || kind === 'end' || kind === 'word')
    return parts.free(from, parts.node(), { kind, negate })
  const to = parts.free(from, parts.node(), getNeighbour(element, parts.flags))
  // Text of a look-ahead is read again by the following part, so the end of the look-ahead leads nowhere.
  if (kind === 'lookahead') alternatives(element.alternatives, parts.free(from, parts.node()), parts)
  else if (hasLoop(element)) parts.endless ??= element.raw
  return to
}

/**
 * Returns the set of characters that must (or, if negated, must not) be next to the position of a
 * look-around. For a negated one only if it consists of a single character.
 */
const getNeighbour = ({ kind, alternatives: all, negate }, flags) => {
  const sets = all.map(({ elements }) =>
    negate && elements.length !== 1
      ? undefined
      : getEdge(elements.at(kind === 'lookahead' ? 0 : -1), negate, flags),
  )
  return sets.includes(undefined)
    ? undefined
    : { kind, negate, set: sets.reduce((union, set) => union.union(set)) }
}

const getEdge = (element, isAlone, flags) => {
  if (element?.type === 'Quantifier')
    return element.min > 0 && !isAlone ? getEdge(element.element, isAlone, flags) : undefined
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
