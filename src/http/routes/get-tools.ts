/** GET /api/persona/{persona_id}/tools */
import { known } from '../../commands/known.ts'
import { route } from '../route.ts'
import { Tools } from '../schema/tool-shapes.ts'

export const tools = route({
  method: 'get',
  path: '/api/persona/{persona_id}/tools',
  summary:
    'What the persona can use: its tool servers with what may be done with each tool, and its own tools',
  description:
    'The servers as they were declared, secrets as `***`, with how each is now; nobody is asked for it. A tool that nobody has decided on is asked about.',
  tag: 'Tools',
  reply: Tools,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, serverTools }) =>
    async ({ params: { persona_id: id } }) => {
      known(personas, id)
      const { allTools } = await import('../../mind/tools/all.ts')
      const builtin = allTools.map(({ spec: { name, description } }) => ({ name, description }))
      return { servers: await serverTools.shown(id), builtin }
    },
})
