/**
 * Runs test files one after another in one process, seen from inside. A file starts when the process would
 * end after the previous file.
 */
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { pathToFileURL } from 'node:url'

// With this flag uvu runs its queue only when `exec` is called.
globalThis.UVU_DEFER = 1
const { exec } = await import('uvu')

/** The last byte of a file's output on each stream. */
const mark = '\0'

const run = async (script) => {
  const globalsBefore = snapshotGlobals()
  globalThis.UVU_INDEX = 0
  globalThis.UVU_QUEUE.splice(0, Infinity, [null])
  // From here on only the file keeps the process alive. If its tests wait forever or have thrown, the process
  // ends.
  process.channel.unref()
  await import(pathToFileURL(script).href)
  await exec()
  await once(process, 'beforeExit')
  process.channel.ref()

  const globalsAfter = snapshotGlobals()
  const changedNames = Object.keys({ ...globalsBefore, ...globalsAfter }).filter(
    (name) => globalsBefore[name] !== globalsAfter[name],
  )
  const code = process.exitCode ?? 0
  process.exitCode = 0
  process.stdout.write(mark)
  process.stderr.write(mark)
  process.send({ code, changed: changedNames, bytes: process.memoryUsage.rss() })
}

/** Global state that the next file depends on. */
const snapshotGlobals = () => ({
  ...process.env,
  'the working folder': process.cwd(),
  'the umask': process.umask(),
  ...Object.fromEntries(builtIns.map(([owner, name]) => [name, owner[name]])),
})

/** Functions that a test might replace, also for later files. */
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
