/** `service`: runs the daemon as a service of the current user. */
import { spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { makeOutputFolder } from './output-folder.ts'
import { printLine } from './printing.ts'
import { type Manager, managers } from './service-managers.ts'

export const addServiceCommand: AddCommand = (program) => {
  const service = program
    .command('service')
    .description('Run the daemon as a service that starts with this machine.')

  service
    .command('install')
    .description(
      'Write the service file, print its path, and start the service. Settings in the environment are stored in it.',
    )
    .option('--print', 'only print the service file')
    .action(async ({ print }: { print?: true }) => {
      const manager = findManager()
      const definition = await means()
      const { path, words } = manager.file(definition)
      if (print) return printLine(words)
      // The service manager writes its log there, but does not create the folder.
      for (const neededPath of words.includes(definition.log) ? [path, definition.log] : [path])
        await makeOutputFolder(dirname(neededPath))
      await writeFile(path, words, { mode: 0o600 })
      printLine(`${path}\n\n${words}`)
      for (const [command = '', ...args] of manager.install(path)) await run(command, args)
    })

  service
    .command('uninstall')
    .description('Stop the service and delete its file. Personas are not changed.')
    .action(async () => {
      const manager = findManager()
      const { path } = manager.file(await means())
      for (const [command = '', ...args] of manager.uninstall(path))
        await run(command, args).catch(() => undefined)
      await rm(path, { force: true })
      printLine(`removed ${path}`)
    })

  for (const [name, description] of [
    ['status', 'Show the status of the service.'],
    ['logs', 'Show its latest log.'],
  ] as const)
    service
      .command(name)
      .description(description)
      .action(async () => {
        const [command = '', ...args] = findManager()[name]
        await run(command, args)
      })
}

const findManager = (): Manager => {
  const manager = managers[process.platform]
  if (!manager)
    throw new CommandFailed(`services on ${process.platform} are not supported`, exitCodes.refused)
  return manager
}

/** Settings for its files and addresses. Keys are never written. */
const keptSettings = [
  'DAIMON_HOME',
  'WEB_PORT',
  'OLLAMA_BASE_URL',
  'DAIMON_ALLOWED_HOSTS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'DAIMON_PROXY_PRIVATE',
] as const

const means = async () => ({
  node: process.execPath,
  main: process.argv[1] ?? '',
  home: homedir(),
  environment: {
    ...Object.fromEntries(
      keptSettings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    ),
    ...(process.env.DAIMON_HOME ? { DAIMON_HOME: await absoluteHome() } : {}),
  },
  log: join(homedir(), '.daimon', 'daemon.log'),
})

/** The service starts in another working directory than this command. */
const absoluteHome = async (): Promise<string> => {
  const { readConfig } = await import('../config.ts')
  return readConfig(process.env).home
}

const run = (command: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' })
    child.once('error', () => reject(new CommandFailed(`${command} could not be started`, exitCodes.refused)))
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new CommandFailed(`${command} ${args.join(' ')} exited with ${code}`, exitCodes.refused)),
    )
  })
