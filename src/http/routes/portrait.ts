/** Routes of the portrait of a persona. */
import { basename, dirname } from 'node:path'
import * as z from 'zod'
import { PortraitSource } from '../../../facts/fact-values.ts'
import { toPortraitView } from '../../../projections/view.ts'
import {
  choosePortrait,
  drawPortrait,
  getPortrait,
  maxPortraitBytes,
  removePortrait,
} from '../../commands/portrait.ts'
import { Refused } from '../../persona/refusals.ts'
import { HttpRefused } from '../refused.ts'
import { alreadySent, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { FilePart } from '../server/upload-form.ts'
import { sendMediaFile } from './media.ts'
import { PortraitViewShape } from './persona-shapes.ts'

const path = '/api/persona/{persona_id}/portrait'

const PortraitForm = z
  .object({
    portrait: FilePart,
    source: PortraitSource.optional().describe(
      'Where the picture comes from: a file of the user, a character card, or a drawing of the persona.',
    ),
  })
  .meta({ id: 'Body_portrait' })

export const setPortraitRoute = route({
  method: 'put',
  path,
  summary: 'Choose the portrait of the persona',
  description:
    'A form with one file, `portrait`: a PNG, JPEG, WebP or GIF of at most 5 MB. It replaces the previous one, which undo restores. Models never see it.',
  tag: 'Personas',
  form: PortraitForm,
  limit: () => maxPortraitBytes,
  reply: PortraitViewShape,
  refuses: ['persona_unknown', 'body_too_large', 'portrait_invalid'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { portrait, source = 'file' } }) => {
      const view = toPortraitView(await choosePortrait(deps, id, { staged: portrait.staged, source }))
      if (!view) throw new Refused({ code: 'portrait_unknown' })
      return view
    },
})

export const removePortraitRoute = route({
  method: 'delete',
  path,
  summary: 'Remove the portrait of the persona',
  description: 'The journal keeps it, and undo restores it.',
  tag: 'Personas',
  reply: z.null(),
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      await removePortrait(deps, id)
      return null
    },
})

/** One year in seconds: the address changes with the picture. */
const maxAge = 31_536_000

export const getPortraitRoute = route({
  method: 'get',
  path,
  summary: 'The portrait of the persona',
  description:
    'The picture as it was sent. `v` is part of the address in the list of personas: with the current one, the response may be cached forever.',
  tag: 'Personas',
  query: z.object({ v: z.string().optional() }),
  reply: 'file',
  refuses: ['persona_unknown', 'portrait_unknown', 'file_unknown', 'range_unsatisfiable', 'media_damaged'],
  head: true,
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { v }, response }) => {
      const { personas } = deps
      const portrait = getPortrait(deps, id)
      const file = await personas.mediaPath(id, portrait.filename)
      if (!(await personas.isSound(id, portrait))) throw new HttpRefused({ code: 'media_damaged' })
      const isCurrent = v !== undefined && portrait.sha256.startsWith(v) && v.length >= 16
      response.setHeader('Cache-Control', isCurrent ? `private, max-age=${maxAge}, immutable` : 'no-cache')
      response.setHeader('ETag', `"${portrait.sha256}"`)
      await sendMediaFile(response, { folder: dirname(file), filename: basename(file), type: portrait.mime })
      return alreadySent
    },
})

/** In UTF-16 units. */
const maxWishLength = 1000

export const drawPortraitRoute = route({
  method: 'post',
  path: `${path}/draw`,
  summary: 'Draw a portrait from the character of the persona',
  description:
    'Its Imagination draws, and the response is the picture. Only the cost is stored: send the picture as the portrait to keep it.',
  tag: 'Personas',
  body: z
    .object({ wish: z.string().max(maxWishLength).nullish().describe('Words about how it should look.') })
    .meta({ id: 'PortraitWish' }),
  reply: 'file',
  refuses: ['persona_unknown', 'imagination_missing', 'portrait_invalid', 'cut_short'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { wish }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { bytes, mime } = await drawPortrait(deps, id, wish?.trim() ?? '', signal)
        response.setHeader('Cache-Control', 'no-store')
        response.type(mime).send(Buffer.from(bytes))
        return alreadySent
      }),
})
