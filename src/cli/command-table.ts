/** The commands of the command line, and how they are parsed. */
import { Command } from 'commander'
import { writeStandard } from '../../packages/kit/files/standard-streams.ts'
import { version } from '../../packages/kit/version.ts'
import type { AddCommand, CommandMeans } from './command.ts'
import { createDaemonClient, daemonUrl } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { harmless } from './printing.ts'

/**
 * The commands of each file. Only the file of the requested command is loaded, because loading all takes
 * longer than most commands.
 */
export const groups: readonly {
  readonly names: readonly string[]
  readonly load: () => Promise<AddCommand>
}[] = [
  {
    names: ['list', 'create', 'update', 'delete'],
    load: async () => (await import('./persona.ts')).addPersonaCommands,
  },
  {
    names: ['start', 'stop', 'restart', 'sleep', 'hush'],
    load: async () => (await import('./lifecycle.ts')).addLifecycleCommands,
  },
  {
    names: ['character'],
    load: async () => (await import('./character.ts')).addCharacterCommands,
  },
  {
    names: ['portrait'],
    load: async () => (await import('./portrait.ts')).addPortraitCommand,
  },
  {
    names: ['talk', 'conversation'],
    load: async () => (await import('./talk.ts')).addTalkCommand,
  },
  { names: ['acp'], load: async () => (await import('./acp.ts')).addAcpCommand },
  {
    names: ['again', 'edit', 'hide', 'show'],
    load: async () => (await import('./messages.ts')).addMessageCommands,
  },
  {
    names: ['channels', 'pair'],
    load: async () => (await import('./channels.ts')).addChannelCommands,
  },
  { names: ['tools'], load: async () => (await import('./tools.ts')).addToolCommands },
  { names: ['web'], load: async () => (await import('./web-search.ts')).addWebSearchCommands },
  { names: ['approvals'], load: async () => (await import('./approvals.ts')).addApprovalCommands },
  { names: ['skills'], load: async () => (await import('./skills.ts')).addSkillCommands },
  {
    names: ['memories', 'knowledge', 'search'],
    load: async () => (await import('./memory.ts')).addMemoryCommands,
  },
  { names: ['calendar'], load: async () => (await import('./calendar.ts')).addCalendarCommands },
  { names: ['mail'], load: async () => (await import('./mail.ts')).addMailCommands },
  { names: ['initiative'], load: async () => (await import('./initiative.ts')).addInitiativeCommand },
  {
    names: ['models', 'providers', 'usage', 'compare'],
    load: async () => (await import('./models.ts')).addModelCommands,
  },
  { names: ['audition'], load: async () => (await import('./audition.ts')).addAuditionCommand },
  {
    names: ['export', 'restore', 'phrase'],
    load: async () => (await import('./diary.ts')).addDiaryCommands,
  },
  { names: ['feed'], load: async () => (await import('./import.ts')).addImportCommand },
  {
    names: ['journal', 'at', 'changes', 'fork', 'undo', 'erase', 'turn'],
    load: async () => (await import('./journal.ts')).addJournalCommands,
  },
  {
    names: ['subscriptions'],
    load: async () => (await import('./subscriptions.ts')).addSubscriptionCommands,
  },
  { names: ['causes', 'effects'], load: async () => (await import('./causes.ts')).addCauseCommands },
  { names: ['witness'], load: async () => (await import('./signed-heads.ts')).addWitnessCommand },
  { names: ['markdown'], load: async () => (await import('./markdown.ts')).addMarkdownCommand },
  { names: ['diagnose'], load: async () => (await import('./health.ts')).addHealthCommands },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctorCommand },
  { names: ['cluster'], load: async () => (await import('./cluster.ts')).addClusterCommand },
  { names: ['service'], load: async () => (await import('./service.ts')).addServiceCommand },
  { names: ['completion'], load: async () => (await import('./completion.ts')).addCompletionCommand },
]

/** Returns the group of the requested command, or all groups, for example for help. */
const findGroups = (words: readonly string[]) => {
  const word = words.find(
    (argument, index) => !argument.startsWith('-') && !takingValue.includes(words[index - 1] ?? ''),
  )
  const group = groups.find(({ names }) => names.includes(word ?? ''))
  return group ? [group] : groups
}

const takingValue = ['--url', '--port']

const portOption = ['--port <n>', 'port to listen on (overrides WEB_PORT, default 5370)'] as const

const means: CommandMeans = {
  daemon: (command) => createDaemonClient(daemonUrl(command.optsWithGlobals<{ url?: string }>().url)),
  isJson: (command) => command.optsWithGlobals<{ json?: true }>().json === true,
}

/** Runs the requested command. The caller provides the function that starts the daemon. */
export const readCommandLine = async (start: (port: string | undefined) => Promise<void>): Promise<void> => {
  const program = new Command('daimon')
    .description('A local daemon that hosts persistent AI personas.')
    .version(version)
    .option('--url <address>', 'address of the daemon (overrides DAIMON_URL and the port in WEB_PORT)')
    .option('--json', 'answers as JSON')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .showHelpAfterError('(daimon help lists all commands)')
    .helpCommand('help [command]', 'List all commands, or show the help of one.')
    .option(...portOption)
    .allowExcessArguments()
    .action(async ({ port }: { port?: string }, command: Command) => {
      const [word] = command.args
      if (word !== undefined) command.error(`error: unknown command '${word}'`)
      await start(port)
    })

  program
    .command('serve')
    .description('Run the daemon until it is stopped, as `daimon` without arguments does.')
    .option(...portOption)
    .action((_options: object, command: Command) => start(command.optsWithGlobals<{ port?: string }>().port))

  endOnLostOutput()
  for (const add of await Promise.all(findGroups(process.argv.slice(2)).map(({ load }) => load())))
    add(program, means)
  addOffline(program)
  try {
    await program.parseAsync()
  } catch (error) {
    const { line, code } = formatError(error)
    writeStandard(2, `daimon: ${harmless(line)}\n`)
    process.exitCode = code
  }
}

/** Exits with an error if output was lost, for example on a full disk. */
const endOnLostOutput = (): void => {
  const { stdout, stderr } = process
  // Errors of stderr cannot be reported anywhere.
  stderr.on('error', () => undefined)
  // A closed pipe (`| head`) is not a failure.
  let failure: NodeJS.ErrnoException | undefined
  stdout.on('error', (error) => {
    failure = error
    process.exit()
  })
  process.on('exit', (code) => {
    // A command that exited immediately did not wait for the event.
    const error: NodeJS.ErrnoException | null = failure ?? stdout.errored
    if (!error || error.code === 'EPIPE') return
    writeStandard(2, `daimon: ${error.message}\n`)
    process.exitCode = code || exitCodes.refused
  })
}

/**
 * Errors of the operating system are also shown as one line, for example for a folder without write
 * permission.
 */
const formatError = (error: unknown): { readonly line: string; readonly code: number } => {
  if (error instanceof CommandFailed) return { line: error.message, code: error.code }
  if (error instanceof Error && 'syscall' in error) return { line: error.message, code: exitCodes.refused }
  throw error
}

/** Adds the commands that work on the home itself. */
const addOffline = (program: Command): void => {
  program
    .command('verify')
    .description(
      'Verify the hash chain of one journal, or of all. If a daemon runs on the home, it does the work.',
    )
    .argument('[persona]', 'id, or name if a daemon runs; with --signed also a copied journal or a diary')
    .option('--signed [witness]', 'compare with the signed heads, or with a witness file')
    .action(async (id: string | undefined, options: { signed?: string | true }, command: Command) => {
      const { signed } = options
      if (signed !== undefined) {
        const { verifySigned } = await import('./signed-heads.ts')
        const witnessFile = signed === true ? null : signed
        return verifySigned({ target: id, witnessFile, isJson: means.isJson(command) })
      }
      const { verify } = await import('./verify.ts')
      await verify(id)
    })

  program
    .command('journal-browser')
    .description(
      'Show a copied journal, the folder of a persona, a home or a diary on a read-only page. No daemon is needed. Asks for the 24 words of a diary.',
    )
    .argument('<path>', 'folder or file')
    .action(async (path: string, _options: object, command: Command) => {
      const { browseJournal } = await import('./journal-browser.ts')
      await browseJournal(path, command.optsWithGlobals<{ readonly port?: string }>().port)
    })

  program
    .command('salvage')
    .description(
      'Copy a damaged journal and continue with the part that verifies. If a daemon runs on the home, it does the work.',
    )
    .argument('<persona>', 'id, or name if a daemon runs')
    .action(async (id: string) => {
      const { salvage } = await import('./salvage.ts')
      await salvage(id)
    })

  program
    .command('rebuild')
    .description(
      'Build the data that is derived from the facts again: state, search index, vectors and links. If a daemon runs on the home, it does the work.',
    )
    .argument('[persona]', 'id, or name if a daemon runs')
    .option('--projection <name>', 'only state, search, vectors or links')
    .action(async (id: string | undefined, { projection }: { readonly projection?: string }) => {
      const { rebuild } = await import('./rebuild.ts')
      await rebuild(id, projection)
    })
}
