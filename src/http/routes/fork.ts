/** POST /api/persona/{persona_id}/fork */
import * as z from 'zod'
import { forkPersona } from '../../commands/fork.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { At, momentDescription, readMoment } from './moments.ts'
import { keyRefusals, organFields, PersonaRecordShape, parseOrgans } from './persona-shapes.ts'

const text = z.string().nullish()

const PersonaForkRequest = z
  .object({
    at: At.nullish().describe(`${momentDescription} Default: now.`),
    name: text.describe('Default: its name at that moment.'),
    thinking_model: text,
    thinking_url: text,
    thinking_provider: text,
    thinking_api_key: text,
    thinking_api_key_from: text,
    // The Mind in the same fields as in migrate.
    model: text,
    url: text,
    provider: text,
    api_key: text,
    api_key_from: text,
    ...organFields(text),
  })
  .meta({ id: 'PersonaForkRequest' })

export const forkRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/fork',
  summary: 'Create another persona with the same past up to a moment, and start it',
  description:
    'It has its own id and recovery phrase, no channels and no keys. Its planned entries are cancelled.',
  tag: 'Personas',
  body: PersonaForkRequest,
  reply: z
    .object({
      persona: PersonaRecordShape,
      recovery_phrase: z.string().describe('24 words of its own. Returned only once.'),
      recipient: z.string().describe('Identifies the phrase: its public key.'),
    })
    .meta({ id: 'PersonaForked' }),
  refuses: [
    ...([
      'persona_unknown',
      'moment_invalid',
      'moment_unknown',
      'provider_unknown',
      'model_missing',
    ] as const),
    ...(['address_secret', 'mind_not_taken', 'too_long', 'model_failed', 'cut_short'] as const),
    ...keyRefusals,
    ...(['created_not_started', 'journal_damaged', 'journal_unavailable'] as const),
  ],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        requireListed(deps.personas, id)
        const { at, name } = body
        const organs = parseOrgans((slot, part) =>
          slot === 'thinking' ? body[`thinking_${part}`] || body[part] : body[`${slot}_${part}`],
        )
        const { persona, phrase, recipient } = await forkPersona(
          deps,
          id,
          {
            moment: at == null || at === '' ? null : await readMoment(at, 'at', deps.clock.zone),
            name: name || null,
            organs,
          },
          signal,
        )
        return { persona, recovery_phrase: phrase, recipient }
      }),
})
