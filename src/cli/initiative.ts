/** `initiative`: when a persona writes by itself, and why it might. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'

interface Reason {
  readonly id: string
  readonly kind: string
  readonly reason: string
  readonly time: string | null
}

interface Initiative {
  readonly level: string
  readonly zone: string
  readonly quiet_from: string
  readonly quiet_until: string
  readonly reasons: readonly Reason[]
}

interface ChoiceOptions {
  readonly level?: string
  readonly zone?: string
  readonly quiet?: string
}

export const addInitiativeCommand: AddCommand = (program, { daemon, isJson }) => {
  const initiative = program
    .command('initiative')
    .description('Messages that a persona writes by itself: show, set, move, remove, less.')
  const toPath = (id: string) => `initiative/${encodeURIComponent(id)}`

  initiative
    .command('show', { isDefault: true })
    .description('Show how often it may write by itself, and why it might, the next first.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Initiative>(personaPath(await findPersona(client, ref), 'initiative'))
      if (isJson(command)) return printJson(answer)
      printLine(formatChoice(answer))
      printRows(
        answer.reasons.map(({ time, kind, id, reason }) => [
          time ? toMinute(time) : 'rests',
          kind,
          id,
          reason,
        ]),
        'no reasons are noted',
      )
    })

  initiative
    .command('set')
    .description('Choose how often it may write by itself, and when it may not.')
    .argument('<persona>', 'name or id')
    .option('--level <level>', 'off, gentle (one message a day) or lively (three)')
    .option('--zone <zone>', 'your time zone, such as Europe/Lisbon (default: that of the daemon)')
    .option('--quiet <from-until>', 'hours without messages, such as 21:00-09:00')
    .action(async (ref: string, { level, zone, quiet }: ChoiceOptions, command: Command) => {
      const [, quietFrom, quietUntil] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(quiet ?? '') ?? []
      if (quiet && !quietFrom)
        throw new CommandFailed('--quiet takes two times, such as 21:00-09:00', exitCodes.usage)
      const client = daemon(command)
      const body = {
        ...(level && { level }),
        ...(zone && { zone }),
        ...(quietFrom && { quiet_from: quietFrom, quiet_until: quietUntil }),
      }
      const path = personaPath(await findPersona(client, ref), 'initiative')
      const answer = await client.send<Initiative>('PUT', path, body)
      if (isJson(command)) return printJson(answer)
      printLine(formatChoice(answer))
    })

  initiative
    .command('move')
    .description('Move a reason to another time.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the reason')
    .argument('<when>', 'as 2026-11-24T18:00')
    .action(async (ref: string, id: string, when: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), toPath(id))
      const answer = await client.send<Initiative>('PATCH', path, { when })
      if (isJson(command)) return printJson(answer)
      printLine('moved')
    })

  initiative
    .command('remove')
    .description('Remove a reason: it does not write about it.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the reason')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send('DELETE', personaPath(await findPersona(client, ref), toPath(id)))
      if (isJson(command)) return printJson(answer)
      printLine('removed')
    })

  initiative
    .command('less')
    .description('Ask for fewer messages like this one, also after it was sent.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the reason')
    .action(async (ref: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), toPath(id))
      const answer = await client.send<Initiative>('PATCH', path, { less: true })
      if (isJson(command)) return printJson(answer)
      printLine('noted')
    })
}

const formatChoice = ({ level, zone, quiet_from, quiet_until }: Initiative): string =>
  level === 'off' ? 'off' : `${level}, quiet from ${quiet_from} to ${quiet_until} (${zone})`
