/** Which folders under `personas/` may be those of personas. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { PersonaId } from '../facts/fact-values.ts'
import { isPersonaId } from '../log/persona-id.ts'
import { personasFolder } from './places.ts'

/**
 * Folders whose names could name a persona; plain files and the like never count. A link counts only if it
 * leads out of `personas/`, to a folder that no other link leads to: LevelDB would open one journal twice,
 * and spoil it.
 */
export const personaFolders = async (home: string): Promise<readonly PersonaId[]> => {
  const root = personasFolder(home)
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const targets = new Set<string>()
  const isOwn = async (link: string): Promise<boolean> => {
    const [inside, target] = await Promise.all([realpath(root), realpath(link)])
    if (`${target}${sep}`.startsWith(`${inside}${sep}`) || targets.has(target)) return false
    targets.add(target)
    return (await stat(target)).isDirectory()
  }
  const found: PersonaId[] = []
  for (const entry of entries) {
    if (!isPersonaId(entry.name)) continue
    const isFolder = entry.isSymbolicLink()
      ? await isOwn(join(root, entry.name)).catch(() => false)
      : entry.isDirectory()
    if (isFolder) found.push(entry.name)
  }
  return found
}
