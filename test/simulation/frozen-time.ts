/**
 * Replaces timers, file calls and compression of the process by a queue that `drain` works off. Must be
 * imported before all modules of the daemon.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

const turnOfTheLoop = globalThis.setImmediate
let resolvers: (() => void)[] = []

globalThis.setImmediate = ((act: (...args: unknown[]) => void, ...args: unknown[]) => {
  resolvers.push(() => act(...args))
}) as typeof setImmediate

/** Real time in ms. */
export const realTime = performance.now.bind(performance)
// Long work yields after some real time, which would depend on the speed of the machine.
performance.now = () => 0

/** A home without files: keys are not simulated. */
export const home = '/simulated'
const isOurs = (path: unknown) => typeof path === 'string' && path.startsWith(home)
const rejectMissing = () =>
  Promise.reject(Object.assign(new Error('the file does not exist'), { code: 'ENOENT' }))

const { readdir, readFile, rm } = fs
Object.assign(fs, {
  readdir: (...args: Parameters<typeof readdir>) => (isOurs(args[0]) ? rejectMissing() : readdir(...args)),
  readFile: (...args: Parameters<typeof readFile>) => (isOurs(args[0]) ? rejectMissing() : readFile(...args)),
  rm: (...args: Parameters<typeof rm>) => (isOurs(args[0]) ? Promise.resolve() : rm(...args)),
})
// No compression: the journal does not read the content of its file stores.
Object.assign(zlib, {
  brotliCompress: (bytes: Uint8Array, _: unknown, callback: (error: null, compressed: Uint8Array) => void) =>
    callback(null, bytes),
  brotliDecompress: (bytes: Uint8Array, callback: (error: null, decompressed: Uint8Array) => void) =>
    callback(null, bytes),
})
syncBuiltinESMExports()

/**
 * Resolves all promises that can be resolved now, and runs nothing else. Measured: takes a tenth of the time
 * of a real turn of the event loop.
 */
const yieldToPromises = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** A real turn of the event loop: unhandled rejections are reported. */
export const turn = (): Promise<void> => new Promise((resolve) => turnOfTheLoop(resolve))

/**
 * Runs queued work until nothing is left at this moment of the clock, or for this many turns. Resolves with
 * the number of turns.
 */
export const drain = async (maxTurns = 100_000): Promise<number> => {
  for (let turns = 0; turns < maxTurns; turns++) {
    await yieldToPromises()
    const act = resolvers.shift()
    if (!act) return turns
    act()
  }
  await yieldToPromises()
  return maxTurns
}

/** Waits for this many turns of the queue. */
export const turns = async (count: number): Promise<void> => {
  for (let rounds = count; rounds > 0; rounds--) await new Promise<void>((resolve) => resolvers.push(resolve))
}

/** Discards all waiting work of a dead process. */
export const freeze = (): void => {
  resolvers = []
}
