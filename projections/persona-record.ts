/**
 * The raw record that create, migrate, feed and pair return, with every key in plain text. Fields are in the
 * contract's order.
 */
import type { ChannelKind, Organ, Provider, Slot, Status } from '../facts/fact-values.ts'
import { type OtherSlot, perOtherSlot } from '../facts/organ-table.ts'
import { type BotChannel, channelName } from './bot-channels.ts'
import { type ChannelCredentials, toChannelCredentials } from './channel-credentials.ts'
import type { Self } from './self.ts'
import { baseModel, getUrl, getWrapper, type Urls } from './view.ts'

interface OrganRecord {
  readonly name: string
  readonly provider: Provider | null
  readonly url: string
  readonly api_key: string | null
}

export interface ChannelRecord {
  readonly type: ChannelKind
  /** Name of the paired chat; before pairing, that of the bot. */
  readonly name: string
  readonly credentials: ChannelCredentials
  readonly verified_at: string | null
}

export interface PersonaRecord extends Readonly<Record<OtherSlot, OrganRecord | null>> {
  readonly id: string
  readonly name: string
  readonly thinking: OrganRecord | null
  readonly version: string
  readonly base_model: string
  readonly birthday: string
  readonly status: Status
  readonly idle_timeout: number
  readonly channels: readonly ChannelRecord[]
}

/** `secret` returns the key of a reference, or null if it is missing. */
export const toPersonaRecord = (
  self: Self,
  secret: (ref: string) => string | null,
  urls: Urls,
): PersonaRecord => {
  const organ = (slot: Slot): OrganRecord | null => organRecord(self.organs[slot], secret, urls)
  const mind = self.organs.thinking
  const thinking = organ('thinking')
  return {
    id: self.id,
    name: self.name,
    thinking: thinking && mind ? { ...thinking, name: getWrapper(self.id, mind) ?? mind.model } : null,
    version: 'v1',
    base_model: baseModel(self),
    birthday: self.birthday,
    status: self.status,
    idle_timeout: self.idleTimeout,
    ...perOtherSlot(organ),
    channels: self.channels.map((channel) => channelRecord(channel, secret)),
  }
}

export const channelRecord = (
  channel: BotChannel,
  secret: (ref: string) => string | null,
): ChannelRecord => ({
  type: channel.kind,
  name: channelName(channel),
  credentials: toChannelCredentials(channel.kind, secret(channel.token)),
  verified_at: channel.paired?.at ?? null,
})

const organRecord = (
  organ: Organ | undefined,
  secret: (ref: string) => string | null,
  urls: Urls,
): OrganRecord | null =>
  organ
    ? {
        name: organ.model,
        provider: organ.provider,
        url: getUrl(organ, urls),
        api_key: organ.key === null ? null : secret(organ.key),
      }
    : null
