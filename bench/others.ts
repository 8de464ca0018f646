/**
 * Measures how long other requests wait while a million facts are counted, searched for the first time,
 * verified and exported. The other request is a page of another persona's talk, repeated.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillHome, nameOf } from '../test/ordeal/homes.ts'
import type { Figure } from './figure.ts'
import { once, quantiles } from './load.ts'
import { quiet } from './long-work.ts'
import { startRunning } from './running.ts'

const facts = 1_000_000
/** Milliseconds. */
const maxP99 = 15
const mostOfAll = 50

export const others = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [facts, 100])
  const daemon = await startRunning(home)
  try {
    await quiet(daemon.pid)
    const personaUrl = `${daemon.url}/api/persona/${nameOf(0)}`
    const look = () =>
      once(undefined, { url: `${daemon.url}/api/persona/${nameOf(1)}/conversation?limit=20` })
    // Compiles the code first, so that only waiting is measured.
    for (let n = 0; n < 200; n++) await look()
    const works: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['counted by /usage', () => once(undefined, { url: `${personaUrl}/usage` })],
      ['searched for the first time', () => once(undefined, { url: `${personaUrl}/search?q=favourite` })],
      ['verified', () => once(undefined, { url: `${personaUrl}/verify`, method: 'POST' })],
      ['exported', () => exportInChild(`${personaUrl}/export`)],
    ]
    const figures: Figure[] = []
    for (const [work, act] of works) figures.push(...(await waitedFor(work, act, look)))
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

const waitedFor = async (
  work: string,
  act: () => Promise<unknown>,
  look: () => Promise<unknown>,
): Promise<readonly Figure[]> => {
  const times: number[] = []
  let isDone = false
  const looking = (async () => {
    while (!isDone) {
      const began = performance.now()
      await look()
      times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })()
  await act()
  isDone = true
  await looking
  const at = quantiles(times)
  const p99 = at(0.99)
  const longest = at(1)
  const label = `other requests while ${facts} facts are ${work}`
  return [
    { label: `${label}, p99`, value: p99, unit: 'ms', goal: `< ${maxP99} ms`, met: p99 < maxP99 },
    {
      label: `${label}, at most`,
      value: longest,
      unit: 'ms',
      goal: `< ${mostOfAll} ms`,
      met: longest < mostOfAll,
    },
  ]
}
