/** POST /api/persona/{persona_id}/tools/judge */
import * as z from 'zod'
import { declaredTexts } from '../../../packages/mcp-client/secret-parts.ts'
import { known } from '../../commands/lifecycle.ts'
import { McpEntry } from '../../tool-servers/mcp-entry.ts'
import { route } from '../route.ts'

const JudgedValue = z
  .object({
    server: z.string(),
    field: z.enum(['command', 'args', 'env', 'url', 'headers', 'client_secret']),
    key: z
      .union([z.string(), z.int()])
      .nullable()
      .describe('Index in `args`, or name in `env` and `headers`.'),
    start: z.int().describe('In UTF-16 units of the text, up to `end`.'),
    end: z.int(),
    name: z.string().nullable().describe('Name of its option, variable, header or field.'),
    verdict: z.enum(['secret', 'unsure']),
  })
  .meta({ id: 'JudgedValue' })

export const judgeToolServersRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/tools/judge',
  summary: 'Judge which values of declarations are secrets. Stores nothing and returns no values',
  description:
    'An `unsure` value is stored as a secret unless `plain_values` of the declaration names it. Values that are not listed are plain.',
  tag: 'Tools',
  body: z
    .object({ mcpServers: z.record(z.string().max(200), McpEntry) })
    .meta({ id: 'ToolServersJudgeRequest' }),
  reply: z.object({ values: z.array(JudgedValue).readonly() }).meta({ id: 'ToolServersJudged' }),
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id }, body: { mcpServers } }) => {
      known(personas, id)
      const values = Object.entries(mcpServers).flatMap(([server, entry]) =>
        declaredTexts(entry).flatMap(({ field, key, parts }) =>
          parts.flatMap(({ start, end, name, verdict }) =>
            verdict === 'plain' ? [] : [{ server, field, key, start, end, name, verdict }],
          ),
        ),
      )
      return { values }
    },
})
