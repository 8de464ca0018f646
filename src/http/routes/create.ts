/** POST /api/persona/create */
import * as z from 'zod'
import { createPersona } from '../../commands/persona.ts'
import { route } from '../route.ts'
import { declaredFields, organsOf, tokensOf } from '../schema/declared-fields.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { withAbortSignal } from '../server/caller.ts'

const text = z.string().nullish()

const PersonaCreateRequest = z
  .object({
    name: z.string(),
    thinking_model: z.string(),
    thinking_url: text,
    thinking_provider: text,
    thinking_api_key: text,
    ...declaredFields(text),
  })
  .meta({ id: 'PersonaCreateRequest' })

export const createRoute = route({
  method: 'post',
  path: '/api/persona/create',
  summary: 'Create a persona and start it',
  description:
    'Its organs are checked before anything is stored. The response contains the recovery phrase, which is never returned again.',
  tag: 'Personas',
  body: PersonaCreateRequest,
  reply: z
    .object({
      persona: PersonaRecordShape,
      recovery_phrase: z.string().describe('24 words. Returned only once.'),
    })
    .meta({ id: 'PersonaCreated' }),
  refuses: [
    'provider_unknown',
    'model_missing',
    'address_secret',
    'channel_invalid',
    'model_failed',
    'cut_short',
    'created_not_started',
  ],
  handle:
    (deps) =>
    ({ body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const organs = organsOf((slot, part) => body[`${slot}_${part}`])
        const { persona, phrase } = await createPersona(
          deps,
          { name: body.name, organs, tokens: tokensOf(body) },
          signal,
        )
        return { persona, recovery_phrase: phrase }
      }),
})
