/** The rules of talk: what is heard, and what is said and heard outside of turns. */
import type { Channel, HeardMedia, MessagePart, Seq } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import { partsIn } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import { accept, type Decision, type Rules } from './decision.ts'
import { callFacts, type OfLife, type OrganCall } from './life.ts'

/**
 * `content`: as somebody wrote it, quotations among it; `parts`: whose words they are, where the channel
 * tells.
 */
export type Words = { readonly content: string } | { readonly parts: readonly MessagePart[] }

type Hear = Words & {
  readonly type: 'Hear'
  readonly channel: Channel | null
  readonly media: HeardMedia | null
  /** Files that came with that one: each is a message without words. */
  readonly others?: readonly HeardMedia[]
  readonly key: string | null
}

/**
 * An exchange with a client of the OpenAI-compatible endpoint: what it cost, and where it is to be remembered
 * what was said.
 */
export interface RecordExchange extends OfLife {
  readonly type: 'RecordExchange'
  readonly calls: readonly OrganCall[]
  readonly said: { readonly heard: string; readonly spoken: string } | null
}

/** What is said to somebody who waits while the Mind is away, or while it is silent in the turn `stalled`. */
interface TellTrouble extends OfLife {
  readonly type: 'TellTrouble'
  readonly channel: Channel
  readonly words: string
  readonly stalled: Seq | null
}

/** Somebody looks at a talk in which nothing was ever said. */
interface Greet {
  readonly type: 'Greet'
}

export type TalkCommand = Hear | Greet | RecordExchange | TellTrouble

/** A message heard before is heard once: the same key writes nothing. What came together is heard in one. */
const hear = ({ talk }: Persona, asked: Hear): Decision => {
  const { channel, media, others = [], key } = asked
  if (key !== null && talk.keys.includes(key)) return accept()
  const parts = 'parts' in asked ? asked.parts : partsIn(asked.content)
  return accept(
    { type: 'MessageHeard', channel, parts, media, key },
    ...others.map(
      (other) => ({ type: 'MessageHeard', channel, parts: [], media: other, key: null }) as const,
    ),
  )
}

/** Once: nothing is asked of it that is under way, was done, or cannot be done while its Mind is away. */
const greet = ({ talk, life }: Persona): Decision =>
  talk.greeting === 'open' && !life.failed.thinking ? accept({ type: 'GreetingAsked' }) : accept()

/** Both halves of an exchange at once: what was asked there waits for no turn. */
const recordExchange = (persona: Persona, { calls, said }: RecordExchange): Decision => {
  const calledFor = callFacts(persona, calls, { turn: null, step: null, cause: 'api' })
  if (!said) return accept(...calledFor)
  const parts = [{ from: 'program', by: null, text: said.heard } as const]
  return accept(
    ...calledFor,
    { type: 'MessageHeard', channel: null, parts, media: null, key: null },
    ...notice(null, said.spoken),
  )
}

/** Nobody waits for nothing; what they said waits on. */
const tellTrouble = ({ life, talk }: Persona, { channel, words, stalled }: TellTrouble): Decision => {
  const troubled = life.failed.thinking !== undefined || (stalled !== null && talk.turn?.id === stalled)
  const waits = talk.inboxes[inboxKey(channel)]?.oldest != null
  return troubled && waits ? accept(...notice(channel, words)) : accept()
}

/**
 * What is said at this place, in a turn or outside of one; nothing where there are no words. `borrowed`:
 * words of others in it; all of it, if no one can tell which.
 */
export const spoken = (
  { turn, step, channel }: Pick<EventOf<'MessageSpoken'>, 'turn' | 'step' | 'channel'>,
  content: string | null,
  borrowed: readonly string[] | 'all',
): readonly EventOf<'MessageSpoken'>[] => {
  if (content === null) return []
  const words = borrowed === 'all' ? [content] : borrowed
  return [
    {
      ...{ type: 'MessageSpoken', turn, step, channel, content, media: null, asks: null },
      ...(words.length > 0 && { borrowed: words }),
    },
  ]
}

/**
 * It belongs to no turn: whatever goes on behind it has not said anything yet. It may quote a provider or a
 * program.
 */
export const notice = (channel: Channel | null, content: string | null) =>
  spoken({ turn: null, step: null, channel }, content, 'all')

export const talkRules: Rules<TalkCommand> = {
  Hear: hear,
  Greet: greet,
  RecordExchange: recordExchange,
  TellTrouble: tellTrouble,
}
