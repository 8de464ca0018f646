/** Identity of a persona: name, organs, status, and whether it should run. Small enough for the catalog. */

import type { Organ, Seq, Slot, Status, StoredMedia } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import { type BotChannel, evolveChannels } from './bot-channels.ts'
import {
  evolveChoices,
  evolveServers,
  initialSearchSettings,
  type SearchSettings,
  searchServer,
  type ToolServers,
  type WebHosts,
  webServer,
} from './declared-servers.ts'
import type { FactFor } from './fact.ts'

/** Who the persona is and how it speaks. */
export interface Character {
  readonly text: string
  /** Name of the character card that it comes from; null if the user wrote or chose it. */
  readonly card: string | null
  /** Position of the fact that contains the text. */
  readonly seq: Seq
}

/** `country`: chosen by the user; null follows the time zone. `help`: false if the user switched it off. */
export interface Care {
  readonly country: string | null
  readonly help: boolean
}

export interface Self {
  readonly id: string
  readonly name: string
  readonly character: Character | null
  readonly portrait: StoredMedia | null
  /** Local date, YYYY-MM-DD. */
  readonly birthday: string
  /** Epoch ms of its first own fact. Lists are sorted by it. */
  readonly created: number
  readonly status: Status
  /** The daemon's reason for the status `sick`; null for a status that the user set. */
  readonly reason: string | null
  readonly idleTimeout: number
  /** The age recipient that its diaries are encrypted to. */
  readonly recipient: string
  /** Whether the user has proven to know the recovery phrase of `recipient`. */
  readonly phraseConfirmed: boolean
  /**
   * Position after the last restore and after the end of the journal it replaced. Clients that have read up
   * to there may have seen another history.
   */
  readonly restored: Seq | 0
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  /** In the order in which they were added. */
  readonly channels: readonly BotChannel[]
  readonly servers: ToolServers
  /** Permissions to read pages of web hosts. */
  readonly hosts: WebHosts
  readonly searches: SearchSettings
  readonly care: Care
  /** Whether the persona was last asked to run. A starting daemon starts those personas. */
  readonly wanted: boolean
  readonly deleted: boolean
  /** Whether the diaries are deleted too. */
  readonly purged: boolean
}

export const evolveSelf = (self: Self, { seq, at, event }: FactFor<'self'>): Self => {
  switch (event.type) {
    case 'PersonaCreated':
      return created(event, at)
    case 'Renamed':
      return { ...self, name: event.name }
    case 'CharacterSet': {
      const { text, card } = event
      return { ...self, character: text === '' ? null : { text, card, seq } }
    }
    case 'PortraitChosen':
      return { ...self, portrait: event.media }
    case 'PortraitRemoved':
      return { ...self, portrait: null }
    case 'CareSet':
      return { ...self, care: { country: event.country, help: event.help } }
    case 'IdleTimeoutSet':
      return { ...self, idleTimeout: event.seconds }
    case 'OrganReplaced':
      return { ...self, organs: { ...self.organs, [event.slot]: event.organ } }
    case 'OrganRemoved':
      return { ...self, organs: withoutOrgan(self.organs, event.slot) }
    case 'StatusSet':
      // A status that the daemon sets has a reason and does not change `wanted`: the persona should run but
      // cannot.
      return {
        ...self,
        status: event.status,
        reason: event.status === 'sick' ? event.reason : null,
        wanted: event.reason === null ? event.status === 'active' : self.wanted,
      }
    case 'PhraseChanged':
      return { ...self, recipient: event.recipient, phraseConfirmed: false }
    case 'PhraseConfirmed':
      return { ...self, phraseConfirmed: true }
    case 'PersonaRestored':
      // Restoring a diary requires the recovery phrase.
      return {
        ...self,
        recipient: event.recipient,
        phraseConfirmed: true,
        restored: Math.max(seq, (event.over ?? 0) + 1),
        status: 'active',
        reason: null,
        organs: {},
        channels: [],
        servers: {},
        hosts: {},
        searches: initialSearchSettings,
      }
    case 'PersonaForked':
      return {
        ...self,
        id: event.id,
        name: event.name,
        created: at,
        recipient: event.recipient,
        phraseConfirmed: false,
        restored: 0,
        organs: {},
        channels: [],
        servers: {},
        hosts: {},
        searches: initialSearchSettings,
        status: 'active',
        reason: null,
        wanted: false,
      }
    case 'ChannelAdded':
    case 'ChannelRemoved':
    case 'ChannelPaired':
    case 'ChannelTroubled':
    case 'ChannelRecovered':
      return { ...self, channels: evolveChannels(self.channels, event) }
    case 'ToolModeSet': {
      const { searches } = self
      if (event.server === webServer) return { ...self, hosts: evolveChoices(self.hosts, { seq, at, event }) }
      if (event.server === searchServer)
        return {
          ...self,
          searches: { ...searches, choices: evolveChoices(searches.choices, { seq, at, event }) },
        }
      return { ...self, servers: evolveServers(self.servers, { seq, at, event }) }
    }
    case 'SearchProvidersSet': {
      const { providers, readsResults } = event
      return { ...self, searches: { ...self.searches, providers, readsResults } }
    }
    case 'ToolServerSet':
    case 'ToolServerRemoved':
      return { ...self, servers: evolveServers(self.servers, { seq, at, event }) }
    case 'StartAsked':
    case 'RestartAsked':
      return { ...self, wanted: true }
    case 'StopAsked':
      return { ...self, wanted: false }
    case 'PersonaDeleted':
      return { ...self, wanted: false, deleted: true, purged: event.purge }
  }
}

/** The fields of a new persona that its creation does not name. A catalog of an older version lacks some. */
export const initialSelf = {
  character: null,
  portrait: null,
  status: 'active',
  reason: null,
  phraseConfirmed: false,
  restored: 0,
  organs: {},
  channels: [],
  servers: {},
  hosts: {},
  searches: initialSearchSettings,
  care: { country: null, help: true },
  wanted: false,
  deleted: false,
  purged: false,
} as const satisfies Partial<Self>

const created = (
  { id, name, birthday, idleTimeout, recipient }: EventOf<'PersonaCreated'>,
  createdMs: number,
): Self => ({ ...initialSelf, id, name, birthday, created: createdMs, idleTimeout, recipient })

const withoutOrgan = (organs: Self['organs'], slot: Slot): Self['organs'] => {
  const { [slot]: _, ...rest } = organs
  return rest
}
