/**
 * Builds the states of a regular expression, over the smallest number of character classes that it
 * distinguishes.
 */
import { Chars } from 'regexp-ast-analysis'
import { getNodes } from './expression-nodes.mjs'

/**
 * `states`: each is a node together with the conditions that depend on the last character. `next`: for each
 * character class the reachable states with the number of ways; `to` and `all`: only those states. `content`:
 * the match cannot fail any more. `picks`: one character per class. `parts`: for each state its strongly
 * connected component.
 */
export const getStates = (source, flagText) => {
  const { nodes, flags, start, end, endless } = getNodes(source, flagText)
  const kinds = splitCharacters(nodes, flags)
  const states = []
  const numbers = new Map()
  const getNumber = (node, last) => {
    const key = `${node} ${last?.seen}`
    if (!numbers.has(key)) numbers.set(key, states.push({ node, last }) - 1)
    return numbers.get(key)
  }
  getNumber(start, undefined)
  for (let n = 0; n < states.length; n += 1) {
    const state = states[n]
    state.next = kinds.map((kind) => {
      const targets = new Map()
      for (const [node, ways] of reachFree(nodes, state, kind))
        for (const read of nodes[node].reads) {
          if (!kind.of.has(read.set)) continue
          const to = getNumber(read.to, kind)
          targets.set(to, (targets.get(to) ?? 0) + ways)
        }
      return targets
    })
    state.to = state.next.map((targets) => [...targets.keys()])
    state.all = new Set(state.to.flat())
    state.content = reachFree(nodes, state, undefined, true).has(end)
    state.ends = reachFree(nodes, state, undefined).has(end)
  }
  for (const n of neverFailing(states)) states[n].content = true
  return { states, picks: kinds.map(({ pick }) => pick), parts: findComponents(states), endless }
}

/**
 * Splits all characters into classes. `of`: the sets that contain the class. `pick`: a character that stands
 * for it.
 */
const splitCharacters = (nodes, flags) => {
  const word = Chars.word(flags)
  const lineEnd = Chars.lineTerminator(flags)
  const conditions = nodes.flatMap(({ free }) => free.flatMap(({ condition }) => condition ?? []))
  const lookBehindSets = [
    ...(conditions.some(({ kind }) => kind === 'word') ? [word] : []),
    ...(flags.multiline ? [lineEnd] : []),
    ...conditions.flatMap(({ kind, set }) => (kind === 'lookbehind' ? [set] : [])),
  ]
  const sets = [
    ...lookBehindSets,
    ...conditions.flatMap(({ set }) => set ?? []),
    ...nodes.flatMap(({ reads }) => reads.map(({ set }) => set)),
  ]
  let kinds = [Chars.all(flags)]
  for (const set of new Set(sets))
    kinds = kinds
      .flatMap((kind) => [kind.intersect(set), kind.without(set)])
      .filter(({ isEmpty }) => !isEmpty)
  return kinds.map((kind) => {
    const containing = new Set(sets.filter((set) => !kind.isDisjointWith(set)))
    return {
      of: containing,
      word: containing.has(word),
      lineEnd: flags.multiline && containing.has(lineEnd),
      seen: lookBehindSets.map((set) => Number(containing.has(set))).join(''),
      pick: pickCharacter(kind),
    }
  })
}

/** Picks a printable character if the class has one. */
const pickCharacter = ({ ranges }) => {
  const printable = ranges.find(({ min, max }) => max > 32 && min < 127) ?? ranges[0]
  return String.fromCodePoint(Math.min(Math.max(printable.min, 33), printable.max))
}

/**
 * Returns the nodes that are reachable without reading, with the number of ways. `strict`: only steps without
 * a condition.
 */
const reachFree = (nodes, { node, last }, afterClass, strict = false) => {
  const waysByNode = new Map()
  const path = new Set()
  const walk = (node) => {
    const ways = waysByNode.get(node) ?? 0
    waysByNode.set(node, ways + 1)
    // Returning to a node without reading counts as another way.
    if (path.has(node) || ways > 1) return
    path.add(node)
    for (const { to, condition } of nodes[node].free)
      if (!condition || (!strict && holds(condition, last, afterClass))) walk(to)
    path.delete(node)
  }
  walk(node)
  return waysByNode
}

const holds = ({ kind, negate, set }, beforeClass, afterClass) => {
  switch (kind) {
    case 'start':
      return !beforeClass || beforeClass.lineEnd
    case 'end':
      return !afterClass || afterClass.lineEnd
    case 'word':
      return ((beforeClass?.word ?? false) !== (afterClass?.word ?? false)) !== negate
    default:
      return ((kind === 'lookahead' ? afterClass : beforeClass)?.of.has(set) ?? false) !== negate
  }
}

/**
 * Returns the states that accept wherever the text ends, and that lead to such a state with every next
 * character.
 */
const neverFailing = (states) => {
  const leftStates = new Set(states.keys())
  const stays = ({ ends, to }) => ends && to.every((targets) => targets.some((next) => leftStates.has(next)))
  for (let previousSize = -1; previousSize !== leftStates.size; ) {
    previousSize = leftStates.size
    for (const n of leftStates) if (!stays(states[n])) leftStates.delete(n)
  }
  return leftStates
}

/** Tarjan's algorithm. */
const findComponents = (states) => {
  const order = states.map(() => -1)
  const lowLinks = states.map(() => -1)
  const stack = []
  const parts = states.map(() => undefined)
  let count = 0
  const visit = (n) => {
    order[n] = lowLinks[n] = count
    count += 1
    stack.push(n)
    for (const to of states[n].all) {
      if (order[to] < 0) visit(to)
      if (!parts[to]) lowLinks[n] = Math.min(lowLinks[n], lowLinks[to])
    }
    if (lowLinks[n] !== order[n]) return
    const members = new Set(stack.splice(stack.indexOf(n)))
    for (const member of members) parts[member] = members
  }
  visit(0)
  return parts
}
