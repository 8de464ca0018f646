/**
 * The content of a folder in memory: read from the disk, changed as a power cut changes it, and written to
 * another folder.
 */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { Chance } from '../random.ts'

/** By path within the folder; null is a folder. */
export type Tree = ReadonlyMap<string, Buffer | null>

export const readTree = (home: string, name: string): Tree => {
  const tree = new Map<string, Buffer | null>()
  const readNode = (path: string) => {
    const stats = fs.statSync(join(home, path), { throwIfNoEntry: false })
    if (!stats) return
    if (path !== '') tree.set(path, null)
    if (stats.isDirectory())
      for (const inside of fs.readdirSync(join(home, path)))
        readNode(path === '' ? inside : `${path}/${inside}`)
    else tree.set(path, readExisting(join(home, path)) ?? null)
  }
  readNode(name)
  return tree
}

/** LevelDB can remove files at any time. */
const readExisting = (path: string): Buffer | undefined => {
  try {
    return fs.readFileSync(path)
  } catch {
    return undefined
  }
}

export const writeTree = (home: string, tree: Tree): void => {
  for (const [name, bytes] of tree) {
    fs.mkdirSync(join(home, bytes ? dirname(name) : name), { recursive: true, mode: 0o700 })
    if (bytes) fs.writeFileSync(join(home, name), bytes, { mode: 0o600 })
  }
}

/** Returns the entries of a path and everything below it; '' is all. */
export const entriesBelow = <T>(
  map: ReadonlyMap<string, T>,
  name: string,
): readonly (readonly [string, T])[] =>
  [...map].filter(([path]) => name === '' || path === name || path.startsWith(`${name}/`))

export const toMovedPath = (path: string, source: string, target: string): string =>
  target + path.slice(source.length)

/** Bytes of a file that are not durable may be kept, be cut off anywhere, or be replaced from anywhere on. */
export const tearBytes = (bytes: Buffer, sure: number, chance: Chance): Buffer => {
  if (bytes.length <= sure) return bytes
  const offset = chance.pick([
    sure,
    chance.pickBetween(sure, bytes.length),
    chance.pickBetween(sure, bytes.length),
  ])
  const keptBytes = bytes.subarray(0, offset)
  const rest = bytes.length - offset
  return chance.pick([
    () => bytes,
    () => keptBytes,
    () => Buffer.concat([keptBytes, Buffer.alloc(rest)]),
    () =>
      Buffer.concat([keptBytes, Buffer.from(Array.from({ length: rest }, () => chance.pickBetween(0, 255)))]),
  ])()
}

/**
 * Undoes an opening: CURRENT points to the old manifest, files removed since then are back, and files created
 * since then are partial or missing, except the logs.
 */
export const undoOpening = (
  tree: Map<string, Buffer | null>,
  folder: string,
  treeBefore: Tree,
  chance: Chance,
): void => {
  for (const [name, bytes] of entriesBelow(tree, folder)) {
    if (treeBefore.has(name) || name.endsWith('.log') || bytes === null) continue
    if (chance.next() < 0.5) tree.delete(name)
    else tree.set(name, tearBytes(bytes, 0, chance))
  }
  for (const [name, bytes] of treeBefore) tree.set(name, bytes)
}
