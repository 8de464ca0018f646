/** Writes a build to `dist/`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Writes each file and renames it into place, `main.js` last, so that a daemon that starts meanwhile is
 * completely old or completely new. Then removes files that neither this build nor the previous one wrote,
 * their compiled code, and the stamp of `ready.mjs`. Files of the previous build stay, because a running
 * daemon may still load its chunks. The published package contains only this build, without its source maps.
 */
export const publish = (dist, files) => {
  const last = join(dist, 'main.js')
  const list = join(dist, '.files')
  const listBefore = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
  const ownPaths = new Set([...files.keys()].map((path) => relative(dist, path)))
  const ignoredPaths = [
    '*.map',
    '.daimon',
    '.files',
    'compiled',
    ...listBefore.filter((path) => !ownPaths.has(path)),
  ]
  files.set(join(dist, '.npmignore'), `${ignoredPaths.join('\n')}\n`)
  files.set(list, [...files.keys()].map((path) => relative(dist, path)).join('\n'))
  for (const [path, contents] of [...files].sort(
    ([left], [other]) => Number(left === last) - Number(other === last),
  )) {
    mkdirSync(dirname(path), { recursive: true })
    const draft = `${path}.${process.pid}.new`
    writeFileSync(draft, contents, { mode: path === last ? 0o755 : 0o644 })
    renameSync(draft, path)
  }
  const keptPaths = [...files.keys(), ...listBefore.map((path) => join(dist, path))]
  removeUnwritten(dist, new Set(keptPaths.flatMap((path) => [path, ...getFolders(dist, path)])))
}

const getFolders = (dist, path) => (path === dist ? [] : [dirname(path), ...getFolders(dist, dirname(path))])

const removeUnwritten = (folder, writtenPaths) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!writtenPaths.has(path)) rmSync(path, { recursive: true, force: true })
    else if (entry.isDirectory()) removeUnwritten(path, writtenPaths)
  }
}
