/** POST /api/models */
import * as z from 'zod'
import { Refused } from '../../persona/refusals.ts'
import { readProvider } from '../organs.ts'
import { route } from '../route.ts'

const ModelsRequest = z
  .object({ provider: z.string().nullish(), url: z.string().nullish(), api_key: z.string().nullish() })
  .meta({ id: 'ModelsRequest' })

export const models = route({
  method: 'post',
  path: '/api/models',
  summary: 'The model names that a runtime or provider offers',
  body: ModelsRequest,
  reply: z.object({ models: z.array(z.string()).readonly() }).meta({ id: 'ModelNames' }),
  refuses: ['provider_unknown', 'not_offered', 'model_failed'],
  handle:
    ({ models }) =>
    async ({ body: { provider: name, url, api_key: key } }) => {
      const provider = readProvider(name)
      if (provider !== null) throw new Refused({ code: 'not_offered', what: `The provider ${provider}` })
      return { models: await models.names({ provider, url: url || null, apiKey: key || null }) }
    },
})
