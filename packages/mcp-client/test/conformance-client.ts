/**
 * Runs the daemon's MCP client in the scenarios of `@modelcontextprotocol/conformance`: connects to the given
 * address, opens the authorization address, and calls every tool. Started by `scripts/conformance.mjs`.
 */
import type { ToolDefinition } from '../server-config.ts'
import { ServerTrouble } from '../trouble.ts'
import { createHouse, endAll, neverSignal, refTo, type World } from './servers.ts'

const [url = ''] = process.argv.slice(-1)
const { client_id, client_secret } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const world: World = { ends: [] }
const { id, servers } = await createHouse(world, { limits: { start: 8000, silence: 8000 } })
const oauth = client_id ? { client_id, client_secret } : undefined
const ref = refTo({ transport: 'http', url, headers: {}, oauth })

/** Simulates the user's browser. The page of the authorization server redirects by itself. */
const openedUrls: string[] = []
const openWhatIsAsked = async (): Promise<boolean> => {
  const { authorize } = servers.view(id, ref)
  // Stops after five authorizations.
  if (!authorize || openedUrls.length > 4) return false
  openedUrls.push(authorize)
  const page = await fetch(authorize)
  await page.text()
  for (let n = 0; n < 300 && servers.view(id, ref).authorize === authorize; n++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return servers.view(id, ref).authorize !== authorize
}

const inputFor = ({ parameters }: ToolDefinition) =>
  Object.fromEntries(
    Object.entries((parameters.properties ?? {}) as Record<string, { type?: string }>).map(
      ([name, { type }], n) => [name, type === 'number' || type === 'integer' ? n + 2 : 'words'],
    ),
  )

const call = async (tool: ToolDefinition): Promise<void> => {
  try {
    await servers.call(id, ref, tool.name, inputFor(tool), neverSignal)
  } catch (error) {
    if (!(error instanceof ServerTrouble)) throw error
    console.error(`${tool.name}: ${error.message}`)
    if (error.kind === 'authorize' && (await openWhatIsAsked())) await call(tool)
  }
}

try {
  let view = await servers.listed(id, ref, 8000)
  while (view.state !== 'ready' && (await openWhatIsAsked())) view = await servers.listed(id, ref, 8000)
  if (view.state !== 'ready') console.error(`${view.state}: ${view.reason}`)
  for (const tool of view.tools ?? []) await call(tool)
  if (view.state !== 'ready') process.exitCode = 1
} finally {
  await endAll(world)
}
