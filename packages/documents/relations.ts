/** How the parts of an office's package refer to each other (ECMA-376, part 2). */
import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { type Limits, Unreadable } from './limits.ts'
import { getAttribute, listen } from './markup.ts'

export interface Relation {
  /** The last word of its type, which is the same in both spellings of the standard. */
  readonly type: string
  /** A part of the package. */
  readonly target: string
}

export type Relations = ReadonlyMap<string, Relation>

/**
 * Of a part, by id; of the package itself, when the part is ''. What leads out of the package is left out,
 * never followed.
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

/** The part that a target means, seen from another part. It may exist or not. */
export const resolvePart = (from: string, target: string): string => {
  const path = decode(target.replace(/[?#].*$/s, ''))
  return posix.join('/', path.startsWith('/') ? '' : posix.dirname(from), path).slice(1)
}

const decode = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path // not meant to be decoded, then
  }
}

/** The part that everything else is reached from. Throws `Unreadable`. */
export const mainPart = async (archive: Archive, limits: Limits): Promise<string> => {
  const [main] = getTargets(await readRelations(archive, '', limits), 'officeDocument')
  if (main === undefined || !archive.has(main)) throw new Unreadable('damaged')
  return main
}

export const getTargets = (relations: Relations, type: string): readonly string[] =>
  [...relations.values()].filter((relation) => relation.type === type).map(({ target }) => target)
