/** Starts the built daemon on a home after a clean shutdown, and waits until all its personas run. */
import { startProcess } from '../test/process/daemon.ts'
import { sendOnce } from './load.ts'
import { megabytes } from './long-work.ts'

export interface RunningDaemon {
  readonly pid: number | undefined
  readonly url: string
  /** Ids of its personas, all of them running. */
  readonly ids: readonly string[]
  /** Milliseconds from spawning to the first list. */
  readonly listMs: number
  readonly runMs: number
  /** Current memory in megabytes. */
  memory(): Promise<number>
  close(): Promise<unknown>
}

/** `count`: the number of personas that the list must reach; it may begin with fewer. */
export const startRunning = async (
  home: string,
  env: Record<string, string> = {},
  count = 0,
): Promise<RunningDaemon> => {
  const startedAt = performance.now()
  const { url, child, kill } = await startProcess({ home, env })
  const list = async () =>
    (JSON.parse(await sendOnce(undefined, { url: `${url}/api/personas` })) as List).personas
  await list()
  const listedMs = performance.now() - startedAt
  let personas = await list()
  while (personas.length < count || !personas.every(({ running }) => running)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    personas = await list()
  }
  const runMs = performance.now() - startedAt
  return {
    pid: child.pid,
    url,
    ids: personas.map(({ id }) => id),
    listMs: listedMs,
    runMs: runMs,
    memory: () => megabytes(child.pid, 'VmRSS'),
    close: () => kill('SIGTERM'),
  }
}

/** Sends a message to the first persona and resolves to its complete reply. */
export const exchangeWith = ({ url, ids: [id] }: RunningDaemon, n: number): Promise<string> =>
  sendOnce(undefined, {
    url: `${url}/api/persona/${id}/read?wait=60`,
    method: 'POST',
    body: () => JSON.stringify({ message: `Message ${n}, with some words in it as people say them.` }),
  })

interface List {
  readonly personas: readonly { readonly id: string; readonly running: boolean }[]
}
