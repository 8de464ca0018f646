/**
 * Measures the time from spawning to listening and to the first answer: the built daemon on an empty home,
 * against an empty node:http server, alternating.
 */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { spawnDaemon, spawnListening } from './daemon.ts'
import { type Figure, median } from './figure.ts'
import { sendOnce } from './load.ts'

const empty = `import { createServer } from 'node:http'
const server = createServer((request, response) => response.end())
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

const rounds = 15
const cacheFolder = fileURLToPath(new URL('../dist/compiled', import.meta.url))
const maxRatio = Number(process.versions.node.split('.')[0]) < 24 ? 2.3 : 2.5

interface StartTimes {
  readonly listening: number
  readonly answeredMs: number
}

const daemon = async (): Promise<StartTimes> => {
  const startedAt = performance.now()
  const child = await spawnDaemon()
  return measureStart(startedAt, child, '/api/personas')
}

const measureBare = async (): Promise<StartTimes> => {
  const startedAt = performance.now()
  const child = await spawnListening(['--input-type=module', '-e', empty])
  return measureStart(startedAt, child, '/')
}

type Listening = Awaited<ReturnType<typeof spawnListening>>

const measureStart = async (
  startedAt: number,
  { url, ms, close }: Listening,
  path: string,
): Promise<StartTimes> => {
  await sendOnce(undefined, { url: `${url}${path}` })
  const answeredMs = performance.now() - startedAt
  await close()
  return { listening: ms, answeredMs }
}

export const start = async (): Promise<readonly Figure[]> => {
  // The first start after a build compiles everything and caches it. After a start with personas the cache
  // contains more.
  await rm(cacheFolder, { recursive: true, force: true })
  await daemon()
  const daemons: StartTimes[] = []
  const bares: StartTimes[] = []
  for (let i = 0; i < rounds; i++) {
    daemons.push(await daemon())
    bares.push(await measureBare())
  }
  const toFigure = (label: string, getMs: (figures: StartTimes) => number, goal: number): Figure => {
    const value = median(daemons.map(getMs))
    const baseline = median(bares.map(getMs))
    return {
      label: `start, empty home, spawn to ${label}`,
      value,
      unit: 'ms',
      baseline: { label: 'an empty node:http server', value: baseline },
      goal: `≤ ${goal} ×`,
      isMet: value <= goal * baseline,
    }
  }
  return [
    toFigure('listening', ({ listening }) => listening, maxRatio),
    toFigure('the first list', ({ answeredMs }) => answeredMs, 3.5),
  ]
}
