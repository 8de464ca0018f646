/**
 * Loaded into a daemon by `NODE_OPTIONS=--import`: on SIGUSR2 it collects the garbage and prints the used
 * memory.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const report = async () => {
  // Several rounds, because finalizers release more memory after a collection.
  for (let round = 0; round < 4; round++) {
    collect()
    await pause(50)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  process.stdout.write(`gauge ${JSON.stringify({ rss, heapUsed, external, sockets })}\n`)
}

process.on('SIGUSR2', () => void report())
