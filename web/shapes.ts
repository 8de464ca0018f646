/** What the service says, read into the few shapes the page needs. Whatever does not fit is null, never trusted. */

export type Status = 'active' | 'hibernate' | 'sick'
export type Condition = 'awake' | 'stopped' | 'hibernating' | 'sick'

export interface Persona {
  readonly id: string
  readonly name: string
  readonly running: boolean
  readonly status: Status
  readonly mind: string
  /** YYYY-MM-DD, or empty. */
  readonly birthday: string
}

export interface Media {
  readonly filename: string
  readonly mime: string
  readonly url: string
  readonly caption: string
}

export interface Said {
  /** Position in her journal: the order of everything. */
  readonly id: number
  readonly role: 'person' | 'assistant'
  readonly content: string
  readonly time: string
  /** Kind of channel; null for a turn that came from none. */
  readonly channel: string | null
  readonly media: Media | null
}

export interface Step {
  readonly turn: number
  readonly step: number
}

export interface Delta extends Step {
  readonly offset: number
  readonly delta: string
}

type News =
  | { readonly type: 'said'; readonly said: Said; readonly step: Step | null }
  | ({ readonly type: 'delta' } & Delta)
  | { readonly type: 'typing'; readonly on: boolean }
  | { readonly type: 'reset' }
  | { readonly type: 'persona'; readonly persona: Persona }
  | { readonly type: 'deleted'; readonly id: string | null }
  | { readonly type: 'other' }

export type Frame = News & { readonly seq: number | null }

type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const countOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export const conditionOf = ({ running, status }: Persona): Condition => {
  if (running) return 'awake'
  if (status === 'hibernate') return 'hibernating'
  return status === 'sick' ? 'sick' : 'stopped'
}

export const personaOf = (value: unknown): Persona | null => {
  const { id, name, running, status, base_model, thinking, birthday } = fieldsOf(value)
  if (typeof id !== 'string' || typeof name !== 'string') return null
  return {
    id,
    name,
    running: running === true,
    status: status === 'hibernate' || status === 'sick' ? status : 'active',
    mind: textOf(base_model) || textOf(fieldsOf(thinking).name),
    birthday: textOf(birthday),
  }
}

export const saidOf = (value: unknown): Said | null => {
  const { id, role, content, time, channel, media } = fieldsOf(value)
  if (typeof id !== 'number' || (role !== 'person' && role !== 'assistant')) return null
  return { id, role, content: textOf(content), time: textOf(time), channel: channelOf(channel), media: mediaOf(media, textOf(content)) }
}

/** Model names however the runtime's list is dressed: strings, or objects with a name. */
export const modelsOf = (value: unknown): readonly string[] => {
  const models = Array.isArray(value) ? value : listOf(fieldsOf(value).models)
  return models.map((model) => textOf(model) || textOf(fieldsOf(model).name)).filter((name) => name !== '')
}

/** One frame of either socket; null when it is none. */
export const frameOf = (data: unknown): Frame | null => {
  const fields = fieldsOf(parsed(data))
  const { type } = fields
  return typeof type === 'string' ? { ...newsOf(type, fields), seq: countOf(fields.seq) } : null
}

const newsOf = (type: string, fields: Fields): News => {
  const { turn, step, offset } = fields
  switch (type) {
    case 'chat_message':
    case 'chat_image':
    case 'chat_audio':
      return spoken(type, fields)
    case 'person_message':
      return heard(fields)
    case 'chat_delta':
      return {
        type: 'delta',
        turn: countOf(turn) ?? 0,
        step: countOf(step) ?? 0,
        offset: countOf(offset) ?? 0,
        delta: textOf(fields.delta),
      }
    case 'typing':
      return { type: 'typing', on: fields.on === true }
    case 'event':
      // However a turn ends, she has finished speaking.
      return fields.title === 'TurnEnded' || fields.title === 'Stopped' ? { type: 'typing', on: false } : { type: 'other' }
    case 'reset':
      return { type: 'reset' }
    case 'persona_created':
    case 'persona_changed': {
      const persona = personaOf(fields.persona)
      return persona ? { type: 'persona', persona } : { type: 'other' }
    }
    case 'persona_deleted':
      return { type: 'deleted', id: textOf(fields.persona_id) || textOf(fieldsOf(fields.persona).id) || null }
    default:
      return { type: 'other' }
  }
}

const spoken = (type: string, fields: Fields): News => {
  const { seq, url, content, turn, step } = fields
  const file = type === 'chat_message' ? null : { filename: '', mime: type === 'chat_image' ? 'image/*' : 'audio/*', url, caption: content }
  const said = saidOf({ ...fields, id: seq, role: 'assistant', ...(file && { media: file, content: '' }) })
  if (!said) return { type: 'other' }
  const of = typeof turn === 'number' && typeof step === 'number' ? { turn, step } : null
  // Only her words were streamed before: a picture of the same step replaces nothing.
  return { type: 'said', said, step: file ? null : of }
}

const heard = (fields: Fields): News => {
  const said = saidOf({ ...fields, id: fields.seq, role: 'person' })
  return said ? { type: 'said', said, step: null } : { type: 'other' }
}

const channelOf = (value: unknown): string | null => textOf(fieldsOf(value).type) || null

const mediaOf = (value: unknown, content: string): Media | null => {
  const { filename, mime, url, caption } = fieldsOf(value)
  // Media is the service's own: an address elsewhere is not followed.
  if (typeof url !== 'string' || !/^\/(?!\/)/.test(url)) return null
  return { filename: textOf(filename), mime: textOf(mime), url, caption: caption === content ? '' : textOf(caption) }
}

const parsed = (data: unknown): unknown => {
  try {
    return JSON.parse(textOf(data))
  } catch {
    return null
  }
}
