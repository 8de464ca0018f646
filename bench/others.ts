/**
 * Measures how long other requests wait while a million facts are counted, searched for the first time,
 * verified, rebuilt and exported. The other request is a page of another persona's talk, repeated.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { quantiles, sendOnce } from './load.ts'
import { quiet } from './long-work.ts'
import { startRunning } from './running-daemon.ts'

/** `BENCH_FACTS=100000` for a tenth. */
const facts = Number(process.env.BENCH_FACTS) || 1_000_000
/** Milliseconds. */
const maxP99 = 15
const mostOfAll = 50

export const measureOthers = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [facts, 100])
  const daemon = await startRunning(home)
  try {
    await quiet(daemon.pid)
    const personaUrl = `${daemon.url}/api/persona/${createName(0)}`
    const look = () =>
      sendOnce(undefined, { url: `${daemon.url}/api/persona/${createName(1)}/conversation?limit=20` })
    const rebuild = (name: string) =>
      sendOnce(undefined, { url: `${personaUrl}/projections/${name}/rebuild`, method: 'POST' })
    // Compiles the code first, so that only waiting is measured.
    for (let n = 0; n < 200; n++) await look()
    const works: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['counted by /usage', () => sendOnce(undefined, { url: `${personaUrl}/usage` })],
      ['searched for the first time', () => sendOnce(undefined, { url: `${personaUrl}/search?q=favourite` })],
      ['verified', () => sendOnce(undefined, { url: `${personaUrl}/verify`, method: 'POST' })],
      ['rebuilt as a state', () => rebuild('state')],
      ['rebuilt as a search index', () => rebuild('search')],
      ['exported', () => exportInChild(`${personaUrl}/export`)],
    ]
    const figures: Figure[] = []
    for (const [work, act] of works) figures.push(...(await measureWaits(work, act, look)))
    return figures
  } finally {
    await daemon.close()
    await rm(home, { recursive: true, force: true })
  }
}

/** Reads in a separate process, because reading that much would disturb the measurement. */
const exportInChild = (url: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    `const { body } = await fetch(${JSON.stringify(url)}); for await (const _ of body);`,
  ])

const measureWaits = async (
  work: string,
  act: () => Promise<unknown>,
  look: () => Promise<unknown>,
): Promise<readonly Figure[]> => {
  const times: number[] = []
  let isDone = false
  const lookPromise = (async () => {
    while (!isDone) {
      const startedAt = performance.now()
      await look()
      times.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })()
  await act()
  isDone = true
  await lookPromise
  const getQuantile = quantiles(times)
  const p99 = getQuantile(0.99)
  const longest = getQuantile(1)
  const label = `other requests while ${facts} facts are ${work}`
  return [
    { label: `${label}, p99`, value: p99, unit: 'ms', goal: `< ${maxP99} ms`, isMet: p99 < maxP99 },
    {
      label: `${label}, at most`,
      value: longest,
      unit: 'ms',
      goal: `< ${mostOfAll} ms`,
      isMet: longest < mostOfAll,
    },
  ]
}
