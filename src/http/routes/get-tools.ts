/** GET /api/persona/{persona_id}/tools */
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { hostsOf } from '../schema/told-hosts.ts'
import { Tools } from '../schema/tool-shapes.ts'

export const getToolsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/tools',
  summary: 'The tools of the persona: its tool servers with the mode of each tool, and its own tools',
  description:
    'The servers as declared, with secrets as `***`, and their current state. Does not contact them. Tools and web hosts without a decision ask the user each time.',
  tag: 'Tools',
  reply: Tools,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, pageReader, serverTools }) =>
    async ({ params: { persona_id: id } }) => {
      const { self } = known(personas, id)
      const { toolsWith } = await import('../../mind/tools/all.ts')
      const builtin = toolsWith(pageReader).map(({ spec: { name, description } }) => ({
        ...{ name, description },
        ...(name === 'read_page' && { hosts: hostsOf(self) }),
      }))
      return { servers: await serverTools.shown(id), builtin }
    },
})
