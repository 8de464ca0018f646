/**
 * Prepares and saves organs. A Mind at a local runtime is registered there before it is saved, and restored
 * if saving fails.
 */
import type { Organ, PersonaId } from '../../facts/fact-values.ts'
import { organTable } from '../../facts/organ-table.ts'
import { ModelError, type OrganAsk } from '../../packages/models/models.ts'
import type { Self } from '../../projections/self.ts'
import { getWrapper } from '../../projections/view.ts'
import type { DeclaredOrgans } from '../persona/rules/persona.ts'
import type { CommandDeps } from './command-deps.ts'
import { throwIfDisconnected } from './lifecycle.ts'
import {
  organAddress,
  organRequestFor,
  type RequestedOrgan,
  toKeylessOrgan,
  withKeys,
} from './organ-request.ts'

/**
 * Prepares all in parallel and reports the first failure. Throws ModelError, or Refused: cut_short if the
 * client is gone.
 */
export const prepareOrgans = async (
  { bus, models }: Pick<CommandDeps, 'bus' | 'models'>,
  requestedOrgans: readonly Pick<RequestedOrgan, 'slot' | 'ask'>[],
  disconnectSignal: AbortSignal,
): Promise<void> => {
  const cancel = new AbortController()
  const signal = AbortSignal.any([disconnectSignal, cancel.signal])
  const preparations = requestedOrgans.map(async ({ slot, ask }) => {
    try {
      await models.prepare(slot, ask, (progress) => bus.sign({ type: 'progress', ...progress }), signal)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      const { message, fault } = error
      const sentence = `The ${organTable[slot].title} could not be prepared: ${message}`
      throw new ModelError(sentence, false, { fault, slot })
    }
  })
  // Later rejections are ignored once one is reported.
  for (const preparation of preparations) preparation.catch(() => undefined)
  try {
    for (const preparation of preparations) await preparation
  } catch (error) {
    cancel.abort()
    throwIfDisconnected(disconnectSignal)
    throw error
  }
  throwIfDisconnected(disconnectSignal)
}

/** A persona, or an id without organs. */
export type OrganOwner = Pick<Self, 'id' | 'organs'>

/** Registers the Mind, stores the keys and saves. On failure, registers the old Mind and removes the keys. */
export const saveOrgans = async <T>(
  deps: CommandDeps,
  self: OrganOwner,
  requestedOrgans: readonly RequestedOrgan[],
  disconnectSignal: AbortSignal,
  save: (organs: DeclaredOrgans) => Promise<T>,
): Promise<T> => {
  const mind = requestedOrgans.find(({ slot }) => slot === 'thinking')?.ask
  // Read before saving, which removes the key of the old address.
  const old = mind && (await loadRegistration(deps, self))
  throwIfDisconnected(disconnectSignal)
  const undo = mind && (await wrap(deps, self, mind, old))
  try {
    const result = await withKeys(deps, self.id, requestedOrgans, async (organs) => {
      throwIfDisconnected(disconnectSignal)
      return save(organs)
    })
    if (mind && old && hasMoved(deps, self.id, old.mind, toKeylessOrgan(mind)))
      void unregisterOld(deps, self.id, old)
    return result
  } catch (error) {
    // A save in doubt may be on disk: then the new registration is right.
    if (!mind || !isItsMind(deps, self.id, mind)) await undo?.()
    throw error
  }
}

const isItsMind = ({ personas }: CommandDeps, id: PersonaId, { model, provider, url }: OrganAsk): boolean => {
  const now = personas.getRow(id)?.self.organs.thinking
  return now !== undefined && now.model === model && now.provider === provider && now.url === url
}

/** A Mind that is registered at a local runtime. */
interface Registration {
  readonly mind: Organ
  readonly ask: OrganAsk
  readonly wrapper: string
}

const loadRegistration = async (
  { personas }: CommandDeps,
  self: OrganOwner,
): Promise<Registration | undefined> => {
  const wrappedOrgan = wrappedMind(self)
  return wrappedOrgan && { ...wrappedOrgan, ask: await organRequestFor(personas, self.id, wrappedOrgan.mind) }
}

const hasMoved = ({ config }: CommandDeps, id: PersonaId, from: Organ, to: Organ): boolean =>
  getWrapper(id, to) === null || organAddress(from, config.urls) !== organAddress(to, config.urls)

/**
 * Registers the new Mind under its wrapper's name. Returns a function that restores the old one, best effort.
 */
const wrap = async (
  deps: CommandDeps,
  self: OrganOwner,
  ask: OrganAsk,
  old: Registration | undefined,
): Promise<() => Promise<void>> => {
  const { models } = deps
  const wrapper = getWrapper(self.id, ask)
  if (wrapper === null) return async () => {}
  await models.wrap(ask, wrapper)
  return async () => {
    if (!old || hasMoved(deps, self.id, old.mind, toKeylessOrgan(ask)))
      await models.unwrap(ask, wrapper).catch(() => {})
    // Even after a move: two addresses may lead to one runtime.
    if (old) await models.wrap(old.ask, old.wrapper).catch(() => {})
  }
}

/** Unregisters a Mind that moved. Not awaited, since that runtime may be gone permanently. Never rejects. */
const unregisterOld = async (deps: CommandDeps, id: PersonaId, old: Registration): Promise<void> => {
  const { agents, inTurn, log, models } = deps
  try {
    // Only after the agent has switched to the new Mind.
    await agents.waitUntilSettled(id)
    await models.unwrap(old.ask, old.wrapper)
  } catch (err) {
    log.warn({ id, err }, 'failed to unregister a former Mind')
  }
  await inTurn(id, () => keepRegistered(deps, id)).catch((err: unknown) => {
    log.warn({ id, err }, 'failed to register a Mind again')
  })
}

/** Registers again if the old address was another name of the new one, or the Mind moved back. */
const keepRegistered = async (deps: CommandDeps, id: PersonaId): Promise<void> => {
  const { models, personas } = deps
  const row = personas.getRow(id)
  const now = row && (await loadRegistration(deps, row.self))
  if (!now) return
  try {
    await models.probe(now.ask, now.wrapper)
  } catch {
    await models.wrap(now.ask, now.wrapper)
  }
}

/** Returns the Mind that is registered at a runtime, and its name there. */
export const wrappedMind = ({
  id,
  organs,
}: Pick<Self, 'id' | 'organs'>): { readonly mind: Organ; readonly wrapper: string } | undefined => {
  const mind = organs.thinking
  const wrapper = mind ? getWrapper(id, mind) : null
  return mind && wrapper !== null ? { mind, wrapper } : undefined
}
