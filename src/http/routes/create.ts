/** POST /api/persona/create */
import * as z from 'zod'
import { createPersona } from '../../commands/create-persona.ts'
import { route } from '../route.ts'
import { organFields } from '../schema/organ-fields.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { whileThere } from '../server/caller.ts'

const text = z.string().nullish()

const PersonaCreateRequest = z
  .object({
    name: z.string(),
    thinking_model: z.string(),
    thinking_url: text,
    thinking_provider: text,
    thinking_api_key: text,
    imagination_model: text,
    imagination_url: text,
    imagination_provider: text,
    imagination_api_key: text,
    mouth_model: text,
    mouth_url: text,
    mouth_provider: text,
    mouth_api_key: text,
    eye_model: text,
    eye_url: text,
    eye_provider: text,
    eye_api_key: text,
    ear_model: text,
    ear_url: text,
    ear_provider: text,
    ear_api_key: text,
    teacher_model: text,
    teacher_url: text,
    teacher_provider: text,
    teacher_api_key: text,
    researcher_model: text,
    researcher_url: text,
    researcher_provider: text,
    researcher_api_key: text,
    telegram_token: text,
    discord_token: text,
  })
  .meta({ id: 'PersonaCreateRequest' })

export const create = route({
  method: 'post',
  path: '/api/persona/create',
  summary: 'Create a persona and wake it',
  body: PersonaCreateRequest,
  reply: z
    .object({ persona: PersonaRecordShape, recovery_phrase: z.string().describe('24 words, told this once.') })
    .meta({ id: 'PersonaCreated' }),
  refuses: ['provider_unknown', 'model_missing', 'address_secret', 'channel_invalid', 'model_failed', 'cut_short', 'created_not_started'],
  handle:
    (deps) =>
    ({ body, response }) =>
      whileThere(response, deps.closing, async (gone) => {
        const organs = organFields((slot, what) => body[`${slot}_${what}`])
        const tokens = { telegram: body.telegram_token, discord: body.discord_token }
        const { persona, phrase } = await createPersona(deps, { name: body.name, organs, tokens }, gone)
        return { persona, recovery_phrase: phrase }
      }),
})
