/** The requests of the talk and the organs. Responses are untrusted and validated. */

import { text } from '../strings/strings.ts'
import { type Parcel, type UploadOptions, upload } from '../talk/upload.ts'
import { type Answer, type HeaderReader, readFailure } from './answer.ts'
import type { HeldPhrase } from './held.ts'
import {
  type Copy,
  type Message,
  type MindChange,
  type Persona,
  type Profile,
  type Slot,
  toCopy,
  toFields,
  toList,
  toMessage,
  toMindChange,
  toPersona,
  toText,
} from './shapes.ts'

export interface Created {
  readonly id: string
  readonly phrase: HeldPhrase | null
}

export interface Page {
  readonly messages: readonly Message[]
  readonly more: boolean
  /** The last changes of the model, oldest first. */
  readonly minds: readonly MindChange[]
}

const pageSize = 200

export const personas = (): Promise<
  Answer<{ readonly personas: readonly Persona[]; readonly copy: Copy | null }>
> =>
  ask('GET', '/api/personas', (body) => {
    const { personas: list, copy } = toFields(body)
    return { personas: withoutNulls(toList(list).map(toPersona)), copy: toCopy(copy) }
  })

/** An empty `provider` means local. Empty and missing fields use the defaults. */
export interface OrganBody {
  readonly model: string
  readonly provider: string
  readonly url: string
  readonly api_key?: string
  /** The organ whose key is used. */
  readonly api_key_from?: Slot
  readonly profile?: Profile
}

export interface NewCharacter {
  readonly text: string
  readonly lore: readonly { readonly keys: readonly string[]; readonly text: string }[]
  /** Name of the character card that it comes from. */
  readonly card: string | null
  /** First message of the persona; empty for none. */
  readonly greeting: string
}

/** `others`: tokens of channels, and the character. */
export const create = (
  name: string,
  organs: Readonly<Partial<Record<Slot, OrganBody>>>,
  otherFields: Readonly<Record<string, string | NewCharacter>> = {},
): Promise<Answer<Created>> =>
  ask('POST', '/api/persona/create', toCreated, { body: { name, ...organFields(organs), ...otherFields } })

/**
 * Returns the organs as fields of a request that creates a persona, such as `thinking_model` and `eye_url`.
 */
export const organFields = (
  organs: Readonly<Partial<Record<Slot, OrganBody | null>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(organs).flatMap(([slot, organ]) =>
      Object.entries(organ ?? {}).map(([part, value]) => [`${slot}_${part}`, value]),
    ),
  )

/** Loads the default address of each provider. */
export const providers = (): Promise<Answer<Readonly<Record<string, string>>>> =>
  ask('GET', '/api/config/providers', (body) =>
    Object.fromEntries(
      Object.entries(toFields(body)).map(([name, value]) => [name, toText(toFields(value).url)]),
    ),
  )

/** Includes hidden messages: other answers can be chosen again, and deleted messages restored. */
export const conversation = (id: string, before?: number, limit = pageSize): Promise<Answer<Page>> =>
  ask(
    'GET',
    `${getPersonaPath(id)}/conversation?hidden=true&minds=true&limit=${limit}${before === undefined ? '' : `&before=${before}`}`,
    toPage,
  )

export const update = (id: string, change: Readonly<Record<string, unknown>>): Promise<Answer<true>> =>
  ask('POST', `${getPersonaPath(id)}/update`, ignoreBody, { body: change })

/** Sends a message. The key makes the request idempotent: a retry delivers it once. */
export const read = (id: string, message: string, key: string): Promise<Answer<true>> =>
  ask('POST', `${getPersonaPath(id)}/read`, ignoreBody, {
    body: { message },
    headers: { 'idempotency-key': key },
    timeoutMs: 30_000,
  })

/** Sends files or an audio clip. The key makes the request idempotent. */
export const send = async (
  id: string,
  { files, way }: Parcel,
  caption: string,
  key: string,
  options: UploadOptions,
): Promise<Answer<true>> => {
  const form = new FormData()
  if (caption) form.append('caption', caption)
  for (const file of files) form.append(way === 'hear' ? 'audio' : 'file', file, file.name)
  const { status, body, getHeader } = await upload(
    `${getPersonaPath(id)}/${way}`,
    form,
    { 'idempotency-key': key },
    options,
  )
  return toAnswer(status, parseJson(body), ignoreBody, getHeader)
}

export type PersonaAction = 'start' | 'stop' | 'restart' | 'delete' | 'hush'

export const act = (id: string, action: PersonaAction): Promise<Answer<true>> =>
  ask('POST', `${getPersonaPath(id)}/${action}`, ignoreBody)

const getPersonaPath = (id: string) => `/api/persona/${encodeURIComponent(id)}`

interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Timeout in milliseconds. Without it there is none, since downloading a model may take long. */
  readonly timeoutMs?: number
}

/** `read` returns null if the response body is invalid. */
const ask = async <T>(
  method: string,
  path: string,
  parse: (body: unknown) => T | null,
  options: RequestOptions = {},
): Promise<Answer<T>> => {
  const { status, body, getHeader } = await exchange(method, path, options)
  return toAnswer(status, body, parse, getHeader)
}

const toAnswer = <T>(
  status: number | null,
  body: unknown,
  parse: (body: unknown) => T | null,
  getHeader?: HeaderReader,
): Answer<T> => {
  if (status === null || status >= 400) return { ok: false, failure: readFailure(status, body, getHeader) }
  const value = parse(body)
  return value === null
    ? { ok: false, failure: { status, message: text.unreadable, fields: {} } }
    : { ok: true, value }
}

const exchange = async (
  method: string,
  path: string,
  { body, headers, timeoutMs }: RequestOptions,
): Promise<{ status: number | null; body: unknown; getHeader: HeaderReader }> => {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
    })
    const getHeader: HeaderReader = (name) => response.headers.get(name)
    return { status: response.status, body: parseJson(await response.text()), getHeader }
  } catch {
    return { status: null, body: null, getHeader: () => null }
  }
}

const toCreated = (body: unknown): Created | null => {
  const { persona, recovery_phrase, recipient } = toFields(body)
  const phrase = toText(recovery_phrase)
  const id = toText(toFields(persona).id)
  return id ? { id, phrase: phrase ? { phrase, recipient: toText(recipient) } : null } : null
}

const toPage = (body: unknown): Page => {
  const { messages, has_more, minds } = toFields(body)
  return {
    messages: withoutNulls(toList(messages).map(toMessage)),
    more: has_more === true,
    minds: toList(minds).flatMap(toMindChange),
  }
}

const ignoreBody = (): true => true

const withoutNulls = <T>(values: readonly (T | null)[]): readonly T[] =>
  values.filter((value) => value !== null)

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
