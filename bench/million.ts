/**
 * Measures a persona with a million facts in the built daemon: starting in a new process, against one with
 * 1000 facts; `/usage`; and a turn under a daily token limit, against one without a limit.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import { type Figure, median } from './figure.ts'
import { measureMs, sendOnce } from './load.ts'
import { quiet } from './long-work.ts'
import { exchangeWith, startRunning } from './running-daemon.ts'

/** `BENCH_FACTS=100000` for a tenth. */
const facts = Number(process.env.BENCH_FACTS) || 1_000_000
const rounds = 7
const turns = 60

export const million = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const homes = { long: join(folder, 'long'), short: join(folder, 'short'), limited: join(folder, 'limited') }
  await fillHome(homes.long, [facts])
  await fillHome(homes.short, [1000])
  const first = await awake(homes.long)
  await awake(homes.short)
  const wakings = { long: [] as number[], short: [] as number[] }
  for (let n = 0; n < rounds; n++) {
    wakings.long.push(await awake(homes.long))
    wakings.short.push(await awake(homes.short))
  }
  const firstRun = await startRunning(homes.long)
  // Its index is built meanwhile.
  for (let minutes = 0; minutes < 4; minutes += 2) await quiet(firstRun.pid)
  const usage = () =>
    measureMs(() => sendOnce(undefined, { url: `${firstRun.url}/api/persona/${firstRun.ids[0]}/usage` }))
  const firstUsage = await usage()
  const usages: number[] = []
  for (let n = 0; n < rounds; n++) usages.push(await usage())
  await firstRun.close()
  await cp(homes.long, homes.limited, { recursive: true })
  const daemon = await startRunning(homes.long)
  const limitedDaemon = await startRunning(homes.limited, { DAIMON_DAILY_TOKENS: '1000000000' })
  await Promise.all([quiet(daemon.pid), quiet(limitedDaemon.pid)])
  const plainTimes: number[] = []
  const limitedTimes: number[] = []
  // Each goes first equally often, because the second one pays for background work of the first.
  for (let n = 0; n < turns; n++) {
    const [first, second] =
      n % 2 === 0 ? ([daemon, limitedDaemon] as const) : ([limitedDaemon, daemon] as const)
    for (const target of [first, second])
      (target === daemon ? plainTimes : limitedTimes).push(await measureMs(() => exchangeWith(target, n)))
  }
  await Promise.all([daemon.close(), limitedDaemon.close()])
  await rm(folder, { recursive: true, force: true })
  const wakeMs = median(wakings.long)
  const shortMs = median(wakings.short)
  const addedMs = median(limitedTimes) - median(plainTimes)
  return [
    {
      label: `a persona with ${facts} facts, spawn to running`,
      value: wakeMs,
      unit: 'ms',
      baseline: { label: 'with 1000 facts', value: shortMs },
      goal: '≤ 2.5 ×',
      isMet: wakeMs <= 2.5 * shortMs,
    },
    {
      label: 'the first start, which checks every file',
      value: first,
      unit: 'ms',
      baseline: { label: 'a persona with 1000 facts', value: shortMs },
      goal: 'none',
      isMet: true,
    },
    { label: '/usage, the first', value: firstUsage, unit: 'ms', goal: 'none', isMet: true },
    { label: '/usage', value: median(usages), unit: 'ms', goal: '< 50 ms', isMet: median(usages) < 50 },
    {
      label: 'an exchange under a daily token limit',
      value: median(limitedTimes),
      unit: 'ms',
      baseline: { label: 'without a limit', value: median(plainTimes) },
      goal: '≤ 0.5 ms more',
      isMet: addedMs <= 0.5,
    },
  ]
}

/** Milliseconds from spawning a daemon on this home until its persona runs. */
const awake = async (home: string): Promise<number> => {
  const { runMs, close } = await startRunning(home)
  await close()
  return runMs
}
