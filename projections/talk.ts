/**
 * The inbox and the turn in progress. A mark per channel is enough for the inbox: messages after it wait for
 * a turn.
 */

import type {
  Channel,
  Decided,
  HiddenReason,
  Organ,
  PageSource,
  Seq,
  Sha256,
  Stimuli,
} from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import { webServer } from './declared-servers.ts'
import type { FactFor } from './fact.ts'

/** A model that answers once instead of the Mind. `asked`: the position of the user's request. */
export interface OtherMind {
  readonly organ: Organ
  readonly asked: Seq
}

export interface Inbox {
  readonly channel: Channel | null
  /** All messages of the channel up to here are handled. */
  readonly consumed: Seq | 0
  readonly heard: Seq
  /** The first waiting message; null if there is none. */
  readonly oldest: Seq | null
  /** How often a turn returned the oldest message because the model was unreachable. */
  readonly putBack: number
  /** Present while the messages wait for an answer of another model. */
  readonly otherMind?: OtherMind
}

/** A tool call that waits for the user's approval; `id` is the position of its fact. */
export interface Approval {
  readonly id: Seq
  readonly call: string
  readonly step: number
  readonly server: string
  readonly tool: string
  readonly definition: Sha256
  /** Epoch ms. */
  readonly asked: number
  /** Null until the user answers. */
  readonly decision: Decided | null
}

export interface Turn {
  readonly id: Seq
  /** Time of its begin, in epoch ms. */
  readonly at: number
  readonly life: number
  readonly channel: Channel | null
  readonly stimuli: Stimuli
  /**
   * The last step with a recorded answer. `answered` lists the calls of that step that have a result; before
   * the first step, the perceived files.
   */
  readonly step: number
  readonly answered: readonly string[]
  /** Web pages that were read since the last answer with text. */
  readonly pages: readonly PageSource[]
  /** Lives that crashed during this turn, possibly because of it. */
  readonly deaths: number
  /** Approvals requested for its calls. */
  readonly approvals: readonly Approval[]
  /** True if its life ended in order, or a restored diary ended it. */
  readonly laidDown: boolean
  /** The model that answers instead of the Mind; absent if the Mind does. */
  readonly otherMind?: OtherMind
}

/**
 * Whether the persona may speak first. `open`: there are no messages. `asked`: a user opened the
 * conversation. `begun`: a turn is greeting. `failed`: that turn ended without a message; retried when the
 * Mind changes. `over`: not any more.
 */
type Greeting = 'open' | 'asked' | 'begun' | 'failed' | 'over'

export interface Talk {
  readonly inboxes: Readonly<Record<string, Inbox>>
  readonly turn: Turn | null
  /** Turns that wait for an approval, oldest first. Other turns run meanwhile. */
  readonly parked: readonly Turn[]
  readonly greeting: Greeting
  /** Why messages are not shown, by their positions. */
  readonly hidden: Readonly<Record<number, HiddenReason>>
  /** Dedupe keys of the last messages, newest last. The journal's index holds older ones. */
  readonly keys: readonly string[]
  /** When the user last got the help of their country, in epoch ms; null if never. */
  readonly helpedAt: number | null
}

export const initialTalk: Talk = {
  inboxes: {},
  turn: null,
  parked: [],
  greeting: 'open',
  hidden: {},
  keys: [],
  helpedAt: null,
}

const keysKept = 128

export const inboxKey = (channel: Channel | null): string =>
  channel ? `${channel.type}/${channel.name}${channel.topic === undefined ? '' : `/${channel.topic}`}` : ''

export const evolveTalk = (talkBefore: Talk, { seq, at, event }: FactFor<'talk'>): Talk => {
  const talk = withGreeting(talkBefore, event)
  switch (event.type) {
    case 'MessageSpoken':
      if (event.help !== undefined) return { ...talk, helpedAt: at }
      return event.pages && talk.turn?.id === event.turn
        ? { ...talk, turn: { ...talk.turn, pages: [] } }
        : talk
    case 'GreetingAsked':
    case 'OrganRecovered':
    case 'OrganReplaced':
      return talk
    case 'MessageHeard': {
      // A message without a channel is answered in the same request and needs no turn.
      if (event.channel === null) return talk
      const name = inboxKey(event.channel)
      const inbox = talk.inboxes[name]
      const inboxAfter: Inbox = {
        channel: event.channel,
        consumed: inbox?.consumed ?? 0,
        heard: seq,
        oldest: inbox?.oldest ?? seq,
        putBack: inbox?.putBack ?? 0,
      }
      const keys = event.key === null ? talk.keys : [...talk.keys.slice(1 - keysKept), event.key]
      // Field by field, because this runs for every message. Measured.
      return {
        inboxes: { ...talk.inboxes, [name]: inboxAfter },
        turn: talk.turn,
        parked: talk.parked,
        greeting: talk.greeting,
        hidden: talk.hidden,
        keys,
        helpedAt: talk.helpedAt,
      }
    }
    case 'MessagesHidden': {
      const hidden = { ...talk.hidden }
      for (const seq of event.messages) hidden[seq] = event.reason
      return { ...talk, hidden }
    }
    case 'MessagesShown': {
      const hidden = { ...talk.hidden }
      for (const seq of event.messages) delete hidden[seq]
      return { ...talk, hidden }
    }
    case 'AnswerAsked': {
      const name = inboxKey(event.channel)
      const inbox = talk.inboxes[name]
      if (!inbox) return talk
      const { after, organ } = event
      const waitingInbox: Inbox = {
        ...inbox,
        consumed: after,
        oldest: after + 1,
        putBack: 0,
        ...(organ && { otherMind: { organ, asked: seq } }),
      }
      return { ...talk, inboxes: { ...talk.inboxes, [name]: waitingInbox } }
    }
    case 'TurnBegan': {
      const { life, channel, stimuli } = event
      const otherMind = talk.inboxes[inboxKey(channel)]?.otherMind
      return {
        ...talk,
        turn: {
          id: seq,
          at,
          life,
          channel,
          stimuli,
          step: 0,
          answered: [],
          pages: [],
          approvals: [],
          deaths: 0,
          laidDown: false,
          ...(otherMind && { otherMind }),
        },
      }
    }
    case 'Woke':
      return talk.turn ? { ...talk, turn: resumeAfterStart(talk.turn) } : talk
    case 'Stopped':
    case 'Salvaged':
      return talk.turn ? { ...talk, turn: { ...talk.turn, laidDown: true } } : talk
    case 'PersonaRestored':
      return restoreTalk(talk)
    case 'PersonaForked':
      return {
        ...talk,
        turn: null,
        parked: [],
        inboxes: mapInboxes(talk.inboxes, (inbox) => consume(inbox, inbox.heard)),
      }
    case 'ModelAnswered':
      if (event.cause !== 'turn' || event.step === null || talk.turn?.id !== event.turn) return talk
      return { ...talk, turn: { ...talk.turn, step: event.step, answered: [] } }
    case 'MediaDescribed':
      return talk.turn?.id === event.turn
        ? { ...talk, turn: { ...talk.turn, answered: [...talk.turn.answered, perceivedMark(event.message)] } }
        : talk
    case 'ToolAnswered': {
      const { turn } = talk
      if (turn?.id !== event.turn) return talk
      const answeredCalls = [...turn.answered, event.call]
      const page = readPageSource(event, at)
      const isNew = page !== null && !turn.pages.some(({ url }) => url === page.url)
      return {
        ...talk,
        turn: { ...turn, answered: answeredCalls, ...(isNew && { pages: [...turn.pages, page] }) },
      }
    }
    case 'ApprovalAsked':
      return parkTurn(talk, seq, at, event)
    case 'ApprovalSettled':
      return { ...talk, parked: talk.parked.map((turn) => settleApproval(turn, event)) }
    case 'TurnResumed':
      return {
        ...talk,
        turn: talk.parked.find(({ id }) => id === event.turn) ?? talk.turn,
        parked: talk.parked.filter(({ id }) => id !== event.turn),
      }
    case 'FactsErased': {
      const inboxes = { ...talk.inboxes }
      for (const { channel, upTo } of event.withdrawn) {
        const inbox = inboxes[inboxKey(channel)]
        if (inbox) inboxes[inboxKey(channel)] = consume(inbox, upTo)
      }
      return { ...talk, inboxes }
    }
    case 'TurnEnded': {
      if (talk.turn?.id !== event.turn)
        return { ...talk, parked: talk.parked.filter(({ id }) => id !== event.turn) }
      const { channel, stimuli } = talk.turn
      const name = inboxKey(channel)
      const inbox = talk.inboxes[name]
      // A turn that handled only due plans does not change the inbox.
      if (!inbox || stimuli.upTo === stimuli.after) return { ...talk, turn: null }
      const rest =
        event.outcome === 'unreachable'
          ? { ...inbox, putBack: inbox.putBack + 1 }
          : consume(inbox, stimuli.upTo)
      return { ...talk, turn: null, inboxes: { ...talk.inboxes, [name]: rest } }
    }
  }
}

/** Max UTF-16 units. */
const maxTitle = 200

/** Returns the page that a tool has read, or null. */
const readPageSource = ({ ok, output }: EventOf<'ToolAnswered'>, at: number): PageSource | null => {
  if (!ok || typeof output !== 'object' || output === null || !('origin' in output)) return null
  const { origin, url, title } = output as { origin: unknown; url?: unknown; title?: unknown }
  const isPage =
    typeof origin === 'object' && origin !== null && 'server' in origin && origin.server === webServer
  if (!isPage || typeof url !== 'string') return null
  return { title: typeof title === 'string' ? title.slice(0, maxTitle).toWellFormed() : '', url, at }
}

const withGreeting = (talk: Talk, event: FactFor<'talk'>['event']): Talk => {
  const greeting = greetingAfter(talk, event)
  return greeting === talk.greeting ? talk : { ...talk, greeting }
}

/** A message from either side ends the greeting, even while a turn is greeting. */
const greetingAfter = ({ greeting }: Talk, event: FactFor<'talk'>['event']): Greeting => {
  if (greeting === 'over') return greeting
  switch (event.type) {
    case 'MessageHeard':
    case 'MessageSpoken':
      return 'over'
    case 'GreetingAsked':
      return 'asked'
    case 'TurnBegan':
      return greeting === 'asked' ? 'begun' : greeting
    case 'TurnEnded':
      if (greeting !== 'begun') return greeting
      return event.outcome === 'hushed' ? 'over' : 'failed'
    case 'Woke':
    case 'OrganRecovered':
    case 'OrganReplaced':
      return greeting === 'failed' ? 'open' : greeting
    case 'PersonaForked':
      return 'open'
    default:
      return greeting
  }
}

/** Returns whether the persona speaks first in this turn. */
export const isGreeting = ({ stimuli }: Pick<Turn, 'stimuli'>): boolean =>
  stimuli.upTo === stimuli.after && stimuli.due.length === 0

/** Parks the turn. Its messages count as consumed, so that later messages start another turn. */
const parkTurn = (talk: Talk, id: Seq, askedMs: number, event: EventOf<'ApprovalAsked'>): Talk => {
  const { call, step, server, tool, definition } = event
  const approval: Approval = { id, call, step, server, tool, definition, asked: askedMs, decision: null }
  const { turn } = talk
  if (turn?.id !== event.turn)
    return {
      ...talk,
      parked: talk.parked.map((parkedTurn) =>
        parkedTurn.id === event.turn
          ? { ...parkedTurn, approvals: [...parkedTurn.approvals, approval] }
          : parkedTurn,
      ),
    }
  const name = inboxKey(turn.channel)
  const inbox = talk.inboxes[name]
  const hasMessages = inbox && turn.stimuli.upTo > turn.stimuli.after
  return {
    ...talk,
    turn: null,
    parked: [...talk.parked, { ...turn, approvals: [...turn.approvals, approval] }],
    inboxes: hasMessages ? { ...talk.inboxes, [name]: consume(inbox, turn.stimuli.upTo) } : talk.inboxes,
  }
}

const settleApproval = (turn: Turn, { approval, decision }: EventOf<'ApprovalSettled'>): Turn =>
  turn.approvals.some(({ id }) => id === approval)
    ? {
        ...turn,
        approvals: turn.approvals.map((entry) => (entry.id === approval ? { ...entry, decision } : entry)),
      }
    : turn

const resumeAfterStart = (turn: Turn): Turn => ({
  ...turn,
  deaths: turn.laidDown ? turn.deaths : turn.deaths + 1,
  laidDown: false,
})

/** Keys are not in a diary, so the Mind gives an answer that another model was asked for. */
const restoreTalk = (talk: Talk): Talk => ({
  ...talk,
  turn: talk.turn && withoutOtherMind({ ...talk.turn, laidDown: true }),
  parked: talk.parked.map(withoutOtherMind),
  inboxes: mapInboxes(talk.inboxes, withoutOtherMind),
})

const withoutOtherMind = <T extends { readonly otherMind?: OtherMind }>(owner: T): Omit<T, 'otherMind'> => {
  const { otherMind: _, ...rest } = owner
  return rest
}

/** Returns the references of keys that models asked for one answer still need. */
export const listOtherKeys = ({ inboxes, turn, parked }: Talk): readonly string[] =>
  [...Object.values(inboxes), ...(turn ? [turn] : []), ...parked].flatMap(
    ({ otherMind }) => otherMind?.organ.key ?? [],
  )

/** Entry in `answered` for a perceived file: each file is perceived once per turn. */
export const perceivedMark = (message: Seq): string => `file ${message}`

const mapInboxes = (inboxes: Talk['inboxes'], to: (inbox: Inbox) => Inbox): Talk['inboxes'] =>
  Object.fromEntries(Object.entries(inboxes).map(([name, inbox]) => [name, to(inbox)]))

/** Advances the inbox. A parked turn may end after newer turns, and then changes nothing. */
const consume = (inbox: Inbox, upTo: Seq): Inbox =>
  upTo < inbox.consumed
    ? inbox
    : {
        ...withoutOtherMind(inbox),
        consumed: upTo,
        oldest: inbox.heard > upTo ? upTo + 1 : null,
        putBack: 0,
      }

/** Returns the channels with waiting messages, the longest wait first. */
export const getWaitingInboxes = (talk: Talk): readonly Inbox[] =>
  Object.values(talk.inboxes)
    .filter((inbox) => inbox.oldest !== null)
    .sort((a, b) => (a.oldest ?? 0) - (b.oldest ?? 0))

/** Returns the unanswered approvals, oldest first. */
export const listOpenApprovals = ({ parked }: Talk): readonly (Approval & { readonly turn: Seq })[] =>
  parked.flatMap(({ id: turn, approvals }) =>
    approvals.flatMap((approval) => (approval.decision === null ? { ...approval, turn } : [])),
  )

/** Returns the first parked turn whose approvals are settled. */
export const findResumable = ({ parked }: Talk): Turn | undefined =>
  parked.find(({ approvals }) => approvals.every(({ decision }) => decision !== null))

/** Returns the due entries that a turn already handles. */
export const dueInTurns = ({ turn, parked }: Talk): ReadonlySet<string> =>
  new Set([...(turn ? [turn] : []), ...parked].flatMap(({ stimuli }) => stimuli.due))
