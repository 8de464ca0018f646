/**
 * Measures a daemon with 1, 100 and 1000 personas of the practice mind after a clean shutdown: time to the
 * first response, time until all run, and memory; memory of 100 personas around their first nightly
 * consolidation; and memory of a daemon without personas.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { sendOnce } from './load.ts'
import { startRunning } from './running-daemon.ts'

const factsOfEach = 60

export const measureMany = async (): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const personas of [1, 100, 1000]) figures.push(...(await measure(personas)))
  return [...figures, ...(await nights()), await idle()]
}

const aHundred = 100
const aMinute = 65_000

/**
 * Each persona consolidates a hundred facts in its first night. The nights are started one after another
 * right after the start.
 */
const nights = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, Array<number>(aHundred).fill(aHundred))
  const first = await startRunning(home)
  for (const id of first.ids)
    await sendOnce(undefined, { url: `${first.url}/api/persona/${id}/sleep`, method: 'POST' })
  const memoryAfter = await first.memory()
  await new Promise((resolve) => setTimeout(resolve, aMinute))
  const memoryLater = await first.memory()
  await first.close()
  const second = await startRunning(home)
  const memoryAgain = await second.memory()
  await second.close()
  await rm(home, { recursive: true, force: true })
  return [
    toMemoryFigure(`${aHundred} personas, after the first night of each`, memoryAfter, 140),
    toMemoryFigure(`${aHundred} personas, a minute later`, memoryLater),
    toMemoryFigure(`${aHundred} personas, at a second start`, memoryAgain, 95),
  ]
}

/** Measured one minute after the start, with the list as the only request. */
const idle = async (): Promise<Figure> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const { memory, close } = await startRunning(home)
  await new Promise((resolve) => setTimeout(resolve, aMinute))
  const memoryMb = await memory()
  await close()
  await rm(home, { recursive: true, force: true })
  return toMemoryFigure('no persona, a minute after the start', memoryMb, 75)
}

const toMemoryFigure = (name: string, value: number, maxMb?: number): Figure => ({
  label: `memory, ${name}`,
  value,
  unit: 'MB',
  ...(maxMb === undefined ? { goal: 'none', isMet: true } : { goal: `< ${maxMb} MB`, isMet: value < maxMb }),
})

const measure = async (personas: number): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, Array<number>(personas).fill(factsOfEach))
  const { listMs: answers, runMs, memory, close } = await startRunning(home)
  const memoryMb = await memory()
  await close()
  await rm(home, { recursive: true, force: true })
  return [
    {
      label: `start, ${personas} personas, spawn to the first list`,
      value: answers,
      unit: 'ms',
      goal: '< 1000 ms',
      isMet: answers < 1000,
    },
    {
      label: `start, ${personas} personas, spawn to all running`,
      value: runMs,
      unit: 'ms',
      goal: '< 10 000 ms',
      isMet: runMs < 10_000,
    },
    {
      label: `memory, ${personas} personas running`,
      value: memoryMb,
      unit: 'MB',
      goal: '< 600 MB',
      isMet: memoryMb < 600,
    },
  ]
}
