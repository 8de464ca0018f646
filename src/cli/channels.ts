/** `channels` and `pair`. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows } from './printing.ts'
import { requireEnv } from './require-env.ts'

export const addChannelCommands: AddCommand = (program, { daemon, json }) => {
  const channels = program.command('channels').description('Channels of a persona: list, add, remove.')

  channels
    .command('list', { isDefault: true })
    .description('List the channels with their names, and whether they are paired.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      if (json(command)) return printJson({ channels: persona.channels })
      printRows(
        persona.channels.map(({ type, name, verified: isPaired }) => [
          type,
          name,
          isPaired ? 'paired' : 'not paired yet',
        ]),
        'no channels besides the page and this command line',
      )
    })

  channels
    .command('add')
    .description('Add a Telegram or Discord bot.')
    .argument('<persona>', 'name or id')
    .argument('<type>', 'telegram or discord')
    .requiredOption('--token-from <variable>', 'environment variable with the token of the bot')
    .action(async (ref: string, type: string, { tokenFrom }: { tokenFrom: string }, command: Command) => {
      const client = daemon(command)
      const body = { kind: type, credentials: { token: requireEnv(tokenFrom) } }
      const answer = await client.send('POST', personaPath(await findPersona(client, ref), 'channels'), body)
      if (json(command)) return printJson(answer)
      printLine('added. Write to the bot, then pass the code from its answer to `daimon pair`')
    })

  channels
    .command('remove')
    .description('Remove a bot. Its messages stay.')
    .argument('<persona>', 'name or id')
    .argument('<name>', 'name from `daimon channels`')
    .action(async (ref: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `channels/${encodeURIComponent(name)}`)
      const answer = await client.send('DELETE', path)
      if (json(command)) return printJson(answer)
      printLine(`${name} was removed`)
    })

  program
    .command('pair')
    .description('Pair a channel with your chat, by the code from the bot.')
    .argument('<persona>', 'name or id')
    .argument('<code>', 'eight letters and digits')
    .action(async (ref: string, code: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('POST', personaPath(await findPersona(client, ref), 'pair'), { code })
      if (json(command)) return printJson(answer)
      printLine('paired')
    })
}
