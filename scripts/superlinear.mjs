/**
 * Judges whether a regular expression can take more than linear time. `judge(source, flags)` returns a text
 * that causes it (`prefix`, `pump` repeated, `end`), or undefined. Time is polynomial if, while the match can
 * still fail, two loops one after the other can read the same text (or the search for a start and a loop): p
 * —v→ p, p —v→ q, q —v→ q. It is exponential if one loop can read the same text in two ways. The judgement is
 * conservative: only the character next to a look-around is considered, and a look-behind must be bounded.
 */
import { statesOf } from './expression-states.mjs'

const mostSteps = 3_000_000

export const judge = (source, flags) => {
  const automaton = statesOf(source, flags)
  if (automaton.endless) return { kind: 'unbounded', prefix: '', pump: automaton.endless, end: '' }
  return twice(automaton) ?? inTurn(automaton)
}

/**
 * Returns texts that make the expression work as hard as possible: for each loop a text that reaches it and
 * repeats it, and a text that repeats both together.
 */
export const worstOf = (source, flags) => {
  const automaton = statesOf(source, flags)
  const { states, parts, picks } = automaton
  const round = loopsOf(automaton).flatMap((members) =>
    [...headsOf(states, members)].flatMap((head) => {
      const prefix = head === 0 ? '' : pathTo(automaton, 0, head, () => true)
      const pump = pathTo(automaton, head, head, (n) => parts[n] === members)
      return prefix === undefined || pump === undefined
        ? []
        : [{ prefix, pump, end: failing(automaton, head) }]
    }),
  )
  const again = round
    .filter(({ prefix }) => prefix !== '')
    .map(({ prefix, pump, end }) => ({ prefix: '', pump: prefix + pump, end }))
  return [...round, ...again, ...picks.map((pick) => ({ prefix: '', pump: pick, end: '\0' }))]
}

/** Finds a loop that reads a text in two ways: two paths that split and meet again where they began. */
const twice = (automaton) => {
  const { states } = automaton
  for (const members of loopsOf(automaton))
    for (const head of headsOf(states, members)) {
      const step = ([one, other, parted], kind) =>
        pairs(within(members, states[one].to[kind]), within(members, states[other].to[kind])).map(
          ([to, beside]) => [
            to,
            beside,
            parted || to !== beside || (one === other && states[one].next[kind].get(to) > 1) ? 1 : 0,
          ],
        )
      const pump = walk(
        automaton,
        [head, head, 0],
        step,
        ([one, other, parted]) => one === head && other === head && parted === 1,
      )
      if (pump !== undefined) return told(automaton, 'exponential', head, head, pump)
    }
  return undefined
}

/** Finds two loops that read the same text, where that text also leads from the first to the second. */
const inTurn = (automaton) => {
  const { states } = automaton
  const loops = loopsOf(automaton)
  for (const first of loops)
    for (const p of headsOf(states, first)) {
      const reached = reachedFrom(states, p)
      for (const second of loops)
        for (const q of second) {
          if (p === q || states[q].content || !reached.has(q)) continue
          const step = ([a, m, b], kind) => {
            const ends = pairs(within(first, states[a].to[kind]), within(second, states[b].to[kind]))
            return ends.flatMap(([one, other]) => states[m].to[kind].map((middle) => [one, middle, other]))
          }
          const pump = walk(automaton, [p, p, q], step, ([a, m, b]) => a === p && m === q && b === q)
          if (pump !== undefined) return told(automaton, 'polynomial', p, q, pump)
        }
    }
  return undefined
}

const within = (members, some) => some.filter((n) => members.has(n))

const pairs = (ones, others) => ones.flatMap((one) => others.map((other) => [one, other]))

const loopsOf = ({ states, parts }) =>
  [...new Set(parts)].filter((members) => members.size > 1 || [...members].some((n) => states[n].all.has(n)))

/** Returns at least one state of every loop: the states that a walk returns to. */
const headsOf = (states, members) => {
  const [heads, open, seen] = [new Set(), new Set(), new Set()]
  const visit = (n) => {
    seen.add(n)
    open.add(n)
    for (const to of states[n].all) {
      if (open.has(to)) heads.add(to)
      else if (members.has(to) && !seen.has(to)) visit(to)
    }
    open.delete(n)
  }
  for (const n of members) if (!seen.has(n)) visit(n)
  return heads
}

const reachedFrom = (states, from) => {
  const seen = new Set()
  const open = [from]
  for (let n = open.pop(); n !== undefined; n = open.pop())
    for (const to of states[n].all) {
      if (seen.has(to)) continue
      seen.add(to)
      open.push(to)
    }
  return seen
}

const pathTo = (automaton, from, to, may) =>
  walk(
    automaton,
    [from],
    ([n], kind) => automaton.states[n].to[kind].filter(may).map((next) => [next]),
    ([n]) => n === to,
  )

/** Returns the shortest text that leads from a start to a goal. */
const walk = ({ picks }, from, step, isThere) => {
  const seen = new Set([from.join()])
  let steps = 0
  for (let open = [{ state: from, text: '' }]; open.length > 0; ) {
    const next = []
    for (const { state, text } of open)
      for (const [kind, pick] of picks.entries())
        for (const to of step(state, kind)) {
          steps += 1
          if (steps > mostSteps) throw new Error('the expression is too large to be judged')
          if (isThere(to)) return text + pick
          const key = to.join()
          if (seen.has(key)) continue
          seen.add(key)
          next.push({ state: to, text: text + pick })
        }
    open = next
  }
  return undefined
}

/** Returns a character after which the fewest states are reachable. */
const failing = ({ states, picks }, n) => {
  const left = states[n].to.map((reached) => reached.length)
  return picks[left.indexOf(Math.min(...left))]
}

const told = (automaton, kind, p, q, pump) => ({
  kind,
  prefix: p === 0 ? '' : (pathTo(automaton, 0, p, () => true) ?? ''),
  pump,
  end: failing(automaton, q),
})
