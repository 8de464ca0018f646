/** `tools` and `approvals`: servers of tools, and what the person lets them do. */
import { readFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import { textOf } from '../masked.ts'
import type { AddCommand, CommandMeans } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { harmless, say, sayJson, table } from './printing.ts'
import { pathOf, whose } from './whose.ts'

interface Server {
  readonly name: string
  readonly transport: string
  readonly state: string
  readonly reason: string | null
  readonly authorize: string | null
  readonly tools: readonly { readonly name: string; readonly description: string; readonly mode: string }[]
}

interface Waiting {
  readonly id: number
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly asked_at: string
}

export const addToolCommands: AddCommand = (program, means) => {
  const tools = program
    .command('tools')
    .description('Servers of tools (MCP): list, add, import, try, set, remove.')
  addLooking(tools, means)
  addChanging(tools, means)
  addApprovals(program, means)
}

const addLooking = (tools: Command, { daemon, json }: CommandMeans): void => {
  tools
    .command('list', { isDefault: true })
    .argument('<persona>', 'name or id')
    .action(async (asked: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<{ servers: Server[] }>(pathOf(await whose(client, asked), 'tools'))
      if (json(command)) return sayJson(answer)
      for (const server of answer.servers) tell(server)
    })

  tools
    .command('try')
    .description('Reach a server anew, and say what is wrong with it.')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name')
    .action(async (asked: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `tools/${encodeURIComponent(name)}/probe`)
      const server = await client.send<Server>('POST', path)
      if (json(command)) sayJson(server)
      else tell(server)
      if (server.state !== 'ready') process.exitCode = exitCodes.refused
    })
}

const addChanging = (tools: Command, { daemon, json }: CommandMeans): void => {
  tools
    .command('import')
    .description('Take over the mcpServers of another client’s configuration.')
    .argument('<persona>', 'name or id')
    .argument('<file>', 'its JSON')
    .action(async (asked: string, file: string, _options: object, command: Command) => {
      const client = daemon(command)
      const body = parsed(await readFile(file, 'utf8'), file)
      const path = pathOf(await whose(client, asked), 'tools/import')
      const answer = await client.send<{ servers: Server[]; skipped: string[] }>('POST', path, body)
      if (json(command)) return sayJson(answer)
      for (const server of answer.servers) tell(server)
      if (answer.skipped.length > 0)
        say(`left out, since they are switched off there: ${answer.skipped.join(', ')}`)
    })

  tools
    .command('set')
    .description('Decide what a tool may be used for.')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name')
    .argument('<tool>', 'as `daimon tools` lists it')
    .addArgument(new Argument('<mode>').choices(['off', 'ask', 'allow']))
    .action(
      async (
        asked: string,
        server: string,
        tool: string,
        mode: string,
        _options: object,
        command: Command,
      ) => {
        const client = daemon(command)
        const place = `tools/${encodeURIComponent(server)}/${encodeURIComponent(tool)}`
        const answer = await client.send<Server>('PATCH', pathOf(await whose(client, asked), place), { mode })
        if (json(command)) return sayJson(answer)
        say(`${server} ${tool}: ${mode}`)
      },
    )

  tools
    .command('remove')
    .argument('<persona>', 'name or id')
    .argument('<server>', 'its name')
    .action(async (asked: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `tools/${encodeURIComponent(name)}`)
      const answer = await client.send('DELETE', path)
      if (json(command)) return sayJson(answer)
      say(`${name} is removed`)
    })
}

const addApprovals = (program: Command, { daemon, json }: CommandMeans): void => {
  const approvals = program.command('approvals').description('Calls of tools that wait for your word.')

  approvals
    .command('list', { isDefault: true })
    .argument('<persona>', 'name or id')
    .action(async (asked: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), 'approvals')
      const answer = await client.get<{ approvals: Waiting[] }>(path)
      if (json(command)) return sayJson(answer)
      say(
        table(
          answer.approvals.map(({ id, server, tool, input, asked_at: at }) => [
            ...[String(id), server, tool, at],
            // All of it with --json.
            harmless(textOf(JSON.stringify(input), mostOfInput)),
          ]),
        ),
      )
    })

  approvals
    .command('answer')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'as `daimon approvals` lists it')
    .addArgument(new Argument('<decision>').choices(['once', 'always', 'no']))
    .action(async (asked: string, id: string, decision: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `approvals/${encodeURIComponent(id)}`)
      const answer = await client.send('POST', path, { decision })
      if (json(command)) return sayJson(answer)
      say(`answered: ${decision}`)
    })
}

const tell = ({ name, transport, state, reason, authorize, tools }: Server): void => {
  say(`${name} (${transport}): ${state}${reason === null ? '' : `. ${reason}`}`)
  if (authorize !== null) say(`  sign in at ${authorize}`)
  const rows = tools.map((tool) => [`  ${tool.name}`, tool.mode, firstLineOf(tool.description)])
  if (rows.length > 0) say(table(rows))
}

/** UTF-16 units that are shown of what a tool is told, and of what a server says of one. */
const [mostOfInput, mostOfLine] = [2000, 200]

const firstLineOf = (words: string): string =>
  harmless(textOf(words.trim().split(/[\r\n]/)[0] ?? '', mostOfLine))

const parsed = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandFailed(`${file} is no JSON`, exitCodes.usage)
  }
}
