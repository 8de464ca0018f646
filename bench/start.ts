/** From spawning to listening: the built daemon on an empty home, against an empty node:http server. */
import { spawnDaemon, spawnListening } from './daemon.ts'
import { type Figure, median } from './figure.ts'

const empty = `import { createServer } from 'node:http'
const server = createServer((request, response) => response.end())
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

const rounds = 15

export const start = async (): Promise<readonly Figure[]> => {
  const daemon: number[] = []
  const bare: number[] = []
  for (let i = 0; i < rounds; i++) {
    const child = await spawnDaemon()
    daemon.push(child.ms)
    await child.close()
    const baseline = await spawnListening(['--input-type=module', '-e', empty])
    bare.push(baseline.ms)
    await baseline.close()
  }
  return [
    {
      what: 'start, empty home, spawn to listening',
      value: median(daemon),
      unit: 'ms',
      baseline: { what: 'an empty node:http server', value: median(bare) },
      goal: '< 250 ms',
      met: median(daemon) < 250,
    },
  ]
}
