/** GET /api/config/providers */
import * as z from 'zod'
import { perProvider } from '../../../packages/models/providers/provider-table.ts'
import { route } from '../route.ts'

const Provider = z.object({ url: z.string() }).meta({ id: 'ProviderConfig' })

export const getProvidersRoute = route({
  method: 'get',
  path: '/api/config/providers',
  summary: 'The default address of each provider',
  description: 'The address from the environment, otherwise the default of the provider.',
  tag: 'Models',
  reply: z.object({ local: Provider, ...perProvider(() => Provider) }).meta({ id: 'ProvidersConfig' }),
  handle: ({ config: { urls } }) => {
    const answer = { local: { url: urls.local }, ...perProvider((_, name) => ({ url: urls[name] })) }
    return () => answer
  },
})
