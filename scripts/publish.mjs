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
  const before = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
  const own = new Set([...files.keys()].map((path) => relative(dist, path)))
  const unpacked = ['*.map', '.daimon', '.files', 'compiled', ...before.filter((path) => !own.has(path))]
  files.set(join(dist, '.npmignore'), `${unpacked.join('\n')}\n`)
  files.set(list, [...files.keys()].map((path) => relative(dist, path)).join('\n'))
  for (const [path, contents] of [...files].sort(
    ([one], [other]) => Number(one === last) - Number(other === last),
  )) {
    mkdirSync(dirname(path), { recursive: true })
    const staged = `${path}.${process.pid}.new`
    writeFileSync(staged, contents, { mode: path === last ? 0o755 : 0o644 })
    renameSync(staged, path)
  }
  const kept = [...files.keys(), ...before.map((path) => join(dist, path))]
  clean(dist, new Set(kept.flatMap((path) => [path, ...foldersOf(dist, path)])))
}

const foldersOf = (dist, path) => (path === dist ? [] : [dirname(path), ...foldersOf(dist, dirname(path))])

const clean = (folder, written) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!written.has(path)) rmSync(path, { recursive: true, force: true })
    else if (entry.isDirectory()) clean(path, written)
  }
}
