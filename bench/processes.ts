/**
 * Measures reading all processes and their environments from /proc, with 500 sleeping processes, and the wait
 * of the event loop.
 */
import { spawn } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { markName } from '../packages/kit/processes/process-mark.ts'
import { readProcesses } from '../packages/kit/processes/process-table.ts'
import { type Figure, median } from './figure.ts'
import { measureMs } from './load.ts'

const count = 500
const rounds = 20

export const processes = async (): Promise<readonly Figure[]> => {
  if (process.platform !== 'linux') return []
  const sleepProcesses = Array.from({ length: count }, () => spawn('sleep', ['600'], { stdio: 'ignore' }))
  await Promise.all(sleepProcesses.map((child) => new Promise((resolve) => child.once('spawn', resolve))))
  const look = () => readProcesses({ variable: markName, since: 0 })
  const processCount = (await look()).length
  const times: number[] = []
  const delays: number[] = []
  for (let n = 0; n < rounds; n++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    times.push(await measureMs(look))
    delay.disable()
    delays.push(delay.max / 1e6)
  }
  for (const child of sleepProcesses) child.kill('SIGKILL')
  const value = median(times)
  return [
    { label: `${processCount} processes read`, value, unit: 'ms', goal: '< 50 ms', isMet: value < 50 },
    {
      label: 'longest wait of the event loop meanwhile',
      value: median(delays),
      unit: 'ms',
      goal: '< 10 ms',
      isMet: median(delays) < 10,
    },
  ]
}
