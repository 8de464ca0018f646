/**
 * Its inbox and the turn in progress. What waits is what was heard and not yet consumed by an ended turn, so
 * it needs no list: a mark per channel.
 */
import type { Channel, Seq, Stimuli } from '../journal/facts/fact-values.ts'
import type { FactFor } from './persona.ts'

export interface Inbox {
  readonly channel: Channel | null
  /** Everything heard in the channel up to here is done with. */
  readonly consumed: Seq | 0
  readonly heard: Seq
  /** The first message that waits; null when none does. */
  readonly oldest: Seq | null
  /** How often the oldest was put back by a turn that could not reach its Mind. */
  readonly putBack: number
}

export interface Turn {
  readonly id: Seq
  /** When it began, epoch milliseconds. */
  readonly at: number
  readonly life: number
  readonly channel: Channel | null
  readonly stimuli: Stimuli
  /**
   * The last step whose answer is recorded, and the calls of it whose answers are; before the first step, the
   * files that are perceived.
   */
  readonly step: number
  readonly answered: readonly string[]
  /** Lives that ended without a word while it was in progress: the daemon died, maybe of it. */
  readonly deaths: number
  /** The life that works on it has ended in order, or was ended by a diary that was brought back. */
  readonly laidDown: boolean
}

export interface Talk {
  readonly inboxes: Readonly<Record<string, Inbox>>
  readonly turn: Turn | null
  /** Dedupe keys of the last messages, newest last: older ones are in the journal's index. */
  readonly keys: readonly string[]
}

export const initialTalk: Talk = { inboxes: {}, turn: null, keys: [] }

const keysKept = 128

export const inboxKey = (channel: Channel | null): string =>
  channel ? `${channel.type}/${channel.name}` : ''

export const evolveTalk = (talk: Talk, { seq, at, event }: FactFor<'talk'>): Talk => {
  switch (event.type) {
    case 'MessageHeard': {
      // Heard and answered in one: it waits for no turn.
      if (event.channel === null) return talk
      const name = inboxKey(event.channel)
      const inbox = talk.inboxes[name]
      const heard: Inbox = {
        channel: event.channel,
        consumed: inbox?.consumed ?? 0,
        heard: seq,
        oldest: inbox?.oldest ?? seq,
        putBack: inbox?.putBack ?? 0,
      }
      const keys = event.key === null ? talk.keys : [...talk.keys.slice(1 - keysKept), event.key]
      return { ...talk, inboxes: { ...talk.inboxes, [name]: heard }, keys }
    }
    case 'TurnBegan': {
      const { life, channel, stimuli } = event
      return {
        ...talk,
        turn: { id: seq, at, life, channel, stimuli, step: 0, answered: [], deaths: 0, laidDown: false },
      }
    }
    case 'Woke':
      return talk.turn ? { ...talk, turn: takenUp(talk.turn) } : talk
    case 'Stopped':
    case 'PersonaRestored':
    case 'Salvaged':
      return talk.turn ? { ...talk, turn: { ...talk.turn, laidDown: true } } : talk
    case 'PersonaForked':
      return { ...talk, turn: null, inboxes: mapped(talk.inboxes, (inbox) => consume(inbox, inbox.heard)) }
    case 'ModelAnswered':
      if (event.cause !== 'turn' || event.step === null || talk.turn?.id !== event.turn) return talk
      return { ...talk, turn: { ...talk.turn, step: event.step, answered: [] } }
    case 'MediaDescribed':
      return talk.turn?.id === event.turn
        ? { ...talk, turn: { ...talk.turn, answered: [...talk.turn.answered, perceivedMark(event.message)] } }
        : talk
    case 'ToolAnswered':
      return talk.turn?.id === event.turn
        ? { ...talk, turn: { ...talk.turn, answered: [...talk.turn.answered, event.call] } }
        : talk
    case 'FactsErased': {
      const inboxes = { ...talk.inboxes }
      for (const { channel, upTo } of event.withdrawn) {
        const inbox = inboxes[inboxKey(channel)]
        if (inbox) inboxes[inboxKey(channel)] = consume(inbox, upTo)
      }
      return { ...talk, inboxes }
    }
    case 'TurnEnded': {
      if (talk.turn?.id !== event.turn) return talk
      const { channel, stimuli } = talk.turn
      const name = inboxKey(channel)
      const inbox = talk.inboxes[name]
      // A turn that was only about what fell due leaves the inbox as it is.
      if (!inbox || stimuli.upTo === stimuli.after) return { ...talk, turn: null }
      const left =
        event.outcome === 'unreachable'
          ? { ...inbox, putBack: inbox.putBack + 1 }
          : consume(inbox, stimuli.upTo)
      return { ...talk, turn: null, inboxes: { ...talk.inboxes, [name]: left } }
    }
  }
}

const takenUp = (turn: Turn): Turn => ({
  ...turn,
  deaths: turn.laidDown ? turn.deaths : turn.deaths + 1,
  laidDown: false,
})

/** Stands among the answered calls: a file is perceived once in a turn. */
export const perceivedMark = (message: Seq): string => `file ${message}`

const mapped = (inboxes: Talk['inboxes'], to: (inbox: Inbox) => Inbox): Talk['inboxes'] =>
  Object.fromEntries(Object.entries(inboxes).map(([name, inbox]) => [name, to(inbox)]))

const consume = (inbox: Inbox, upTo: Seq): Inbox => ({
  ...inbox,
  consumed: upTo,
  oldest: inbox.heard > upTo ? upTo + 1 : null,
  putBack: 0,
})

/** The channels with something waiting, the one that waits longest first. */
export const waiting = (talk: Talk): readonly Inbox[] =>
  Object.values(talk.inboxes)
    .filter((inbox) => inbox.oldest !== null)
    .sort((a, b) => (a.oldest ?? 0) - (b.oldest ?? 0))
