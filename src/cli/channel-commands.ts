/** `channels` and `pair`. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { say, sayJson, sayRows } from './printing.ts'
import { variable } from './variable.ts'
import { pathOf, whose } from './whose.ts'

export const addChannelCommands: AddCommand = (program, { daemon, json }) => {
  const channels = program.command('channels').description('Where a persona is spoken to: list, add, remove.')

  channels
    .command('list', { isDefault: true })
    .description('Each with its name, and whether it is paired.')
    .argument('<persona>', 'name or id')
    .action(async (asked: string, _options: object, command: Command) => {
      const client = daemon(command)
      const persona = await whose(client, asked)
      if (json(command)) return sayJson({ channels: persona.channels })
      sayRows(
        persona.channels.map(({ type, name, verified }) => [
          type,
          name,
          verified ? 'paired' : 'not paired yet',
        ]),
        'none: the page, and this command line',
      )
    })

  channels
    .command('add')
    .description('Give it a bot of Telegram or Discord.')
    .argument('<persona>', 'name or id')
    .argument('<type>', 'telegram or discord')
    .requiredOption('--token-from <variable>', 'the environment variable that holds the bot’s token')
    .action(async (asked: string, type: string, { tokenFrom }: { tokenFrom: string }, command: Command) => {
      const client = daemon(command)
      const body = { kind: type, credentials: { token: variable(tokenFrom) } }
      const answer = await client.send('POST', pathOf(await whose(client, asked), 'channels'), body)
      if (json(command)) return sayJson(answer)
      say('added: write to the bot, then give the code it answers with to `daimon pair`')
    })

  channels
    .command('remove')
    .description('Take a bot from it; what was said there stays.')
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
    .argument('<code>', 'eight letters and digits')
    .action(async (asked: string, code: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('POST', pathOf(await whose(client, asked), 'pair'), { code })
      if (json(command)) return sayJson(answer)
      say('paired')
    })
}
