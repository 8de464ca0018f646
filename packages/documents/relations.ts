/** Reads the relationships between the parts of an office package (ECMA-376, part 2). */
import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { type Limits, Unreadable } from './limits.ts'
import { getAttribute, listen } from './markup.ts'

export interface Relation {
  /** Last segment of the type URI, which is the same in both versions of the standard. */
  readonly type: string
  /** Path of a part of the package. */
  readonly target: string
}

export type Relations = ReadonlyMap<string, Relation>

/**
 * Reads the relationships of a part by id, or of the package if `part` is ''. External targets are ignored
 * and never fetched.
 */
export const readRelations = async (archive: Archive, part: string, limits: Limits): Promise<Relations> => {
  const relations = new Map<string, Relation>()
  const file = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)
  if (!archive.has(file)) return relations
  await listen(archive.read(file), limits, {
    open: (name, attributes) => {
      const [id, type, target] = ['Id', 'Type', 'Target'].map((key) => getAttribute(attributes, key))
      if (name !== 'Relationship' || !id || !type || !target || attributes.TargetMode === 'External') return
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolvePart(part, target) })
    },
  })
  return relations
}

/** Resolves a target relative to another part. The result may not exist. */
export const resolvePart = (from: string, target: string): string => {
  const path = decode(target.replace(/[?#].*$/s, ''))
  return posix.join('/', path.startsWith('/') ? '' : posix.dirname(from), path).slice(1)
}

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // The target is not percent-encoded.
  }
}

/** Returns the path of the main part, which refers to all others. Throws `Unreadable`. */
export const mainPart = async (archive: Archive, limits: Limits): Promise<string> => {
  const [main] = getTargets(await readRelations(archive, '', limits), 'officeDocument')
  if (main === undefined || !archive.has(main)) throw new Unreadable('damaged')
  return main
}

export const getTargets = (relations: Relations, type: string): readonly string[] =>
  [...relations.values()].filter((relation) => relation.type === type).map(({ target }) => target)
