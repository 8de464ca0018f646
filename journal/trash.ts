/** What is on its way in or out of a home, and journals that a diary has taken the place of, which stay for a while. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersonaId } from './events.ts'
import { trashFolder } from './home.ts'
import { present } from './level-places.ts'

/** Milliseconds for which a journal is kept whose place another has taken. */
const keptFor = 30 * 24 * 60 * 60 * 1000

/** What was on its way when the process ended goes. Only while nothing else is. */
export const clearTrash = async (home: string): Promise<void> => {
  const parted = new Set((await partedIn(home)).map(({ path }) => path))
  if (parted.size === 0) return rm(trashFolder(home), { recursive: true, force: true })
  const all = ((await present(readdir(trashFolder(home)))) ?? []).map((name) => join(trashFolder(home), name))
  for (const path of all) if (!parted.has(path)) await rm(path, { recursive: true, force: true })
}

/** Those go that were kept for long enough. `now`: epoch milliseconds. */
export const clearParted = async (home: string, now: number): Promise<void> => {
  for (const { path, at } of await partedIn(home)) if (now - at >= keptFor) await rm(path, { recursive: true, force: true })
}

export const dropParted = async (home: string, id: PersonaId): Promise<void> => {
  for (const parted of await partedIn(home)) if (parted.id === id) await rm(parted.path, { recursive: true, force: true })
}

/** Whose they were, and since when they lie there. */
const partedIn = async (home: string): Promise<readonly { readonly path: string; readonly id: string; readonly at: number }[]> => {
  const names = (await present(readdir(trashFolder(home)))) ?? []
  return names.flatMap((name) => {
    const [, id, date, time] = /^parted-(.+)-(\d{8})T(\d{6})\d{3}Z$/.exec(name) ?? []
    if (id === undefined || date === undefined || time === undefined) return []
    const at = Date.parse(`${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
    return [{ path: join(trashFolder(home), name), id, at }]
  })
}
