/** Identity of a persona: name, organs, status, and whether it should run. Small enough for the catalog. */

import type { Organ, Seq, Slot, Status, StoredMedia } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
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
import { evolveMailboxes, type Mailbox } from './mailboxes.ts'
import { type CalendarSubscription, evolveSubscriptions } from './subscribed-calendars.ts'

/** Who the persona is and how it speaks. */
export interface Character {
  readonly text: string
  /** Name of the character card that it comes from; null if the user wrote or chose it. */
  readonly card: string | null
  /** Position of the fact that contains the text. */
  readonly seq: Seq
}

/** A message that is an example line. `seq`: position of the fact that marked it. */
export interface MarkedLine {
  readonly message: Seq
  readonly seq: Seq
}

/** A change of the model that answers. */
export interface MindChange {
  /** Position of the fact. */
  readonly seq: Seq
  /** Epoch ms. */
  readonly at: number
  readonly provider: Organ['provider']
  readonly model: string
  /** The Mind before it, with the reference of its key; null if undo cannot restore it. */
  readonly former: Organ | null
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
  /** Messages that are example lines of its character, in the order in which they were marked. */
  readonly voice: readonly MarkedLine[]
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
  /** The last changes of the Mind, oldest first. */
  readonly minds: readonly MindChange[]
  /** In the order in which they were added. */
  readonly channels: readonly BotChannel[]
  readonly servers: ToolServers
  /** Permissions to read pages of web hosts. */
  readonly hosts: WebHosts
  readonly searches: SearchSettings
  /** Calendars of others. */
  readonly calendars: readonly CalendarSubscription[]
  readonly mailboxes: readonly Mailbox[]
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
    case 'LineMarked':
      return {
        ...self,
        voice: [...withoutLines(self.voice, [event.message]), { message: event.message, seq }],
      }
    case 'LineUnmarked':
      return { ...self, voice: withoutLines(self.voice, [event.message]) }
    case 'FactsErased': {
      const erasedSeqs = event.facts.map((fact) => fact.seq)
      return self.voice.some(({ message }) => erasedSeqs.includes(message))
        ? { ...self, voice: withoutLines(self.voice, erasedSeqs) }
        : self
    }
    case 'PortraitChosen':
      return { ...self, portrait: event.media }
    case 'PortraitRemoved':
      return { ...self, portrait: null }
    case 'CareSet':
      return { ...self, care: { country: event.country, help: event.help } }
    case 'IdleTimeoutSet':
      return { ...self, idleTimeout: event.seconds }
    case 'OrganReplaced': {
      const organs = { ...self.organs, [event.slot]: event.organ }
      if (event.slot !== 'thinking') return { ...self, organs }
      return { ...self, organs, minds: addMind(self, event.organ, { seq, at }) }
    }
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
        calendars: [],
        mailboxes: [],
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
        calendars: [],
        mailboxes: [],
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
    case 'CalendarSubscribed':
    case 'CalendarUnsubscribed':
      return { ...self, calendars: evolveSubscriptions(self.calendars, event) }
    case 'MailboxConnected':
    case 'MailboxDisconnected':
      return { ...self, mailboxes: evolveMailboxes(self.mailboxes, event) }
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
  voice: [],
  portrait: null,
  status: 'active',
  reason: null,
  phraseConfirmed: false,
  restored: 0,
  organs: {},
  minds: [],
  channels: [],
  servers: {},
  hosts: {},
  searches: initialSearchSettings,
  calendars: [],
  mailboxes: [],
  care: { country: null, help: true },
  wanted: false,
  deleted: false,
  purged: false,
} as const satisfies Partial<Self>

const created = (
  { id, name, birthday, idleTimeout, recipient }: EventOf<'PersonaCreated'>,
  createdMs: number,
): Self => ({ ...initialSelf, id, name, birthday, created: createdMs, idleTimeout, recipient })

/** Max changes of the Mind that are remembered. */
const maxMinds = 20

/** Another key, address or profile of the same model is no change of the Mind. */
const addMind = (
  { minds, organs }: Pick<Self, 'minds' | 'organs'>,
  { provider, model }: Organ,
  { seq, at }: { readonly seq: Seq; readonly at: number },
): Self['minds'] => {
  const last = minds.at(-1)
  // Only the last change can be undone.
  const earlierMinds = last ? [...minds.slice(0, -1), { ...last, former: null }] : []
  if (last?.provider === provider && last.model === model) return earlierMinds
  const formerMind = organs.thinking ?? null
  return [...earlierMinds, { seq, at, provider, model, former: formerMind }].slice(-maxMinds)
}

/** Returns the reference of the key of the former Mind, which an undo needs. */
export const listFormerKeys = ({ minds }: Pick<Self, 'minds'>): readonly string[] => {
  const key = minds.at(-1)?.former?.key
  return key ? [key] : []
}

const withoutLines = (voice: Self['voice'], removedSeqs: readonly Seq[]): Self['voice'] =>
  voice.filter(({ message }) => !removedSeqs.includes(message))

export const isMarkedLine = ({ voice }: Pick<Self, 'voice'>, message: Seq): boolean =>
  voice.some((line) => line.message === message)

const withoutOrgan = (organs: Self['organs'], slot: Slot): Self['organs'] => {
  const { [slot]: _, ...rest } = organs
  return rest
}
