/** `diagnose`, `verify` and `salvage` of a running daemon. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { findPersona, listPersonas, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'

interface OrganHealth {
  readonly model: string
  readonly state: 'well' | 'failing'
  readonly last_error: { readonly reason: string } | null
  readonly key_missing?: true
  readonly server_refuses?: readonly string[]
}

export interface Diagnosis {
  readonly status: string
  readonly running: boolean
  readonly reason: string | null
  readonly organs: Readonly<Record<string, OrganHealth>>
  readonly channels: readonly {
    readonly type: string
    readonly bot: string
    readonly state: string
    readonly reason: string | null
  }[]
  readonly heads?: { readonly signed: number; readonly events: number; readonly time: string }
  readonly calendars?: readonly { readonly name: string; readonly reason: string | null }[]
  readonly mailboxes?: readonly {
    readonly name: string
    readonly reason: string | null
    readonly checked_at: string | null
  }[]
  readonly subscriptions?: readonly { readonly name: string; readonly reason: string }[]
  readonly journal: {
    readonly events: number
    readonly bytes: number
    readonly verified_at: string | null
  }
}

interface VerifyAnswer {
  readonly events: number
  readonly intact: boolean
  readonly first_bad: number | null
  readonly media: { readonly missing: readonly string[]; readonly damaged: readonly string[] } | null
}

interface SalvageAnswer {
  readonly kept: number
  readonly lost: number
  readonly first_lost: number | null
  readonly copy: string
}

export const addHealthCommands: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('diagnose')
    .description('Diagnose a persona: its state, its organs and channels, its journal.')
    .argument('<persona>', 'name or id')
    .action(async (nameOrId: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Diagnosis>(personaPath(await findPersona(client, nameOrId), 'diagnose'))
      if (isJson(command)) return printJson(answer)
      const {
        running,
        status,
        reason,
        organs,
        channels,
        calendars = [],
        mailboxes = [],
        subscriptions = [],
        journal,
        heads,
      } = answer
      const verifiedAt = journal.verified_at === null ? 'never' : toMinute(journal.verified_at)
      printRows(
        [
          ['it', `${running ? 'awake' : 'stopped'}, ${status}${reason === null ? '' : `: ${reason}`}`],
          ...Object.entries(organs).map(([slot, organ]) => [
            slot,
            [`${organ.model}: ${formatTrouble(organ) ?? 'well'}`, ...formatRefusal(organ)].join('; '),
          ]),
          ...channels.map(({ type, bot, reason }) => [type, `${bot}: ${reason ?? 'well'}`]),
          ...calendars.map(({ name, reason }) => ['calendar', `${name}: ${reason ?? 'well'}`]),
          ...mailboxes.map(({ name, reason, checked_at: checkTime }) => [
            'mailbox',
            `${name}: ${reason ?? (checkTime === null ? 'not read yet' : 'well')}`,
          ]),
          ...subscriptions.map(({ name, reason }) => ['subscription', `${name}: ${reason}`]),
          ['journal', `${journal.events} facts, ${journal.bytes} bytes, verified: ${verifiedAt}`],
          ...(heads
            ? [['signed', `${heads.signed} heads, the last at fact ${heads.events}, ${toMinute(heads.time)}`]]
            : []),
        ],
        '',
      )
    })
}

/** Returns the problem of an organ, or null. */
export const formatTrouble = ({ state, last_error, key_missing }: OrganHealth): string | null => {
  if (state === 'failing') return last_error?.reason ?? 'it does not answer'
  return key_missing ? 'its key is missing: enter it again' : null
}

/** Returns at most one sentence with the features that its server refuses. */
export const formatRefusal = ({ server_refuses: features = [] }: OrganHealth): readonly string[] =>
  features.length > 0 ? [`its server refuses ${features.join(', ')}`] : []

/** Verifies like the offline command. Resolves to true if everything is intact. */
export const verifyRunning = async (client: DaemonClient, nameOrId: string | undefined): Promise<boolean> => {
  const personas = nameOrId === undefined ? await listPersonas(client) : [await findPersona(client, nameOrId)]
  let isIntact = true
  for (const persona of personas) {
    const { events, intact, first_bad, media } = await client.send<VerifyAnswer>(
      'POST',
      personaPath(persona, 'verify'),
    )
    const files = [...(media?.missing ?? []), ...(media?.damaged ?? [])]
    isIntact &&= intact && files.length === 0
    const damagedFiles = files.length === 0 ? '' : `, files missing or damaged: ${files.join(', ')}`
    const message = intact ? `whole, ${events} facts${damagedFiles}` : `damaged from fact ${first_bad} on`
    printLine(`${persona.id}  ${message}`)
  }
  return isIntact
}

export const salvageRunning = async (client: DaemonClient, nameOrId: string): Promise<void> => {
  const persona = await findPersona(client, nameOrId)
  const {
    kept: keptCount,
    lost: lostCount,
    first_lost,
    copy,
  } = await client.send<SalvageAnswer>('POST', personaPath(persona, 'salvage'))
  const losses = first_lost === null ? 'none lost' : `${lostCount} lost, the first of them ${first_lost}`
  printLine(`${persona.id}  ${keptCount} facts kept, ${losses}\noriginal journal: ${copy}`)
}
