/** `calendar subscribe`, `subscriptions`, `refresh` and `unsubscribe`: calendars of others. */
import type { Command } from 'commander'
import type { CommandMeans } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'
import { readPassword } from './read-password.ts'
import { requireEnv } from './require-env.ts'

interface Subscription {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly host: string
  readonly refreshed_at: string | null
  readonly error: string | null
  readonly note: string | null
  readonly events: number
}

interface FoundCalendar {
  readonly address: string
  readonly name: string
}

interface SubscribeOptions {
  readonly addressFrom?: string
  readonly name?: string
  readonly user?: string
  readonly passwordFrom?: string
  readonly caldav?: true
  readonly calendar?: readonly string[]
}

export const addSubscriptions = (calendar: Command, { daemon, isJson }: CommandMeans): void => {
  calendar
    .command('subscribe')
    .description(
      'Let the persona read a calendar of others: an .ics address, or calendars of a CalDAV server.',
    )
    .argument('<persona>', 'name or id')
    .argument('[address]', 'https://, http:// or webcal://')
    .option('--address-from <variable>', 'environment variable with the address, if it contains a token')
    .option('--name <name>', 'instead of the name that the calendar gives itself')
    .option('--user <name>', 'user name at the server')
    .option('--password-from <variable>', 'environment variable with the password; asked for if left out')
    .option('--caldav', 'the address is a CalDAV server')
    .option('--calendar <names...>', 'with --caldav: which of its calendars; all are listed if left out')
    .action(
      async (ref: string, givenAddress: string | undefined, options: SubscribeOptions, command: Command) => {
        const address = options.addressFrom === undefined ? givenAddress : requireEnv(options.addressFrom)
        if (!address) throw new CommandFailed('give an address, or --address-from', exitCodes.usage)
        const login =
          options.user === undefined
            ? {}
            : { user: options.user, password: await readPassword(options.passwordFrom) }
        const client = daemon(command)
        const path = personaPath(await findPersona(client, ref), 'calendar/subscriptions')
        const bodies = options.caldav
          ? await chooseCalendars(client, path, { address, ...login }, options)
          : [{ address, ...login, ...(options.name && { name: options.name }) }]
        const answers: Subscription[] = []
        for (const body of bodies) answers.push(await client.send<Subscription>('POST', path, body))
        if (isJson(command)) return printJson({ subscriptions: answers })
        for (const { id, name, events } of answers) printLine(`${id}  ${name}: ${events} events`)
      },
    )

  calendar
    .command('subscriptions')
    .description('List the calendars of others that the persona reads.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), 'calendar/subscriptions')
      const answer = await client.get<{ readonly subscriptions: readonly Subscription[] }>(path)
      if (isJson(command)) return printJson(answer)
      printRows(answer.subscriptions.map(toRow), 'no calendar is subscribed')
    })

  calendar
    .command('refresh')
    .description('Ask the server of a subscribed calendar now.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id from `daimon calendar subscriptions`')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = `calendar/subscriptions/${encodeURIComponent(id)}/refresh`
      const answer = await client.send<Subscription>(
        'POST',
        personaPath(await findPersona(client, ref), path),
      )
      if (isJson(command)) printJson(answer)
      else printRows([toRow(answer)], '')
      if (answer.error !== null) process.exitCode = exitCodes.refused
    })

  calendar
    .command('unsubscribe')
    .description('End a subscription, and delete its events and its password.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id from `daimon calendar subscriptions`')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = `calendar/subscriptions/${encodeURIComponent(id)}`
      const answer = await client.send('DELETE', personaPath(await findPersona(client, ref), path))
      if (isJson(command)) return printJson(answer)
      printLine('unsubscribed')
    })
}

const toRow = ({ id, name, host, events, refreshed_at: refreshed, error, note }: Subscription) => [
  id,
  name,
  host,
  `${events} events`,
  refreshed === null ? 'not read yet' : toMinute(refreshed),
  error ?? note ?? '',
]

/** Returns the requests for the chosen calendars of a CalDAV server. */
const chooseCalendars = async (
  client: DaemonClient,
  path: string,
  server: object,
  { calendar: names, name }: SubscribeOptions,
): Promise<readonly object[]> => {
  const { calendars } = await client.send<{ readonly calendars: readonly FoundCalendar[] }>(
    'POST',
    `${path}/find`,
    server,
  )
  const chosenCalendars = calendars.filter(
    (calendar) => names?.includes(calendar.name) ?? calendars.length === 1,
  )
  const missingNames = (names ?? []).filter(
    (wantedName) => !calendars.some((calendar) => calendar.name === wantedName),
  )
  if (chosenCalendars.length === 0 || missingNames.length > 0) {
    const list = calendars.map((calendar) => `"${calendar.name}"`).join(', ')
    throw new CommandFailed(`choose with --calendar from: ${list}`, exitCodes.usage)
  }
  return chosenCalendars.map((calendar) => ({
    ...server,
    kind: 'caldav',
    address: calendar.address,
    name: chosenCalendars.length === 1 && name ? name : calendar.name,
  }))
}
