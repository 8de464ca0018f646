/** Parses responses of the daemon into the types that the page needs. Invalid values become null. */
import type { components } from './api-types.ts'

/** A response type by its name in the OpenAPI description. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name]

export type Status = 'active' | 'hibernate' | 'sick'
/** `ailing`: receives messages, but its Mind is failing. */
export type Condition = 'awake' | 'ailing' | 'stopped' | 'hibernating' | 'sick'

/** Lists all values of a type, in this order. A missing one does not compile. */
const listAll = <T extends string>(values: Readonly<Record<T, true>>): readonly T[] =>
  Object.keys(values) as T[]

export type Slot = Shape<'CallBody'>['organ']
export const slots = listAll<Slot>({
  thinking: true,
  eye: true,
  ear: true,
  mouth: true,
  imagination: true,
  teacher: true,
  researcher: true,
})

/** `local`: a model on this machine. */
export type Provider = 'local' | NonNullable<Shape<'OrganView'>['provider']>
export const providers = listAll<Provider>({
  local: true,
  anthropic: true,
  openai: true,
  gemini: true,
  xai: true,
})

/** The cause of an error of a model. */
export type Fault = NonNullable<Shape<'ModelNames'>['fault']>

export interface Organ {
  readonly model: string
  readonly provider: Provider
  /** The address in use, including the default one. */
  readonly url: string
  /** `auto`: the daemon chooses. */
  readonly profile: Profile
}

/** Tools and instructions of a Mind. */
export const profiles = ['auto', 'full', 'compact'] as const
export type Profile = (typeof profiles)[number]

export interface Persona {
  readonly id: string
  readonly name: string
  readonly running: boolean
  readonly status: Status
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  /** YYYY-MM-DD, or empty. */
  readonly birthday: string
  /** Its address, which changes with the picture; null if there is none. */
  readonly portrait: string | null
}

export interface Media {
  readonly kind: 'picture' | 'clip' | 'file'
  readonly mime: string
  readonly url: string
  /** The original file name. */
  readonly name: string
  readonly caption: string
  /** The origin of a third-party file; null if it is the speaker's own. */
  readonly whose: Whose | null
}

/**
 * How a text or a file came with a message. `person`: the user wrote it. `persona`: the persona said it
 * before.
 */
const ways = [
  'person',
  'persona',
  'daemon',
  'program',
  'forwarded',
  'quoted',
  'replied',
  'embedded',
  'shared',
  'pasted',
] as const
export type Way = (typeof ways)[number]

export interface Whose {
  readonly from: Way
  /** The author's name, or an empty string if it is unknown. */
  readonly by: string
}

export interface MessagePart extends Whose {
  readonly text: string
}

/** A web page that was read for an answer. */
export interface Source {
  readonly title: string
  readonly url: string
  readonly host: string
  readonly time: string
}

/** A change of the model that answers. */
export interface MindChange {
  /** Sequence number in the journal. */
  readonly id: number
  readonly model: string
  /** True if it is the last change and can be undone. */
  readonly undoable: boolean
}

export interface Message {
  /** Sequence number in the journal, which defines the order. */
  readonly id: number
  readonly role: 'person' | 'assistant'
  readonly content: string
  /** The origin of each part of the text; empty if the whole text is the speaker's own. */
  readonly parts: readonly MessagePart[]
  readonly time: string
  /** Type of channel; null if the turn came from none. */
  readonly channel: string | null
  readonly media: Media | null
  /** The turn of the message; null for messages of the user and messages outside of a turn. */
  readonly turn: number | null
  /** The daemon wrote it, not the persona. */
  readonly notice: boolean
  /** The kind of a notice; empty if it has none. `noticeValues`: the values in its text. */
  readonly noticeCode: string
  readonly noticeValues: Readonly<Record<string, string>>
  /** The help of the user's country, shown as a card. */
  readonly help: boolean
  /** The persona wrote it by itself. */
  readonly isInitiative: boolean
  /** True for a notice in the language of the page. */
  readonly isTranslated: boolean
  /** What the persona understood of a voice recording; empty if nothing is known. */
  readonly heard: string
  /** The model that wrote it, if it is not that of the persona; else empty. */
  readonly model: string
  /** The web pages that were read for it. */
  readonly sources: readonly Source[]
  /** `stopped` by the user, or `cut` at the limit of the model; null if the answer is complete. */
  readonly incomplete: 'stopped' | 'cut' | null
  /** The turn whose answer it continues; null if it continues none, or if this is not known. */
  readonly continues: number | null
  /** A question in a chat about a tool call, which the page shows as an approval. */
  readonly asks: boolean
  /** Why it is not shown any more; null if it is shown. */
  readonly hidden: HiddenReason | null
}

const hiddenReasons = ['deleted', 'edited', 'replaced'] as const
export type HiddenReason = (typeof hiddenReasons)[number]

export interface Step {
  readonly turn: number
  readonly step: number
}

/** A call of a server's tool that waits for the user's decision. */
export interface Approval {
  /** Sequence number in the persona's journal. */
  readonly id: number
  readonly turn: number
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly asked_at: string
  /** The tool was allowed, but its description has changed since. */
  readonly changed: boolean
  /** The tool is always allowed, but the user has not seen this address yet. */
  readonly again: boolean
}

export interface Delta extends Step {
  readonly offset: number
  readonly delta: string
}

type News =
  | { readonly type: 'said'; readonly said: Message; readonly step: Step | null }
  | ({ readonly type: 'delta' } & Delta)
  | { readonly type: 'typing'; readonly on: boolean }
  | { readonly type: 'reset' }
  /** The user is asked about a call of a tool; `asked` null once that is settled. */
  | {
      readonly type: 'approval'
      readonly id: number
      readonly approval: Approval | null
      readonly decision: string
    }
  /** A model is being fetched; `share` from 0 to 1, null while nobody can tell. */
  | {
      readonly type: 'progress'
      readonly model: string
      readonly status: string
      readonly share: number | null
      /** The state of a download that was requested with /api/local-models; null for other progress. */
      readonly download: Shape<'ModelDownload'> | null
    }
  /** How far the persona is with a history it goes over, in conversations. */
  | { readonly type: 'feeding'; readonly done: number; readonly total: number; readonly skipped: number }
  | { readonly type: 'persona'; readonly persona: Persona }
  | { readonly type: 'deleted'; readonly id: string | null }
  | { readonly type: 'other' }

export type Frame = News & {
  readonly seq: number | null
  /** The type of the fact; empty for messages and for frames without a fact. */
  readonly fact: string
  /** The persona's id, or an empty string. */
  readonly of: string
  /** The fields of the fact that the daemon publishes. */
  readonly details: Fields
}

type Fields = Readonly<Record<string, unknown>>

export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const toCount = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export const getCondition = ({ running, status }: Persona): Condition => {
  if (running) return status === 'sick' ? 'ailing' : 'awake'
  if (status === 'hibernate') return 'hibernating'
  return status === 'sick' ? 'sick' : 'stopped'
}

/** The source of the shown copy, and the time of the last event of each persona. */
export interface Copy {
  readonly path: string
  readonly until: Readonly<Record<string, unknown>>
}

export const toCopy = (value: unknown): Copy | null => {
  const { path, until } = toFields(value)
  return typeof path === 'string' ? { path, until: toFields(until) } : null
}

export const toPersona = (value: unknown): Persona | null => {
  const view = toFields(value)
  const { id, name, running, status, birthday, portrait } = view
  if (typeof id !== 'string' || typeof name !== 'string') return null
  return {
    id,
    name,
    running: running === true,
    status: status === 'hibernate' || status === 'sick' ? status : 'active',
    organs: toOrgans(view),
    birthday: toText(birthday),
    portrait: toOwnUrl(toFields(portrait).url),
  }
}

/** Pictures are served by the daemon itself: other addresses are ignored. */
const toOwnUrl = (url: unknown): string | null =>
  typeof url === 'string' && /^\/(?!\/)/.test(url) ? url : null

const toOrgans = (view: Fields): Persona['organs'] =>
  Object.fromEntries(
    slots.flatMap((slot) => {
      const { name, provider, url, profile: chosen } = toFields(view[slot])
      // A local Mind is registered under a generated name; `base_model` is the name that the user knows.
      const model = (slot === 'thinking' && toText(view.base_model)) || toText(name)
      const profile = profiles.find((known) => known === chosen) ?? 'auto'
      return model ? [[slot, { model, provider: toProvider(provider), url: toText(url), profile }]] : []
    }),
  )

const toProvider = (value: unknown): Provider => providers.find((provider) => provider === value) ?? 'local'

/** Returns an empty list for an invalid value. */
export const toMindChange = (value: unknown): readonly MindChange[] => {
  const { id, model, undoable } = toFields(value)
  return typeof id === 'number' ? [{ id, model: toText(model), undoable: undoable === true }] : []
}

export const toMessage = (value: unknown): Message | null => {
  const {
    id,
    role,
    content,
    time,
    channel,
    media,
    parts: rawParts,
    turn,
    notice,
    notice_code: noticeCode,
    notice_values: noticeValues,
    help,
    initiative,
    heard,
    model,
    incomplete,
    sources,
    continues,
    asks,
    hidden,
  } = toFields(value)
  if (typeof id !== 'number' || (role !== 'person' && role !== 'assistant')) return null
  const file = toMedia(media)
  // Text that came with only a file is the file's caption.
  const isCut = incomplete === 'cut'
  const wholeText = toText(content) || (file?.caption ?? '')
  // The page shows this in its own language.
  const messageText = isCut ? wholeText.replace(/\n\n\([^()]*\)$/, '') : wholeText
  const parts = toList(rawParts).flatMap(toPart)
  return {
    id,
    role,
    content: messageText,
    parts,
    media: file,
    time: toText(time),
    channel: toChannel(channel),
    turn: toCount(turn),
    notice: notice === true,
    noticeCode: toText(noticeCode),
    noticeValues: toTexts(noticeValues),
    help: help !== undefined,
    isInitiative: initiative !== undefined,
    isTranslated: false,
    heard: toText(heard),
    model: toText(model),
    sources: toList(sources).flatMap(toSource),
    incomplete: isCut || incomplete === 'stopped' ? incomplete : null,
    continues: toCount(continues),
    asks: asks === true,
    hidden: toHiddenReason(hidden),
  }
}

const toTexts = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(toFields(value)).map(([name, text]) => [name, toText(text)]))

export const toHiddenReason = (value: unknown): HiddenReason | null =>
  hiddenReasons.find((reason) => reason === value) ?? null

const toPart = (value: unknown): readonly MessagePart[] => {
  const origin = toOrigin(value)
  return origin ? [{ ...origin, text: toText(toFields(value).text) }] : []
}

const toOrigin = (value: unknown): Whose | null => {
  const { from, by } = toFields(value)
  const origin = ways.find((candidate) => candidate === from)
  return origin ? { from: origin, by: toText(by) } : null
}

/** Parses a frame of either socket; null if it is invalid. */
export const toFrame = (data: unknown): Frame | null => {
  const fields = toFields(parseJson(data))
  const { type } = fields
  if (typeof type !== 'string') return null
  const fact = type === 'event' ? toText(fields.title) : ''
  const details = toFields(fields.details)
  return { ...toNews(type, fields), seq: toCount(fields.seq), fact, of: toText(fields.persona_id), details }
}

const toNews = (type: string, fields: Fields): News => {
  const { turn, step, offset } = fields
  switch (type) {
    case 'chat_message':
    case 'chat_image':
    case 'chat_audio':
      return toReplyNews(type, fields)
    case 'person_message':
      return toMessageFrame(fields)
    case 'chat_delta':
      return {
        type: 'delta',
        turn: toCount(turn) ?? 0,
        step: toCount(step) ?? 0,
        offset: toCount(offset) ?? 0,
        delta: toText(fields.delta),
      }
    case 'typing':
      return { type: 'typing', on: fields.on === true }
    case 'event':
      // Both facts end the persona's answer.
      return fields.title === 'TurnEnded' || fields.title === 'Stopped'
        ? { type: 'typing', on: false }
        : { type: 'other' }
    case 'approval':
      return toApproval(fields)
    case 'reset':
      return { type: 'reset' }
    case 'model_progress':
      return toProgress(fields)
    case 'feed_progress': {
      const { done, total, skipped } = fields
      return {
        type: 'feeding',
        done: toCount(done) ?? 0,
        total: toCount(total) ?? 0,
        skipped: toCount(skipped) ?? 0,
      }
    }
    case 'persona_created':
    case 'persona_changed': {
      const persona = toPersona(fields.persona)
      return persona ? { type: 'persona', persona } : { type: 'other' }
    }
    case 'persona_deleted':
      return { type: 'deleted', id: toText(fields.persona_id) || toText(toFields(fields.persona).id) || null }
    default:
      return { type: 'other' }
  }
}

const toReplyNews = (type: string, fields: Fields): News => {
  const { seq, url, name, content, turn, step } = fields
  const file =
    type === 'chat_message'
      ? null
      : { mime: type === 'chat_image' ? 'image/*' : 'audio/*', url, name, caption: content }
  const message = toMessage({ ...fields, id: seq, role: 'assistant', ...(file && { media: file }) })
  if (!message) return { type: 'other' }
  const origin = typeof turn === 'number' && typeof step === 'number' ? { turn, step } : null
  // Only text is streamed, so a picture of the same step replaces nothing.
  return { type: 'said', said: message, step: file ? null : origin }
}

const toApproval = ({
  id,
  state,
  turn,
  server,
  tool,
  input,
  time,
  changed,
  again,
  decision,
}: Fields): News => {
  const seq = toCount(id) ?? 0
  const approval = {
    id: seq,
    turn: toCount(turn) ?? 0,
    server: toText(server),
    tool: toText(tool),
    input,
    asked_at: toText(time),
    changed: changed === true,
    again: again === true,
  }
  return {
    type: 'approval',
    id: seq,
    approval: state === 'asked' ? approval : null,
    decision: toText(decision),
  }
}

const toProgress = (fields: Fields): News => {
  const { model, status, completed, total } = fields
  const share =
    typeof completed === 'number' && typeof total === 'number' && total > 0
      ? Math.min(1, completed / total)
      : null
  return {
    type: 'progress',
    model: toText(model),
    status: toText(status),
    share,
    download: toDownload(fields),
  }
}

const downloadStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

const toDownload = (fields: Fields): Shape<'ModelDownload'> | null => {
  const {
    model,
    status,
    completed,
    total,
    bytes_per_second: rate,
    seconds_left: secondsLeft,
    reason,
  } = fields
  const state = downloadStates.find((candidate) => candidate === fields.state)
  if (state === undefined) return null
  return {
    name: toText(model),
    state,
    status: toText(status),
    completed: toCount(completed),
    total: toCount(total),
    bytes_per_second: toCount(rate),
    seconds_left: toCount(secondsLeft),
    reason: toText(reason) || null,
    // The list has it.
    test: null,
  }
}

const toMessageFrame = (fields: Fields): News => {
  const message = toMessage({ ...fields, id: fields.seq, role: 'person' })
  return message ? { type: 'said', said: message, step: null } : { type: 'other' }
}

const toChannel = (value: unknown): string | null => toText(toFields(value).type) || null

/** Only web addresses, because the page shows them as links. */
const toSource = (value: unknown): readonly Source[] => {
  const { title, url, host, time } = toFields(value)
  return /^https?:\/\//.test(toText(url))
    ? [{ title: toText(title), url: toText(url), host: toText(host), time: toText(time) }]
    : []
}

const toMedia = (value: unknown): Media | null => {
  const { filename, name, mime, url, caption } = toFields(value)
  const ownUrl = toOwnUrl(url)
  if (ownUrl === null) return null
  const displayName = toText(name) || toText(filename) || (ownUrl.split('/').at(-1) ?? '')
  return {
    kind: getMediaKind(toText(mime), displayName),
    mime: toText(mime),
    url: ownUrl,
    name: displayName,
    caption: toText(caption),
    whose: toOrigin(value),
  }
}

/** Audio clips may have a container type that is also used for videos. */
const soundNames = /\.(?:wav|mp3|m4a|ogg|oga|webm|flac|aac|opus)$/i

/** Determines the kind of a file from the daemon's MIME type, or the browser's before the upload. */
export const getMediaKind = (mime: string, name: string): Media['kind'] => {
  if (mime.startsWith('image/')) return 'picture'
  if (mime.startsWith('audio/') || (mime.startsWith('video/') && soundNames.test(name))) return 'clip'
  return 'file'
}

const parseJson = (data: unknown): unknown => {
  try {
    return JSON.parse(toText(data))
  } catch {
    return null
  }
}
