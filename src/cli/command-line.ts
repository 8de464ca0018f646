/** The words of the command line. */
import { Command } from 'commander'
import { writeStandard } from '../../packages/kit/files/standard-streams.ts'
import { version } from '../../packages/kit/version.ts'
import type { AddCommand, CommandMeans } from './command.ts'
import { createDaemonClient, daemonUrl } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { harmless } from './printing.ts'

/**
 * The commands of each file. One that is asked for is loaded alone: the others take longer to load than most
 * commands to be done.
 */
export const groups: readonly {
  readonly names: readonly string[]
  readonly load: () => Promise<AddCommand>
}[] = [
  {
    names: ['list', 'create', 'start', 'stop', 'restart', 'sleep', 'hush', 'update', 'delete'],
    load: async () => (await import('./persona-commands.ts')).addPersonaCommands,
  },
  {
    names: ['talk', 'conversation'],
    load: async () => (await import('./talk-command.ts')).addTalkCommand,
  },
  {
    names: ['channels', 'pair'],
    load: async () => (await import('./channel-commands.ts')).addChannelCommands,
  },
  { names: ['tools'], load: async () => (await import('./tool-commands.ts')).addToolCommands },
  { names: ['approvals'], load: async () => (await import('./approval-commands.ts')).addApprovalCommands },
  { names: ['skills'], load: async () => (await import('./skill-commands.ts')).addSkillCommands },
  {
    names: ['memories', 'knowledge', 'search'],
    load: async () => (await import('./memory-commands.ts')).addMemoryCommands,
  },
  { names: ['calendar'], load: async () => (await import('./calendar-commands.ts')).addCalendarCommands },
  {
    names: ['models', 'providers', 'usage', 'compare'],
    load: async () => (await import('./model-commands.ts')).addModelCommands,
  },
  {
    names: ['export', 'restore', 'phrase', 'feed'],
    load: async () => (await import('./diary-commands.ts')).addDiaryCommands,
  },
  {
    names: ['journal', 'at', 'changes', 'fork', 'undo', 'erase', 'turn'],
    load: async () => (await import('./journal-commands.ts')).addJournalCommands,
  },
  { names: ['markdown'], load: async () => (await import('./markdown-command.ts')).addMarkdownCommand },
  { names: ['diagnose'], load: async () => (await import('./health-commands.ts')).addHealthCommands },
  { names: ['doctor'], load: async () => (await import('./doctor-command.ts')).addDoctorCommand },
  { names: ['cluster'], load: async () => (await import('./cluster-command.ts')).addClusterCommand },
  { names: ['service'], load: async () => (await import('./service-command.ts')).addServiceCommand },
  { names: ['completion'], load: async () => (await import('./completion-command.ts')).addCompletionCommand },
]

/** All of them where it is not one of these alone that is asked for: for help, say. */
const asked = (words: readonly string[]) => {
  const word = words.find((one, at) => !one.startsWith('-') && !takingValue.includes(words[at - 1] ?? ''))
  const one = groups.find(({ names }) => names.includes(word ?? ''))
  return one ? [one] : groups
}

const takingValue = ['--url', '--port']

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
    .helpCommand('help [command]', 'What there is, or what a command takes.')
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

  endOnLostOutput()
  for (const add of await Promise.all(asked(process.argv.slice(2)).map(({ load }) => load())))
    add(program, means)
  addOffline(program)
  try {
    await program.parseAsync()
  } catch (error) {
    const { line, code } = toldOf(error)
    writeStandard(2, `daimon: ${harmless(line)}\n`)
    process.exitCode = code
  }
}

/** Output that was lost, to a full disk say, is a failure. */
const endOnLostOutput = (): void => {
  const { stdout, stderr } = process
  // There is no place to report it.
  stderr.on('error', () => undefined)
  // A reader that goes away (`| head`) has had enough.
  let failure: NodeJS.ErrnoException | undefined
  stdout.on('error', (error) => {
    failure = error
    process.exit()
  })
  process.on('exit', (code) => {
    // A command that ended at once did not wait for the event.
    const error: NodeJS.ErrnoException | null = failure ?? stdout.errored
    if (!error || error.code === 'EPIPE') return
    writeStandard(2, `daimon: ${error.message}\n`)
    process.exitCode = code || exitCodes.refused
  })
}

/** What the system refuses (a folder that may not be written, say) is a line, too. */
const toldOf = (error: unknown): { readonly line: string; readonly code: number } => {
  if (error instanceof CommandFailed) return { line: error.message, code: error.code }
  if (error instanceof Error && 'syscall' in error) return { line: error.message, code: exitCodes.refused }
  throw error
}

/** What works on the home itself. */
const addOffline = (program: Command): void => {
  program
    .command('verify')
    .description('Recompute the chain of a journal, or of all; a daemon that runs on the home does it.')
    .argument('[persona]', 'its id; its name, too, where a daemon runs')
    .action(async (id?: string) => {
      const { verify } = await import('./verify-command.ts')
      await verify(id)
    })

  program
    .command('salvage')
    .description(
      'Copy a damaged journal and go on with what of it verifies; a daemon that runs on the home does it.',
    )
    .argument('<persona>', 'its id; its name, too, where a daemon runs')
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
