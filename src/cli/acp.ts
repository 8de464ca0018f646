/** `acp`: serves a persona to an editor by the Agent Client Protocol over standard input and output. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'

export const addAcpCommand: AddCommand = (program, { daemon }) => {
  program
    .command('acp')
    .description(
      'Talk with a persona in an editor that speaks the Agent Client Protocol, which starts this command.',
    )
    .argument('<persona>', 'name or id')
    .option('--history <n>', 'number of earlier messages that a loaded session shows', '200')
    .action(async (ref: string, { history }: { history: string }, command: Command) => {
      const { serveAcp } = await import('./acp/serve-acp.ts')
      await serveAcp({ client: daemon(command), ref, history: toCount(history) })
    })
}

const maxHistory = 1000

const toCount = (text: string): number => Math.min(maxHistory, Math.max(0, Math.trunc(Number(text)) || 0))
