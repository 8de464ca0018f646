/** Checks whether the build matches the source tree. Imports only Node's own modules. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (...path) => join(root, ...path)

/** Returns a hash of all files that a build depends on. */
export const builtNow = () =>
  hash([
    ...['packages', 'journal', 'facts', 'home', 'projections', 'src', 'web'].flatMap(filesIn),
    ...['build', 'licences', 'processes', 'publish'].map((name) => `scripts/${name}.mjs`),
    'LICENSE',
    'README.md',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])

/** Returns whether `dist/` was built from the current source tree. */
export const isBuilt = () =>
  existsSync(inRoot('dist', 'main.js')) &&
  existsSync(inRoot('dist', '.daimon')) &&
  readFileSync(inRoot('dist', '.daimon'), 'utf8') === builtNow()

const filesIn = (folder) =>
  existsSync(inRoot(folder))
    ? readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'api-types.ts')
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
        .sort()
    : []

/** Hashes the paths and contents of files. A missing file counts as empty. */
export const hash = (paths) => {
  const sum = createHash('sha256')
  for (const path of paths) {
    const bytes = existsSync(inRoot(path)) ? readFileSync(inRoot(path)) : ''
    sum.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return sum.digest('hex')
}
