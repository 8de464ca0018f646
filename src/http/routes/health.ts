/** GET /api/health */
import * as z from 'zod'
import { version } from '../../version.ts'
import { route } from '../route.ts'

export const health = route({
  method: 'get',
  path: '/api/health',
  summary: 'Whether the daemon lives',
  reply: z
    .object({ status: z.literal('ok'), version: z.string(), uptime: z.number().describe('Seconds.') })
    .meta({ id: 'Health' }),
  handle: ({ clock }) => {
    const since = clock.now()
    return () => ({ status: 'ok' as const, version, uptime: Math.max(0, (clock.now() - since) / 1000) })
  },
})
