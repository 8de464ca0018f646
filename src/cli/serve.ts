/** `daimon`: runs the daemon until it is told to stop. */

import { writeStandard } from '../../packages/kit/files/standard-streams.ts'
import { createLog } from '../../packages/kit/log.ts'
import { readConfig } from '../config.ts'
import { openDaemon } from '../daemon.ts'
import { tellable } from './tellable.ts'

/**
 * Exit codes: 0 told to stop, 1 it cannot run here, 2 a setting makes no sense, 5 the home is of a newer
 * daemon.
 */
export const serve = async (flags: { readonly port: string | undefined }): Promise<void> => {
  process.umask(0o077)
  try {
    const config = readConfig(process.env, flags)
    const log = await createLog({ level: config.logLevel })
    if (config.allowedHosts.length > 0)
      log.warn(
        { count: config.allowedHosts.length },
        'names beside the loopback ones are let in: whoever can reach this port under them has all power over it',
      )
    const daemon = await openDaemon(config, log)
    // Before it says so: whoever reads the line may end it at once.
    stopOnSignal(daemon.close, (err) => log.error({ err }, 'stopping failed'))
    const lines = `daimon listening on http://127.0.0.1:${daemon.port}\nhome ${daemon.home}\n`
    if (!writeStandard(1, lines)) log.warn({}, 'standard output cannot be written')
  } catch (error) {
    const told = tellable(error)
    if (!told) throw error
    writeStandard(2, `daimon: ${told.line}\n`)
    process.exit(told.code)
  }
}

/** npm hands on every Ctrl-C twice within a millisecond: only a later second one means it. */
const impatient = 500
/** Whatever hangs, the process ends. Milliseconds. */
const longestStop = 30_000

const stopOnSignal = (close: () => Promise<void>, onError: (error: unknown) => void) => {
  let first = 0
  const stop = () => {
    const now = performance.now()
    if (first > 0) {
      if (now - first >= impatient) process.exit(1)
      return
    }
    first = now
    setTimeout(() => process.exit(1), longestStop).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        onError(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
