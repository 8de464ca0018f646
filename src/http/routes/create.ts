/** POST /api/persona/create */
import * as z from 'zod'
import { Refused } from '../../persona/refusals.ts'
import { decide } from '../../persona/rules/decide.ts'
import { type Clock, isoIn } from '../../time/clock.ts'
import { saveOrgans } from '../registration.ts'
import { route } from '../route.ts'
import { declaredOrgans, keylessOf, prepareOrgans, recordFor, wantedAnew } from '../schema/organ-bodies.ts'
import { HttpRefused } from '../schema/refused.ts'
import { PersonaRecordShape } from '../schema/shapes.ts'
import { checkTokens, withTokens } from '../schema/tokens.ts'
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
  summary: 'Create a persona and wake her',
  body: PersonaCreateRequest,
  reply: z
    .object({ persona: PersonaRecordShape, recovery_phrase: z.string().describe('24 words, told this once.') })
    .meta({ id: 'PersonaCreated' }),
  refuses: ['provider_unknown', 'model_missing', 'address_secret', 'channel_invalid', 'model_failed', 'cut_short', 'created_not_started'],
  handle:
    (deps) =>
    async ({ body, response }) => {
      const { agents, closing, config, diaries, log, newId, personas } = deps
      const wishes = declaredOrgans((slot, what) => body[`${slot}_${what}`])
      const id = newId()
      const named = { type: 'CreatePersona', id, name: body.name, birthday: today(deps.clock) } as const
      const onPaper = decide(undefined, { ...named, recipient: '', organs: keylessOf(wishes) })
      if ('refused' in onPaper) throw new Refused(onPaper.refused)

      const wanted = wantedAnew(wishes)
      const { phrase, self } = await whileThere(response, closing, async (gone) => {
        const bots = await checkTokens(deps, body, gone)
        await prepareOrgans(deps, wanted, gone)
        const { phrase, recipient } = await deps.newPhrase()
        // Nobody is made whose phrase no one would be told.
        const { persona } = await saveOrgans(deps, { id, organs: {} }, wanted, gone, (organs) =>
          withTokens(deps, id, bots, (channels) => personas.create({ ...named, recipient, organs, channels })),
        )
        return { phrase, self: persona.self }
      })
      const { failed } = await agents.settled(id)
      if (failed !== null) throw new HttpRefused({ code: 'created_not_started', reason: failed })
      // The phrase opens something from now on. Where it cannot be written, the night will try again.
      await diaries.write(id).catch((err: unknown) => log.warn({ id, err }, 'her first diary could not be written'))
      return { persona: await recordFor(personas, self, config.urls), recovery_phrase: phrase }
    },
})

/** Local date, YYYY-MM-DD. */
const today = (clock: Clock): string => {
  const now = clock.now()
  return isoIn(clock.zone, now).slice(0, 10)
}
