/** `channels` and `pair`. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { say, sayJson, table } from './printing.ts'
import { pathOf, whose } from './whose.ts'

export const addChannelCommands: AddCommand = (program, { daemon, json }) => {
  const channels = program.command('channels').description('Where a persona is spoken to: list, add, remove.')

  channels
    .command('list', { isDefault: true })
    .argument('<persona>', 'name or id')
    .action(async (asked: string, _options: object, command: Command) => {
      const client = daemon(command)
      const persona = await whose(client, asked)
      if (json(command)) return sayJson({ channels: persona.channels })
      say(
        table(
          persona.channels.map(({ type, name, verified }) => [
            type,
            name,
            verified ? 'paired' : 'not paired yet',
          ]),
        ),
      )
    })

  channels
    .command('add')
    .argument('<persona>', 'name or id')
    .argument('<type>', 'telegram or discord')
    .requiredOption('--token-from <variable>', 'the environment variable that holds the bot’s token')
    .action(async (asked: string, type: string, { tokenFrom }: { tokenFrom: string }, command: Command) => {
      const client = daemon(command)
      const token = process.env[tokenFrom]
      if (!token) throw new CommandFailed(`the environment has no variable ${tokenFrom}`, exitCodes.usage)
      const body = { kind: type, credentials: { token } }
      const answer = await client.send('POST', pathOf(await whose(client, asked), 'channels'), body)
      if (json(command)) return sayJson(answer)
      say('added: write to the bot, then give the code it answers with to `daimon pair`')
    })

  channels
    .command('remove')
    .argument('<persona>', 'name or id')
    .argument('<name>', 'as `daimon channels` lists it')
    .action(async (asked: string, name: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `channels/${encodeURIComponent(name)}`)
      const answer = await client.send('DELETE', path)
      if (json(command)) return sayJson(answer)
      say(`${name} is removed`)
    })

  program
    .command('pair')
    .description('Say which chat is yours: with the code the bot answered with.')
    .argument('<persona>', 'name or id')
    .argument('<code>', 'six signs')
    .action(async (asked: string, code: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('POST', pathOf(await whose(client, asked), 'pair'), { code })
      if (json(command)) return sayJson(answer)
      say('paired')
    })
}
