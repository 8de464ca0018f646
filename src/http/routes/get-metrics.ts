/** GET /metrics */
import { route, sent } from '../route.ts'

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
      const { text, type } = await metrics.told()
      response.setHeader('Content-Type', type)
      response.setHeader('Cache-Control', 'no-store')
      response.end(text)
      return sent
    },
})
