/** Builds the frames for facts and signs. Pure. */
import type { Channel, Decided, PersonaId, Seq } from '../../facts/fact-values.ts'
import { getTraits, type PersonaEvent } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { redactFields, redactValue } from '../../packages/kit/redact.ts'
import { isoWithOffset } from '../../packages/kit/time/clock.ts'
import { type ConversationMessage, type MediaView, toMessage } from '../../projections/conversation.ts'
import type { PersonaView } from '../../projections/view.ts'
import type { DownloadProgress, Sign } from '../bus.ts'
import { withoutOpenSecrets } from '../tool-servers/kept-server.ts'

/** `time`: ISO 8601 with offset. `seq`: the journal position of a fact, else null. */
interface EntryPosition {
  readonly time: string
  readonly seq: Seq | null
}
interface OfPersona extends EntryPosition {
  readonly persona_id: PersonaId
}
interface MessageBase extends OfPersona {
  readonly content: string
  readonly channel: Channel | null
  readonly turn: Seq | null
  readonly step: number | null
}

/**
 * `media`: only for files that are neither image nor audio. `notice`: a text of the daemon, with its
 * code. `model`: the model that wrote it, if it is not the Mind. `incomplete`: it reached the limit of
 * the model.
 * `asks`: a question in a chat, which also has an `approval` frame.
 */
type ChatMessage = {
  readonly type: 'chat_message'
  readonly media?: MediaView
  readonly notice?: true
  readonly asks?: true
} & Pick<
  ConversationMessage,
  'model' | 'incomplete' | 'sources' | 'notice_code' | 'notice_values' | 'help' | 'initiative'
> &
  MessageBase
type ChatMedia = {
  readonly type: 'chat_image' | 'chat_audio'
  readonly url: string
  readonly name: string
} & MessageBase
type PersonMessage = {
  readonly type: 'person_message'
  readonly content: string
  readonly media: MediaView | null
  readonly channel: Channel | null
} & Pick<ConversationMessage, 'parts'> &
  OfPersona
/** `title`: the type of the fact. */
type EventFrame = { readonly type: 'event'; readonly title: string; readonly details: Details } & OfPersona
type ChatDelta = {
  readonly type: 'chat_delta'
  readonly channel: Channel | null
  readonly turn: Seq
  readonly step: number
  readonly offset: number
  readonly delta: string
} & OfPersona
type Typing = { readonly type: 'typing'; readonly on: boolean } & OfPersona
type Reset = { readonly type: 'reset' } & EntryPosition

type PersonaCreated = { readonly type: 'persona_created'; readonly persona: PersonaView | null } & OfPersona
type PersonaDeleted = { readonly type: 'persona_deleted' } & OfPersona
type PersonaChanged = { readonly type: 'persona_changed'; readonly persona: PersonaView } & OfPersona
type ModelProgress = {
  readonly type: 'model_progress'
  readonly model: string
  readonly status: string
  readonly completed: number | null
  readonly total: number | null
} & Partial<DownloadFields> &
  EntryPosition

/** Only for downloads of `/api/local-models`. */
interface DownloadFields {
  readonly state: DownloadProgress['state']
  readonly bytes_per_second: number | null
  readonly seconds_left: number | null
  readonly reason: string | null
}

type FeedProgress = {
  readonly type: 'feed_progress'
  readonly done: number
  readonly total: number
  readonly skipped: number
} & OfPersona

/** A tool call that waits for approval, or its `decision`. */
type ApprovalFrame = {
  readonly type: 'approval'
  readonly id: Seq
} & (
  | {
      readonly state: 'asked'
      readonly turn: Seq
      readonly call: string
      readonly server: string
      readonly tool: string
      readonly input: unknown
      readonly changed: boolean
      readonly again: boolean
    }
  | { readonly state: 'settled'; readonly decision: Decided }
) &
  OfPersona

export type PersonaFrame =
  | ChatMessage
  | ChatMedia
  | PersonMessage
  | ApprovalFrame
  | EventFrame
  | ChatDelta
  | Typing
  | Reset
export type SystemFrame =
  | EventFrame
  | PersonaCreated
  | PersonaDeleted
  | PersonaChanged
  | ModelProgress
  | FeedProgress
export type Frame = PersonaFrame | SystemFrame

export type SignOf<T extends Sign['type']> = Extract<Sign, { type: T }>

/** Frames of a fact for `/ws/{persona_id}`. Two for a message with a file: the text first. */
export const createFrames = (id: PersonaId, entry: Entry): readonly PersonaFrame[] => {
  const time = localTimestamp(entry)
  const approval = getApproval(entry)
  if (approval) return [{ type: 'approval', time, seq: entry.seq, persona_id: id, ...approval }]
  const message = toMessage(id, entry, time)
  if (!message)
    return [
      {
        type: 'event',
        time,
        seq: entry.seq,
        persona_id: id,
        title: entry.type,
        details: createDetails(entry.event),
      },
    ]
  if (message.role === 'assistant') return saidFrames(id, message)
  const { content, parts, media, channel } = message
  return [
    {
      type: 'person_message',
      time,
      seq: entry.seq,
      persona_id: id,
      content,
      ...(parts && { parts }),
      media,
      channel,
    },
  ]
}

const getApproval = ({ seq, event }: Entry) => {
  if (event.type === 'ApprovalSettled')
    return { id: event.approval, state: 'settled', decision: event.decision } as const
  if (event.type !== 'ApprovalAsked') return null
  const { turn, call, server, tool, changed, again = false } = event
  // Not cut: the user decides about all of the input.
  const input = redactValue(event.input) ?? null
  return { id: seq, state: 'asked', turn, call, server, tool, input, changed, again } as const
}

const saidFrames = (id: PersonaId, message: ConversationMessage): readonly PersonaFrame[] => {
  const { id: seq, time, content, media, channel, turn, step, notice, asks } = message
  const { notice_code, notice_values, model, incomplete, sources, help, initiative } = message
  const position = { time, seq, persona_id: id, channel, turn, step }
  if (!media)
    return [
      {
        type: 'chat_message',
        ...position,
        content,
        ...(notice && { notice }),
        ...(help !== undefined && { help }),
        ...(initiative !== undefined && { initiative }),
        ...(notice_code && { notice_code, notice_values: notice_values ?? {} }),
        ...(asks && { asks }),
        ...(model !== undefined && { model }),
        ...(incomplete && { incomplete }),
        ...(sources && { sources }),
      },
    ]
  const kind = mediaFrames[media.mime.split('/')[0] ?? '']
  if (!kind) return [{ type: 'chat_message', ...position, content: content || media.caption, media }]
  const file: PersonaFrame = {
    type: kind,
    ...position,
    url: media.url,
    name: media.name,
    content: media.caption || content,
  }
  return content && content !== file.content ? [{ type: 'chat_message', ...position, content }, file] : [file]
}

const mediaFrames: Readonly<Record<string, ChatMedia['type']>> = { image: 'chat_image', audio: 'chat_audio' }

/** Frames of a fact for `/ws/system`: no messages and no other text. `view`: of a new persona. */
export const createSystemFrames = (
  id: PersonaId,
  entry: Entry,
  view: () => PersonaView | null,
): readonly SystemFrame[] => {
  const position = { time: localTimestamp(entry), seq: entry.seq, persona_id: id }
  const { outside } = getTraits(entry.type)
  switch (outside) {
    case 'nothing':
      return []
    case 'come':
      return [{ type: 'persona_created', ...position, persona: view() }]
    case 'gone':
      return [{ type: 'persona_deleted', ...position }]
    default:
      return [
        {
          type: 'event',
          ...position,
          title: entry.type,
          details: createOutsideDetails(entry.event, outside),
        },
      ]
  }
}

export const deltaFrame = (
  { id, channel, turn, step, offset, delta }: SignOf<'delta'>,
  time: string,
): PersonaFrame => ({
  type: 'chat_delta',
  time,
  seq: null,
  persona_id: id,
  channel,
  turn,
  step,
  offset,
  delta,
})

export const typingFrame = (id: PersonaId, isOn: boolean, time: string): PersonaFrame => ({
  type: 'typing',
  time,
  seq: null,
  persona_id: id,
  on: isOn,
})

export const goneFrame = (id: PersonaId, time: string): SystemFrame => ({
  type: 'persona_deleted',
  time,
  seq: null,
  persona_id: id,
})

/** Too much was missed: the page starts over with the frames that follow. */
export const resetFrame = (time: string): PersonaFrame => ({ type: 'reset', time, seq: null })

export const changedFrame = (
  id: PersonaId,
  persona: PersonaView,
  time: string,
  seq: Seq | null,
): SystemFrame => ({
  type: 'persona_changed',
  time,
  seq,
  persona_id: id,
  persona,
})

export const progressFrame = (
  { model, status, completed, total, download }: SignOf<'progress'>,
  time: string,
): SystemFrame => ({
  type: 'model_progress',
  time,
  seq: null,
  model,
  status,
  completed,
  total,
  ...(download && {
    state: download.state,
    bytes_per_second: download.bytesPerSecond,
    seconds_left: download.secondsLeft,
    reason: download.reason,
  }),
})

export const feedFrame = ({ id, done, total, skipped }: SignOf<'feeding'>, time: string): SystemFrame => ({
  type: 'feed_progress',
  time,
  seq: null,
  persona_id: id,
  done,
  total,
  skipped,
})

export const localTimestamp = ({ at, offset }: Pick<Entry, 'at' | 'offset'>): string =>
  isoWithOffset(at, offset)

export type Details = Readonly<Record<string, unknown>>

/** All fields of the fact except its type. */
const createDetails = (event: PersonaEvent): Details => {
  const { type: _, ...fields } =
    event.type === 'ToolServerSet' ? { ...event, server: withoutOpenSecrets(event.server) } : event
  return redactFields(fields)
}

/** The fields that may be shown. */
const createOutsideDetails = (event: PersonaEvent, personaIds: readonly string[]): Details =>
  redactFields(Object.fromEntries(Object.entries(event).filter(([name]) => personaIds.includes(name))))
