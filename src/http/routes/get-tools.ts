/** GET /api/persona/{persona_id}/tools */
import { known } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { hostsOf } from '../schema/told-hosts.ts'
import { Tools } from '../schema/tool-shapes.ts'

export const tools = route({
  method: 'get',
  path: '/api/persona/{persona_id}/tools',
  summary:
    'What the persona can use: its tool servers with what may be done with each tool, and its own tools',
  description:
    'The servers as they were declared, secrets as `***`, with how each is now; nobody is asked for it. A tool that nobody has decided on is asked about, and so is a host of the web.',
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
