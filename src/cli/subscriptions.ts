/** `subscriptions`: delivery of facts to other programs. */
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'
import { requireEnv } from './require-env.ts'

interface Subscription {
  readonly name: string
  readonly webhook: { readonly url: string } | null
  readonly state: string
  readonly reason: string | null
  readonly lag: { readonly facts: number; readonly seconds: number | null }
  readonly dead: number
}

interface DeadLetter {
  readonly id: string
  readonly persona_id: string
  readonly after: number
  readonly upto: number
  readonly facts: number
  readonly attempts: number
  readonly reason: string
  readonly time: string
}

interface AddOptions {
  readonly webhook?: string
  readonly pull?: true
  readonly personas?: string
  readonly kinds?: string
  readonly words?: true
  readonly fromStart?: true
  readonly secretFrom?: string
  readonly maxAttempts?: string
}

const pathTo = (name: string, route = '') => `/api/subscriptions/${encodeURIComponent(name)}${route}`

export const addSubscriptionCommands: AddCommand = (program, means) => {
  const subscriptions = program
    .command('subscriptions')
    .description('Delivery of facts to other programs: list, add, remove, replay, dead, retry, drop.')
  addDefinitions(subscriptions, means)
  addRepairs(subscriptions, means)
}

const addDefinitions = (subscriptions: Command, { daemon, isJson }: CommandMeans): void => {
  subscriptions
    .command('list', { isDefault: true })
    .description('List the subscriptions, with the facts that are not delivered yet and the dead letters.')
    .action(async (_options: object, command: Command) => {
      const answer = await daemon(command).get<{ readonly subscriptions: readonly Subscription[] }>(
        '/api/subscriptions',
      )
      if (isJson(command)) return printJson(answer)
      printRows(answer.subscriptions.map(toRow), 'there are no subscriptions')
    })

  subscriptions
    .command('add')
    .description('Add a subscription, or change the one with this name.')
    .argument('<name>', 'lower-case letters, digits, - and _')
    .option('--webhook <url>', 'address to which facts are sent')
    .option('--pull', 'instead: a program asks for the facts')
    .option('--personas <personas>', 'names or ids, separated by commas (default: all, also later ones)')
    .option('--kinds <kinds>', 'names of facts, separated by commas (default: all)')
    .option('--words', 'deliver the text of facts')
    .option('--from-start', 'begin with the first fact instead of now')
    .option(
      '--secret-from <variable>',
      'environment variable with the signing secret (default: a new one is printed)',
    )
    .option('--max-attempts <number>', 'attempts until a batch becomes a dead letter (default: 20)')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const client = daemon(command)
      const { webhook, pull, kinds, words, fromStart, secretFrom, maxAttempts } = options
      const ids = options.personas
        ? await Promise.all(
            splitList(options.personas).map(async (ref) => (await findPersona(client, ref)).id),
          )
        : '*'
      const body = {
        ...(webhook && { webhook: { url: webhook, ...(secretFrom && { secret: requireEnv(secretFrom) }) } }),
        ...(pull && { pull }),
        personas: ids,
        kinds: kinds ? splitList(kinds) : '*',
        words: words ?? false,
        start: fromStart ? 'beginning' : 'now',
        ...(maxAttempts && { max_attempts: readCount(maxAttempts) }),
      }
      const answer = await client.send<{
        readonly subscription: Subscription
        readonly secret: string | null
      }>('PUT', pathTo(name), body)
      if (isJson(command)) return printJson(answer)
      printLine(`${name}: ${answer.subscription.webhook?.url ?? 'facts are pulled'}`)
      if (answer.secret !== null) printLine(`secret, shown only now: ${answer.secret}`)
    })

  subscriptions
    .command('remove')
    .description('Remove a subscription with its secret and its positions.')
    .argument('<name>')
    .action(async (name: string, _options: object, command: Command) => {
      const answer = await daemon(command).send('DELETE', pathTo(name))
      if (isJson(command)) return printJson(answer)
      printLine(`removed: ${name}`)
    })
}

const addRepairs = (subscriptions: Command, { daemon, isJson }: CommandMeans): void => {
  subscriptions
    .command('replay')
    .description('Deliver the facts of a persona again.')
    .argument('<name>')
    .argument('<persona>', 'name or id')
    .option('--after <seq>', 'only facts after this position', '0')
    .action(async (name: string, ref: string, { after }: { after: string }, command: Command) => {
      const client = daemon(command)
      const persona = await findPersona(client, ref)
      const body = { persona_id: persona.id, after: readCount(after) }
      const answer = await client.send<Subscription>('POST', pathTo(name, '/replay'), body)
      if (isJson(command)) return printJson(answer)
      printLine(`${name}: ${persona.name} again after ${after}`)
    })

  subscriptions
    .command('dead')
    .description('List the batches that the webhook never accepted.')
    .argument('<name>')
    .action(async (name: string, _options: object, command: Command) => {
      const answer = await daemon(command).get<{ readonly letters: readonly DeadLetter[] }>(
        pathTo(name, '/dead'),
      )
      if (isJson(command)) return printJson(answer)
      const rows = answer.letters.map(({ id, persona_id, after, upto, facts, attempts, reason, time }) => [
        id,
        toMinute(time),
        `${persona_id} ${after + 1} to ${upto}`,
        `${facts} facts`,
        `${attempts} attempts: ${reason}`,
      ])
      printRows(rows, 'there are no dead letters')
    })

  subscriptions
    .command('retry')
    .description('Send waiting batches and dead letters now, and resume a paused subscription.')
    .argument('<name>')
    .action(async (name: string, _options: object, command: Command) => {
      const answer = await daemon(command).send<Subscription>('POST', pathTo(name, '/retry'))
      if (isJson(command)) return printJson(answer)
      printRows([toRow(answer)], '')
    })

  subscriptions
    .command('drop')
    .description('Give up a dead letter. Its facts stay in the journal.')
    .argument('<name>')
    .argument('<id>', 'from `daimon subscriptions dead`')
    .action(async (name: string, id: string, _options: object, command: Command) => {
      const answer = await daemon(command).send('DELETE', pathTo(name, `/dead/${encodeURIComponent(id)}`))
      if (isJson(command)) return printJson(answer)
      printLine(`dropped: ${id}`)
    })
}

const toRow = ({ name, webhook, state, reason, lag, dead }: Subscription): readonly string[] => [
  name,
  webhook?.url ?? 'pulled',
  `${lag.facts} facts behind${lag.seconds === null ? '' : `, for ${Math.round(lag.seconds)} s`}`,
  `${dead} dead`,
  reason === null ? state : `${state}: ${reason}`,
]

const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const readCount = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandFailed(`${text} is not a whole number`, exitCodes.usage)
}
