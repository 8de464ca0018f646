/** POST /api/persona/create */
import * as z from 'zod'
import { Slot } from '../../../journal/events.ts'
import type { Self } from '../../../projections/self.ts'
import { wrapperOf } from '../../../projections/view.ts'
import { type Clock, isoIn } from '../../clock.ts'
import type { CreatePersona } from '../../persona/commands.ts'
import { decide } from '../../persona/decide.ts'
import { Refused } from '../../persona/refusals.ts'
import { stillThere, whileThere } from '../caller.ts'
import { keylessOf, prepareOrgans, recordFor, type Wanted, type Wishes, wishOf, withKeys } from '../organs.ts'
import { HttpRefused } from '../refused.ts'
import { type Deps, route } from '../route.ts'
import { PersonaRecordShape } from '../shapes.ts'

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
type PersonaCreateRequest = z.infer<typeof PersonaCreateRequest>

export const create = route({
  method: 'post',
  path: '/api/persona/create',
  summary: 'Create a persona and wake her',
  body: PersonaCreateRequest,
  reply: z
    .object({ persona: PersonaRecordShape, recovery_phrase: z.string().describe('24 words, told this once.') })
    .meta({ id: 'PersonaCreated' }),
  refuses: ['not_offered', 'provider_unknown', 'model_missing', 'address_secret', 'model_failed', 'cut_short', 'created_not_started'],
  handle:
    (deps) =>
    async ({ body, response }) => {
      const { agents, closing, config, newId, personas } = deps
      const wishes = readOrgans(body)
      const id = newId()
      const named = { type: 'CreatePersona', id, name: body.name, birthday: today(deps.clock) } as const
      const onPaper = decide(undefined, { ...named, recipient: '', organs: keylessOf(wishes) })
      if ('refused' in onPaper) throw new Refused(onPaper.refused)

      const wanted = Slot.options.flatMap((slot): readonly Wanted[] => {
        const wish = wishes[slot]
        return wish ? [{ slot, ask: { ...wish, apiKey: wish.apiKey || null }, ref: null }] : []
      })
      const { phrase, self } = await whileThere(response, closing, async (gone) => {
        await prepareOrgans(deps, wanted, gone)
        const { phrase, recipient } = await deps.newPhrase()
        return { phrase, self: await saved(deps, wanted, { ...named, recipient }, gone) }
      })
      const { failed } = await agents.settled(id)
      if (failed !== null) throw new HttpRefused({ code: 'created_not_started', reason: failed })
      return { persona: await recordFor(personas, self, config.urls), recovery_phrase: phrase }
    },
})

/** Her Mind, and every other organ that has a model. Refused: what this version cannot do is said, never left out in silence. */
const readOrgans = (body: PersonaCreateRequest): Wishes => {
  const wishes = Slot.options
    .filter((slot) => slot === 'thinking' || body[`${slot}_model`])
    .map((slot) => {
      const [model, provider, url, key] = [body[`${slot}_model`], body[`${slot}_provider`], body[`${slot}_url`], body[`${slot}_api_key`]]
      return [slot, wishOf({ model, provider, url: url ?? null, key: key ?? undefined })] as const
    })
  if (body.telegram_token) throw new Refused({ code: 'not_offered', what: 'A Telegram channel' })
  if (body.discord_token) throw new Refused({ code: 'not_offered', what: 'A Discord channel' })
  return Object.fromEntries(wishes)
}

/** Local date, YYYY-MM-DD. */
const today = (clock: Clock): string => {
  const now = clock.now()
  return isoIn(clock.zone, now).slice(0, 10)
}

/** A wrapper that nobody will use is taken away again, and keys; and nobody is made whose phrase no one would be told. */
const saved = async (deps: Deps, wanted: readonly Wanted[], born: Omit<CreatePersona, 'organs'>, gone: AbortSignal): Promise<Self> => {
  const { models, personas } = deps
  stillThere(gone)
  const mind = wanted.find(({ slot }) => slot === 'thinking')?.ask
  const wrapper = mind ? wrapperOf(born.id, mind) : null
  if (mind && wrapper !== null) await models.wrap(mind, wrapper)
  try {
    return await withKeys(deps, born.id, wanted, async (organs) => {
      stillThere(gone)
      const { persona } = await personas.create({ ...born, organs })
      return persona.self
    })
  } catch (error) {
    if (mind && wrapper !== null) await models.unwrap(mind, wrapper).catch(() => {})
    throw error
  }
}
