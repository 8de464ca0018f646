/** Startup errors that the user can fix, with one line of text and the exit code. */

import { Unavailable } from '../../journal/log/errors.ts'
import { isOutOfFiles, outOfFilesMessage } from '../../packages/kit/files/open-files.ts'
import { NatsRefused } from '../cluster/jetstream/nats-refused.ts'
import { ConfigError } from '../config.ts'
import { HomeError } from '../home-lock.ts'
import { HomeNewer } from '../home-upgrade.ts'
import { getProblem } from '../http/problems.ts'
import { PortTaken } from '../http/server/loopback.ts'
import { Refused } from '../persona/refusals.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * Returns exit code 1 if the daemon cannot run here, 2 for an invalid setting, 5 if the home is of a newer
 * version. Returns null for errors that only a developer can fix.
 */
export const toStartupError = (error: unknown): { line: string; code: number } | null => {
  if (error instanceof ConfigError) return { line: error.message, code: 2 }
  if (error instanceof PortTaken)
    return {
      line: `port ${error.port} is already in use; choose another with --port <n> or WEB_PORT`,
      code: 1,
    }
  if (isOutOfFiles(error)) return { line: outOfFilesMessage, code: 1 }
  if (error instanceof HomeNewer) return { line: error.message, code: exitCodes.newer }
  if (error instanceof NatsRefused) return { line: error.message, code: 1 }
  if (error instanceof Unavailable) return { line: error.message, code: 1 }
  if (error instanceof HomeError) return { line: error.message, code: 1 }
  if (error instanceof Refused) return { line: String(getProblem(error).detail), code: 1 }
  return null
}
