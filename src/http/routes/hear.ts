/** POST /api/persona/{persona_id}/hear */
import * as z from 'zod'
import { keepVoice } from '../../commands/talk.ts'
import { route } from '../route.ts'
import { deliverAndWait, deliveryProblems, Received, Wait } from '../schema/received.ts'
import { FilePart } from '../server/uploads.ts'

const Body = z.object({ audio: FilePart, caption: z.string().default('') }).meta({ id: 'Body_hear' })

export const hearRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hear',
  summary: 'Send the persona a voice recording on the web channel',
  description: 'A form with one recording and a caption. Its Ear or its Mind transcribes it.',
  tag: 'Talk',
  form: Body,
  query: Wait,
  reply: Received,
  refuses: deliveryProblems,
  handle: (deps) => {
    const { personas } = deps
    return ({ params: { persona_id: id }, body: { audio, caption }, query: { wait }, request, response }) => {
      const keep = () => keepVoice(personas, id, { ...audio, caption, from: 'person', by: null })
      return deliverAndWait(deps, { id, content: caption, keep, wait, request, response })
    }
  },
})
