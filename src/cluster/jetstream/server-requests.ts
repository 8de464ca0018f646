/**
 * Requests to the servers of a cluster. Distinguishes a success, a conflict, an unknown result (InDoubt) and
 * a certain failure (Unavailable). Retries temporary failures until the timeout.
 */
import { setTimeout as delay } from 'node:timers/promises'
import {
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  PermissionViolationError,
} from '@nats-io/transport-node'
import * as z from 'zod'
import { InDoubt, Unavailable } from '../../../journal/log/errors.ts'
import { inSpan, traceHeaders } from '../../../packages/kit/tracing/tracing.ts'

export interface Outgoing {
  readonly subject: string
  readonly data: Uint8Array
  /**
   * Expected sequence of the last message on the subject, 0 for none. Another last message is a conflict. If
   * omitted, there are no conflicts.
   */
  readonly after?: number
  /** Deduplication id: for two minutes the servers ignore a second message with the same name. */
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Incoming {
  readonly seq: number
  readonly subject: string
  readonly data: Buffer
  header(name: string): string
}

export interface Requests {
  readonly largest: number
  /**
   * Returns the sequence once a majority of the servers has the message on disk. Returns undefined on a
   * conflict. Rejects with InDoubt or Unavailable.
   */
  publish(message: Outgoing): Promise<number | undefined>
  /** Returns the leader's last message on a subject. Rejects with Unavailable. */
  last(stream: string, subject: string): Promise<Incoming | undefined>
  /**
   * Returns up to 256 messages after a sequence whose subjects match, in order. Returns an empty array if
   * there are none. Any server may answer, so the newest messages may be missing. Rejects with Unavailable.
   */
  page(stream: string, filter: string, afterSeq: number): Promise<readonly Incoming[]>
  /** Returns the subjects that have a message. Rejects with Unavailable. */
  subjects(stream: string, filter: string): Promise<readonly string[]>
  purge(stream: string, filter: string): Promise<void>
  /** Overwrites one message. Does nothing if it does not exist. Rejects with Unavailable. */
  erase(stream: string, seq: number): Promise<void>
  ask<T>(subject: string, body: unknown, answer: z.ZodType<T>): Promise<T>
}

/** The header with the deduplication id. */
export const nameHeader = 'Nats-Msg-Id'

/**
 * Milliseconds. A dead leader is replaced within 5 seconds, and users of a journal time out after 10 seconds.
 */
const usualPatience = 8000
const maxAttemptMs = 2000
const pause = 100

const wrongLast = [10071, 10164]
const notFound = 10037
/** Error code for a second copy while the first one is pending. Its result is known soon. */
const underWay = 10158
/** Error code for too few servers. Servers that have just started do not count yet. */
const noPeers = 10005
const passingCodes = [noPeers, underWay]

const Refusal = z.object({
  code: z.number(),
  err_code: z.number().default(0),
  description: z.string().default(''),
})
type Refusal = z.infer<typeof Refusal>
const Refused = z.object({ error: Refusal })
const Acknowledged = z.object({ stream: z.string(), seq: z.int().min(1) })
const Stored = z.object({
  message: z.object({
    seq: z.int(),
    subject: z.string(),
    data: z.base64().default(''),
    hdrs: z.base64().default(''),
  }),
})
const Listed = z.object({
  total: z.int().optional(),
  state: z.object({ subjects: z.record(z.string(), z.number()).nullish() }),
})

/** A temporary failure: the servers have no leader, or did not answer. `why` is their error text. */
class Later extends Error {
  readonly why: string | undefined
  constructor(reason?: string, options?: ErrorOptions) {
    super(reason ?? 'the servers do not answer', options)
    this.why = reason
  }
}

/** Detects missing permissions of the NATS user. Retrying does not help. */
const deniedIn = (error: unknown): Unavailable | undefined => {
  const reasons = error instanceof Error ? [error, error.cause] : []
  const violation = reasons.find((reason) => reason instanceof PermissionViolationError)
  return (
    violation &&
    new Unavailable(`the NATS user has too few permissions: ${violation.message}`, { cause: error })
  )
}

const toUnavailable = (cause: Later): Unavailable =>
  new Unavailable(`the cluster does not answer${cause.why ? `: ${cause.why}` : ''}`, { cause })

export const createRequests = (connection: NatsConnection, patience = usualPatience): Requests => {
  const attempt = Math.min(maxAttemptMs, patience)
  const sendOnce = async (subject: string, data: Uint8Array, extraHeaders?: MsgHdrs): Promise<unknown> => {
    const answer = await connection
      .request(subject, data, { timeout: attempt, ...(extraHeaders && { headers: extraHeaders }) })
      .catch((cause: unknown) => {
        throw deniedIn(cause) ?? new Later(undefined, { cause })
      })
    const response: unknown = parseAnswer(answer)
    const { error } = Refused.safeParse(response).data ?? {}
    if (error && (error.code === 503 || passingCodes.includes(error.err_code)))
      throw new Later(error.description)
    return response
  }
  const withRetries = async <T>(act: () => Promise<T>): Promise<T> => {
    const end = performance.now() + patience
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (!(error instanceof Later)) throw error
        if (connection.isClosed() || performance.now() + pause > end) throw toUnavailable(error)
      }
      await delay(pause)
    }
  }
  const ask = async <T>(subject: string, body: unknown, answer: z.ZodType<T>): Promise<T> => {
    const response = await withRetries(() => sendOnce(subject, Buffer.from(JSON.stringify(body))))
    const refusal = Refused.safeParse(response)
    if (refusal.success) throw new ServerRefused(refusal.data.error)
    return answer.parse(response)
  }
  return {
    ask,
    get largest() {
      return connection.info?.max_payload ?? 1024 * 1024
    },
    publish: (message) => inSpan(publishSpan, () => publish(message, sendOnce, patience)),
    last: async (stream, subject) => {
      const lastMessage = await unlessUnknown(
        ask(`$JS.API.STREAM.MSG.GET.${stream}`, { last_by_subj: subject }, Stored),
      )
      return lastMessage && storedMessage(lastMessage.message)
    },
    page: (stream, filter, afterSeq) => withRetries(() => page(connection, stream, filter, afterSeq)),
    subjects: async (stream, filter) => {
      const all: string[] = []
      for (;;) {
        const request = { subjects_filter: filter, offset: all.length }
        const { state, total = 0 } = await ask(`$JS.API.STREAM.INFO.${stream}`, request, Listed)
        const subjects = Object.keys(state.subjects ?? {})
        all.push(...subjects)
        if (subjects.length === 0 || all.length >= total) return all
      }
    },
    purge: async (stream, filter) => {
      await ask(`$JS.API.STREAM.PURGE.${stream}`, { filter }, z.object({ success: z.literal(true) }))
    },
    erase: async (stream, seq) => {
      await unlessUnknown(ask(`$JS.API.STREAM.MSG.DELETE.${stream}`, { seq, no_erase: false }, z.unknown()))
    },
  }
}

/** Without the subject, because it names a persona. */
const publishSpan = {
  name: 'send',
  kind: 'producer',
  attributes: { 'messaging.system': 'nats', 'messaging.operation.type': 'send' },
} as const

/** The servers received the request and refused it. */
export class ServerRefused extends Unavailable {
  readonly reason: number
  constructor({ code, err_code, description }: Refusal) {
    super(`the cluster refused: ${description}`)
    this.reason = err_code || code
  }
}

/** Returns undefined if the message does not exist. */
const unlessUnknown = async <T>(promise: Promise<T>): Promise<T | undefined> => {
  try {
    return await promise
  } catch (error) {
    if (error instanceof ServerRefused && [notFound, 10057, 404].includes(error.reason)) return undefined
    throw error
  }
}

const publish = async (
  { subject, data, after, name, headers: extraHeaders = {} }: Outgoing,
  sendOnce: (subject: string, data: Uint8Array, extraHeaders: MsgHdrs) => Promise<unknown>,
  patience: number,
): Promise<number | undefined> => {
  const messageHeaders = headers()
  messageHeaders.set(nameHeader, name)
  if (after !== undefined) messageHeaders.set('Nats-Expected-Last-Subject-Sequence', `${after}`)
  for (const [key, value] of Object.entries(extraHeaders)) messageHeaders.set(key, value)
  const { traceparent } = traceHeaders()
  if (traceparent) messageHeaders.set('traceparent', traceparent)
  const end = performance.now() + patience
  for (let isSure = true; ; isSure = false) {
    try {
      const answer = await sendOnce(subject, data, messageHeaders)
      const refusal = Refused.safeParse(answer)
      if (!refusal.success) return Acknowledged.parse(answer).seq
      if (wrongLast.includes(refusal.data.error.err_code)) return undefined
      if (isSure) throw new ServerRefused(refusal.data.error)
      throw new InDoubt(refusal.data.error.description)
    } catch (error) {
      // A retry is safe: the message has the same name and the same expected sequence, so it is stored only
      // once.
      if (!(error instanceof Later)) throw error
      if (performance.now() + pause > end)
        throw new InDoubt('the cluster did not acknowledge it', { cause: error })
    }
    await delay(pause)
  }
}

const page = async (
  connection: NatsConnection,
  stream: string,
  filter: string,
  afterSeq: number,
): Promise<readonly Incoming[]> => {
  const request = { seq: afterSeq + 1, next_by_subj: filter, batch: 256, max_bytes: 4 * 1024 * 1024 }
  const messages: Incoming[] = []
  try {
    const options = { strategy: 'sentinel', maxWait: maxAttemptMs * 5 } as const
    for await (const message of await connection.requestMany(
      `$JS.API.DIRECT.GET.${stream}`,
      JSON.stringify(request),
      options,
    )) {
      // An empty message ends the page, or gives the reason why there is none.
      if (message.data.length > 0) messages.push(directMessage(message))
      else if ([204, 404].includes(message.headers?.code ?? 0)) return messages
      else throw new Later(message.headers?.description ?? 'no answer')
    }
  } catch (cause) {
    throw cause instanceof Later ? cause : new Later(undefined, { cause })
  }
  throw new Later('the end of a page is missing')
}

const directMessage = ({ data, headers: messageHeaders }: Msg): Incoming => ({
  seq: Number(messageHeaders?.get('Nats-Sequence')),
  subject: messageHeaders?.get('Nats-Subject') ?? '',
  data: Buffer.from(data),
  header: (name) => messageHeaders?.get(name) ?? '',
})

const storedMessage = ({ seq, subject, data, hdrs }: z.infer<typeof Stored>['message']): Incoming => {
  const lines = Buffer.from(hdrs, 'base64').toString('utf8').split('\r\n')
  const header = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  return { seq, subject, data: Buffer.from(data, 'base64'), header }
}

const parseAnswer = (answer: Msg): unknown => {
  try {
    return JSON.parse(answer.string())
  } catch (cause) {
    throw new Later('the servers do not answer with JSON', { cause })
  }
}
