/** `tools`: tool servers and their permissions. */
import { Argument, type Command } from 'commander'
import { toMaskedText } from '../../packages/kit/redact.ts'
import type { AddCommand, CommandMeans } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { readGiven } from './given-file.ts'
import { harmless, printJson, printLine, table } from './printing.ts'
import { requireEnv } from './require-env.ts'

interface Tools {
  readonly servers: readonly Server[]
  readonly builtin: readonly {
    readonly name: string
    readonly hosts?: readonly { readonly host: string; readonly mode: string }[]
  }[]
}

interface Server {
  readonly name: string
  readonly transport: string
  readonly state: string
  readonly reason: string | null
  readonly authorize: string | null
  /** As declared, with secrets as `***`. */
  readonly server: {
    readonly command?: string
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly url?: string
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly mode: string
    /** Set if the tool was allowed but its definition has changed. */
    readonly change?: { readonly before: string | null; readonly after: string }
  }[]
}

export const addToolCommands: AddCommand = (program, means) => {
  const tools = program
    .command('tools')
    .description('Tool servers (MCP) and web pages: list, add, import, try, set, host, remove.')
  addLooking(tools, means)
  addServers(tools, means)
  addDeciding(tools, means)
}

const addLooking = (tools: Command, { daemon, isJson }: CommandMeans): void => {
  tools
    .command('list', { isDefault: true })
    .description('List each server with its tools, and the web hosts with a decision.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Tools>(personaPath(await findPersona(client, ref), 'tools'))
      if (isJson(command)) return printJson(answer)
      const hosts = answer.builtin.flatMap((tool) => tool.hosts ?? [])
      if (answer.servers.length + hosts.length === 0)
        return printLine('no servers. Web pages are read after asking you')
      for (const server of answer.servers) printServer(server)
      for (const { host, mode } of hosts) printLine(`pages of ${host}: ${mode}`)
    })

  tools
    .command('try')
    .description('Connect to a server again, and report why if that fails.')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name')
    .action(async (ref: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `tools/${encodeURIComponent(name)}/probe`)
      const server = await client.send<Server>('POST', path)
      if (isJson(command)) printJson(server)
      else printServer(server)
      if (server.state !== 'ready') process.exitCode = exitCodes.refused
    })
}

const addServers = (tools: Command, { daemon, isJson }: CommandMeans): void => {
  tools
    .command('add')
    .description('Declare a server: a program to start, or with --address one that is running.')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name: letters, digits, hyphens')
    .argument('[command...]', 'the program and its arguments, after --')
    .option('--address <url>', 'address of a running server')
    .option('--env-from <variable>', 'environment variable to pass, with its current value', append)
    .option('--plain-value <value>', 'a value that looks like a secret but is not one', append)
    .option('--secret-value-from <variable>', 'variable whose value is a secret in every place', append)
    .action(async (ref: string, name: string, words: string[], options: AddOptions, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `tools/${encodeURIComponent(name)}`)
      const server = await client.send<Server>('PUT', path, createEntry(words, options))
      if (isJson(command)) return printJson(server)
      printServer(server)
      printStoredSecrets([server])
    })

  tools
    .command('import')
    .description('Add the servers in the configuration of another app: all of them, or none.')
    .argument('<persona>', 'name or id')
    .argument('<file>', 'JSON, TOML or YAML, or a shell command')
    .option('--plain-value <value>', 'a value that looks like a secret but is not one', append)
    .option(
      '--input-from <id=variable>',
      'a value that the configuration asks for, from a variable of yours',
      append,
    )
    .action(async (ref: string, file: string, options: ImportOptions, command: Command) => {
      const client = daemon(command)
      const requestBody = { text: await readGiven(file), input_values: inputValues(options.inputFrom) }
      const persona = await findPersona(client, ref)
      const readAnswer = await client.send<ReadAnswer>(
        'POST',
        personaPath(persona, 'tools/read'),
        requestBody,
      )
      const body = { mcpServers: withPlainValues(readAnswer.mcpServers, options.plainValue) }
      const result = await client.send<ImportAnswer>('POST', personaPath(persona, 'tools/import'), body)
      const answer = { ...result, inputs: readAnswer.inputs, skipped: readAnswer.skipped }
      if (isJson(command)) return printJson(answer)
      for (const server of answer.servers) printServer(server)
      printStoredSecrets(answer.servers)
      for (const { id, description, variable } of answer.inputs)
        if (!Object.hasOwn(requestBody.input_values, id))
          printLine(
            `required: ${harmless(description)}. Set ${variable} for the daemon, or pass --input-from ${id}=<variable>`,
          )
      if (answer.skipped.length > 0)
        printLine(`left out, because they are disabled there: ${answer.skipped.join(', ')}`)
    })

  tools
    .command('remove')
    .description('Remove a server and its secrets.')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name')
    .action(async (ref: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `tools/${encodeURIComponent(name)}`)
      const answer = await client.send('DELETE', path)
      if (isJson(command)) return printJson(answer)
      printLine(`${name} was removed`)
    })
}

const addDeciding = (tools: Command, { daemon, isJson }: CommandMeans): void => {
  tools
    .command('set')
    .description('Set the mode of a tool.')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name')
    .argument('<tool>', 'name from `daimon tools`')
    .addArgument(new Argument('<mode>').choices(modes))
    .action(
      async (ref: string, server: string, tool: string, mode: string, _options: object, command: Command) => {
        const client = daemon(command)
        const place = `tools/${encodeURIComponent(server)}/${encodeURIComponent(tool)}`
        const answer = await client.send<Server>(
          'PATCH',
          personaPath(await findPersona(client, ref), place),
          {
            mode,
          },
        )
        if (isJson(command)) return printJson(answer)
        printLine(`${server} ${tool}: ${mode}`)
      },
    )

  tools
    .command('host')
    .description('Set whether pages of a web host are read.')
    .argument('<persona>', 'name or id')
    .argument('<host>', 'host as in a URL')
    .addArgument(new Argument('<mode>').choices(modes))
    .action(async (ref: string, host: string, mode: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `hosts/${encodeURIComponent(host)}`)
      const answer = await client.send('PATCH', path, { mode })
      if (isJson(command)) return printJson(answer)
      printLine(`pages of ${host}: ${mode}`)
    })
}

const modes = ['off', 'ask', 'allow']

interface AddOptions {
  readonly address?: string
  readonly envFrom?: readonly string[]
  readonly plainValue?: readonly string[]
  readonly secretValueFrom?: readonly string[]
}

interface ImportOptions {
  readonly plainValue?: readonly string[]
  readonly inputFrom?: readonly string[]
}

interface ReadAnswer {
  readonly mcpServers: Readonly<Record<string, object>>
  readonly inputs: readonly { readonly id: string; readonly description: string; readonly variable: string }[]
  readonly skipped: readonly string[]
}

interface ImportAnswer {
  readonly servers: readonly Server[]
}

const append = (value: string, earlierValues: readonly string[] = []): readonly string[] => [
  ...earlierValues,
  value,
]

/**
 * Returns one entry of `mcpServers`. Values come from the environment, because other users can read command
 * lines.
 */
const createEntry = (words: readonly string[], options: AddOptions): object => {
  const [command, ...args] = words
  const { address, envFrom = [], plainValue, secretValueFrom } = options
  if ((command === undefined) === (address === undefined))
    throw new CommandFailed('pass a program after --, or an --address', exitCodes.usage)
  const entry = {
    ...(plainValue && { plain_values: plainValue }),
    ...(secretValueFrom && { secret_values: secretValueFrom.map((name) => requireEnv(name)) }),
  }
  if (address !== undefined) return { url: address, ...entry }
  const env = Object.fromEntries(envFrom.map((name) => [name, requireEnv(name)]))
  return { command, args, ...(envFrom.length > 0 && { env }), ...entry }
}

const withPlainValues = (servers: ReadAnswer['mcpServers'], plainValue: readonly string[] | undefined) =>
  plainValue
    ? Object.fromEntries(
        Object.entries(servers).map(([name, entry]) => [name, { ...entry, plain_values: plainValue }]),
      )
    : servers

const inputValues = (pairs: readonly string[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const [, id, name] = /^([^=]+)=(.+)$/.exec(pair) ?? []
      if (id === undefined || name === undefined)
        throw new CommandFailed('--input-from needs an id and a variable: <id>=<variable>', exitCodes.usage)
      return [id, requireEnv(name)]
    }),
  )

/** Prints one line with the values that were stored as secrets. */
const printStoredSecrets = (servers: readonly Server[]): void => {
  const places = servers.flatMap(
    ({ server: { command = '', args = [], env = {}, url = '', headers = {} } }) => [
      ...[command, url].filter((text) => text.includes(mask)),
      ...args.flatMap((arg, n) =>
        arg === mask ? `${args[n - 1] ?? ''} ${arg}` : arg.includes(mask) ? arg : [],
      ),
      ...Object.entries({ ...env, ...headers }).flatMap(([name, value]) =>
        value.includes(mask) ? name : [],
      ),
    ],
  )
  if (places.length > 0)
    printLine(
      `stored as secrets: ${harmless(places.join(', '))}. If one is not a secret, pass --plain-value <value>`,
    )
}

/** The daemon shows this in place of a secret. */
const mask = '***'

const printServer = ({ name, transport, state, reason, authorize, tools }: Server): void => {
  printLine(`${name} (${transport}): ${state}${reason === null ? '' : `. ${reason}`}`)
  if (authorize !== null) printLine(`  sign in at ${authorize}`)
  const rows = tools.map((tool) => [`  ${tool.name}`, tool.mode, getFirstLine(tool.description)])
  if (rows.length > 0) printLine(table(rows))
  for (const { name: tool, change } of tools) {
    if (!change) continue
    printLine(`  ${tool} was allowed as\n    ${toMaskedText(change.before ?? 'not stored', maxChangeLength)}`)
    printLine(`  and is now\n    ${toMaskedText(change.after, maxChangeLength)}`)
  }
}

/** Max UTF-16 units of a tool's description: in a list, and in a change. */
const maxLineLength = 200
const maxChangeLength = 4000

const getFirstLine = (words: string): string =>
  harmless(toMaskedText(words.trim().split(/[\r\n]/)[0] ?? '', maxLineLength))
