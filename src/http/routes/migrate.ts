/** POST /api/persona/migrate */
import * as z from 'zod'
import { migratePersona } from '../../commands/migrate-persona.ts'
import { route } from '../route.ts'
import { organFields } from '../schema/organ-fields.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { whileThere } from '../server/caller.ts'
import { FilePart } from '../server/uploads.ts'

const text = z.string().optional()

const Body = z
  .object({
    diary: FilePart,
    phrase: z.string().describe('The 24 words of its recovery phrase.'),
    model: z.string(),
    provider: text,
    api_key: text,
    url: text,
    imagination_model: text,
    imagination_provider: text,
    imagination_api_key: text,
    imagination_url: text,
    mouth_model: text,
    mouth_provider: text,
    mouth_api_key: text,
    mouth_url: text,
    eye_model: text,
    eye_provider: text,
    eye_api_key: text,
    eye_url: text,
    ear_model: text,
    ear_provider: text,
    ear_api_key: text,
    ear_url: text,
    teacher_model: text,
    teacher_provider: text,
    teacher_api_key: text,
    teacher_url: text,
    researcher_model: text,
    researcher_provider: text,
    researcher_api_key: text,
    researcher_url: text,
    telegram_token: text,
    discord_token: text,
  })
  .meta({ id: 'Body_migrate' })

export const migrate = route({
  method: 'post',
  path: '/api/persona/migrate',
  summary: 'Bring a persona back from its diary, with organs declared anew, and wake it',
  form: Body,
  limit: ({ archive }) => archive,
  reply: z.object({ persona: PersonaRecordShape }).meta({ id: 'PersonaMigrated' }),
  refuses: [
    ...(['provider_unknown', 'model_missing', 'address_secret', 'channel_invalid'] as const),
    ...(['not_a_diary', 'phrase_mistyped', 'other_phrase', 'diary_damaged', 'diary_newer'] as const),
    ...(['histories_parted', 'damaged_here', 'model_failed', 'cut_short', 'migrated_not_started'] as const),
  ],
  handle:
    (deps) =>
    ({ body, response }) =>
      whileThere(response, deps.closing, async (gone) => {
        const organs = organFields((slot, what) => (slot === 'thinking' ? body[what] : body[`${slot}_${what}`]))
        const tokens = { telegram: body.telegram_token, discord: body.discord_token }
        const { path } = body.diary.staged
        return { persona: await migratePersona(deps, { path, phrase: body.phrase, organs, tokens }, gone) }
      }),
})
