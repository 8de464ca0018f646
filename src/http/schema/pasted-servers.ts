/** Schema of a pasted configuration of another app for the routes of tool servers. */
import * as z from 'zod'
import { longestConfiguration } from '../../tool-servers/read-configuration.ts'

export const PastedServers = z
  .looseObject({
    text: z
      .string()
      .max(longestConfiguration)
      .optional()
      .describe(
        'The configuration as text in any supported form. Without it, the other fields are the configuration.',
      ),
    input_values: z
      .record(z.string().max(200), z.string().max(8192))
      .optional()
      .describe('Values of `inputs`, by their ids.'),
    mcpServers: z.unknown().optional().describe('Servers by name, or another key of a supported form.'),
  })
  .meta({ id: 'ToolServersRequest' })

export const ServerInputs = z
  .array(
    z.object({
      id: z.string(),
      description: z.string(),
      secret: z.boolean(),
      variable: z.string().describe('Read from the environment of the daemon if no value was given.'),
    }),
  )
  .readonly()
  .describe('Values that the configuration asks for, as `{input:id}` after a dollar sign.')

export const SkippedServers = z.array(z.string()).readonly().describe('Servers that are disabled there.')
