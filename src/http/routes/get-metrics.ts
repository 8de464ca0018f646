/** GET /metrics */
import { route, sent } from '../route.ts'

export const metrics = route({
  method: 'get',
  path: '/metrics',
  summary: 'What the daemon counts, as Prometheus text',
  description: 'In the text format of Prometheus, version 0.0.4. No name, id or word of anybody is in it.',
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
