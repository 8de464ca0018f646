/**
 * A process that stands still: what would wait for the event loop, for files or for the compressor waits for
 * `drain`. Imported before anything of the daemon.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

const turnOfTheLoop = globalThis.setImmediate
let waiting: (() => void)[] = []

globalThis.setImmediate = ((act: (...args: unknown[]) => void, ...args: unknown[]) => {
  waiting.push(() => act(...args))
}) as typeof setImmediate

/** Real time, in milliseconds, for whoever plays. */
export const realTime = performance.now.bind(performance)
// Long work lets others in after so much real time: on a busy machine that would be another moment each time.
performance.now = () => 0

/** A home without a file in it: keys are not what is played here. */
export const home = '/simulated'
const isOurs = (path: unknown) => typeof path === 'string' && path.startsWith(home)
const missing = () => Promise.reject(Object.assign(new Error('there is no such file'), { code: 'ENOENT' }))

const { readdir, readFile, rm } = fs
Object.assign(fs, {
  readdir: (...args: Parameters<typeof readdir>) => (isOurs(args[0]) ? missing() : readdir(...args)),
  readFile: (...args: Parameters<typeof readFile>) => (isOurs(args[0]) ? missing() : readFile(...args)),
  rm: (...args: Parameters<typeof rm>) => (isOurs(args[0]) ? Promise.resolve() : rm(...args)),
})
// Bytes as they are: the journal does not look into what it keeps beside the records.
Object.assign(zlib, {
  brotliCompress: (bytes: Uint8Array, _: unknown, done: (error: null, packed: Uint8Array) => void) =>
    done(null, bytes),
  brotliDecompress: (bytes: Uint8Array, done: (error: null, unpacked: Uint8Array) => void) =>
    done(null, bytes),
})
syncBuiltinESMExports()

/**
 * Every promise that can be resolved now is, and nothing else has moved. ⏱ A tenth of the price of a real
 * turn of the loop.
 */
const breath = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** A real turn of the loop: rejections nobody took care of are told. */
export const turn = (): Promise<void> => new Promise((resolve) => turnOfTheLoop(resolve))

/**
 * Lets the loop turn until nothing is left to do at this moment of the clock, or so many turns. Resolves with
 * the turns taken.
 */
export const drain = async (most = 100_000): Promise<number> => {
  for (let turns = 0; turns < most; turns++) {
    await breath()
    const act = waiting.shift()
    if (!act) return turns
    act()
  }
  await breath()
  return most
}

/** So many turns of the loop go by. */
export const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Whatever waited is dead: nobody will ever call it back. */
export const freeze = (): void => {
  waiting = []
}
