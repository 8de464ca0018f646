/**
 * Judges whether a regular expression can take more than linear time. `judge(source, flags)` returns a text
 * that causes it (`prefix`, `pump` repeated, `end`), or undefined. Time is polynomial if, while the match can
 * still fail, two loops one after the other can read the same text (or the search for a start and a loop): p
 * —v→ p, p —v→ q, q —v→ q. It is exponential if one loop can read the same text in two ways. The judgement is
 * conservative: only the character next to a look-around is considered, and a look-behind must be bounded.
 */
import { getStates } from './expression-states.mjs'

const mostSteps = 3_000_000

export const judge = (source, flags) => {
  const automaton = getStates(source, flags)
  if (automaton.endless) return { kind: 'unbounded', prefix: '', pump: automaton.endless, end: '' }
  return findTwoWays(automaton) ?? inTurn(automaton)
}

/**
 * Returns texts that make the expression work as hard as possible: for each loop a text that reaches it and
 * repeats it, and a text that repeats both together.
 */
export const getWorst = (source, flags) => {
  const automaton = getStates(source, flags)
  const { states, parts, picks } = automaton
  const round = findLoops(automaton).flatMap((members) =>
    [...findHeads(states, members)].flatMap((head) => {
      const prefix = head === 0 ? '' : pathTo(automaton, 0, head, () => true)
      const pump = pathTo(automaton, head, head, (n) => parts[n] === members)
      return prefix === undefined || pump === undefined
        ? []
        : [{ prefix, pump, end: failing(automaton, head) }]
    }),
  )
  const repeatedRound = round
    .filter(({ prefix }) => prefix !== '')
    .map(({ prefix, pump, end }) => ({ prefix: '', pump: prefix + pump, end }))
  return [...round, ...repeatedRound, ...picks.map((pick) => ({ prefix: '', pump: pick, end: '\0' }))]
}

/** Finds a loop that reads a text in two ways: two paths that split and meet again at their start. */
const findTwoWays = (automaton) => {
  const { states } = automaton
  for (const members of findLoops(automaton))
    for (const head of findHeads(states, members)) {
      const step = ([left, other, haveSplit], kind) =>
        pairs(
          filterMembers(members, states[left].to[kind]),
          filterMembers(members, states[other].to[kind]),
        ).map(([to, otherTo]) => [
          to,
          otherTo,
          haveSplit || to !== otherTo || (left === other && states[left].next[kind].get(to) > 1) ? 1 : 0,
        ])
      const pump = walk(
        automaton,
        [head, head, 0],
        step,
        ([left, other, haveSplit]) => left === head && other === head && haveSplit === 1,
      )
      if (pump !== undefined) return toResult(automaton, 'exponential', head, head, pump)
    }
  return undefined
}

/** Finds two loops that read the same text, if that text also leads from the first to the second. */
const inTurn = (automaton) => {
  const { states } = automaton
  const loops = findLoops(automaton)
  for (const first of loops)
    for (const p of findHeads(states, first)) {
      const reachableStates = reachedFrom(states, p)
      for (const second of loops)
        for (const q of second) {
          if (p === q || states[q].content || !reachableStates.has(q)) continue
          const step = ([a, m, b], kind) => {
            const endPairs = pairs(
              filterMembers(first, states[a].to[kind]),
              filterMembers(second, states[b].to[kind]),
            )
            return endPairs.flatMap(([left, other]) =>
              states[m].to[kind].map((middleState) => [left, middleState, other]),
            )
          }
          const pump = walk(automaton, [p, p, q], step, ([a, m, b]) => a === p && m === q && b === q)
          if (pump !== undefined) return toResult(automaton, 'polynomial', p, q, pump)
        }
    }
  return undefined
}

const filterMembers = (members, numbers) => numbers.filter((n) => members.has(n))

const pairs = (firstItems, otherItems) =>
  firstItems.flatMap((left) => otherItems.map((other) => [left, other]))

const findLoops = ({ states, parts }) =>
  [...new Set(parts)].filter((members) => members.size > 1 || [...members].some((n) => states[n].all.has(n)))

/** Returns at least one state of every loop: the states that a walk returns to. */
const findHeads = (states, members) => {
  const heads = new Set()
  const open = new Set()
  const visitedStates = new Set()
  const visit = (n) => {
    visitedStates.add(n)
    open.add(n)
    for (const to of states[n].all) {
      if (open.has(to)) heads.add(to)
      else if (members.has(to) && !visitedStates.has(to)) visit(to)
    }
    open.delete(n)
  }
  for (const n of members) if (!visitedStates.has(n)) visit(n)
  return heads
}

const reachedFrom = (states, from) => {
  const visitedStates = new Set()
  const open = [from]
  for (let n = open.pop(); n !== undefined; n = open.pop())
    for (const to of states[n].all) {
      if (visitedStates.has(to)) continue
      visitedStates.add(to)
      open.push(to)
    }
  return visitedStates
}

const pathTo = (automaton, from, to, mayVisit) =>
  walk(
    automaton,
    [from],
    ([n], kind) => automaton.states[n].to[kind].filter(mayVisit).map((next) => [next]),
    ([n]) => n === to,
  )

/** Returns the shortest text that leads from a start to a goal. */
const walk = ({ picks }, from, step, isGoal) => {
  const visitedKeys = new Set([from.join()])
  let steps = 0
  for (let open = [{ state: from, text: '' }]; open.length > 0; ) {
    const next = []
    for (const { state, text } of open)
      for (const [kind, pick] of picks.entries())
        for (const to of step(state, kind)) {
          steps += 1
          if (steps > mostSteps) throw new Error('the expression is too large to judge')
          if (isGoal(to)) return text + pick
          const key = to.join()
          if (visitedKeys.has(key)) continue
          visitedKeys.add(key)
          next.push({ state: to, text: text + pick })
        }
    open = next
  }
  return undefined
}

/** Returns a character after which the fewest states are reachable. */
const failing = ({ states, picks }, n) => {
  const sizesLeft = states[n].to.map((reachableStates) => reachableStates.length)
  return picks[sizesLeft.indexOf(Math.min(...sizesLeft))]
}

const toResult = (automaton, kind, p, q, pump) => ({
  kind,
  prefix: p === 0 ? '' : (pathTo(automaton, 0, p, () => true) ?? ''),
  pump,
  end: failing(automaton, q),
})
