/** Rules of messages: received messages, and messages outside of turns. */
import type { Channel, HeardMedia, MessagePart, Seq } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import { accept, type Decision, type Rules } from './decision.ts'
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

export type TalkCommand = HearCommand | Greet | RecordExchange | TellTrouble | GiveNotice

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

/** Only if a greeting is open and the Mind is reachable. */
const greet = ({ talk, life }: Persona, { language }: Greet): Decision =>
  talk.greeting === 'open' && !life.failed.thinking
    ? accept({ type: 'GreetingAsked', ...(language !== undefined && { language }) })
    : accept()

/** Records both messages at once, so that no turn answers. */
const recordExchange = (persona: Persona, { calls, said }: RecordExchange): Decision => {
  const callEvents = callFacts(persona, calls, { turn: null, step: null, cause: 'api' })
  if (!said) return accept(...callEvents)
  const parts = [{ from: 'program', by: null, text: said.heard } as const]
  return accept(
    ...callEvents,
    { type: 'MessageHeard', channel: null, parts, media: null, key: null },
    ...createMessageSaid({ turn: null, step: null, channel: null }, said.spoken, 'all'),
    ...createNotice({ turn: null, channel: null }, said.notice),
  )
}

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

export const talkRules: Rules<TalkCommand> = {
  Hear: decideHear,
  Greet: greet,
  RecordExchange: recordExchange,
  TellTrouble: tellTrouble,
  GiveNotice: (_, { words }) => accept(...createNotice({ turn: null, channel: null }, words)),
}
