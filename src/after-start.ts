/** Checks that run once after the start: foreign files, processes of a killed daemon, and the time zone. */
import { findForeign } from '../home/foreign.ts'
import type { Closing } from '../packages/kit/flow/closing.ts'
import type { Log } from '../packages/kit/log.ts'
import type { Clock } from '../packages/kit/time/clock.ts'
import type { PersonaStore } from './persona/persona-store.ts'

type AddCloser = Closing['keep']

interface Base {
  readonly home: string
  readonly clock: Clock
  readonly log: Log
}

interface Checks extends Base {
  /** Null in a cluster, where the home also contains personas that other daemons host. */
  readonly personas: PersonaStore | null
}

export const checkAfterStart = ({ personas, ...base }: Checks, addCloser: AddCloser): void => {
  if (personas) void nameForeign(base, personas)
  endOrphansLater(base, addCloser)
  warnOfZoneLater(base, addCloser)
}

/** Max entries in separate log lines. */
const maxNamed = 50

/** Logs once at startup which entries of the home do not belong to the daemon. Never rejects. */
const nameForeign = async ({ home, log }: Base, personas: PersonaStore): Promise<void> => {
  await personas.ready.catch(() => undefined)
  const isAlive = (id: string) => personas.getRow(id) !== undefined || personas.unread(id) !== null
  const entries = await findForeign(home, isAlive)
  for (const { path, reason } of entries.slice(0, maxNamed))
    log.warn({ reason: `${path}: ${reason}` }, 'an entry of the home is unknown and ignored')
  if (entries.length > maxNamed)
    log.warn({ count: entries.length - maxNamed }, 'more entries of the home are unknown and ignored')
}

/** In ms. Leaves time for early requests. */
const laterMs = 1000

/** Ends processes that a killed daemon left running. Only Linux can identify them. */
const endOrphansLater = ({ home, log }: Base, addCloser: AddCloser): void => {
  if (process.platform !== 'linux') return
  const endNow = async () => {
    const { endOrphans } = await import('../packages/kit/processes/process-family.ts')
    const count = await endOrphans(home)
    if (count > 0) log.warn({ count }, 'ended processes that a killed daemon left behind')
  }
  const timer = setTimeout(() => {
    endNow().catch((err: unknown) => log.warn({ err }, 'could not end processes of a killed daemon'))
  }, laterMs).unref()
  addCloser({ close: async () => clearTimeout(timer) })
}

/**
 * Logs once if the time zone may be wrong. Runs later, because loading the zones would delay early requests.
 */
const warnOfZoneLater = ({ clock, log }: Base, addCloser: AddCloser): void => {
  const warn = () => clock.zoneWarning && log.warn({}, clock.zoneWarning)
  const timer = setTimeout(warn, laterMs).unref()
  addCloser({ close: async () => clearTimeout(timer) })
}
