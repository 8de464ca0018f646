/** `channels` and `pair`. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows } from './printing.ts'
import { readPassword } from './read-password.ts'
import { requireEnv } from './require-env.ts'

interface AddOptions {
  readonly tokenFrom?: string
  readonly homeserver?: string
  readonly user?: string
  readonly passwordFrom?: string
}

const readCredentials = async (options: AddOptions) => {
  const { tokenFrom, homeserver, user, passwordFrom } = options
  const server = homeserver === undefined ? {} : { homeserver }
  if (tokenFrom !== undefined) return { token: requireEnv(tokenFrom), ...server }
  if (user !== undefined) return { ...server, user, password: await readPassword(passwordFrom) }
  throw new CommandFailed('--token-from is missing; matrix also takes --user', exitCodes.usage)
}

export const addChannelCommands: AddCommand = (program, { daemon, isJson }) => {
  const channels = program.command('channels').description('Channels of a persona: list, add, remove.')

  channels
    .command('list', { isDefault: true })
    .description('List the channels with their names, and whether they are paired.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      if (isJson(command)) return printJson({ channels: persona.channels })
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
    .description('Add a Telegram or Discord bot, or a Matrix account.')
    .argument('<persona>', 'name or id')
    .argument('<type>', 'telegram, discord or matrix')
    .option('--token-from <variable>', 'environment variable with the token of the bot, or of the account')
    .option('--homeserver <address>', 'matrix: address or name of the homeserver')
    .option('--user <name>', 'matrix: user name, in place of a token; the password is asked for')
    .option('--password-from <variable>', 'environment variable with the password')
    .action(async (ref: string, type: string, options: AddOptions, command: Command) => {
      const client = daemon(command)
      const body = { kind: type, credentials: await readCredentials(options) }
      const answer = await client.send('POST', personaPath(await findPersona(client, ref), 'channels'), body)
      if (isJson(command)) return printJson(answer)
      printLine('added. Write to it, then pass the code from its answer to `daimon pair`')
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
      if (isJson(command)) return printJson(answer)
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
      if (isJson(command)) return printJson(answer)
      printLine('paired')
    })
}
