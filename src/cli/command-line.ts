/** The words of the command line. */
import { Command } from 'commander'
import { version } from '../version.ts'

/** Does what is asked; the daemon itself is the caller's. */
export const readCommandLine = async (start: (port: string | undefined) => Promise<void>): Promise<void> => {
  const program = new Command('daimon')
    .description('A local daemon that hosts persistent AI personas.')
    .version(version)
    .option('--port <n>', 'the port to listen on (over WEB_PORT, over 5370)')
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .action(({ port }: { port?: string }) => start(port))

  program
    .command('verify')
    .description('Recompute the chain of a journal, or of all. No daemon may run.')
    .argument('[id]', 'whose journal')
    .action(async (id?: string) => {
      const { verify } = await import('./verify-command.ts')
      await verify(id)
    })

  program
    .command('salvage')
    .description('Copy a damaged journal and go on with what of it verifies. No daemon may run.')
    .argument('<id>', 'whose journal')
    .action(async (id: string) => {
      const { salvage } = await import('./salvage-command.ts')
      await salvage(id)
    })

  await program.parseAsync()
}
