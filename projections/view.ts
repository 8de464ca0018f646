/** The persona as the list shows it: no key, the model's human name, running apart from status. */
import type { Channel, Organ, Provider, Slot, Status } from '../journal/facts/fact-values.ts'
import { type OtherSlot, perOtherSlot } from '../journal/facts/organ-table.ts'
import { channelName } from './bot-channels.ts'
import type { Self } from './self.ts'

/** Address per provider, and per `local`. */
export type Urls = Readonly<Record<Provider | 'local', string>>

export interface OrganView {
  readonly name: string
  readonly provider: Provider | null
  readonly url: string
}

export interface ChannelView {
  readonly type: Channel['type']
  readonly name: string
  readonly verified: boolean
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
}

export interface Presence {
  readonly running: boolean
  readonly webOpen: boolean
}

export const viewOf = (self: Self, { running, webOpen }: Presence, urls: Urls): PersonaView => {
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
  }
}

/** The name that was given for a local Mind, empty for one in the cloud. */
export const baseModel = ({ organs }: Self): string =>
  organs.thinking?.provider === null ? organs.thinking.model : ''

const isEmbedded = ({ provider, model }: Pick<Organ, 'provider' | 'model'>): boolean =>
  provider === null && model.startsWith('embedded/')

/** A local Mind is registered at its runtime under a name of its own; embedded and cloud models are not. */
export const wrapperOf = (id: string, mind: Pick<Organ, 'provider' | 'model'>): string | null =>
  mind.provider === null && !isEmbedded(mind) ? `daimon-${id}` : null

export const urlOf = (organ: Organ, urls: Urls): string =>
  isEmbedded(organ) ? 'embedded:' : (organ.url ?? urls[organ.provider ?? 'local'])

export const organView = (organ: Organ | undefined, urls: Urls): OrganView | null =>
  organ ? { name: organ.model, provider: organ.provider, url: withoutCredentials(urlOf(organ, urls)) } : null

/** None is taken any more; facts of before may hold one. */
export const withoutCredentials = (url: string): string => url.replace(/^(\w[\w+.-]*:\/*)[^/?#]*@/, '$1')
