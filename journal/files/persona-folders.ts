/** Lists the folders under `personas/` that may be personas. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { PersonaId } from '../../facts/fact-values.ts'
import { isPersonaId } from '../log/persona-id.ts'
import { personasFolder } from './places.ts'

/**
 * Returns folders whose name is a valid id. Files never count. A symbolic link counts only if its target is
 * outside `personas/` and no other link has the same target: LevelDB would open one journal twice and corrupt
 * it.
 */
export const personaFolders = async (home: string): Promise<readonly PersonaId[]> => {
  const root = personasFolder(home)
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const targets = new Set<string>()
  const isOwn = async (link: string): Promise<boolean> => {
    const [rootPath, target] = await Promise.all([realpath(root), realpath(link)])
    if (`${target}${sep}`.startsWith(`${rootPath}${sep}`) || targets.has(target)) return false
    targets.add(target)
    return (await stat(target)).isDirectory()
  }
  const ids: PersonaId[] = []
  for (const entry of entries) {
    if (!isPersonaId(entry.name)) continue
    const isFolder = entry.isSymbolicLink()
      ? await isOwn(join(root, entry.name)).catch(() => false)
      : entry.isDirectory()
    if (isFolder) ids.push(entry.name)
  }
  return ids
}
