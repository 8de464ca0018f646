/** POST /api/persona/{persona_id}/attach */
import * as z from 'zod'
import { keepFile } from '../../commands/talk.ts'
import { route } from '../route.ts'
import { deliverAndWait, deliveryProblems, Received, Wait } from '../schema/received.ts'
import { FileParts } from '../server/uploads.ts'

const Body = z.object({ file: FileParts, caption: z.string().default('') }).meta({ id: 'Body_attach' })

export const attachRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/attach',
  summary:
    'Send the persona a file on the web channel: a picture, a recording or a document. Several files are received together, with the caption on the first',
  description:
    'A form with one or more files and a caption. Without `wait` it answers as soon as the message is stored, and the reply arrives over the WebSocket. A `charset` in the media type of a part is the encoding of its text, unless the bytes contradict it.',
  tag: 'Talk',
  form: Body,
  query: Wait,
  reply: Received,
  refuses: deliveryProblems,
  handle: (deps) => {
    const { personas } = deps
    return ({ params: { persona_id: id }, body: { file, caption }, query: { wait }, request, response }) => {
      const [keep, ...otherFiles] = file.map((upload, n) => () => {
        const fileCaption = n === 0 ? caption : ''
        return keepFile(personas, id, { ...upload, caption: fileCaption, from: 'person', by: null })
      })
      const storedFiles = { ...(keep && { keep }), others: otherFiles }
      return deliverAndWait(deps, { id, content: caption, ...storedFiles, wait, request, response })
    }
  },
})
