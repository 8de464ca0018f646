/** Loads the models that a provider offers. */

import { answerTo, client } from '../shared/client.ts'
import type { Fault, Provider, Shape, Slot } from '../shared/shapes.ts'
import { practice } from './providers.ts'

export interface Whereabouts {
  readonly provider: Provider | ''
  readonly url: string
  readonly api_key: string
  /** The persona whose stored key is used; empty for none. */
  readonly persona_id: string
}

/** `fits`: the model supports tools and fits into this machine's memory. */
export type Trait = 'fits' | 'noTools' | 'tooLarge' | 'practiceIs'

export interface OfferedModel {
  readonly name: string
  /** Null if unknown. */
  readonly trait: Trait | null
  /** Size of the model's file; null if unknown. */
  readonly bytes: number | null
  readonly isSuggested: boolean
  readonly price: Shape<'ModelDetails'>['price']
  readonly speed: Shape<'ModelDetails'>['speed']
}

export interface Offer {
  readonly models: readonly OfferedModel[]
  /** The daemon's reason why the models could not be loaded; null on success. */
  readonly reason: string | null
  /** The cause of `reason`, if it is known. */
  readonly fault: Fault | null
  /** True if the daemon itself did not answer. */
  readonly isSilent: boolean
}

const unrated = { isSuggested: false, price: undefined, speed: undefined }

export const practiceModel: OfferedModel = { name: practice, trait: 'practiceIs', bytes: null, ...unrated }

export const emptyOffer: Offer = { models: [], reason: null, fault: null, isSilent: false }

/** Returns true for the local runtime at its default address. */
export const isHere = ({ provider, url }: Pick<Whereabouts, 'provider' | 'url'>): boolean =>
  provider === 'local' && url === ''

export const loadOffer = async (organ: Slot, at: Whereabouts): Promise<Offer> => {
  const { provider } = at
  const body = { ...at, provider: provider === 'local' ? '' : provider, organ, details: true }
  const answer = await answerTo(client.POST('/api/models', { body }))
  if (!answer.ok)
    return { ...emptyOffer, reason: answer.failure.message, isSilent: answer.failure.status === null }
  const { models, suggested, details = [], memory, reason = null, fault = null } = answer.value
  const detailsByName = new Map(details.map((model) => [model.name, model]))
  return {
    models: models.map((name) => ({
      ...toModel(name, detailsByName.get(name), isHere(at) ? memory : undefined),
      isSuggested: name === suggested,
    })),
    reason,
    fault,
    isSilent: false,
  }
}

/** Returns the local Mind to preselect: the largest that fits, else one that is not known to be unfit. */
export const suggestLocalMind = (models: readonly OfferedModel[]): string => {
  const fittingModels = models.filter(({ trait }) => trait === 'fits')
  const [largest] = fittingModels.toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
  return (largest ?? models.find(({ trait }) => trait === null) ?? models[0])?.name ?? ''
}

/** Estimates the memory that a model needs: its file, its context, and some for other programs. */
const neededBytes = (bytes: number) => bytes * 1.2 + 1.5e9

const toModel = (
  name: string,
  details: Shape<'ModelDetails'> | undefined,
  memory: number | undefined,
): OfferedModel => {
  const bytes = details?.bytes ?? null
  const { price, speed } = details ?? {}
  return { ...unrated, name, bytes, trait: getTrait(bytes, details?.tools ?? null, memory), price, speed }
}

const getTrait = (bytes: number | null, tools: boolean | null, memory: number | undefined): Trait | null => {
  if (tools === false) return 'noTools'
  if (bytes === null || memory === undefined) return null
  if (neededBytes(bytes) > memory) return 'tooLarge'
  return tools ? 'fits' : null
}
