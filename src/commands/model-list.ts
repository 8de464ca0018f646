/** Lists the models that a runtime or provider offers for an organ. */
import type { PersonaId, Slot } from '../../facts/fact-values.ts'
import { isSpokenTo, type Models, type ModelTraits, type OrganAsk } from '../../packages/models/models.ts'
import type { PriceLevel, Prices } from '../../packages/models/prices.ts'
import { getSpeed, offerFor, type Speed } from '../../packages/models/providers/model-kinds.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed } from './lifecycle.ts'
import { findStoredKey, organAddress } from './organ-request.ts'

/** A runtime or provider, with the key in clear text. */
export type Server = Omit<OrganAsk, 'model'>

type Deps = Pick<CommandDeps, 'config'> & {
  readonly models: Pick<Models, 'described' | 'names'>
  readonly prices: Pick<Prices, 'getLevel'>
}

/**
 * Adds the key that the persona stores for this provider and address, unless a key was given. Throws Refused
 * (persona_unknown, key_elsewhere, key_unknown).
 */
export const selectServer = async (
  { config, personas }: Pick<CommandDeps, 'config' | 'personas'>,
  { personaId, ...server }: Server & { readonly personaId: PersonaId | null },
): Promise<Server> => {
  if (personaId === null) return server
  const { self } = requireListed(personas, personaId)
  if (server.apiKey !== null) return server
  const apiKey = await findStoredKey(personas, self, { ...server, model: '' }, config.urls)
  return { ...server, apiKey }
}

/** `suggested`: only for an organ. Throws ModelError. */
export const listModels = async (
  { config, models }: Deps,
  server: Server,
  slot: Slot | null,
): Promise<{ readonly models: readonly string[]; readonly suggested?: string | null }> => {
  const names = await models.names(server)
  return slot === null ? { models: names } : offerFor(slot, getOwner(server, config.urls), names)
}

interface ModelDetails extends ModelTraits {
  readonly price?: PriceLevel
  readonly speed?: Speed
}

/** Returns the models about which something is known. Throws ModelError. */
export const describeModels = async (
  { config, models, prices }: Deps,
  server: Server,
  names: readonly string[],
  slot: Slot | null,
): Promise<readonly ModelDetails[]> => {
  const { provider, url } = server
  if (provider === null) return (await models.described(server)).filter(({ name }) => names.includes(name))
  // The prices of other organs are not comparable.
  const hasLevel = slot !== null && isSpokenTo(slot)
  const owner = getOwner(server, config.urls)
  const details = await Promise.all(
    names.map(async (name) => {
      const price = hasLevel ? await prices.getLevel({ provider, model: name, url }) : null
      const speed = getSpeed(owner, name)
      return { name, bytes: null, tools: null, ...(price && { price }), ...(speed && { speed }) }
    }),
  )
  return details.filter((model) => 'price' in model || 'speed' in model)
}

/** Returns null for a local runtime, and for an address other than the configured one of the provider. */
const getOwner = ({ provider, url }: Server, urls: CommandDeps['config']['urls']): Server['provider'] => {
  const isConfigured =
    organAddress({ provider, url, model: '' }, urls) ===
    organAddress({ provider, url: null, model: '' }, urls)
  return isConfigured ? provider : null
}
