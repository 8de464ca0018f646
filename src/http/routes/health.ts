/** GET /api/health */
import * as z from 'zod'
import { version } from '../../../packages/kit/version.ts'
import { route } from '../route.ts'

export const healthRoute = route({
  method: 'get',
  path: '/api/health',
  summary: 'Check that the daemon is alive',
  description: 'Does not read any journal.',
  tag: 'Daemon',
  reply: z
    .object({
      status: z.literal('ok'),
      version: z.string(),
      uptime: z.number().describe('Seconds.'),
      zone: z.string().describe('IANA name of the time zone of the daemon.'),
      log_lines_dropped: z.int().describe('Log lines that could not be written since the daemon started.'),
      warnings: z
        .array(z.string())
        .describe('Problems of the daemon itself, and how to fix them. Empty if there are none.'),
    })
    .meta({ id: 'Health' }),
  handle: ({ clock, log, personas, agents }) => {
    const startedAt = clock.now()
    const getUptime = () => Math.max(0, (clock.now() - startedAt) / 1000)
    const faults = () =>
      personas.all().flatMap(({ self: { id, name } }) => {
        const fault = agents.fault(id)
        return fault === null ? [] : `${name}: ${fault}`
      })
    return () => ({
      status: 'ok' as const,
      version,
      uptime: getUptime(),
      zone: clock.zone,
      log_lines_dropped: log.droppedLines(),
      warnings: [...(clock.zoneWarning ? [clock.zoneWarning] : []), ...faults()],
    })
  },
})
