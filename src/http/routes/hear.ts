/** POST /api/persona/{persona_id}/hear */
import * as z from 'zod'
import { keepVoice } from '../../commands/talk.ts'
import { route } from '../route.ts'
import { Received, tellAndWait, Wait, whyNotTold } from '../schema/received.ts'
import { FilePart } from '../server/uploads.ts'

const Body = z.object({ audio: FilePart, caption: z.string().default('') }).meta({ id: 'Body_hear' })

export const hear = route({
  method: 'post',
  path: '/api/persona/{persona_id}/hear',
  summary: 'Speak to the persona on the web channel: a clip of sound',
  description: 'A form of one recording and a caption; its Ear, or its Mind, makes words of it.',
  tag: 'Talk',
  form: Body,
  query: Wait,
  reply: Received,
  refuses: whyNotTold,
  handle: (deps) => {
    const { personas } = deps
    return ({ params: { persona_id: id }, body: { audio, caption }, query: { wait }, request, response }) => {
      const keep = () => keepVoice(personas, id, { ...audio, caption, from: 'person', by: null })
      return tellAndWait(deps, { id, content: caption, keep, wait, request, response })
    }
  },
})
