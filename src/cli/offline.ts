/** What a command needs of a home without a daemon: its personas, and one line for whoever cannot have it. */

import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { createBus } from '../bus.ts'
import { readConfig } from '../config.ts'
import { openHome } from '../home-lock.ts'
import { mustBeNoCache } from '../journal-engine.ts'
import { createLog } from '../log.ts'
import { openPersonas } from '../persona/open-personas.ts'
import type { Personas } from '../persona/personas.ts'
import { systemClock } from '../time/clock.ts'
import { tellable } from './tellable.ts'

/**
 * Runs `act` and ends the process: 0, or 1 where `act` says so or cannot. A daemon that runs holds the home:
 * it is to be asked itself.
 */
export const offline = async (act: (personas: Personas) => Promise<boolean>): Promise<never> => {
  process.umask(0o077)
  try {
    const { home } = readConfig(process.env)
    const { catalog, close, upgraded } = await openHome(home, `process ${process.pid}, a command`)
    if (upgraded !== undefined) process.stderr.write(`daimon: ${upgraded}\n`)
    mustBeNoCache(home)
    const journals = openJournals({
      stores: await openLevelStores(home),
      witness: async (id) => catalog.get(id)?.head,
    })
    const log = await createLog({ level: 'silent' })
    const personas = openPersonas({ home, journals, catalog, bus: createBus(), clock: systemClock(), log })
    await personas.ready
    const well = await act(personas)
    await personas.close()
    await close()
    process.exit(well ? 0 : 1)
  } catch (error) {
    const { line, code } = tellable(error) ?? {
      line: error instanceof Error ? error.message : String(error),
      code: 1,
    }
    process.stderr.write(`daimon: ${line}\n`)
    process.exit(code)
  }
}
