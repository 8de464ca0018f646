/** Serves one persona: its tools, its resources, and the description for clients. */
import { McpServer } from '@modelcontextprotocol/server'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { version } from '../../../packages/kit/version.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { offerResources, type ResourceDeps } from './persona-resources.ts'
import { offerTools, type ToolDeps } from './persona-tools.ts'

export type PersonaServerDeps = ToolDeps & ResourceDeps

/** Throws persona_unknown. */
export const createPersonaServer = (deps: PersonaServerDeps, id: PersonaId): McpServer => {
  const { name } = requireListed(deps.personas, id).self
  const server = new McpServer(
    { name: 'daimon', title: name, version },
    {
      // Clients list again when needed. No changes are announced.
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: instructions(name),
    },
  )
  offerTools(server, deps, id)
  offerResources(server.server, deps, id)
  return server
}

const instructions = (name: string): string =>
  `${name} is a persistent persona: it remembers a person, plans and lives on between conversations. talk asks it something, and it answers as itself; recall searches everything that was said to it and what it knows; calendar tells what is planned; plan writes into that calendar; remember proposes something it should know, which the person has to accept. Its memory and the days that are over can be read as resources.`
