/** What a long piece of work took, and what it is compared with. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import type { PersonaId } from '../journal/facts/fact-values.ts'
import { journalFolder, personaFolder, syncWhole } from '../journal/files/places.ts'
import { openLevelStores } from '../journal/leveldb/level-stores.ts'
import type { Journals } from '../journal/log/journal.ts'
import { openJournals } from '../journal/log/journals.ts'
import { fold } from '../src/persona/fold.ts'
import { once } from './load.ts'

export const seconds = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1000
}

/** As much as a copied folder is worth: its last state, and nothing looked at behind its newest snapshot. */
export const copied = async (from: string, id: PersonaId, home: string): Promise<void> => {
  await mkdir(personaFolder(home, id), { recursive: true })
  await cp(journalFolder(from, id), journalFolder(home, id), { recursive: true })
  await syncWhole(journalFolder(home, id))
  await woken(await journalsIn(home), id)
}

export const journalsIn = async (home: string): Promise<Journals> =>
  openJournals({ stores: await openLevelStores(home), witness: async () => undefined })

export const woken = async (journals: Journals, id: PersonaId): Promise<void> => {
  const journal = await journals.open(id, 'writer')
  await fold(journal)
  await journal.close()
}

/**
 * Seconds of a processor, its own and those of the processes that it has ended; Linux counts in hundredths.
 */
export const worked = async (pid: number | undefined): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

export const megabytes = async (pid: number | undefined, field: string): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

/**
 * What a daemon's work on one request took: seconds, megabytes, and milliseconds that others waited at most.
 */
export interface Watched {
  readonly took: number
  readonly waited: number
  readonly memory: number
  readonly work: number
}

/** `look`: what others ask it meanwhile, twenty times a second. */
export const watched = async (
  pid: number | undefined,
  look: () => Promise<unknown>,
  act: () => Promise<unknown>,
): Promise<Watched> => {
  const before = await megabytes(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const working = await worked(pid)
  let waited = 0
  const looking = setInterval(
    () =>
      void seconds(look)
        .catch(() => 0)
        .then((took) => {
          waited = Math.max(waited, 1000 * took)
        }),
    50,
  )
  try {
    const took = await seconds(act)
    return {
      ...{ took, waited },
      memory: (await megabytes(pid, 'VmHWM')) - before,
      work: (await worked(pid)) - working,
    }
  } finally {
    clearInterval(looking)
  }
}

/**
 * What creating a persona takes: next to nothing but the 64 MiB from which the key of its phrase is made,
 * which forking one and bringing one back take as well.
 */
export const created = async (url: string, pid: number | undefined): Promise<Watched> =>
  watched(
    pid,
    async () => undefined,
    () =>
      once(undefined, {
        ...{ url: `${url}/api/persona/create`, method: 'POST' },
        body: () => JSON.stringify({ name: 'Ada', thinking_model: 'embedded/practice' }),
      }),
  )

/**
 * Until it has nothing left to do that was not asked of it, such as an index to make: two minutes at most.
 */
export const quiet = async (pid: number | undefined): Promise<void> => {
  for (let n = 0; n < 60; n++) {
    const before = await worked(pid)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    if ((await worked(pid)) - before < 0.1) return
  }
}
