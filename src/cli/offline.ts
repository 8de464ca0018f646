/** Opens the personas of a home for a command, without a daemon. Reports failures in one line. */

import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { writeStandard } from '../../packages/kit/files/standard-streams.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { createBus } from '../bus.ts'
import { readConfig } from '../config.ts'
import { HomeHeld, openHome } from '../home-lock.ts'
import { mustBeNoCache } from '../journal-engine.ts'
import { createPersonaStore } from '../persona/create-persona-store.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { createDaemonClient, type DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { toStartupError } from './startup-errors.ts'

interface OfflineActions {
  /** Called with the home locked. */
  readonly act: (personas: PersonaStore) => Promise<boolean>
  /** Called if a daemon runs on the home: asks that daemon instead. */
  readonly ask?: (daemon: DaemonClient) => Promise<boolean>
}

/**
 * Runs the command and exits: with 0, or with 1 if `act` or `ask` returns false or the home cannot be opened.
 */
export const actOffline = async ({ act, ask }: OfflineActions): Promise<never> => {
  process.umask(0o077)
  try {
    const { home } = readConfig(process.env)
    const openedHome = await openHome(home, `process ${process.pid}, a command`).catch(getHolder)
    if (openedHome instanceof HomeHeld) {
      if (!ask || openedHome.port === null) throw openedHome
      const hasSucceeded = await ask(createDaemonClient(new URL(`http://127.0.0.1:${openedHome.port}`)))
      process.exit(hasSucceeded ? 0 : exitCodes.refused)
    }
    const { catalog, close, upgraded } = openedHome
    if (upgraded !== undefined) writeStandard(2, `daimon: ${upgraded}\n`)
    mustBeNoCache(home)
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async (id) => catalog.get(id)?.head,
    })
    const log = await createLog({ level: 'silent' })
    const personas = createPersonaStore({
      home,
      journals,
      catalog,
      bus: createBus(),
      clock: systemClock(),
      log,
    })
    await personas.ready
    const isDone = await act(personas)
    await personas.close()
    await close()
    process.exit(isDone ? 0 : 1)
  } catch (error) {
    const { line, code } = formatError(error)
    writeStandard(2, `daimon: ${line}\n`)
    process.exit(code)
  }
}

const getHolder = (error: unknown): HomeHeld => {
  if (error instanceof HomeHeld) return error
  throw error
}

const formatError = (error: unknown): { readonly line: string; readonly code: number } =>
  error instanceof CommandFailed
    ? { line: error.message, code: error.code }
    : (toStartupError(error) ?? { line: error instanceof Error ? error.message : String(error), code: 1 })
