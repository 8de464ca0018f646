/** PATCH /api/persona/{persona_id}/hosts/{host} */
import * as z from 'zod'
import { ToolMode } from '../../../journal/facts/fact-values.ts'
import { known } from '../../commands/lifecycle.ts'
import { setHostMode } from '../../commands/tools.ts'
import { route } from '../route.ts'
import { hostsOf } from '../schema/told-hosts.ts'
import { WebHosts } from '../schema/tool-shapes.ts'

export const setHostModeRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/hosts/{host}',
  summary:
    'Set whether pages of a web host are never read, read after asking the user, or read without asking',
  description:
    'The host as in a URL, in lower case, with its port unless that is the default. Subdomains are hosts of their own.',
  tag: 'Tools',
  body: z.object({ mode: ToolMode }).meta({ id: 'WebHostRequest' }),
  reply: z.object({ hosts: WebHosts }).meta({ id: 'WebHosts' }),
  refuses: ['persona_unknown', 'tool_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, host }, body: { mode } }) => {
      await setHostMode(deps, id, { host, mode })
      return { hosts: hostsOf(known(deps.personas, id).self) }
    },
})
