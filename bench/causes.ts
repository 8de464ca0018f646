/**
 * Measures causes and effects of facts in a life of a million: without the index of links, while it is built,
 * and with it. The baseline is one fact of the journal.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linksFolder } from '../home/places.ts'
import { bytesIn } from '../journal/leveldb/durable-files.ts'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { chanceFrom } from '../test/random.ts'
import { readCpuSeconds } from './cpu-time.ts'
import { type Figure, median } from './figure.ts'
import { measureMs, quantiles } from './load.ts'
import { startRunning } from './running-daemon.ts'

const facts = Number(process.env.BENCH_FACTS) || 1_000_000
const rounds = 101

export const causes = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [facts, 1000])
  const daemon = await startRunning(home)
  const get = async (path: string, persona = 0): Promise<void> => {
    const response = await fetch(`${daemon.url}/api/persona/${createName(persona)}/${path}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${text}`)
  }
  const chance = chanceFrom(1)
  const pick = () => chance.pickBetween(facts / 10, facts - 10)
  const measure = async (createPath: (seq: number) => string): Promise<readonly number[]> => {
    const times: number[] = []
    for (let n = 0; n < rounds; n++) times.push(await measureMs(() => get(createPath(pick()))))
    return times
  }
  /** CPU milliseconds of all threads of the daemon. Other work on the machine does not change them. */
  const cpuMs = async () => (await readCpuSeconds(daemon.pid)) * 1000
  const measureCpu = async (createPath: (seq: number) => string): Promise<number> => {
    const startMs = await cpuMs()
    for (let n = 0; n < rounds; n++) await get(createPath(pick()))
    return ((await cpuMs()) - startMs) / rounds
  }
  const p99 = (times: readonly number[]) => quantiles(times)(0.99)
  await measure((seq) => `journal?after=${seq}&upto=${seq + 1}`)
  const one = await measure((seq) => `journal?after=${seq}&upto=${seq + 1}`)
  const cold = await measure((seq) => `journal/${seq}/causes?depth=20`)

  const coldCpuMs = await measureCpu((seq) => `journal/${seq}/causes?depth=20`)

  const quietTimes: number[] = []
  for (let n = 0; n < rounds; n++) quietTimes.push(await measureMs(() => get('conversation?limit=20', 1)))
  let isBuilding = true
  const others: number[] = []
  const watch = (async () => {
    while (isBuilding) {
      others.push(await measureMs(() => get('conversation?limit=20', 1)))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  const buildCpuMs = await cpuMs()
  const buildMs = await measureMs(() => get(`journal/${pick()}/effects`))
  const builtCpuMs = (await cpuMs()) - buildCpuMs
  isBuilding = false
  await watch
  const warm = await measure((seq) => `journal/${seq}/causes?depth=20`)
  const effects = await measure((seq) => `journal/${seq}/effects?depth=3`)
  const effectsCpuMs = await measureCpu((seq) => `journal/${seq}/effects?depth=3`)
  await daemon.close()
  const bytes = await bytesIn(linksFolder(home, createName(0)))
  await rm(home, { recursive: true, force: true })
  const baseline = { label: 'one fact of the journal', value: median(one) }
  const figure = (label: string, value: number, most: number): Figure => ({
    label,
    value,
    unit: 'ms',
    baseline,
    goal: `< ${most} ms`,
    isMet: value < most,
  })
  const cpuFigure = (label: string, value: number): Figure => ({
    label,
    value,
    unit: 'ms',
    goal: '< 20 ms',
    isMet: value < 20,
  })
  return [
    figure(`causes of a fact in a life of ${facts}, without the index, 20 links deep`, median(cold), 20),
    figure('the same, p99', p99(cold), 50),
    cpuFigure('the same, CPU time', coldCpuMs),
    figure('the same with the index', median(warm), 20),
    figure('effects of a fact with the index, 3 links deep', median(effects), 20),
    figure('the same, p99', p99(effects), 50),
    cpuFigure('the same, CPU time', effectsCpuMs),
    {
      label: 'the first effects, which build the index',
      value: buildMs / 1000,
      unit: 's',
      goal: 'none',
      isMet: true,
    },
    { label: 'the same, CPU time', value: builtCpuMs / 1000, unit: 's', goal: 'none', isMet: true },
    {
      label: 'a page of another persona meanwhile, p99',
      value: p99(others),
      unit: 'ms',
      baseline: { label: 'without other work, p99', value: p99(quietTimes) },
      goal: '< 15 ms',
      isMet: p99(others) < 15,
    },
    { label: 'size of the index', value: bytes / 1024 / 1024, unit: 'MB', goal: 'none', isMet: true },
  ]
}
