/** `start`, `stop`, `restart`, `sleep` and `hush`. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine } from './printing.ts'

const descriptions = {
  start: 'Wake a persona.',
  stop: 'Stop a persona. It receives no messages until it is started.',
  restart: 'Stop a persona and start it again.',
  sleep: 'Let a persona consolidate its day now, and write its diary.',
  hush: 'Stop the answer in progress. The text so far stays.',
}

export const addLifecycleCommands: AddCommand = (program, { daemon, isJson }) => {
  for (const [commandName, description] of Object.entries(descriptions))
    program
      .command(commandName)
      .description(description)
      .argument('<persona>', 'name or id')
      .action(async (ref: string, _options: object, command: Command) => {
        const client = daemon(command)
        const answer = await client.send<{ status: string } | null>(
          'POST',
          personaPath(await findPersona(client, ref), commandName),
        )
        if (isJson(command)) return printJson(answer)
        printLine(answer?.status ?? 'done')
      })
}
