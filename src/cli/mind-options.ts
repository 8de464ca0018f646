/** A Mind as the command line names it, for whoever is made, changed, brought back or forked. */
import type { Command } from 'commander'
import { variable } from './variable.ts'

export interface MindOptions {
  readonly model?: string
  readonly provider?: string
  readonly apiUrl?: string
  readonly keyFrom?: string
}

/** Adds the options; `told` and `usual` are of the model. */
export const addMindOptions = (command: Command, told: string, usual?: string): Command =>
  addServerOptions(command.option('--model <name>', told, usual))

/** Those that say who serves it. */
export const addServerOptions = (command: Command): Command =>
  command
    .option('--provider <name>', 'who serves it: anthropic, openai, gemini, xai; none: this machine')
    .option('--api-url <url>', 'where it is served, if not in the usual place')
    .option('--key-from <variable>', 'the environment variable that holds its key')

/** What was said of a Mind. A key never stands on the command line, where others can read it. */
export const mindOf = ({ model, provider, apiUrl, keyFrom }: MindOptions) => {
  const key = keyFrom === undefined ? undefined : variable(keyFrom)
  return {
    ...(model && { model }),
    ...(provider && { provider }),
    ...(apiUrl && { url: apiUrl }),
    ...(key && { api_key: key }),
  }
}
