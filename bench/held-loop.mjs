/**
 * Given to a daemon by `NODE_OPTIONS=--import`: on SIGUSR2 it prints the processor time, in ms, that its main
 * thread took at most between two turns of its event loop since the last time. Other processes do not count,
 * as they do when others wait. Linux only.
 */
import { readFileSync } from 'node:fs'

const processorTime = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6

let before = processorTime()
let most = 0
setInterval(() => {
  const now = processorTime()
  most = Math.max(most, now - before)
  before = now
}, 2).unref()

process.on('SIGUSR2', () => {
  process.stdout.write(`held ${most.toFixed(1)}\n`)
  most = 0
})
