/** A Mind at its runtime: registered there under her name before she is saved with it, and put back where saving fails. */
import type { Organ, PersonaId } from '../../journal/facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import { wrapperOf } from '../../projections/view.ts'
import type { OrganAsk } from '../models/models.ts'
import type { UpdatePersona } from '../persona/rules/self.ts'
import type { RouteDeps } from './route.ts'
import { addressOf, askOf, keyless, type Wanted, withKeys, wrappedMind } from './schema/organ-bodies.ts'
import { stillThere } from './server/caller.ts'

/** Who has organs already, or nobody yet. */
export type Whose = Pick<Self, 'id' | 'organs'>

/** Her Mind registered, keys kept, saved; where saving fails, the runtime knows the old Mind again and the keys are nowhere. */
export const saveOrgans = async <T>(
  deps: RouteDeps,
  self: Whose,
  wanted: readonly Wanted[],
  gone: AbortSignal,
  save: (organs: UpdatePersona['organs']) => Promise<T>,
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
    if (!mind || !isHers(deps, self.id, mind)) await undo?.()
    throw error
  }
}

const isHers = ({ personas }: RouteDeps, id: PersonaId, { model, provider, url }: OrganAsk): boolean => {
  const now = personas.listed(id)?.self.organs.thinking
  return now !== undefined && now.model === model && now.provider === provider && now.url === url
}

/** A Mind at its runtime, as it is called there and under which name. */
interface Registration {
  readonly mind: Organ
  readonly ask: OrganAsk
  readonly wrapper: string
}

const registration = async ({ personas }: RouteDeps, self: Whose): Promise<Registration | undefined> => {
  const registered = wrappedMind(self)
  return registered && { ...registered, ask: await askOf(personas, self.id, registered.mind) }
}

const moved = ({ config }: RouteDeps, id: PersonaId, from: Organ, to: Organ): boolean =>
  wrapperOf(id, to) === null || addressOf(from, config.urls) !== addressOf(to, config.urls)

/** Registers the new Mind under her wrapper's name; the result puts back what was there, as well as it can. */
const wrap = async (deps: RouteDeps, self: Whose, ask: OrganAsk, old: Registration | undefined): Promise<() => Promise<void>> => {
  const { models } = deps
  const wrapper = wrapperOf(self.id, ask)
  if (wrapper === null) return async () => {}
  await models.wrap(ask, wrapper)
  return async () => {
    if (!old || moved(deps, self.id, old.mind, keyless(ask))) await models.unwrap(ask, wrapper).catch(() => {})
    // Also where she only seemed to move: two addresses may be names of one runtime.
    if (old) await models.wrap(old.ask, old.wrapper).catch(() => {})
  }
}

/** The wrapper of a Mind that moved away is not needed where it was. That runtime may be gone for good, so nobody waits on it. Never rejects. */
const leave = async (deps: RouteDeps, id: PersonaId, old: Registration): Promise<void> => {
  const { agents, inTurn, log, models } = deps
  try {
    // A restart knocks at her new Mind first.
    await agents.settled(id)
    await models.unwrap(old.ask, old.wrapper)
  } catch (err) {
    log.warn({ id, err }, 'the wrapper of her former Mind could not be unregistered')
  }
  await inTurn(id, () => keepRegistered(deps, id)).catch((err: unknown) => {
    log.warn({ id, err }, 'her Mind could not be registered again')
  })
}

/** The address that was left may be another name of the one she is at now, or she has come back to it meanwhile. */
const keepRegistered = async (deps: RouteDeps, id: PersonaId): Promise<void> => {
  const { models, personas } = deps
  const listed = personas.listed(id)
  const now = listed && (await registration(deps, listed.self))
  if (!now) return
  try {
    await models.knock(now.ask, now.wrapper)
  } catch {
    await models.wrap(now.ask, now.wrapper)
  }
}
