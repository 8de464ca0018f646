/** Routes of the health of daemon and personas. */

import * as z from 'zod'
import { version } from '../../../packages/kit/version.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { diagnose as examine } from '../../health/diagnosis.ts'
import { route, sent } from '../route.ts'
import { Diagnosis } from './shapes.ts'

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

export const diagnoseRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/diagnose',
  summary: 'Diagnose the persona: the context of its Mind, its last 24 hours, its organs, its journal',
  description: 'Calls no model. Works even if the journal is damaged.',
  tag: 'Health',
  reply: Diagnosis,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      ...(await examine(deps, id, requireListed(deps.personas, id))),
      version,
    }),
})

export const getMetricsRoute = route({
  method: 'get',
  path: '/metrics',
  summary: 'The metrics of the daemon, as Prometheus text',
  description:
    'In the text format of Prometheus, version 0.0.4. Contains no names, ids or texts of personas and users.',
  tag: 'Daemon',
  reply: 'text/plain',
  handle:
    ({ metrics, personas }) =>
    async ({ response }) => {
      await personas.ready
      const { text, type } = await metrics.render()
      response.setHeader('Content-Type', type)
      response.setHeader('Cache-Control', 'no-store')
      response.end(text)
      return sent
    },
})
