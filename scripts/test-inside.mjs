/**
 * A process in which test files run, one after another, from inside: each begins where the process would end,
 * had the one before it been alone.
 */
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

// Uvu runs what is told to run only when it is asked.
globalThis.UVU_DEFER = 1
const { exec } = await import('uvu')

/** The last byte on each stream of what a file says. */
const mark = '\0'

const run = async (script) => {
  const before = around()
  globalThis.UVU_INDEX = 0
  globalThis.UVU_QUEUE.splice(0, Infinity, [null])
  // Nothing but the file keeps the process now: where its tests wait for what cannot come, or have thrown, it
  // ends.
  process.channel.unref()
  await import(pathToFileURL(script).href)
  await exec()
  await once(process, 'beforeExit')
  process.channel.ref()

  const after = around()
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
  const code = process.exitCode ?? 0
  process.exitCode = 0
  process.stdout.write(mark)
  process.stderr.write(mark)
  process.send({ code, changed, bytes: process.memoryUsage.rss() })
}

/** What the next file would be surprised by. */
const around = () => ({
  ...process.env,
  'the working folder': process.cwd(),
  'the umask': process.umask(),
  ...Object.fromEntries(builtIns.map(([owner, name]) => [name, owner[name]])),
})

/** What a test may be tempted to replace, for itself and whoever comes after it. */
const builtIns = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch', 'Date'].map((name) => [
    globalThis,
    name,
  ]),
  [Date, 'now'],
  [Math, 'random'],
  ...['open', 'readFile', 'readdir', 'rename', 'rm', 'stat', 'writeFile'].map((name) => [fs, name]),
]

process.on('message', ({ script }) => {
  if (script) void run(script)
  else process.disconnect()
})
