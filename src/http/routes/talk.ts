/** Routes that send a message, clip or file, greet, hush, and report typing. */
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { requireListed, requireRunning } from '../../commands/lifecycle.ts'
import {
  askPersona,
  cancelTurn,
  greetPerson,
  keepFile,
  keepVoice,
  type OutgoingMessage,
  sendToPersona,
} from '../../commands/talk.ts'
import type { ProblemCode } from '../problems.ts'
import { HttpRefused } from '../refused.ts'
import { alreadySent, type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { FilePart, FileParts } from '../server/upload-form.ts'
import { MediaView } from './media.ts'

/** Query of read, hear and attach. */
const Wait = z.object({
  wait: z
    .number()
    .min(0)
    .max(600)
    .optional()
    .describe('Seconds to wait for the reply. Opens the web channel if it is closed.'),
})

/** Everything that the persona said in one turn. */
const Reply = z
  .object({
    id: z.int().describe('Position of its last message in the journal.'),
    content: z.string(),
    media: MediaView.nullable(),
    time: z.string(),
  })
  .meta({ id: 'Reply' })

const Received = z
  .object({
    status: z.literal('received'),
    reply: Reply.nullable()
      .optional()
      .describe(
        'Only with `wait`: everything that the persona said in the turn that took the message. Null on timeout, or if the persona is stopped meanwhile.',
      ),
  })
  .meta({ id: 'Received' })

/** Max characters of a text that is said aloud at once. */
const maxSpokenLength = 4000

const deliveryProblems: readonly ProblemCode[] = ['body_too_large', 'not_active', 'web_closed']

interface Delivery extends Omit<OutgoingMessage, 'key'> {
  readonly id: PersonaId
  readonly wait: number | undefined
  readonly request: Request
  readonly response: Response
}

const deliverAndWait = async (
  deps: RouteDeps,
  { id, wait, request, response, ...words }: Delivery,
): Promise<z.input<typeof Received>> => {
  const message = { ...words, key: dedupeKey(request.headers['idempotency-key']) }
  if (wait !== undefined)
    return withAbortSignal(response, deps.closing, async (signal) => ({
      ...receivedReply,
      reply: await askPersona(deps, id, message, { seconds: wait, abortSignal: signal }),
    }))
  await sendToPersona(deps, id, message)
  return receivedReply
}

const receivedReply = { status: 'received' as const }

/** Prefixed, so that it cannot equal a key of another channel. */
const dedupeKey = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && header !== '' ? `http:${header}` : null

const ReadRequest = z.object({ message: z.string() }).meta({ id: 'ReadRequest' })

export const readRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/read',
  summary: 'Send the persona a message on the web channel',
  description:
    'Without `wait` it answers as soon as the message is stored, and the reply arrives over the WebSocket. Requests with the same `Idempotency-Key` are the same message.',
  tag: 'Talk',
  body: ReadRequest,
  query: Wait,
  reply: Received,
  refuses: deliveryProblems,
  handle: (deps) => {
    const maxBytes = deps.config.limits.message
    return async ({ params: { persona_id: id }, body: { message }, query: { wait }, request, response }) => {
      if (Buffer.byteLength(message) > maxBytes)
        throw new HttpRefused({ code: 'body_too_large', what: 'message', most: maxBytes })
      return deliverAndWait(deps, { id, content: message, wait, request, response })
    }
  },
})

const HearBody = z.object({ audio: FilePart, caption: z.string().default('') }).meta({ id: 'Body_hear' })

export const hearRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hear',
  summary: 'Send the persona a voice recording on the web channel',
  description: 'A form with one recording and a caption. Its Ear or its Mind transcribes it.',
  tag: 'Talk',
  form: HearBody,
  query: Wait,
  reply: Received,
  refuses: deliveryProblems,
  handle: (deps) => {
    const { personas } = deps
    return ({ params: { persona_id: id }, body: { audio, caption }, query: { wait }, request, response }) => {
      const keepFile = () => keepVoice(personas, id, { ...audio, caption, from: 'person', by: null })
      return deliverAndWait(deps, { id, content: caption, keepFile, wait, request, response })
    }
  },
})

const AttachBody = z.object({ file: FileParts, caption: z.string().default('') }).meta({ id: 'Body_attach' })

export const attachRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/attach',
  summary:
    'Send the persona a file on the web channel: a picture, a recording or a document. Several files are received together, with the caption on the first',
  description:
    'A form with one or more files and a caption. Without `wait` it answers as soon as the message is stored, and the reply arrives over the WebSocket. A `charset` in the media type of a part is the encoding of its text, unless the bytes contradict it.',
  tag: 'Talk',
  form: AttachBody,
  query: Wait,
  reply: Received,
  refuses: deliveryProblems,
  handle: (deps) => {
    const { personas } = deps
    return ({ params: { persona_id: id }, body: { file, caption }, query: { wait }, request, response }) => {
      const [keepFirst, ...otherFiles] = file.map((upload, n) => () => {
        const fileCaption = n === 0 ? caption : ''
        return keepFile(personas, id, { ...upload, caption: fileCaption, from: 'person', by: null })
      })
      const storedFiles = { ...(keepFirst && { keepFile: keepFirst }), keepOtherFiles: otherFiles }
      return deliverAndWait(deps, { id, content: caption, ...storedFiles, wait, request, response })
    }
  },
})

export const greetRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/greet',
  summary: 'Let the persona speak first, if there is no message yet',
  description:
    'The greeting arrives over the WebSocket. The route answers `quiet` and does nothing if there is a message, during a greeting, while the Mind does not answer, or under `DAIMON_GREETING=off`.',
  tag: 'Talk',
  query: z.object({
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/)
      .optional()
      .describe('The language of the greeting, such as `de`. A persona otherwise chooses it itself.'),
  }),
  reply: z.object({ status: z.enum(['greeting', 'quiet']) }).meta({ id: 'Greeted' }),
  refuses: ['not_active', 'web_closed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { language } }) => ({
      status: (await greetPerson(deps, id, { isAllowed: deps.config.greeting, language }))
        ? ('greeting' as const)
        : ('quiet' as const),
    }),
})

export const hushRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hush',
  summary: 'Stop the turn in progress. The text so far stays',
  description: 'Returns a status and does nothing if no turn is in progress.',
  tag: 'Talk',
  reply: z.object({ status: z.enum(['hushed', 'quiet']) }).meta({ id: 'Hushed' }),
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      status: (await cancelTurn(deps, id)) ? ('hushed' as const) : ('quiet' as const),
    }),
})

export const speakRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/speak',
  summary: 'Say a text aloud with the Mouth of the persona',
  description:
    'Returns the sound, which is not stored; only the cost is recorded. Send an answer sentence by sentence while it is streamed, so that the first one is heard early.',
  tag: 'Talk',
  body: z.object({ text: z.string().trim().min(1).max(maxSpokenLength) }).meta({ id: 'SpeakRequest' }),
  reply: 'file',
  refuses: ['not_active', 'mouth_missing', 'spent', 'model_failed', 'cut_short'],
  handle:
    ({ agents, closing }) =>
    ({ params: { persona_id: id }, body: { text }, response }) =>
      withAbortSignal(response, closing, async (signal) => {
        await requireRunning(agents, id)
        const { bytes, mime } = await agents.speak(id, text, signal)
        response.setHeader('Content-Type', mime)
        response.setHeader('Cache-Control', 'no-store')
        response.end(bytes)
        return alreadySent
      }),
})

export const typingRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/typing',
  summary:
    'Report that the user begins to type, so that a model on this machine prepares and the persona does not write by itself',
  description:
    'Prepares the model as opening the web channel does, with the same limits. For 15 minutes the persona does not write by itself. Send it with the first key after an answer, at most once a minute.',
  tag: 'Talk',
  reply: z.null(),
  refuses: ['persona_unknown'],
  handle:
    ({ personas, agents }) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(personas, id)
      agents.warmUp(id)
      agents.onTyping(id)
      return null
    },
})
