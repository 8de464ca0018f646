/** The built daemon on a home that was left in order, from spawning it until all its personas run. */
import { startProcess } from '../test/process/daemon.ts'
import { once } from './load.ts'
import { megabytes } from './long-work.ts'

export interface Running {
  readonly pid: number | undefined
  readonly url: string
  /** Of its personas, all of which run. */
  readonly ids: readonly string[]
  /** Milliseconds from spawning it. */
  readonly listed: number
  readonly run: number
  /** Megabytes it holds by now. */
  memory(): Promise<number>
  close(): Promise<unknown>
}

/** `count`: of personas that the list has in the end, where it may begin with fewer. */
export const startRunning = async (
  home: string,
  env: Record<string, string> = {},
  count = 0,
): Promise<Running> => {
  const began = performance.now()
  const { url, child, kill } = await startProcess({ home, env })
  const list = async () =>
    (JSON.parse(await once(undefined, { url: `${url}/api/personas` })) as List).personas
  await list()
  const listed = performance.now() - began
  let personas = await list()
  while (personas.length < count || !personas.every(({ running }) => running)) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    personas = await list()
  }
  const run = performance.now() - began
  return {
    pid: child.pid,
    url,
    ids: personas.map(({ id }) => id),
    listed,
    run,
    memory: () => megabytes(child.pid, 'VmRSS'),
    close: () => kill('SIGTERM'),
  }
}

/** Resolves with the answer once the first of its personas has said what it has to say. */
export const exchangeWith = ({ url, ids: [id] }: Running, n: number): Promise<string> =>
  once(undefined, {
    ...{ url: `${url}/api/persona/${id}/read?wait=60`, method: 'POST' },
    body: () => JSON.stringify({ message: `Message ${n}, with some words in it as people say them.` }),
  })

interface List {
  readonly personas: readonly { readonly id: string; readonly running: boolean }[]
}
