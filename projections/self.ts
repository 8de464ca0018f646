/**
 * Who it is: name, organs, status, and whether it was last asked to run. Small enough to lie in the catalog
 * whole.
 */

import type { Organ, Seq, Slot, Status } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import { type BotChannel, evolveChannels } from './bot-channels.ts'
import { evolveHosts, evolveServers, type ToolServers, type WebHosts, webServer } from './declared-servers.ts'
import type { FactFor } from './persona.ts'

export interface Self {
  readonly id: string
  readonly name: string
  /** Local date, YYYY-MM-DD. */
  readonly birthday: string
  /** Epoch milliseconds of the first fact of its own: the order of the list. */
  readonly created: number
  readonly status: Status
  /** Why the daemon itself made it sick; null for a status that somebody asked for. */
  readonly reason: string | null
  readonly idleTimeout: number
  /** Whom its diaries are sealed for. */
  readonly recipient: string
  /** Somebody has shown to have the words of that recipient. */
  readonly phraseConfirmed: boolean
  /**
   * Behind where it was last brought back, and behind the end of what was here then: what was told up to
   * there may have been another history.
   */
  readonly restored: Seq | 0
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  /** In the order they were added. */
  readonly channels: readonly BotChannel[]
  readonly servers: ToolServers
  /** What its person has decided of hosts whose pages it may read. */
  readonly hosts: WebHosts
  /** What was asked last: to run or not. A daemon that starts wakes those who should run. */
  readonly wanted: boolean
  readonly deleted: boolean
  /** Its diaries go with it. */
  readonly purged: boolean
}

export const evolveSelf = (self: Self, { seq, at, event }: FactFor<'self'>): Self => {
  switch (event.type) {
    case 'PersonaCreated':
      return created(event, at)
    case 'Renamed':
      return { ...self, name: event.name }
    case 'IdleTimeoutSet':
      return { ...self, idleTimeout: event.seconds }
    case 'OrganReplaced':
      return { ...self, organs: { ...self.organs, [event.slot]: event.organ } }
    case 'OrganRemoved':
      return { ...self, organs: without(self.organs, event.slot) }
    case 'StatusSet':
      // What the daemon sets, with its reason, leaves what was asked of it as it was: it should run, and
      // cannot think.
      return {
        ...{ ...self, status: event.status, reason: event.status === 'sick' ? event.reason : null },
        wanted: event.reason === null ? event.status === 'active' : self.wanted,
      }
    case 'PhraseChanged':
      return { ...self, recipient: event.recipient, phraseConfirmed: false }
    case 'PhraseConfirmed':
      return { ...self, phraseConfirmed: true }
    case 'PersonaRestored':
      // Who brought it back has typed the words.
      return {
        ...{ ...self, recipient: event.recipient, phraseConfirmed: true },
        ...{ restored: Math.max(seq, (event.over ?? 0) + 1), status: 'active', reason: null },
        ...{ organs: {}, channels: [], servers: {}, hosts: {} },
      }
    case 'PersonaForked':
      return {
        ...{ ...self, id: event.id, name: event.name, created: at, recipient: event.recipient },
        ...{ phraseConfirmed: false, restored: 0, organs: {}, channels: [], servers: {}, hosts: {} },
        ...{ status: 'active', reason: null, wanted: false },
      }
    case 'ChannelAdded':
    case 'ChannelRemoved':
    case 'ChannelPaired':
    case 'ChannelTroubled':
    case 'ChannelRecovered':
      return { ...self, channels: evolveChannels(self.channels, event) }
    case 'ToolModeSet':
      return event.server === webServer
        ? { ...self, hosts: evolveHosts(self.hosts, { seq, at, event }) }
        : { ...self, servers: evolveServers(self.servers, { seq, at, event }) }
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

const created = (
  { id, name, birthday, idleTimeout, recipient }: EventOf<'PersonaCreated'>,
  at: number,
): Self => ({
  id,
  name,
  birthday,
  created: at,
  status: 'active',
  reason: null,
  idleTimeout,
  recipient,
  phraseConfirmed: false,
  restored: 0,
  organs: {},
  channels: [],
  servers: {},
  hosts: {},
  wanted: false,
  deleted: false,
  purged: false,
})

const without = (organs: Self['organs'], slot: Slot): Self['organs'] => {
  const { [slot]: _, ...rest } = organs
  return rest
}
