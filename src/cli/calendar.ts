/** `calendar`: planned entries. */
import type { Command } from 'commander'
import { addSubscriptions } from './calendar-subscriptions.ts'
import type { AddCommand, CommandMeans } from './command.ts'
import { toQuery } from './daemon-client.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'

interface Entry {
  readonly id: string
  readonly body: string
  readonly time: string
  readonly recurrence: string | null
}

interface SubscribedEvent {
  readonly calendar: { readonly name: string }
  readonly time: string
  readonly days?: { readonly first: string }
  readonly title: string
}

interface Calendar {
  readonly destiny: { readonly reminder: readonly Entry[]; readonly schedule: readonly Entry[] }
  readonly subscribed?: readonly SubscribedEvent[]
}

export const addCalendarCommands: AddCommand = (program, means) => {
  const calendar = program
    .command('calendar')
    .description('Planned entries and calendars of others: list, add, move, cancel, feed, subscribe.')
  addPlans(calendar, means)
  addChanges(calendar, means)
  addSubscriptions(calendar, means)
}

const addPlans = (calendar: Command, { daemon, isJson }: CommandMeans): void => {
  calendar
    .command('list', { isDefault: true })
    .description('List the coming entries, the next first.')
    .argument('<persona>', 'name or id')
    .option('--from <date>', 'first day, such as 2026-11-23 (default: today)')
    .option('--to <date>', 'end, exclusive (default: in 90 days)')
    .action(async (ref: string, { from, to }: { from?: string; to?: string }, command: Command) => {
      const client = daemon(command)
      const path = personaPath(
        await findPersona(client, ref),
        `calendar${toQuery({ start: from ?? dayFrom(0), end: to ?? dayFrom(90), subscribed: 'true' })}`,
      )
      const answer = await client.get<Calendar>(path)
      if (isJson(command)) return printJson(answer)
      const { destiny, subscribed = [] } = answer
      const rows = [
        ...[...destiny.reminder, ...destiny.schedule].map((entry) => ({
          time: entry.time,
          row: [toMinute(entry.time), entry.recurrence ?? '', entry.id, entry.body],
        })),
        ...subscribed.map(({ time, days, title, calendar: { name } }) => ({
          time,
          row: [days?.first ?? toMinute(time), '', `[${name}]`, title],
        })),
      ]
      rows.sort((a, b) => Date.parse(a.time) - Date.parse(b.time))
      printRows(
        rows.map(({ row }) => row),
        'nothing is planned',
      )
    })

  calendar
    .command('feed')
    .description('Print the calendar as iCalendar, for programs that read such files.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const response = await client.bytes(personaPath(await findPersona(client, ref), 'calendar.ics'))
      for await (const chunk of response) process.stdout.write(chunk as Buffer)
    })
}

const addChanges = (calendar: Command, { daemon, isJson }: CommandMeans): void => {
  calendar
    .command('add')
    .description('Plan a reminder or an appointment.')
    .argument('<persona>', 'name or id')
    .argument('<when>', 'as 2026-11-24T18:00')
    .argument('<words...>', 'text of the entry')
    .option('--event', 'an appointment instead of a reminder')
    .option('--every <span>', 'hourly, daily, weekly, monthly or yearly')
    .action(
      async (
        ref: string,
        whenText: string,
        words: string[],
        options: { event?: true; every?: string },
        command: Command,
      ) => {
        const client = daemon(command)
        const kind = options.event ? 'schedule' : 'reminder'
        const body = {
          kind,
          when: whenText,
          content: words.join(' '),
          ...(options.every && { recurrence: options.every }),
        }
        const entry = await client.send<Entry>(
          'POST',
          personaPath(await findPersona(client, ref), 'calendar'),
          body,
        )
        if (isJson(command)) return printJson(entry)
        printLine(`${entry.id}  ${toMinute(entry.time)}`)
      },
    )

  calendar
    .command('move')
    .description('Move an entry to another time.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the entry')
    .argument('<when>', 'as 2026-11-24T18:00')
    .action(async (ref: string, id: string, whenText: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `calendar/${encodeURIComponent(id)}`)
      const entry = await client.send<Entry>('PATCH', path, { when: whenText })
      if (isJson(command)) return printJson(entry)
      printLine(toMinute(entry.time))
    })

  calendar
    .command('cancel')
    .description('Remove an entry from the calendar, with all its later times.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the entry')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send(
        'DELETE',
        personaPath(await findPersona(client, ref), `calendar/${encodeURIComponent(id)}`),
      )
      if (isJson(command)) return printJson(answer)
      printLine('cancelled')
    })
}

const dayFrom = (days: number): string => {
  const now = new Date()
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12)
  return day.toLocaleDateString('sv')
}
