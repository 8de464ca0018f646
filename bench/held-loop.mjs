/**
 * Loaded into a daemon by `NODE_OPTIONS=--import`. On SIGUSR2 it prints the longest CPU time in ms that the
 * main thread used between two turns of the event loop since the last signal. Unlike waiting time, CPU time
 * is independent of other processes. Linux only.
 */
import { readFileSync } from 'node:fs'

const processorTime = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6

let before = processorTime()
let longest = 0
setInterval(() => {
  const now = processorTime()
  longest = Math.max(longest, now - before)
  before = now
}, 2).unref()

process.on('SIGUSR2', () => {
  process.stdout.write(`held ${longest.toFixed(1)}\n`)
  longest = 0
})
