/** How what was built comes to lie in `dist/`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Each file by a rename, `main.js` last: a daemon that starts meanwhile is all old or all new. Then goes what
 * neither this build nor the one before wrote, what was compiled of them, and the stamp of `ready.mjs`: a
 * daemon that runs still asks for chunks of the build it was started from. What is packed is this build
 * alone, without its maps, in which the sources stand.
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
