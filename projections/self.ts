/** Who it is: name, organs, status, and whether it was last asked to run. Small enough to lie in the catalog whole. */

import type { ChannelKind, Organ, Seq, Slot, Status } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import type { Fact } from './persona.ts'

/** A bot of its own; `channelName` says what it goes by. */
export interface HerChannel {
  readonly id: string
  readonly kind: ChannelKind
  /** As its platform knows it. */
  readonly bot: { readonly id: string; readonly name: string }
  /** Before it is paired it goes by the name of its bot, with a number behind it where another of its own goes by that. */
  readonly unpaired: string
  /** An entry of the secrets file. */
  readonly token: string
  /** The chat it is paired with, and since when: ISO 8601 with the offset of then. */
  readonly paired: { readonly target: string; readonly at: string } | null
  /** Why it does not work; null where nothing is known to be wrong. */
  readonly trouble: string | null
}

export interface Self {
  readonly id: string
  readonly name: string
  /** Local date, YYYY-MM-DD. */
  readonly birthday: string
  /** Epoch milliseconds of its first fact: the order of the list. */
  readonly created: number
  readonly status: Status
  /** Why the daemon itself made it sick; null for a status that somebody asked for. */
  readonly reason: string | null
  readonly idleTimeout: number
  /** Whom its diaries are sealed for. */
  readonly recipient: string
  /** Behind where it was last brought back, and behind the end of what was here then: what was told up to there may have been another history. */
  readonly restored: Seq | 0
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  /** In the order they were added. */
  readonly channels: readonly HerChannel[]
  /** What was asked last: to run or not. A daemon that starts wakes those who should run. */
  readonly wanted: boolean
  readonly deleted: boolean
  /** Its diaries go with it. */
  readonly purged: boolean
}

export const evolveSelf = (self: Self | undefined, { seq, at, event }: Fact): Self => {
  if (event.type === 'PersonaCreated') {
    const { id, name, birthday, idleTimeout, recipient } = event
    return {
      id,
      name,
      birthday,
      created: at,
      status: 'active',
      reason: null,
      idleTimeout,
      recipient,
      restored: 0,
      organs: {},
      channels: [],
      wanted: false,
      deleted: false,
      purged: false,
    }
  }
  if (!self) throw new Error(`${event.type} stands before PersonaCreated`)
  switch (event.type) {
    case 'Renamed':
      return { ...self, name: event.name }
    case 'IdleTimeoutSet':
      return { ...self, idleTimeout: event.seconds }
    case 'OrganReplaced':
      return { ...self, organs: { ...self.organs, [event.slot]: event.organ } }
    case 'OrganRemoved':
      return { ...self, organs: without(self.organs, event.slot) }
    case 'StatusSet':
      // What the daemon sets, with its reason, leaves what was asked of it as it was: it should run, and cannot think.
      return {
        ...{ ...self, status: event.status, reason: event.status === 'sick' ? event.reason : null },
        wanted: event.reason === null ? event.status === 'active' : self.wanted,
      }
    case 'PhraseChanged':
      return { ...self, recipient: event.recipient }
    case 'PersonaRestored':
      return {
        ...{ ...self, recipient: event.recipient, restored: Math.max(seq, (event.over ?? 0) + 1) },
        ...{ organs: {}, channels: [], status: 'active', reason: null },
      }
    case 'ChannelAdded':
      return { ...self, channels: withAdded(self.channels, event) }
    case 'ChannelRemoved':
      return { ...self, channels: self.channels.filter(({ id }) => id !== event.id) }
    case 'ChannelPaired':
      return channelWith(self, event.id, { paired: { target: event.target, at: event.at } })
    case 'ChannelTroubled':
      return channelWith(self, event.id, { trouble: event.reason })
    case 'ChannelRecovered':
      return channelWith(self, event.id, { trouble: null })
    case 'StartAsked':
    case 'RestartAsked':
      return { ...self, wanted: true }
    case 'StopAsked':
      return { ...self, wanted: false }
    case 'PersonaDeleted':
      return { ...self, wanted: false, deleted: true, purged: event.purge }
    default:
      return self
  }
}

/** The chat once it is paired, the bot before. */
export const channelName = ({ unpaired, paired }: Pick<HerChannel, 'unpaired' | 'paired'>): string => paired?.target ?? unpaired

/** None of the others goes by it, so it can be removed by it. */
const nameApart = (name: string, channels: readonly HerChannel[]): string => {
  const taken = new Set(channels.flatMap((channel) => [channelName(channel), channel.unpaired]))
  let apart = name
  for (let n = 2; taken.has(apart); n++) apart = `${name}-${n}`
  return apart
}

/** A bot that is there already has another token, and perhaps another name, from now on. What was wrong with the one before is not known of this one. */
const withAdded = (channels: Self['channels'], { id, kind, name, bot, token }: EventOf<'ChannelAdded'>): Self['channels'] => {
  const others = channels.filter((one) => one.id !== id)
  const known = channels.find((one) => one.id === id)
  const unpaired = known?.bot.name === name ? known.unpaired : nameApart(name, others)
  const added = { id, kind, bot: { id: bot, name }, unpaired, token, paired: known?.paired ?? null, trouble: null }
  return known ? channels.map((one) => (one === known ? added : one)) : [...others, added]
}

const channelWith = (self: Self, id: string, change: Partial<Pick<HerChannel, 'paired' | 'trouble'>>): Self => ({
  ...self,
  channels: self.channels.map((channel) => (channel.id === id ? { ...channel, ...change } : channel)),
})

const without = (organs: Self['organs'], slot: Slot): Self['organs'] => {
  const { [slot]: _, ...rest } = organs
  return rest
}
