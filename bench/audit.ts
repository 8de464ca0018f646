/**
 * Measures operations on a long journal: the audit export, the verification, and the history at a random
 * moment.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { startProcess } from '../test/process/daemon.ts'
import { chanceFrom } from '../test/random.ts'
import { readCpuSeconds, waitUntilIdle } from './cpu-time.ts'
import { type Figure, median } from './figure.ts'

const facts = Number(process.env.BENCH_FACTS) || 1_000_000
const moments = 41
/** Milliseconds between two facts: a million facts span three years. */
const factGapMs = 100_000
const personaPath = `/api/persona/${createName(0)}`

export const audit = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [facts], undefined, factGapMs)
  const { url, child, kill } = await startProcess({ home })
  const status = async (name: string): Promise<number> =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) /
    1024
  const cpuSeconds = () => readCpuSeconds(child.pid)
  await readAll(`${url}${personaPath}/journal?last=1000`)
  await waitUntilIdle(child.pid)

  let peak = 0
  const peakBefore = await status('RssAnon')
  const look = async () => {
    peak = Math.max(peak, await status('RssAnon'))
  }
  const watch = setInterval(() => void look(), 100)
  const cpuStart = await cpuSeconds()
  const startsAt = performance.now()
  const bytes = await readAll(`${url}${personaPath}/journal`)
  const streaming = (await cpuSeconds()) - cpuStart
  const streamSeconds = (performance.now() - startsAt) / 1000
  clearInterval(watch)

  const verifyBegan = await cpuSeconds()
  const verifyFrom = performance.now()
  await fetch(`${url}${personaPath}/verify`, { method: 'POST' }).then((response) => response.text())
  const verifying = (await cpuSeconds()) - verifyBegan
  const verifySeconds = (performance.now() - verifyFrom) / 1000

  // The first call counts the costs of all model calls; later ones reuse that.
  await readAll(`${url}${personaPath}/history?at=${facts}`)
  const chance = chanceFrom(1)
  const walls = [] as number[]
  const times = [] as number[]
  for (let n = 0; n < moments; n++) {
    const cpu = await cpuSeconds()
    const start = performance.now()
    await readAll(`${url}${personaPath}/history?at=${chance.pickBetween(1, facts)}`)
    walls.push(performance.now() - start)
    times.push(((await cpuSeconds()) - cpu) * 1000)
  }
  await kill('SIGTERM')
  await rm(home, { recursive: true, force: true })
  const megabytes = bytes / 1024 / 1024
  const mean = times.reduce((sum, time) => sum + time, 0) / moments
  return [
    figure(`journal of ${facts} facts, per second of CPU time`, megabytes / streaming, 'MB', 50, '≥'),
    figure(`journal, per second (${megabytes.toFixed(0)} MB)`, megabytes / streamSeconds, 'MB', 50, '≥'),
    figure('journal, max additional memory', peak - peakBefore, 'MB', 30, '<'),
    figure('verify, facts per second of CPU time', facts / verifying, 'facts', 200_000, '≥'),
    figure('verify, facts per second', facts / verifySeconds, 'facts', 200_000, '≥'),
    figure('history at a random moment, CPU time', mean, 'ms', 50, '<'),
    figure('history at a random moment', median(walls), 'ms', 50, '<'),
  ]
}

const figure = (label: string, value: number, unit: string, goal: number, is: '≥' | '<'): Figure => ({
  label,
  value,
  unit,
  goal: `${is} ${goal} ${unit}`,
  isMet: is === '<' ? value < goal : value >= goal,
})

/** Reads a response without using it, and returns its size in bytes. */
const readAll = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
