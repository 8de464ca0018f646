/**
 * From typing `daimon list` to its end, against a bare program of Node that makes the same request, in turns.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { spawnDaemon } from './daemon.ts'
import { type Figure, median } from './figure.ts'

const run = promisify(execFile)

const bare = `require('node:http').get(process.env.DAIMON_URL + '/api/personas', (answer) => answer.pipe(process.stdout))`

const rounds = 25

export const commandLine = async (): Promise<readonly Figure[]> => {
  const { url, close } = await spawnDaemon()
  try {
    const env = { ...process.env, DAIMON_URL: url }
    const timed = async (words: readonly string[]) => {
      const began = performance.now()
      await run(process.execPath, words, { env })
      return performance.now() - began
    }
    await timed(['dist/main.js', 'list']) // the first after a build compiles everything, and keeps it
    const lists: number[] = []
    const bares: number[] = []
    for (let i = 0; i < rounds; i++) {
      lists.push(await timed(['dist/main.js', 'list']))
      bares.push(await timed(['-e', bare]))
    }
    const value = median(lists)
    const baseline = { what: 'the same request by a bare Node', value: median(bares) }
    return [{ what: 'daimon list', value, unit: 'ms', baseline, goal: '< 150 ms', met: value < 150 }]
  } finally {
    await close()
  }
}
