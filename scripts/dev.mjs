/**
 * Builds and starts the daemon, and repeats both when a source changes. Arguments are passed to the daemon.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
let daemon

const main = async () => {
  for (let builtState = ''; ; ) {
    const now = sources()
    if (now !== builtState) await restart()
    builtState = now
    await new Promise((wake) => setTimeout(wake, 400))
  }
}

/** Polled, because on Linux a watcher loses a file that an editor saves by renaming. */
const sources = () =>
  ['packages', 'journal', 'facts', 'home', 'projections', 'src', 'web']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
    )
    .map((path) => `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`)
    .join()

const restart = async () => {
  const { status } = spawnSync(process.execPath, ['scripts/ready.mjs'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) return // keep the running daemon until the source compiles again
  await stop()
  const env = { ...process.env, UV_THREADPOOL_SIZE: '16', MALLOC_TRIM_THRESHOLD_: '131072' }
  daemon = spawn(process.execPath, ['dist/main.js', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
}

const stop = async () => {
  if (!daemon || daemon.exitCode !== null || daemon.signalCode) return
  daemon.kill()
  await once(daemon, 'exit')
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stop().then(() => process.exit(0)))

await main()
