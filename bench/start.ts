/**
 * Measures the time from spawning to listening and to the first answer: the built daemon on an empty home,
 * against an empty node:http server, alternating.
 */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { spawnDaemon, spawnListening } from './daemon.ts'
import { type Figure, median } from './figure.ts'
import { once } from './load.ts'

const empty = `import { createServer } from 'node:http'
const server = createServer((request, response) => response.end())
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

const rounds = 15
const cacheFolder = fileURLToPath(new URL('../dist/compiled', import.meta.url))
const maxRatio = Number(process.versions.node.split('.')[0]) < 24 ? 2.3 : 2.5

interface Started {
  readonly listening: number
  readonly answered: number
}

const daemon = async (): Promise<Started> => {
  const began = performance.now()
  const child = await spawnDaemon()
  return startedBy(began, child, '/api/personas')
}

const bare = async (): Promise<Started> => {
  const began = performance.now()
  const child = await spawnListening(['--input-type=module', '-e', empty])
  return startedBy(began, child, '/')
}

type Listening = Awaited<ReturnType<typeof spawnListening>>

const startedBy = async (began: number, { url, ms, close }: Listening, path: string): Promise<Started> => {
  await once(undefined, { url: `${url}${path}` })
  const answeredMs = performance.now() - began
  await close()
  return { listening: ms, answered: answeredMs }
}

export const start = async (): Promise<readonly Figure[]> => {
  // The first start after a build compiles everything and caches it. After a start with personas the cache
  // contains more.
  await rm(cacheFolder, { recursive: true, force: true })
  await daemon()
  const daemons: Started[] = []
  const bares: Started[] = []
  for (let i = 0; i < rounds; i++) {
    daemons.push(await daemon())
    bares.push(await bare())
  }
  const toFigure = (label: string, read: (started: Started) => number, goal: number): Figure => {
    const value = median(daemons.map(read))
    const baseline = median(bares.map(read))
    return {
      label: `start, empty home, spawn to ${label}`,
      value,
      unit: 'ms',
      baseline: { label: 'an empty node:http server', value: baseline },
      goal: `≤ ${goal} ×`,
      met: value <= goal * baseline,
    }
  }
  return [
    toFigure('listening', ({ listening }) => listening, maxRatio),
    toFigure('the first list', ({ answered }) => answered, 3.5),
  ]
}
