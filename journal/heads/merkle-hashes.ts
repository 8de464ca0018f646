/**
 * A Merkle tree of RFC 6962 over a growing list, with SHA-256. The hashes of complete subtrees are stored in
 * the order in which they become complete, so that a root or a proof reads only a few of them.
 */
import { createHash } from 'node:crypto'

/** Bytes of a hash. */
export const hashBytes = 32

/** Returns the hash of the complete subtree over the leaves from `index * 2 ** level` on. */
export type ReadHash = (level: number, index: number) => Buffer

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

const hashLeaf = (data: Uint8Array): Buffer => sha256(leafPrefix, data)
const hashNode = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodePrefix, left, right)

/** Returns the place of a stored hash. */
const storedIndex = (level: number, index: number): number => {
  let leaf = index
  for (let n = 0; n < level; n++) leaf = 2 * leaf + 1
  let place = level
  for (; leaf > 0; leaf = Math.floor(leaf / 2)) place += leaf
  return place
}

/** Returns the number of stored hashes of a tree with `size` leaves. */
export const countStored = (size: number): number => {
  if (size === 0) return 0
  let count = storedIndex(0, size - 1) + 1
  for (let leaf = size - 1; leaf % 2 === 1; leaf = Math.floor(leaf / 2)) count++
  return count
}

/** Reads treeHashes hashes from bytes. */
export const readFrom =
  (treeHashes: Buffer): ReadHash =>
  (level, index) => {
    const place = storedIndex(level, index) * hashBytes
    return treeHashes.subarray(place, place + hashBytes)
  }

/** Returns the hashes to store for a new leaf: its own, and those of the subtrees that it completes. */
export const hashesOfLeaf = (data: Uint8Array, index: number, readHash: ReadHash): readonly Buffer[] => {
  const hashes = [hashLeaf(data)]
  let position = index
  for (let level = 0; position % 2 === 1; level++) {
    const right = hashes[level] ?? Buffer.alloc(0)
    hashes.push(hashNode(readHash(level, position - 1), right))
    position = (position - 1) / 2
  }
  return hashes
}

/** Returns the largest power of two below `size`. */
const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

const isPowerOfTwo = (size: number): boolean => Number.isInteger(Math.log2(size))

const subtreeRoot = (readHash: ReadHash, from: number, to: number): Buffer => {
  const size = to - from
  if (isPowerOfTwo(size) && from % size === 0) return readHash(Math.log2(size), from / size)
  const middle = from + splitOf(size)
  return hashNode(subtreeRoot(readHash, from, middle), subtreeRoot(readHash, middle, to))
}

/** Returns the root of the tree over the first `size` leaves. */
export const rootOf = (readHash: ReadHash, size: number): Buffer =>
  size === 0 ? sha256() : subtreeRoot(readHash, 0, size)

/** Returns the hashes that lead from a leaf to the root, from the leaf up (RFC 6962, 2.1.1). */
export const proveInclusion = (readHash: ReadHash, index: number, size: number): readonly Buffer[] => {
  const prove = (from: number, to: number): Buffer[] => {
    if (to - from === 1) return []
    const middle = from + splitOf(to - from)
    return index < middle
      ? [...prove(from, middle), subtreeRoot(readHash, middle, to)]
      : [...prove(middle, to), subtreeRoot(readHash, from, middle)]
  }
  return prove(0, size)
}

/** Returns the hashes that show that a tree extends a smaller one (RFC 6962, 2.1.2). */
export const proveConsistency = (readHash: ReadHash, olderSize: number, size: number): readonly Buffer[] => {
  const prove = (from: number, to: number, isWhole: boolean): Buffer[] => {
    if (olderSize === to) return isWhole ? [] : [subtreeRoot(readHash, from, to)]
    const middle = from + splitOf(to - from)
    return olderSize <= middle
      ? [...prove(from, middle, isWhole), subtreeRoot(readHash, middle, to)]
      : [...prove(middle, to, false), subtreeRoot(readHash, from, middle)]
  }
  return olderSize === 0 ? [] : prove(0, size, true)
}

/** Checks an inclusion proof (RFC 9162, 2.1.3.2). */
export const isIncluded = (
  leaf: Uint8Array,
  index: number,
  tree: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean => {
  if (index >= tree.size) return false
  let [position, last] = [index, tree.size - 1]
  let hash = hashLeaf(leaf)
  for (const sibling of proof) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = hashNode(sibling, hash)
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)]
    } else hash = hashNode(hash, sibling)
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && hash.equals(tree.root)
}

/** Checks a consistency proof (RFC 9162, 2.1.4.2). */
export const isExtension = (
  olderTree: { readonly size: number; readonly root: Uint8Array },
  newer: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean => {
  if (olderTree.size === 0) return proof.length === 0
  if (olderTree.size > newer.size) return false
  if (olderTree.size === newer.size)
    return proof.length === 0 && Buffer.from(olderTree.root).equals(newer.root)
  const path = isPowerOfTwo(olderTree.size) ? [olderTree.root, ...proof] : [...proof]
  let [position, last] = [olderTree.size - 1, newer.size - 1]
  while (position % 2 === 1) [position, last] = [(position - 1) / 2, Math.floor(last / 2)]
  const [first, ...rest] = path
  if (!first) return false
  let olderHash: Buffer = Buffer.from(first)
  let newerHash = olderHash
  for (const sibling of rest) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      olderHash = hashNode(sibling, olderHash)
      newerHash = hashNode(sibling, newerHash)
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)]
    } else newerHash = hashNode(newerHash, sibling)
    position = Math.floor(position / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && olderHash.equals(olderTree.root) && newerHash.equals(newer.root)
}
