/** Routes of the help for users whose life may be in danger. */
import * as z from 'zod'
import { Country } from '../../../facts/fact-values.ts'
import { type CareState, checkWords, readCare, setCare } from '../../commands/care.ts'
import { route } from '../route.ts'

const CareView = z
  .object({
    country: Country.nullable().describe('The country that the user chose. Null: that of the time zone.'),
    zone_country: Country.nullable().describe('The country of the time zone. Null: unknown.'),
    help: z.boolean().describe('Whether the help is shown.'),
    countries: z.array(Country).readonly().describe('The countries whose help is known.'),
    texts: z
      .object({ en: z.string(), de: z.string() })
      .describe('What a user in danger gets, in the language of their message.'),
  })
  .meta({ id: 'Care' })

const path = '/api/persona/{persona_id}/care'

export const getCareRoute = route({
  method: 'get',
  path,
  summary: 'The help that the daemon shows when words of the user say that their life is in danger',
  description:
    'The daemon finds such words without a model, in English and German, and shows crisis lines and the emergency number after the answer, once a day at most. Clients of `/v1` get none.',
  tag: 'Memory',
  reply: CareView,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) =>
      toView(await readCare(deps, id)),
})

export const putCareRoute = route({
  method: 'put',
  path,
  summary: 'Choose the country of the help, or switch the help off',
  description:
    'Only an adult may switch it off, and only for themselves: who offers the persona to others must leave it on.',
  tag: 'Memory',
  body: z
    .object({
      country: Country.nullable(),
      help: z.boolean(),
      adult: z.literal(true).optional().describe('Required to switch the help off.'),
    })
    .refine(({ help, adult }) => help || adult === true, {
      path: ['adult'],
      message: 'Only an adult may switch the help off: confirm it with true.',
    })
    .meta({ id: 'CareRequest' }),
  reply: CareView,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { country, help } }) => {
      await setCare(deps, id, { country, help })
      return toView(await readCare(deps, id))
    },
})

export const checkWordsRoute = route({
  method: 'post',
  path: `${path}/check`,
  summary: 'Check words that are not stored, such as those of an off-record talk',
  description: 'Stores and logs nothing. Null if the words say nothing of danger, or if the help is off.',
  tag: 'Memory',
  body: z.object({ text: z.string().max(20_000) }).meta({ id: 'CareCheckRequest' }),
  reply: z
    .object({ help: z.object({ country: Country.nullable(), text: z.string() }).nullable() })
    .meta({ id: 'CareCheck' }),
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { text } }) => ({ help: await checkWords(deps, id, text) }),
})

const toView = ({ zoneCountry, ...care }: CareState): z.infer<typeof CareView> => ({
  ...care,
  zone_country: zoneCountry,
})
