/**
 * The persona as listed by the API: without keys, with the model's display name, and with `running` separate
 * from `status`.
 */
import type { Channel, Organ, PromptProfile, Provider, Slot, Status } from '../facts/fact-values.ts'
import { type OtherSlot, perOtherSlot } from '../facts/organ-table.ts'
import { channelName } from './bot-channels.ts'
import type { Self } from './self.ts'

/** URL of each provider, and of local models under `local`. */
export type Urls = Readonly<Record<Provider | 'local', string>>

export interface OrganView {
  readonly name: string
  readonly provider: Provider | null
  readonly url: string
  /** Only of a Mind; absent if the daemon chooses it. */
  readonly profile?: PromptProfile
}

export interface ChannelView {
  readonly type: Channel['type']
  readonly name: string
  readonly verified: boolean
}

/** `url` changes with the picture. */
export interface PortraitView {
  readonly url: string
  readonly mime: string
  readonly bytes: number
}

export interface PersonaView extends Readonly<Record<OtherSlot, OrganView | null>> {
  readonly id: string
  readonly name: string
  readonly base_model: string
  readonly birthday: string
  readonly running: boolean
  readonly status: Status
  readonly thinking: OrganView
  readonly channels: readonly ChannelView[]
  readonly portrait: PortraitView | null
}

export interface Presence {
  readonly running: boolean
  readonly webOpen: boolean
}

export const toPersonaView = (self: Self, { running, webOpen }: Presence, urls: Urls): PersonaView => {
  const organ = (slot: Slot) => organView(self.organs[slot], urls)
  return {
    id: self.id,
    name: self.name,
    base_model: baseModel(self),
    birthday: self.birthday,
    running,
    status: self.status,
    thinking: organ('thinking') ?? { name: '', provider: null, url: urls.local },
    ...perOtherSlot(organ),
    channels: [
      ...self.channels.map((channel) => ({
        type: channel.kind,
        name: channelName(channel),
        verified: channel.paired !== null,
      })),
      ...(webOpen ? [{ type: 'web', name: self.id, verified: true } as const] : []),
    ],
    portrait: toPortraitView(self),
  }
}

/** Returns null if the persona has no portrait. */
export const toPortraitView = ({ id, portrait }: Pick<Self, 'id' | 'portrait'>): PortraitView | null =>
  portrait && {
    url: `/api/persona/${id}/portrait?v=${portrait.sha256.slice(0, 16)}`,
    mime: portrait.mime,
    bytes: portrait.bytes,
  }

/** Returns the model name of a local Mind; empty for a cloud model. */
export const baseModel = ({ organs }: Self): string =>
  organs.thinking?.provider === null ? organs.thinking.model : ''

const isEmbedded = ({ provider, model }: Pick<Organ, 'provider' | 'model'>): boolean =>
  provider === null && model.startsWith('embedded/')

/**
 * Returns the name under which a local Mind is registered at its runtime. Null for embedded and cloud models.
 */
export const getWrapper = (id: string, mind: Pick<Organ, 'provider' | 'model'>): string | null =>
  mind.provider === null && !isEmbedded(mind) ? `daimon-${id}` : null

export const getUrl = (organ: Pick<Organ, 'model' | 'provider' | 'url'>, urls: Urls): string =>
  isEmbedded(organ) ? 'embedded:' : (organ.url ?? urls[organ.provider ?? 'local'])

export const organView = (organ: Organ | undefined, urls: Urls): OrganView | null =>
  organ
    ? {
        name: organ.model,
        provider: organ.provider,
        url: withoutCredentials(getUrl(organ, urls)),
        ...(organ.profile && { profile: organ.profile }),
      }
    : null

/** Removes credentials from a URL. New URLs cannot have any, but older facts may. */
export const withoutCredentials = (url: string): string => url.replace(/^(\w[\w+.-]*:\/*)[^/?#]*@/, '$1')
