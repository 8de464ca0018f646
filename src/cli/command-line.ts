/** The words of the command line. */
import { Command } from 'commander'
import { version } from '../version.ts'
import { addChannelCommands } from './channel-commands.ts'
import { addClusterCommand } from './cluster-command.ts'
import type { AddCommand, CommandMeans } from './command.ts'
import { addCompletionCommand } from './completion-command.ts'
import { createDaemonClient, daemonUrl } from './daemon-client.ts'
import { addDiaryCommands } from './diary-commands.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { CommandFailed } from './exit-codes.ts'
import { addJournalCommands } from './journal-commands.ts'
import { addMarkdownCommand } from './markdown-command.ts'
import { addMindCommands } from './mind-commands.ts'
import { addPersonaCommands } from './persona-commands.ts'
import { addServiceCommand } from './service-command.ts'
import { addTalkCommand } from './talk-command.ts'
import { addToolCommands } from './tool-commands.ts'

const added: readonly AddCommand[] = [
  addPersonaCommands,
  addTalkCommand,
  addChannelCommands,
  addToolCommands,
  addMindCommands,
  addDiaryCommands,
  addJournalCommands,
  addMarkdownCommand,
  addDoctorCommand,
  addClusterCommand,
  addServiceCommand,
  addCompletionCommand,
]

const portOption = ['--port <n>', 'the port to listen on (over WEB_PORT, over 5370)'] as const

const means: CommandMeans = {
  daemon: (command) => createDaemonClient(daemonUrl(command.optsWithGlobals<{ url?: string }>().url)),
  json: (command) => command.optsWithGlobals<{ json?: true }>().json === true,
}

/** Does what is asked; the daemon itself is the caller's. */
export const readCommandLine = async (start: (port: string | undefined) => Promise<void>): Promise<void> => {
  const program = new Command('daimon')
    .description('A local daemon that hosts persistent AI personas.')
    .version(version)
    .option('--url <address>', 'the daemon that is asked (over DAIMON_URL, over the port in WEB_PORT)')
    .option('--json', 'answers as JSON')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .showHelpAfterError('(daimon help tells what there is)')
    .option(...portOption)
    .allowExcessArguments()
    .action(async ({ port }: { port?: string }, command: Command) => {
      const [word] = command.args
      if (word !== undefined) command.error(`error: unknown command '${word}'`)
      await start(port)
    })

  program
    .command('serve')
    .description('Run the daemon until it is told to stop: what `daimon` alone does, too.')
    .option(...portOption)
    .action((_options: object, command: Command) => start(command.optsWithGlobals<{ port?: string }>().port))

  for (const add of added) add(program, means)
  addOffline(program)
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    process.stderr.write(`daimon: ${error.message}\n`)
    process.exitCode = error.code
  }
}

/** What needs the home for itself. */
const addOffline = (program: Command): void => {
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

  program
    .command('rebuild')
    .description('Make anew what was made of the facts: kept states and search. No daemon may run.')
    .argument('[id]', 'whose')
    .action(async (id?: string) => {
      const { rebuild } = await import('./rebuild-command.ts')
      await rebuild(id)
    })
}
