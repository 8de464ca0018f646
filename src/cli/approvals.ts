/** `approvals`: tool calls that wait for a decision of the user. */
import { Argument, type Command } from 'commander'
import type { AddCommand } from './command.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'

interface Waiting {
  readonly id: number
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly asked_at: string
  readonly changed: boolean
  readonly again: boolean
}

export const addApprovalCommands: AddCommand = (program, { daemon, isJson }) => {
  const approvals = program
    .command('approvals')
    .description('Tool calls that wait for your decision: list, answer.')

  approvals
    .command('list', { isDefault: true })
    .description('List the waiting calls, the oldest first.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), 'approvals')
      const answer = await client.get<{ approvals: Waiting[] }>(path)
      if (isJson(command)) return printJson(answer)
      printRows(
        answer.approvals.map(
          ({ id, server, tool, input, asked_at: askedAt, changed: hasChanged, again: isRepeat }) => [
            ...[String(id), server, tool, toMinute(askedAt), formatNote(hasChanged, isRepeat)],
            JSON.stringify(input),
          ],
        ),
        'no calls are waiting',
      )
    })

  approvals
    .command('answer')
    .description('Decide whether a tool may be used: for this call, always, or not.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id from `daimon approvals`')
    .addArgument(new Argument('<decision>').choices(['once', 'always', 'no']))
    .action(async (ref: string, id: string, decision: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `approvals/${encodeURIComponent(id)}`)
      const answer = await client.send('POST', path, { decision })
      if (isJson(command)) return printJson(answer)
      printLine(`answered: ${decision}`)
    })
}

const formatNote = (hasChanged: boolean, isRepeat: boolean): string => {
  if (hasChanged) return 'its definition has changed'
  return isRepeat ? 'allowed always, but this address is new to you' : ''
}
