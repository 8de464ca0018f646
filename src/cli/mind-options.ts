/** Options of the command line that choose a Mind: for create, update, restore and fork. */
import type { Command } from 'commander'
import { requireEnv } from './require-env.ts'

export interface MindOptions {
  readonly model?: string
  readonly provider?: string
  readonly apiUrl?: string
  readonly keyFrom?: string
}

/** Adds the options. `description` is the help text of the model, `usual` its default. */
export const addMindOptions = (command: Command, description: string, usualModel?: string): Command =>
  addServerOptions(command.option('--model <name>', description, usualModel))

/** Adds the options for the provider. */
export const addServerOptions = (command: Command): Command =>
  command
    .option('--provider <name>', 'provider: anthropic, openai, gemini, xai (default: this machine)')
    .option('--api-url <url>', 'address, if not the default one')
    .option('--key-from <variable>', 'environment variable with its key')

/**
 * Returns the chosen Mind. The key comes from the environment, because other users can read command lines.
 */
export const readMind = ({ model, provider, apiUrl, keyFrom }: MindOptions) => {
  const key = keyFrom === undefined ? undefined : requireEnv(keyFrom)
  return {
    ...(model && { model }),
    ...(provider && { provider }),
    ...(apiUrl && { url: apiUrl }),
    ...(key && { api_key: key }),
  }
}
