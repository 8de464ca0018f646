/**
 * A daemon of 1, 100 and 1000 personas of the practice mind, left in order: how soon it answers, how soon all
 * run, and what it takes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { startRunning } from './running.ts'

const factsOfEach = 60

export const many = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const personas of [1, 100, 1000]) figures.push(...(await measure(personas)))
  return figures
}

const measure = async (personas: number): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, Array<number>(personas).fill(factsOfEach))
  const { listed: answers, run, memory, close } = await startRunning(home)
  const held = await memory()
  await close()
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
      value: held,
      unit: 'MB',
      goal: '< 600 MB',
      met: held < 600,
    },
  ]
}
