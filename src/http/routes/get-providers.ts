/** GET /api/config/providers */
import * as z from 'zod'
import { route } from '../route.ts'

const Provider = z.object({ url: z.string() }).meta({ id: 'ProviderConfig' })

export const providers = route({
  method: 'get',
  path: '/api/config/providers',
  summary: 'The address that an organ without one of its own calls, per provider',
  reply: z
    .object({ local: Provider, anthropic: Provider, gemini: Provider, openai: Provider, xai: Provider })
    .meta({ id: 'ProvidersConfig' }),
  handle: ({ config: { urls } }) => {
    const { local, anthropic, gemini, openai, xai } = urls
    const answer = {
      local: { url: local },
      anthropic: { url: anthropic },
      gemini: { url: gemini },
      openai: { url: openai },
      xai: { url: xai },
    }
    return () => answer
  },
})
