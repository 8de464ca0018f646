/**
 * Organs prepared and saved; a Mind at its runtime is registered there under the name of its persona before
 * it is saved, and put back where saving fails.
 */

import type { Organ, PersonaId } from '../../journal/facts/fact-values.ts'
import { organTable } from '../../journal/facts/organ-table.ts'
import type { Self } from '../../projections/self.ts'
import { wrapperOf } from '../../projections/view.ts'
import { ModelError, type OrganAsk } from '../models/models.ts'
import type { DeclaredOrgans } from '../persona/rules/self.ts'
import type { CommandDeps } from './command-deps.ts'
import { addressOf, askOf, type Wanted, withKeys } from './organ-keys.ts'
import { keyless } from './organ-wishes.ts'
import { stillThere } from './still-there.ts'

/**
 * All at once; of those that cannot be prepared the first is told. Refused: cut_short, where nobody waits for
 * it any more. ModelError.
 */
export const prepareOrgans = async (
  { bus, models }: Pick<CommandDeps, 'bus' | 'models'>,
  wanted: readonly Pick<Wanted, 'slot' | 'ask'>[],
  gone: AbortSignal,
): Promise<void> => {
  const enough = new AbortController()
  const signal = AbortSignal.any([gone, enough.signal])
  const preparing = wanted.map(async ({ slot, ask }) => {
    try {
      await models.prepare(slot, ask, (progress) => bus.sign({ type: 'progress', ...progress }), signal)
    } catch (error) {
      throw error instanceof ModelError
        ? new ModelError(`The ${organTable[slot].title} could not be prepared: ${error.message}`)
        : error
    }
  })
  // Those behind the one that is told are heard by nobody.
  for (const one of preparing) one.catch(() => undefined)
  try {
    for (const one of preparing) await one
  } catch (error) {
    enough.abort()
    stillThere(gone)
    throw error
  }
  stillThere(gone)
}

/** Who has organs already, or nobody yet. */
export type Whose = Pick<Self, 'id' | 'organs'>

/**
 * The Mind registered, keys kept, saved; where saving fails, the runtime knows the old Mind again and the
 * keys are nowhere.
 */
export const saveOrgans = async <T>(
  deps: CommandDeps,
  self: Whose,
  wanted: readonly Wanted[],
  gone: AbortSignal,
  save: (organs: DeclaredOrgans) => Promise<T>,
): Promise<T> => {
  const mind = wanted.find(({ slot }) => slot === 'thinking')?.ask
  // Before it is saved: the key of an address that is left goes with the saving.
  const old = mind && (await registration(deps, self))
  stillThere(gone)
  const undo = mind && (await wrap(deps, self, mind, old))
  try {
    const saved = await withKeys(deps, self.id, wanted, async (organs) => {
      stillThere(gone)
      return save(organs)
    })
    if (mind && old && moved(deps, self.id, old.mind, keyless(mind))) void leave(deps, self.id, old)
    return saved
  } catch (error) {
    // What was not confirmed may have been kept all the same: then it is registered as it should be.
    if (!mind || !isItsMind(deps, self.id, mind)) await undo?.()
    throw error
  }
}

const isItsMind = ({ personas }: CommandDeps, id: PersonaId, { model, provider, url }: OrganAsk): boolean => {
  const now = personas.listed(id)?.self.organs.thinking
  return now !== undefined && now.model === model && now.provider === provider && now.url === url
}

/** A Mind at its runtime, as it is called there and under which name. */
interface Registration {
  readonly mind: Organ
  readonly ask: OrganAsk
  readonly wrapper: string
}

const registration = async ({ personas }: CommandDeps, self: Whose): Promise<Registration | undefined> => {
  const registered = wrappedMind(self)
  return registered && { ...registered, ask: await askOf(personas, self.id, registered.mind) }
}

const moved = ({ config }: CommandDeps, id: PersonaId, from: Organ, to: Organ): boolean =>
  wrapperOf(id, to) === null || addressOf(from, config.urls) !== addressOf(to, config.urls)

/**
 * Registers the new Mind under its wrapper's name; the result puts back what was there, as well as it can.
 */
const wrap = async (
  deps: CommandDeps,
  self: Whose,
  ask: OrganAsk,
  old: Registration | undefined,
): Promise<() => Promise<void>> => {
  const { models } = deps
  const wrapper = wrapperOf(self.id, ask)
  if (wrapper === null) return async () => {}
  await models.wrap(ask, wrapper)
  return async () => {
    if (!old || moved(deps, self.id, old.mind, keyless(ask)))
      await models.unwrap(ask, wrapper).catch(() => {})
    // Also where it only seemed to move: two addresses may be names of one runtime.
    if (old) await models.wrap(old.ask, old.wrapper).catch(() => {})
  }
}

/**
 * The wrapper of a Mind that moved away is not needed where it was. That runtime may be gone for good, so
 * nobody waits on it. Never rejects.
 */
const leave = async (deps: CommandDeps, id: PersonaId, old: Registration): Promise<void> => {
  const { agents, inTurn, log, models } = deps
  try {
    // A restart asks the new Mind first.
    await agents.settled(id)
    await models.unwrap(old.ask, old.wrapper)
  } catch (err) {
    log.warn({ id, err }, 'the wrapper of a former Mind could not be unregistered')
  }
  await inTurn(id, () => keepRegistered(deps, id)).catch((err: unknown) => {
    log.warn({ id, err }, 'a Mind could not be registered again')
  })
}

/** The address that was left may be another name of the one it is at now, or it has come back meanwhile. */
const keepRegistered = async (deps: CommandDeps, id: PersonaId): Promise<void> => {
  const { models, personas } = deps
  const listed = personas.listed(id)
  const now = listed && (await registration(deps, listed.self))
  if (!now) return
  try {
    await models.probe(now.ask, now.wrapper)
  } catch {
    await models.wrap(now.ask, now.wrapper)
  }
}

/** The Mind where it is registered at a runtime, with the name it has there. */
export const wrappedMind = ({
  id,
  organs,
}: Pick<Self, 'id' | 'organs'>): { readonly mind: Organ; readonly wrapper: string } | undefined => {
  const mind = organs.thinking
  const wrapper = mind ? wrapperOf(id, mind) : null
  return mind && wrapper !== null ? { mind, wrapper } : undefined
}
