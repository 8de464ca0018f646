/** Converts facts to messages of the conversation route, one message per fact. */

import type {
  Channel,
  HeardMedia,
  HiddenReason,
  Media,
  MessagePart,
  PageSource,
  PersonaId,
  Provider,
  Seq,
  WordsFrom,
} from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { Entry } from '../facts/persona-journal.ts'
import { cutMark, getContent, isNotice, isOfOthers, isQuestion } from './message-parts.ts'
import { type CodedNotice, readNotice } from './notice-codes.ts'
import type { Self } from './self.ts'

export interface MediaView {
  readonly filename: string
  /** Original file name. */
  readonly name: string
  readonly mime: string
  readonly url: string
  readonly caption: string
  /** Only for third-party files: the source, and the author if known. */
  readonly from?: WordsFrom
  readonly by?: string | null
}

/** Delivery to a platform; null if the message has no platform. */
export interface DeliveryView {
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly reason: string | null
}

/** A web page that was read for an answer. `time`: ISO 8601 in UTC. */
export interface SourceView {
  readonly title: string
  readonly url: string
  readonly host: string
  readonly time: string
}

export interface ConversationMessage extends CodedNotice {
  /** Position in the journal. */
  readonly id: Seq
  readonly role: 'person' | 'assistant'
  readonly content: string
  /** Present only if some parts are not the user's own text. */
  readonly parts?: readonly MessagePart[]
  readonly channel: Channel | null
  /** ISO 8601 with the offset of that time. */
  readonly time: string
  readonly turn: Seq | null
  readonly step: number | null
  readonly media: MediaView | null
  readonly delivery: DeliveryView | null
  /** Present only if it is not shown any more. */
  readonly hidden?: HiddenReason
  /** Present only for a text of the daemon, which the persona did not write. */
  readonly notice?: true
  /** Present only for help in danger: the country whose help it names, null if it is unknown. */
  readonly help?: string | null
  /** Present only for a message that the persona wrote by itself: the id of the reason. */
  readonly initiative?: string
  /** Present only for a voice recording of the user: what the Ear understood. */
  readonly heard?: string
  /** Present only for an answer of another model than the Mind: its name. */
  readonly model?: string
  /** Present only if asked for, for an answer: the model that was the Mind then, or the other model. */
  readonly mind?: string
  /** Present only for an answer that does not end, because of the user or the limit of the model. */
  readonly incomplete?: 'stopped' | 'cut'
  /** Present only for the rest of an answer: the turn that it continues. */
  readonly continues?: Seq
  /** Present only for an answer based on web pages. `time` and `host` of each. */
  readonly sources?: readonly SourceView[]
  /** Present only for a question about a tool in a chat. The page shows its approval instead. */
  readonly asks?: true
}

/** Returns null if the fact is not a message. */
export const toMessage = (
  id: PersonaId,
  entry: Entry,
  time: string,
  delivery: DeliveryView | null = null,
): ConversationMessage | null => {
  const { event, seq } = entry
  if (event.type === 'MessageHeard') {
    const { channel, media } = event
    const words = { content: getContent(event), ...toParts(event) }
    return {
      id: seq,
      role: 'person',
      ...words,
      channel,
      time,
      turn: null,
      step: null,
      media: mediaView(id, media),
      delivery: null,
    }
  }
  if (event.type === 'MessageSpoken') {
    const { content, channel, media, turn, step, model, pages = [], help, initiative } = event
    return {
      id: seq,
      role: 'assistant',
      content,
      channel,
      time,
      turn,
      step,
      media: mediaView(id, media),
      delivery,
      ...(isNotice(event) && { notice: true, ...readNotice(content) }),
      ...(help !== undefined && { help }),
      ...(initiative !== undefined && { initiative }),
      ...(model !== undefined && { model }),
      ...(content.endsWith(cutMark) && { incomplete: 'cut' }),
      ...(pages.length > 0 && { sources: pages.map(toSource) }),
      ...(isQuestion(event) && { asks: true }),
    }
  }
  return null
}

/** A change of the model that answers. */
export interface MindChangeView {
  /** Position of the fact. */
  readonly id: Seq
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly provider: Provider | null
  readonly model: string
  /** True if it is the last change and undo can restore the Mind before it. */
  readonly undoable: boolean
}

/** Oldest first. The first one may be the Mind that the persona began with. */
export const toMindChanges = ({ minds }: Pick<Self, 'minds'>): readonly MindChangeView[] =>
  minds.map(({ seq, at, provider, model, former }) => ({
    id: seq,
    time: new Date(at).toISOString(),
    provider,
    model,
    undoable: former !== null,
  }))

/** Returns the model that wrote an answer; null for other messages, and for those before known changes. */
export const getMind = (
  { minds }: Pick<Self, 'minds'>,
  { role, turn, notice, model }: ConversationMessage,
): string | null => {
  if (role !== 'assistant' || turn === null || notice) return null
  return model ?? minds.findLast(({ seq }) => seq < turn)?.model ?? null
}

/** The title of a page may be empty. */
const toSource = ({ title, url, at }: PageSource): SourceView => {
  const host = /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? ''
  return { title: title || host, url, host, time: new Date(at).toISOString() }
}

/** Text from a program is a message of its own and has no parts. */
const toParts = ({ parts }: EventOf<'MessageHeard'>): Pick<ConversationMessage, 'parts'> =>
  parts.every(({ from }) => from === 'person' || from === 'program') ? {} : { parts }

const mediaView = (id: PersonaId, media: Media | HeardMedia | null): MediaView | null => {
  if (!media) return null
  const { filename, name, mime, caption } = media
  const url = `/api/persona/${encodeURIComponent(id)}/media/${encodeURIComponent(filename)}`
  const source = 'from' in media && isOfOthers(media) ? { from: media.from, by: media.by } : {}
  return { filename, name, mime, url, caption, ...source }
}
