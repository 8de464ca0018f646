/** POST /api/models */
import * as z from 'zod'
import { readProvider } from '../../commands/organ-wishes.ts'
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
  refuses: ['provider_unknown', 'model_failed'],
  handle:
    ({ models }) =>
    async ({ body: { provider, url, api_key: key } }) => ({
      models: await models.names({ provider: readProvider(provider), url: url || null, apiKey: key || null }),
    }),
})
