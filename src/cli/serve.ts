/** `daimon`: runs the daemon until it is stopped. */

import { writeStandard } from '../../packages/kit/files/standard-streams.ts'
import { createLog } from '../../packages/kit/log.ts'
import { readConfig } from '../config.ts'
import { openDaemon } from '../daemon.ts'
import { toStartupError } from './startup-errors.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/**
 * Exit codes: 0 stopped by a signal, 1 cannot run here, 2 invalid setting, 5 the home is of a newer version.
 */
export const serve = async (flags: { readonly port: string | undefined }): Promise<void> => {
  process.umask(0o077)
  try {
    const config = readConfig(process.env, flags)
    const log = await createLog({ level: config.logLevel })
    if (config.allowedHosts.length > 0)
      log.warn(
        { count: config.allowedHosts.length },
        'host names other than loopback are allowed: everyone who can reach this port under them has full control',
      )
    const daemon = await openDaemon(config, log)
    // Registered before the line is printed, because a program that reads it may send a signal immediately.
    stopOnSignal(daemon.close, (err) => log.error({ err }, 'stopping failed'))
    const lines = `daimon listening on http://127.0.0.1:${daemon.port}\nhome ${daemon.home}\n`
    if (!writeStandard(1, lines)) log.warn({}, 'standard output cannot be written')
  } catch (error) {
    const startupError = toStartupError(error)
    if (!startupError) throw error
    writeStandard(2, `daimon: ${startupError.line}\n`)
    process.exit(startupError.code)
  }
}
