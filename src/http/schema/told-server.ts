/** Shows one tool server of a persona. */
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { Refused } from '../../persona/refusals.ts'
import type { ServerTools } from '../../tool-servers/server-tools.ts'
import type { ServerShown } from '../../tool-servers/shown-server.ts'

/** Throws tool_server_unknown. */
export const getServerView = async (
  { serverTools }: { readonly serverTools: Pick<ServerTools, 'shown'> },
  id: PersonaId,
  name: string,
): Promise<ServerShown> => {
  const shownServer = (await serverTools.shown(id)).find((server) => server.name === name)
  if (!shownServer) throw new Refused({ code: 'tool_server_unknown' })
  return shownServer
}
