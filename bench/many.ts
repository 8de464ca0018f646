/**
 * A daemon of 1, 100 and 1000 personas of the practice mind, left in order: how soon it answers, how soon all
 * run, and what it takes.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import { startProcess } from '../test/process/daemon.ts'
import type { Figure } from './figure.ts'
import { once } from './load.ts'

const factsOfEach = 60

export const many = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const personas of [1, 100, 1000]) figures.push(...(await measure(personas)))
  return figures
}

const measure = async (personas: number): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, Array<number>(personas).fill(factsOfEach))
  const began = performance.now()
  const daemon = await startProcess({ home })
  const list = async () =>
    (JSON.parse(await once(undefined, { url: `${daemon.url}/api/personas` })) as List).personas
  await list()
  const answers = performance.now() - began
  while (!(await list()).every(({ running }) => running))
    await new Promise((resolve) => setTimeout(resolve, 20))
  const run = performance.now() - began
  const status = await readFile(`/proc/${daemon.child.pid}/status`, 'utf8')
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  await daemon.kill('SIGTERM')
  await rm(home, { recursive: true, force: true })
  return [
    {
      what: `start, ${personas} personas, spawn to the first list`,
      value: answers,
      unit: 'ms',
      goal: '< 1000 ms',
      met: answers < 1000,
    },
    {
      what: `start, ${personas} personas, spawn to all running`,
      value: run,
      unit: 'ms',
      goal: '< 10 000 ms',
      met: run < 10_000,
    },
    {
      what: `memory, ${personas} personas running`,
      value: megabytes,
      unit: 'MB',
      goal: '< 600 MB',
      met: megabytes < 600,
    },
  ]
}

interface List {
  readonly personas: readonly { readonly running: boolean }[]
}
