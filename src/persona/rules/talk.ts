/** Rules of messages: received messages, and messages outside of turns. */
import type {
  AnswerMode,
  Channel,
  HeardMedia,
  HiddenReason,
  MessagePart,
  Organ,
  Seq,
} from '../../../facts/fact-values.ts'
import type { EventOf } from '../../../facts/facts.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import type { OfLife } from './lifecycle.ts'
import { callFacts, type OrganCall } from './organ-health.ts'

/** `content`: plain text that may contain quotes; `parts`: text by author, if the channel knows it. */
export type Words = { readonly content: string } | { readonly parts: readonly MessagePart[] }

type HearCommand = Words & {
  readonly type: 'Hear'
  readonly channel: Channel | null
  readonly media: HeardMedia | null
  /** More files of the same message. Each becomes a message without text. */
  readonly others?: readonly HeardMedia[]
  readonly key: string | null
}

/** An exchange over the OpenAI-compatible API. `said`: its text, if it is to be remembered. */
export interface RecordExchange extends OfLife {
  readonly type: 'RecordExchange'
  readonly calls: readonly OrganCall[]
  /** `notice`: the text of the daemon in the answer. */
  readonly said: {
    readonly heard: string
    readonly spoken: string | null
    readonly notice: string | null
  } | null
}

/** Notifies the user while the Mind is unreachable, or silent in the turn `stalled`. */
interface TellTrouble extends OfLife {
  readonly type: 'TellTrouble'
  readonly channel: Channel
  readonly words: string
  readonly stalled: Seq | null
}

/** Offers help for waiting messages while the Mind is unreachable. */
interface OfferHelp extends OfLife {
  readonly type: 'OfferHelp'
  readonly channel: Channel | null
  readonly help: OfferedHelp
}

/** A client opened a conversation without messages. */
interface Greet {
  readonly type: 'Greet'
  /** The language of the page, such as `de`. */
  readonly language?: string | undefined
}

/** Tells the user about a change that the daemon made after a request of theirs. */
interface GiveNotice {
  readonly type: 'GiveNotice'
  readonly words: string
}

/** The last exchange of a channel: its turns took the messages `after < seq <= upTo`. */
export interface LastExchange {
  readonly channel: Channel | null
  readonly after: Seq | 0
  readonly upTo: Seq
  /** Texts of the persona in it, of all its answers. `answer`: the first turn of the answer. */
  readonly spoken: readonly { readonly seq: Seq; readonly turn: Seq; readonly answer: Seq }[]
}

/**
 * Asks for another answer, which replaces the one that is shown, or for the rest of it. `organ`: the model
 * that answers instead of the Mind.
 */
interface AskAnswer {
  readonly type: 'AskAnswer'
  readonly turn: Seq
  readonly mode: AnswerMode
  readonly organ?: Organ
  readonly exchange: LastExchange
}

/** Shows the answer of this turn instead of the others. */
interface ChooseAnswer {
  readonly type: 'ChooseAnswer'
  readonly turn: Seq
  readonly exchange: LastExchange
}

/** The user wrote a message of the last exchange again. */
interface EditMessage {
  readonly type: 'EditMessage'
  readonly message: Seq
  readonly content: string
  readonly exchange: LastExchange
}

/** Deletes a message from the conversation, or shows a deleted message again. */
interface HideMessage {
  readonly type: 'HideMessage'
  readonly message: Seq
  /** Of a message of the user: its channel. Of the persona: its turn. */
  readonly of: { readonly inbox: Channel | null } | { readonly turn: Seq | null }
  readonly hidden: boolean
}

export type TalkCommand =
  | AskAnswer
  | ChooseAnswer
  | EditMessage
  | HideMessage
  | HearCommand
  | Greet
  | RecordExchange
  | TellTrouble
  | OfferHelp
  | GiveNotice

/** Ignores a message with a known key. */
const decideHear = ({ talk }: Persona, command: HearCommand): Decision => {
  const { channel, media, others = [], key } = command
  if (key !== null && talk.keys.includes(key)) return accept()
  const parts = 'parts' in command ? command.parts : partsIn(command.content)
  return accept(
    { type: 'MessageHeard', channel, parts, media, key },
    ...others.map((file) => ({ type: 'MessageHeard', channel, parts: [], media: file, key: null }) as const),
  )
}

/** Returns why the exchange cannot be changed, or null. */
const findObstacle = ({ talk }: Persona, { channel, upTo }: LastExchange): Decision | null => {
  const inbox = talk.inboxes[inboxKey(channel)]
  if (talk.turn || (inbox && inbox.oldest !== null)) return refuse({ code: 'answer_pending' })
  const isLast = inbox?.consumed === upTo && talk.parked.every(({ stimuli }) => stimuli.upTo !== upTo)
  return isLast ? null : refuse({ code: 'not_last_exchange' })
}

const askAnswer = (persona: Persona, { turn, mode, organ, exchange }: AskAnswer): Decision => {
  const { channel, after, spoken } = exchange
  const shownSeqs = listShown(persona, spoken)
  const askedFact = { type: 'AnswerAsked', turn, mode, channel, after, ...(organ && { organ }) } as const
  if (mode === 'continue' && !spoken.some(({ seq, turn: of }) => of === turn && shownSeqs.includes(seq)))
    return refuse({ code: 'nothing_to_continue' })
  const hiding = mode === 'again' ? hideAll(shownSeqs, 'replaced') : []
  return findObstacle(persona, exchange) ?? accept(...hiding, askedFact)
}

const chooseAnswer = (persona: Persona, { turn, exchange }: ChooseAnswer): Decision => {
  const { hidden } = persona.talk
  const answer = exchange.spoken.find((message) => message.turn === turn)?.answer
  const chosenSeqs = exchange.spoken.flatMap((message) =>
    message.answer === answer && hidden[message.seq] === 'replaced' ? message.seq : [],
  )
  const obstacle = findObstacle(persona, exchange)
  if (obstacle) return obstacle
  if (chosenSeqs.length === 0) return accept()
  const others = exchange.spoken.filter((message) => message.answer !== answer)
  return accept(...hideAll(listShown(persona, others), 'replaced'), {
    type: 'MessagesShown',
    messages: chosenSeqs,
  })
}

/** The answers to the old text are hidden with it. */
const editMessage = (persona: Persona, { message, content, exchange }: EditMessage): Decision => {
  if (persona.talk.hidden[message]) return refuse({ code: 'message_unknown' })
  if (content.trim() === '') return refuse({ code: 'message_empty' })
  const { channel, spoken } = exchange
  const obstacle = findObstacle(persona, exchange)
  if (obstacle) return obstacle
  const hiding = hideAll([message, ...listShown(persona, spoken)], 'edited')
  return accept(...hiding, { type: 'MessageHeard', channel, parts: partsIn(content), media: null, key: null })
}

const hideMessage = ({ talk }: Persona, { message, of, hidden }: HideMessage): Decision => {
  const reason = talk.hidden[message]
  if (!hidden) return reason === 'deleted' ? accept({ type: 'MessagesShown', messages: [message] }) : accept()
  if (reason) return accept()
  const isPending =
    'inbox' in of
      ? message > (talk.inboxes[inboxKey(of.inbox)]?.consumed ?? Number.POSITIVE_INFINITY)
      : talk.turn?.id === of.turn
  return isPending ? refuse({ code: 'answer_pending' }) : accept(...hideAll([message], 'deleted'))
}

const listShown = ({ talk }: Persona, messages: LastExchange['spoken']): readonly Seq[] =>
  messages.flatMap(({ seq }) => (talk.hidden[seq] ? [] : seq))

const hideAll = (messages: readonly Seq[], reason: HiddenReason): readonly EventOf<'MessagesHidden'>[] =>
  messages.length > 0 ? [{ type: 'MessagesHidden', messages, reason }] : []

/** Only if a greeting is open and the Mind is reachable. */
const greet = ({ talk, life }: Persona, { language }: Greet): Decision =>
  talk.greeting === 'open' && !life.failed.thinking
    ? accept({ type: 'GreetingAsked', ...(language !== undefined && { language }) })
    : accept()

/** Records both messages at once, so that no turn answers. */
const recordExchange = (persona: Persona, { calls, said }: RecordExchange): Decision => {
  const callEvents = callFacts(persona, calls, { turn: null, step: null, cause: 'api' })
  return accept(...callEvents, ...(said ? createExchange(said) : []))
}

/** Returns the facts of an exchange that is remembered. */
export const createExchange = ({
  heard,
  spoken,
  notice,
}: NonNullable<RecordExchange['said']>): readonly EventOf<'MessageHeard' | 'MessageSpoken'>[] => [
  {
    type: 'MessageHeard',
    channel: null,
    parts: [{ from: 'program', by: null, text: heard }],
    media: null,
    key: null,
  },
  ...createMessageSaid({ turn: null, step: null, channel: null }, spoken, 'all'),
  ...createNotice({ turn: null, channel: null }, notice),
]

/** Only while a message waits. It stays in the inbox. */
const tellTrouble = ({ life, talk }: Persona, { channel, words, stalled }: TellTrouble): Decision => {
  const isTroubled = life.failed.thinking !== undefined || (stalled !== null && talk.turn?.id === stalled)
  const waits = talk.inboxes[inboxKey(channel)]?.oldest != null
  return isTroubled && waits ? accept(...createNotice({ turn: null, channel }, words)) : accept()
}

/** Returns the fact of a sent message; none for null. `borrowed`: words of others in it; 'all' if unknown. */
export const createMessageSaid = (
  { turn, step, channel }: Pick<EventOf<'MessageSpoken'>, 'turn' | 'step' | 'channel'>,
  content: string | null,
  borrowedWords: readonly string[] | 'all',
): readonly EventOf<'MessageSpoken'>[] => {
  if (content === null) return []
  const words = borrowedWords === 'all' ? [content] : borrowedWords
  return [
    {
      type: 'MessageSpoken',
      turn,
      step,
      channel,
      content,
      media: null,
      asks: null,
      ...(words.length > 0 && { borrowed: words }),
    },
  ]
}

/** Returns the fact of a notice of the daemon; none for null. No model sees it, so nothing is borrowed. */
export const createNotice = (
  { turn, channel }: Pick<EventOf<'MessageSpoken'>, 'turn' | 'channel'>,
  content: string | null,
): readonly EventOf<'MessageSpoken'>[] =>
  createMessageSaid({ turn, step: null, channel }, content, []).map((message) => ({
    ...message,
    notice: true,
  }))

/** The help of a country for a user whose life may be in danger. `country`: null if it is unknown. */
export interface Help {
  readonly country: string | null
  readonly text: string
}

/** `helpedAt`: time of the previous help when the messages were read, epoch ms; null for none. */
export interface OfferedHelp extends Help {
  readonly helpedAt: number | null
}

/**
 * Returns the fact that shows the help, or none if it was shown meanwhile. It has no turn, so that another
 * answer does not replace it.
 */
export const createHelp = (
  { self, talk }: Persona,
  channel: Channel | null,
  help: OfferedHelp | null = null,
): readonly EventOf<'MessageSpoken'>[] =>
  help && self.care.help && help.helpedAt === talk.helpedAt
    ? createNotice({ turn: null, channel }, help.text).map((message) => ({ ...message, help: help.country }))
    : []

/** The messages stay in the inbox. */
const offerHelp = (persona: Persona, { channel, help }: OfferHelp): Decision =>
  persona.life.failed.thinking ? accept(...createHelp(persona, channel, help)) : accept()

export const talkRules: Rules<TalkCommand> = {
  Hear: decideHear,
  AskAnswer: askAnswer,
  ChooseAnswer: chooseAnswer,
  EditMessage: editMessage,
  HideMessage: hideMessage,
  Greet: greet,
  RecordExchange: recordExchange,
  TellTrouble: tellTrouble,
  OfferHelp: offerHelp,
  GiveNotice: (_, { words }) => accept(...createNotice({ turn: null, channel: null }, words)),
}
