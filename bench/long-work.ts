/** Measures the resources of one long operation and of its baseline. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { type Journals, openPersonaJournals } from '../facts/persona-journal.ts'
import { openHomeStores } from '../home/home-stores.ts'
import { journalFolder, personaFolder } from '../home/places.ts'
import { syncWhole } from '../journal/leveldb/durable-files.ts'
import { fold } from '../src/persona/fold.ts'
import { sendOnce } from './load.ts'

export const seconds = async (act: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await act()
  return (performance.now() - startedAt) / 1000
}

/** The baseline: copies the journal and opens it, without checking facts behind its newest snapshot. */
export const copyPersona = async (source: string, id: PersonaId, home: string): Promise<void> => {
  await mkdir(personaFolder(home, id), { recursive: true })
  await cp(journalFolder(source, id), journalFolder(home, id), { recursive: true })
  await syncWhole(journalFolder(home, id))
  await wakePersona(await journalsIn(home), id)
}

export const journalsIn = async (home: string): Promise<Journals> =>
  openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })

export const wakePersona = async (journals: Journals, id: PersonaId): Promise<void> => {
  const journal = await journals.open(id, 'writer')
  await fold(journal)
  await journal.close()
}

/** CPU seconds of a process and of its children that have ended. Linux counts in hundredths of a second. */
export const readCpuMs = async (pid: number | undefined): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

export const megabytes = async (pid: number | undefined, field: string): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

/** Resources of one request: seconds, megabytes, and the longest wait of other requests in ms. */
export interface WatchedUse {
  readonly took: number
  readonly waitedMs: number
  readonly memory: number
  readonly work: number
}

/** `look`: another request that is made twenty times per second meanwhile. */
export const measureWatched = async (
  pid: number | undefined,
  look: () => Promise<unknown>,
  act: () => Promise<unknown>,
): Promise<WatchedUse> => {
  const memoryBefore = await megabytes(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const cpuMs = await readCpuMs(pid)
  let waitedMs = 0
  const lookTimer = setInterval(
    () =>
      void seconds(look)
        .catch(() => 0)
        .then((took) => {
          waitedMs = Math.max(waitedMs, 1000 * took)
        }),
    50,
  )
  try {
    const took = await seconds(act)
    return {
      took,
      waitedMs: waitedMs,
      memory: (await megabytes(pid, 'VmHWM')) - memoryBefore,
      work: (await readCpuMs(pid)) - cpuMs,
    }
  } finally {
    clearInterval(lookTimer)
  }
}

/**
 * Measures creating a persona. Almost all memory is the 64 MiB for deriving the key from its recovery phrase,
 * which forking and migrating need as well.
 */
export const measureCreation = async (url: string, pid: number | undefined): Promise<WatchedUse> =>
  measureWatched(
    pid,
    async () => undefined,
    () =>
      sendOnce(undefined, {
        url: `${url}/api/persona/create`,
        method: 'POST',
        body: () => JSON.stringify({ name: 'Ada', thinking_model: 'embedded/practice' }),
      }),
  )

/** Waits until background work such as indexing is done, at most two minutes. */
export const quiet = async (pid: number | undefined): Promise<void> => {
  for (let n = 0; n < 60; n++) {
    const cpuBefore = await readCpuMs(pid)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    if ((await readCpuMs(pid)) - cpuBefore < 0.1) return
  }
}
