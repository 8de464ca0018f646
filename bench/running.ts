/** The built daemon on a home that was left in order, from spawning it until all its personas run. */
import { startProcess } from '../test/process/daemon.ts'
import { once } from './load.ts'
import { megabytes } from './long-work.ts'

export interface Running {
  readonly pid: number | undefined
  readonly url: string
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
  for (let isReady = false; !isReady; ) {
    const personas = await list()
    isReady = personas.length >= count && personas.every(({ running }) => running)
    if (!isReady) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const run = performance.now() - began
  return {
    pid: child.pid,
    url,
    listed,
    run,
    memory: () => megabytes(child.pid, 'VmRSS'),
    close: () => kill('SIGTERM'),
  }
}

interface List {
  readonly personas: readonly { readonly running: boolean }[]
}
