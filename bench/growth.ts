/**
 * Measures how costs grow: the built daemon on homes of three sizes, each ten times as large. A cost that
 * grows faster than the home is a defect.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { journalFolder, searchFolder } from '../home/places.ts'
import { bytesIn } from '../journal/leveldb/durable-files.ts'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { type Figure, median } from './figure.ts'
import { measureMs, sendOnce } from './load.ts'
import { type RunningDaemon, startRunning } from './running-daemon.ts'

/** `BENCH_FACTS=1000000` for the full size. */
const longest = Number(process.env.BENCH_FACTS) || 100_000
const facts = [longest / 100, longest / 10, longest] as const
const personas = [10, 100, 1000] as const
const factsOfEach = 60
/** Two of five facts are messages. */
const countMessages = (facts: number): number => (facts * 2) / 5
const rounds = 9

export const growth = async (): Promise<readonly Figure[]> => [
  ...toFigures('facts', facts, await inTurn(facts, (size) => measureHome([size], ofLife))),
  ...toFigures(
    'personas',
    personas,
    await inTurn(personas, (size) => measureHome(Array<number>(size).fill(factsOfEach), measureList)),
  ),
]

/** Milliseconds, megabytes or bytes by the name of the cost. */
type Costs = Readonly<Record<string, number>>

const ofLife = async (
  { url, home, memory }: SettledMemory,
  [size = 0]: readonly number[],
): Promise<Costs> => {
  const requestPath = (path: string) => () =>
    sendOnce(undefined, { url: `${url}/api/persona/${createName(0)}/${path}` })
  const first = {
    'first search, ms': await measureMs(requestPath('search?q=favourite')),
    'first /usage, ms': await measureMs(requestPath('usage')),
  }
  return {
    ...first,
    'search, ms': await measureOften(requestPath('search?q=favourite')),
    'a page of 200, ms': await measureOften(requestPath('conversation?limit=200')),
    '/usage, ms': await measureOften(requestPath('usage')),
    'memory, MB': await memory(),
    'journal, bytes a message': (await bytesIn(journalFolder(home, createName(0)))) / countMessages(size),
    'search index, bytes a message': (await bytesIn(searchFolder(home, createName(0)))) / countMessages(size),
  }
}

const measureList = async ({ url, memory }: RunningDaemon): Promise<Costs> => ({
  'the list, ms': await measureOften(() => sendOnce(undefined, { url: `${url}/api/personas` })),
  'memory, MB': await memory(),
})

/** A running daemon with its own home. */
interface SettledMemory extends RunningDaemon {
  readonly home: string
}

/** Measures a home with such personas, all of them running. */
const measureHome = async (
  lifeSizes: readonly number[],
  costs: (daemon: SettledMemory, lifeSizes: readonly number[]) => Promise<Costs>,
): Promise<Costs> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, lifeSizes)
  const daemon = await startRunning(home)
  const otherCosts = await costs({ ...daemon, home }, lifeSizes)
  await daemon.close()
  await rm(home, { recursive: true, force: true })
  return {
    'start to the first list, ms': daemon.listMs,
    'start to all running, ms': daemon.runMs,
    ...otherCosts,
  }
}

const toFigures = (
  label: string,
  sizes: readonly [number, number, number],
  costs: readonly Costs[],
): readonly Figure[] =>
  Object.keys(costs[0] ?? {}).map((name) => {
    const [cost, unit = ''] = name.split(', ')
    const [small = 0, middle = 0, large = 0] = costs.map((figure) => figure[name] ?? 0)
    const isShare = unit.startsWith('bytes')
    const times = isShare ? 1 : sizes[2] / sizes[1]
    // Bytes per message vary with the compaction state of LevelDB.
    const maxFactor = times * (isShare ? 1.25 : 1)
    return {
      label: `${cost}, of ${sizes.join(' · ')} ${label} (${[small, middle, large].map(toShort).join(' · ')} ${unit})`,
      value: large,
      unit,
      baseline: { label: `${sizes[1]} ${label}`, value: middle },
      goal: `≤ ${maxFactor} ×`,
      isMet: large <= maxFactor * middle,
    }
  })

const toShort = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(1))

const inTurn = async <T, R>(all: readonly T[], act: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = []
  for (const item of all) results.push(await act(item))
  return results
}

const measureOften = async (act: () => Promise<unknown>): Promise<number> =>
  median(await inTurn(Array.from({ length: rounds }), () => measureMs(act)))
