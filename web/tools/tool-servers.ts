/** The requests about tool servers. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Shape } from '../shared/shapes.ts'

export type Tools = Awaited<ReturnType<typeof ask>> extends Answer<infer T> ? T : never
export type Server = Tools['servers'][number]
export type ServerTool = Server['tools'][number]
export type Host = NonNullable<Tools['builtin'][number]['hosts']>[number]
export type Entry = Shape<'ToolServerRequest'>
export const modes = ['off', 'ask', 'allow'] as const
export type Mode = (typeof modes)[number]

const ask = (id: string) =>
  answerTo(client.GET('/api/persona/{persona_id}/tools', { params: { path: { persona_id: id } } }))

export const loadTools = (id: string): Loaded<Tools> => new Loaded<Tools>(() => ask(id))

/** The types of facts that change the tool servers. */
export const relevantFacts = /^(?:Tool(?:Server|Mode)\w+|ApprovalSettled|Woke|Stopped)$/

const createParams = (id: string, server: string) => ({ params: { path: { persona_id: id, server } } })

export const put = (id: string, server: string, body: Entry) =>
  answerTo(client.PUT('/api/persona/{persona_id}/tools/{server}', { ...createParams(id, server), body }))

export const addServers = (id: string, mcpServers: Readonly<Record<string, Entry>>) =>
  answerTo(
    client.POST('/api/persona/{persona_id}/tools/import', {
      params: { path: { persona_id: id } },
      body: { mcpServers },
    }),
  )

/** Converts another app's configuration to entries of mcpServers. */
export const readServers = (id: string, text: string, input_values: Readonly<Record<string, string>>) =>
  answerTo(
    client.POST('/api/persona/{persona_id}/tools/read', {
      params: { path: { persona_id: id } },
      body: { text, input_values },
    }),
  )

/** Classifies the values: secret, possibly secret, or not. */
export const judge = (id: string, mcpServers: Readonly<Record<string, Entry>>) =>
  answerTo(
    client.POST('/api/persona/{persona_id}/tools/judge', {
      params: { path: { persona_id: id } },
      body: { mcpServers },
    }),
  )

export const remove = (id: string, server: string): Promise<Answer<unknown>> =>
  answerTo<unknown>(client.DELETE('/api/persona/{persona_id}/tools/{server}', createParams(id, server)))

export const probe = (id: string, server: string) =>
  answerTo(client.POST('/api/persona/{persona_id}/tools/{server}/probe', createParams(id, server)))

export const decide = (id: string, server: string, tool: string, mode: Mode) =>
  answerTo(
    client.PATCH('/api/persona/{persona_id}/tools/{server}/{tool}', {
      params: { path: { persona_id: id, server, tool } },
      body: { mode },
    }),
  )

export const decideHost = (id: string, host: string, mode: Mode) =>
  answerTo(
    client.PATCH('/api/persona/{persona_id}/hosts/{host}', {
      params: { path: { persona_id: id, host } },
      body: { mode },
    }),
  )

/** Sends the decisions in order, and stops at the first failure. */
export const decideAll = async (
  id: string,
  { name, tools }: Server,
  mode: Mode,
): Promise<Answer<unknown>> => {
  for (const tool of tools) {
    if (tool.mode === mode) continue
    const answer = await decide(id, name, tool.name, mode)
    if (!answer.ok) return answer
  }
  return { ok: true, value: null }
}
