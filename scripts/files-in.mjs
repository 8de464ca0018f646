/** Returns the paths of all files in some folders, relative to the root. A missing folder has no files. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const filesIn = (root, folders) =>
  folders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`)
      : [],
  )

/** Returns the absolute paths of the folders `packages/<name>/test`. */
export const testFoldersOfPackages = (root) => {
  const packages = join(root, 'packages')
  if (!existsSync(packages)) return []
  return readdirSync(packages)
    .map((name) => join(packages, name, 'test'))
    .filter((folder) => existsSync(folder))
}
