/**
 * Measures a persona with a million facts in the built daemon: starting in a new process, against one with
 * 1000 facts; `/usage`; and a turn under a daily token limit, against one without a limit.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import { type Figure, median } from './figure.ts'
import { once, timed } from './load.ts'
import { quiet } from './long-work.ts'
import { exchangeWith, startRunning } from './running.ts'

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
    timed(() => once(undefined, { url: `${firstRun.url}/api/persona/${firstRun.ids[0]}/usage` }))
  const firstUsage = await usage()
  const usages: number[] = []
  for (let n = 0; n < rounds; n++) usages.push(await usage())
  await firstRun.close()
  await cp(homes.long, homes.limited, { recursive: true })
  const daemon = await startRunning(homes.long)
  const limited = await startRunning(homes.limited, { DAIMON_DAILY_TOKENS: '1000000000' })
  await Promise.all([quiet(daemon.pid), quiet(limited.pid)])
  const plain: number[] = []
  const limitedTimes: number[] = []
  // Each goes first equally often, because the second one pays for background work of the first.
  for (let n = 0; n < turns; n++) {
    const [first, other] = n % 2 === 0 ? ([daemon, limited] as const) : ([limited, daemon] as const)
    for (const target of [first, other])
      (target === daemon ? plain : limitedTimes).push(await timed(() => exchangeWith(target, n)))
  }
  await Promise.all([daemon.close(), limited.close()])
  await rm(folder, { recursive: true, force: true })
  const woke = median(wakings.long)
  const shortMs = median(wakings.short)
  const added = median(limitedTimes) - median(plain)
  return [
    {
      label: `a persona with ${facts} facts, spawn to running`,
      value: woke,
      unit: 'ms',
      baseline: { label: 'with 1000 facts', value: shortMs },
      goal: '≤ 2.5 ×',
      met: woke <= 2.5 * shortMs,
    },
    {
      label: 'the first start, which checks every file',
      value: first,
      unit: 'ms',
      baseline: { label: 'a persona with 1000 facts', value: shortMs },
      goal: 'none',
      met: true,
    },
    { label: '/usage, the first', value: firstUsage, unit: 'ms', goal: 'none', met: true },
    { label: '/usage', value: median(usages), unit: 'ms', goal: '< 50 ms', met: median(usages) < 50 },
    {
      label: 'an exchange under a daily token limit',
      value: median(limitedTimes),
      unit: 'ms',
      baseline: { label: 'without a limit', value: median(plain) },
      goal: '≤ 0.5 ms more',
      met: added <= 0.5,
    },
  ]
}

/** Milliseconds from spawning a daemon on this home until its persona runs. */
const awake = async (home: string): Promise<number> => {
  const { run, close } = await startRunning(home)
  await close()
  return run
}
