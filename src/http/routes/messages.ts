/** Routes that ask for another answer, and edit, delete and restore messages. */
import * as z from 'zod'
import { AnswerMode, type Seq } from '../../../facts/fact-values.ts'
import { askAnswer, askOtherModel, chooseAnswer, editMessage, hideMessage } from '../../commands/messages.ts'
import { Refused } from '../../persona/refusals.ts'
import { HttpRefused } from '../refused.ts'
import { route } from '../route.ts'
import { organRefusals } from './persona-shapes.ts'

const Done = z.object({ status: z.enum(['asked', 'chosen']) }).meta({ id: 'AnswerChange' })

export const askAnswerRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/turns/{id}/again',
  summary: 'Ask for another answer to the last messages of a conversation, or for the rest of the answer',
  description:
    'The new answer arrives like any other, in a turn of its own, exactly once. `again`: it replaces the shown one, which stays in the journal and can be chosen again; tools of the first answer took effect and do not run again. `continue`: it follows the shown one, for example after a stop. Only the last turn of a channel can be answered again.',
  tag: 'Talk',
  query: z.object({ mode: AnswerMode.default('again') }),
  reply: Done,
  refuses: ['not_active', 'turn_unknown', 'not_last_exchange', 'answer_pending', 'nothing_to_continue'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, query: { mode } }) => {
      await askAnswer(deps, persona, toSeq(id, 'turn_unknown'), mode)
      return { status: 'asked' as const }
    },
})

export const askOtherModelRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/turns/{id}/again/with',
  summary: 'Ask another model for another answer to the last messages of a conversation',
  description:
    'Like `again`, but this one answer comes from the given model, which uses the same tools. The Mind of the persona stays. If the model fails, the answer before it is shown again. Without a key, a stored key of the same provider and address is used.',
  tag: 'Talk',
  body: z
    .object({
      provider: z.string().nullish(),
      model: z.string(),
      url: z.string().nullish(),
      api_key: z.string().nullish(),
      api_key_from: z.string().nullish().describe('The organ of the persona whose key is used.'),
    })
    .meta({ id: 'OtherModelRequest' }),
  reply: Done,
  refuses: ['not_active', 'turn_unknown', 'not_last_exchange', 'answer_pending', ...organRefusals],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { api_key, ...organ } }) => {
      const wish = { ...organ, ...(api_key != null && { api_key }) }
      await askOtherModel(deps, persona, toSeq(id, 'turn_unknown'), wish)
      return { status: 'asked' as const }
    },
})

export const chooseAnswerRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/turns/{id}/choose',
  summary: 'Show this answer instead of the other answers to the same messages',
  description:
    'The persona sees only the chosen answer from then on. Possible until the next message of the conversation. Does nothing if it is shown already.',
  tag: 'Talk',
  reply: Done,
  refuses: ['persona_unknown', 'turn_unknown', 'not_last_exchange', 'answer_pending'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await chooseAnswer(deps, persona, toSeq(id, 'turn_unknown'))
      return { status: 'chosen' as const }
    },
})

export const editMessageRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/messages/{id}',
  summary: 'Write a message of the user again, delete a message, or restore a deleted one',
  description:
    'With `content`: the last message of the user in a conversation is replaced by a new one, which is answered; the old text and its answer stay in the journal. With `hidden`: the message is removed from the conversation, from search and from what the persona sees, or shown again. To remove its text from the disk, erase it.',
  tag: 'Talk',
  body: z
    .object({ content: z.string().optional(), hidden: z.boolean().optional() })
    .refine(({ content, hidden }) => (content === undefined) !== (hidden === undefined), {
      message: 'either content or hidden is needed',
    }),
  reply: z
    .object({
      id: z.int().describe('Position of the new message, or of the same one.'),
      learned: z
        .array(z.object({ id: z.string(), text: z.string() }))
        .readonly()
        .describe('Statements that are based only on the old text. They stay until you forget them.'),
    })
    .meta({ id: 'EditedMessage' }),
  refuses: [
    'persona_unknown',
    'not_active',
    'message_unknown',
    'message_empty',
    'message_has_file',
    'body_too_large',
    'not_last_exchange',
    'answer_pending',
  ],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { content, hidden } }) => {
      const seq = toSeq(id, 'message_unknown')
      const maxBytes = deps.config.limits.message
      if (content && Buffer.byteLength(content) > maxBytes)
        throw new HttpRefused({ code: 'body_too_large', what: 'message', most: maxBytes })
      if (content === undefined) {
        await hideMessage(deps, persona, seq, hidden ?? true)
        return { id: seq, learned: [] }
      }
      const { message, learned } = await editMessage(deps, persona, seq, content)
      return { id: message, learned: learned.map(({ id: statement, text }) => ({ id: statement, text })) }
    },
})

const toSeq = (text: string, code: 'turn_unknown' | 'message_unknown'): Seq => {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new Refused({ code })
  return Number(text)
}
