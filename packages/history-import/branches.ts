/**
 * Conversations that are stored as trees: every edit and every second answer starts a branch, and one path is
 * the final conversation.
 */

import { type Loose, toLoose, toText, toTime } from './loose-values.ts'

export interface Twig {
  readonly parent: string | null
  /** Milliseconds, or null if it is unknown. */
  readonly time: number | null
  /** True for a node without a message, such as the root of some trees. */
  readonly isBare: boolean
}

/**
 * Returns the path from the root to the tip. If the tip is not in the tree, the path leads to the newest
 * leaf. A circle ends where it closes.
 */
export const pathTo = (tip: string | null, tree: ReadonlyMap<string, Twig>): readonly string[] => {
  const path: string[] = []
  const visitedIds = new Set<string>()
  let next = tip !== null && tree.has(tip) ? tip : newestLeaf(tree)
  while (next !== null && !visitedIds.has(next)) {
    const twig = tree.get(next)
    if (!twig) break
    visitedIds.add(next)
    path.push(next)
    next = twig.parent
  }
  return path.reverse()
}

/** How to read the id, the parent and the time of a message in a list. */
export interface Threads {
  readonly id: (message: Loose) => unknown
  readonly parent: (message: Loose) => unknown
  readonly time: (message: Loose) => unknown
}

/**
 * Returns the messages of the branch with the newest message. Several roots with one origin are edits of the
 * first message. If there are several roots, or no message knows its parent, the tree is incomplete and all
 * messages are returned.
 */
export const spokenBranch = (
  messages: readonly Loose[],
  threads: Threads,
  tip: unknown,
): readonly Loose[] => {
  const byId = new Map<string, Loose>()
  for (const message of messages) byId.set(toText(threads.id(message)), message)
  const tree = new Map<string, Twig>()
  const beginnings = new Set<unknown>()
  for (const [id, message] of byId) {
    const parent = threads.parent(message)
    const isKnown = typeof parent === 'string' && byId.has(parent)
    if (!isKnown) beginnings.add(parent)
    tree.set(id, { parent: isKnown ? parent : null, time: toTime(threads.time(message)), isBare: false })
  }
  const wholeConversation =
    byId.size === messages.length &&
    beginnings.size <= 1 &&
    [...tree.values()].some(({ parent }) => parent !== null)
  if (!wholeConversation) return messages
  return pathTo(typeof tip === 'string' ? tip : null, tree).map((id) => toLoose(byId.get(id)))
}

/**
 * If leaves have the same time, or none, the last one in the file counts. If circles have no leaf, the newest
 * node counts.
 */
const newestLeaf = (tree: ReadonlyMap<string, Twig>): string | null => {
  const parents = new Set([...tree.values()].map(({ parent }) => parent))
  const messageNodes = [...tree].filter(([, { isBare }]) => !isBare)
  const leaves = messageNodes.filter(([id]) => !parents.has(id))
  let newestMessage: readonly [id: string, time: number] | undefined
  for (const [id, { time }] of leaves.length > 0 ? leaves : messageNodes) {
    if (!newestMessage || (time ?? 0) >= newestMessage[1]) newestMessage = [id, time ?? 0]
  }
  return newestMessage?.[0] ?? null
}
