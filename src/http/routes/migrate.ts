/** POST /api/persona/migrate */
import * as z from 'zod'
import { migratePersona } from '../../commands/migrate.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { FilePart } from '../server/upload-form.ts'
import {
  declaredFields,
  keyRefusals,
  PersonaRecordShape,
  parseOrgans,
  parseTokens,
} from './persona-shapes.ts'

const text = z.string().optional()

const Body = z
  .object({
    diary: FilePart,
    phrase: z.string().describe('The 24 words of its recovery phrase.'),
    model: z.string(),
    provider: text,
    api_key: text,
    api_key_from: text,
    url: text,
    ...declaredFields(text),
  })
  .meta({ id: 'Body_migrate' })

export const migrateRoute = route({
  method: 'post',
  path: '/api/persona/migrate',
  summary: 'Restore a persona from its diary, with newly declared organs, and start it',
  description:
    'A form with the diary, its recovery phrase and the organs. The whole diary is checked before anything changes.',
  tag: 'Diaries',
  form: Body,
  limit: ({ archive }) => archive,
  reply: z.object({ persona: PersonaRecordShape }).meta({ id: 'PersonaMigrated' }),
  refuses: [
    ...(['provider_unknown', 'model_missing', 'address_secret', 'channel_invalid'] as const),
    ...keyRefusals,
    ...(['not_a_diary', 'phrase_mistyped', 'other_phrase', 'diary_damaged', 'diary_newer'] as const),
    ...(['histories_parted', 'damaged_here', 'model_failed', 'cut_short', 'migrated_not_started'] as const),
  ],
  handle:
    (deps) =>
    ({ body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const organs = parseOrgans((slot, part) =>
          slot === 'thinking' ? body[part] : body[`${slot}_${part}`],
        )
        const { path } = body.diary.staged
        return {
          persona: await migratePersona(
            deps,
            { path, phrase: body.phrase, organs, tokens: parseTokens(body) },
            signal,
          ),
        }
      }),
})
