/** `mail connect`, `list`, `refresh`, `show` and `disconnect`: mailboxes that the persona reads. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'
import { readPassword } from './read-password.ts'

interface Mailbox {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly folder: string
  readonly checked_at: string | null
  readonly error: string | null
  readonly waiting: number
}

interface Mail {
  readonly id: string
  readonly time: string
  readonly sort: string
  readonly from: string
  readonly subject: string
  readonly summary: string | null
  readonly asked: string | null
}

interface ConnectOptions {
  readonly port?: string
  readonly security?: string
  readonly folder?: string
  readonly name?: string
  readonly recent?: string
  readonly passwordFrom?: string
}

const usualShown = '20'

export const addMailCommands: AddCommand = (program, { daemon, isJson }) => {
  const mail = program
    .command('mail')
    .description(
      'Mailboxes that the persona reads and never changes: connect, list, refresh, show, disconnect.',
    )
  const toPath = (id: string, end = '') => `mailboxes/${encodeURIComponent(id)}${end}`

  mail
    .command('connect')
    .description('Let the persona read one folder of a mailbox (IMAP). The password is asked for.')
    .argument('<persona>', 'name or id')
    .argument('<host>', 'IMAP server, such as imap.example.org')
    .argument('<user>', 'user name, mostly the mail address')
    .option('--port <port>', 'default: 993 with tls, else 143')
    .option('--security <kind>', 'tls, starttls, or none for a server on this machine', 'tls')
    .option('--folder <name>', 'folder or label', 'INBOX')
    .option('--name <name>', 'how to call the mailbox (default: the user name)')
    .option('--recent <count>', 'also read the newest mails, at most 10', '0')
    .option('--password-from <variable>', 'environment variable with the password')
    .action(async (ref: string, host: string, user: string, options: ConnectOptions, command: Command) => {
      const { port, security, folder, name, recent, passwordFrom } = options
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), 'mailboxes')
      const answer = await client.send<Mailbox>('POST', path, {
        ...{ host, user, security, folder, recent: Number(recent) },
        ...(port !== undefined && { port: Number(port) }),
        ...(name !== undefined && { name }),
        password: await readPassword(passwordFrom),
      })
      if (isJson(command)) return printJson(answer)
      printRows([toRow(answer)], '')
    })

  mail
    .command('list')
    .description('List the connected mailboxes.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), 'mailboxes')
      const answer = await client.get<{ readonly mailboxes: readonly Mailbox[] }>(path)
      if (isJson(command)) return printJson(answer)
      printRows(answer.mailboxes.map(toRow), 'no mailbox is connected')
    })

  mail
    .command('refresh')
    .description('Look for new mail now.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id from `daimon mail list`')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), toPath(id, '/refresh'))
      const answer = await client.send<Mailbox>('POST', path)
      if (isJson(command)) printJson(answer)
      else printRows([toRow(answer)], '')
      if (answer.error !== null) process.exitCode = exitCodes.refused
    })

  mail
    .command('show')
    .description('Show the mails that were read, newest first.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id from `daimon mail list`')
    .option('--limit <count>', 'max mails', usualShown)
    .action(async (ref: string, id: string, { limit }: { readonly limit: string }, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), toPath(id, '/mails'))
      const answer = await client.get<{ readonly mails: readonly Mail[] }>(
        `${path}?limit=${encodeURIComponent(limit)}`,
      )
      if (isJson(command)) return printJson(answer)
      printRows(answer.mails.map(toMailRow), 'no mail was read yet')
    })

  mail
    .command('disconnect')
    .description('Disconnect a mailbox, and delete its password.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id from `daimon mail list`')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('DELETE', personaPath(await findPersona(client, ref), toPath(id)))
      if (isJson(command)) return printJson(answer)
      printLine('disconnected')
    })
}

const toRow = ({ id, name, host, folder, checked_at: checkTime, waiting, error }: Mailbox) => [
  id,
  name,
  host,
  folder,
  checkTime === null ? 'not read yet' : toMinute(checkTime),
  error ?? (waiting > 0 ? `${waiting} mails wait` : ''),
]

const toMailRow = ({ time, sort, from, subject, summary, asked }: Mail) => [
  toMinute(time),
  from,
  subject,
  [...(sort === 'bulk' ? ['(bulk)'] : []), summary ?? '', ...(asked === null ? [] : [`→ ${asked}`])].join(
    ' ',
  ),
]
