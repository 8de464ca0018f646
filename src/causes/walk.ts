/** Walks from a fact to its causes or to its effects. */
import type { Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { entryAt } from '../../journal/log/keys.ts'
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { Refused } from '../persona/refusals.ts'
import { createLinkFinder, type Edge, type LinkFinderDeps } from './link-finder.ts'

export interface Walk {
  readonly seq: Seq
  readonly direction: 'causes' | 'effects'
  /** Max links from the fact. */
  readonly depth: number
  /** Facts to return, besides the first one; null for all. The way leads through the others. */
  readonly types: ReadonlySet<string> | null
}

/** `entry` is null if the record cannot be read. */
export interface Node {
  readonly seq: Seq
  readonly entry: Entry | null
}

/** `cut`: a limit was reached, and there may be more facts within the depth. */
export interface Graph {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly cut: boolean
}

/** Max facts and links of an answer. */
export const maxNodes = 500
const maxEdges = 2000

interface Deps extends LinkFinderDeps {
  readonly maybeYield: MaybeYield
}

/** Throws Refused (fact_unknown), Damaged if the fact itself cannot be read, or JournalUnavailable. */
export const walkFrom = async ({ seq, direction, depth, types }: Walk, deps: Deps): Promise<Graph> => {
  const { journal, maybeYield } = deps
  if (seq > journal.head.seq && journal.damage) throw journal.damage
  const links = createLinkFinder(deps)
  const first = (await links.entryAt(seq)) ?? (await entryAt(journal, seq))
  if (!first) throw new Refused({ code: 'fact_unknown' })
  const nodes = new Map<Seq, Node>([[seq, { seq, entry: first }]])
  const edges: Edge[] = []
  let isCut = false
  let next: readonly Node[] = [...nodes.values()]
  for (let step = 0; step < depth && next.length > 0; step++) {
    const newNodes: Node[] = []
    for (const { entry } of next) {
      if (!entry) continue
      for (const edge of await links[direction](entry)) {
        const other = direction === 'causes' ? edge.from : edge.to
        if (edges.length >= maxEdges || (nodes.size >= maxNodes && !nodes.has(other))) {
          isCut = true
          continue
        }
        if (!nodes.has(other)) {
          const node = { seq: other, entry: await links.entryAt(other) }
          nodes.set(other, node)
          newNodes.push(node)
        }
        edges.push(edge)
      }
      await maybeYield()
    }
    next = newNodes
  }
  const graph = { nodes: [...nodes.values()], edges, cut: isCut || links.isCut() }
  return types ? onlyTypes(graph, seq, direction, types) : toSorted(graph)
}

const toSorted = ({ nodes, edges, cut }: Graph): Graph => ({
  nodes: nodes.toSorted((a, b) => a.seq - b.seq),
  edges: edges.toSorted((a, b) => a.from - b.from || a.to - b.to),
  cut,
})

/** Removes the facts of other types. A way that leads through them becomes one edge. */
const onlyTypes = (
  { nodes, edges, cut }: Graph,
  first: Seq,
  direction: Walk['direction'],
  types: ReadonlySet<string>,
): Graph => {
  const isShown = ({ seq, entry }: Node) => seq === first || (entry !== null && types.has(entry.type))
  const shownSeqs = new Set(nodes.filter(isShown).map(({ seq }) => seq))
  const [nearEnd, farEnd] = direction === 'causes' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  const edgesAt = new Map<Seq, Edge[]>()
  for (const edge of edges) {
    const others = edgesAt.get(edge[nearEnd])
    if (others) others.push(edge)
    else edgesAt.set(edge[nearEnd], [edge])
  }
  const shownEdges: Edge[] = []
  for (const seq of shownSeqs) {
    const directEdges = edgesAt.get(seq) ?? []
    const visitedSeqs = new Set(directEdges.map((edge) => edge[farEnd]))
    shownEdges.push(...directEdges.filter((edge) => shownSeqs.has(edge[farEnd])))
    const hiddenSeqs = [...visitedSeqs].filter((other) => !shownSeqs.has(other))
    for (let place = hiddenSeqs.pop(); place !== undefined; place = hiddenSeqs.pop()) {
      for (const edge of edgesAt.get(place) ?? []) {
        const other = edge[farEnd]
        if (visitedSeqs.has(other)) continue
        visitedSeqs.add(other)
        if (!shownSeqs.has(other)) hiddenSeqs.push(other)
        else shownEdges.push({ ...edge, [nearEnd]: seq, relation: 'through' })
      }
    }
  }
  return toSorted({ nodes: nodes.filter(({ seq }) => shownSeqs.has(seq)), edges: shownEdges, cut })
}
