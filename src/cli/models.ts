/** `models`, `providers`, `usage` and `compare`: available models and their cost. */
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { toQuery } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { addLocalModelCommands, loadLocalModels, printLocalModels } from './local-models.ts'
import { addMindOptions, addServerOptions, type MindOptions, readMind } from './mind-options.ts'
import { printJson, printLine, printRows, table } from './printing.ts'

interface Models {
  readonly models: readonly string[]
  readonly details?: readonly {
    readonly name: string
    readonly bytes: number | null
    readonly tools: boolean | null
    readonly price?: string
    readonly speed?: string
  }[]
  readonly suggested?: string | null
  readonly reason?: string | null
}

interface Sums {
  readonly calls: number
  readonly input: number
  readonly output: number
  readonly usd: number | null
  readonly unpriced: number
}

interface Usage {
  readonly total: Sums
  readonly organs: readonly (Sums & { readonly organ: string })[]
  readonly models: readonly (Sums & { readonly provider: string | null; readonly model: string })[]
  readonly causes: readonly (Sums & { readonly cause: string })[]
  readonly today: { readonly tokens: number; readonly ceiling: number | null }
}

interface Comparison {
  readonly answer: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly ms: number
  readonly price: { readonly usd: number } | null
}

export const addModelCommands: AddCommand = (program, means) => {
  addModels(program, means)
  addUsage(program, means)
  addCompare(program, means)
}

const addModels = (program: Command, means: CommandMeans): void => {
  const { daemon, isJson } = means
  const models = addServerOptions(program.command('models'))
    .description('List the models of this machine, or of a provider. Download or remove one.')
    .option('--organ <slot>', 'for which organ: thinking, eye, ear, mouth, imagination, teacher, researcher')
    .action(async (options: MindOptions & { readonly organ?: string }, command: Command) => {
      if (options.provider === undefined && options.apiUrl === undefined && options.organ === undefined) {
        const local = await loadLocalModels(daemon(command))
        return isJson(command) ? printJson(local) : printLocalModels(local)
      }
      const answer = await daemon(command).send<Models>('POST', '/api/models', {
        ...readMind(options),
        organ: options.organ ?? 'thinking',
        details: true,
      })
      if (isJson(command)) printJson(answer)
      else if (answer.models.length > 0) printRows(toRows(answer), '')
      if (answer.reason != null) throw new CommandFailed(answer.reason, exitCodes.refused)
      if (!isJson(command) && answer.models.length === 0) printLine('none yet')
    })

  addLocalModelCommands(models, means)

  program
    .command('providers')
    .description('List the addresses of the providers in the settings of the daemon.')
    .action(async (_options: object, command: Command) => {
      const answer = await daemon(command).get<Record<string, { url: string }>>('/api/config/providers')
      if (isJson(command)) return printJson(answer)
      printRows(
        Object.entries(answer).map(([name, { url }]) => [name, url]),
        '',
      )
    })
}

const toRows = ({ models, details = [], suggested }: Models) =>
  models.map((name) => {
    const {
      bytes = null,
      tools = null,
      price = '',
      speed = '',
    } = details.find((model) => model.name === name) ?? {}
    const notes = [
      bytes === null ? '' : `${(bytes / 1e9).toFixed(1)} GB`,
      tools === null ? '' : tools ? 'calls tools' : 'no tool calls',
      price,
      speed,
      name === suggested ? 'suggested' : '',
    ].filter((note) => note !== '')
    return notes.length > 0 ? [name, notes.join(', ')] : [name]
  })

const addUsage = (program: Command, { daemon, isJson }: CommandMeans): void => {
  program
    .command('usage')
    .description('Show the usage of a persona: calls, tokens and money, by organ, model and cause.')
    .argument('<persona>', 'name or id')
    .option('--from <moment>', 'first day, such as 2026-11-23')
    .option('--to <moment>', 'end, exclusive')
    .action(async (ref: string, { from, to }: { from?: string; to?: string }, command: Command) => {
      const client = daemon(command)
      const query = toQuery({ from, to })
      const answer = await client.get<Usage>(personaPath(await findPersona(client, ref), `usage${query}`))
      if (isJson(command)) return printJson(answer)
      const { total, organs, models, causes, today } = answer
      printLine(
        table([
          ['', 'calls', 'in', 'out', 'dollars'],
          ...organs.map((organ) => toRow(organ.organ, organ)),
          ...models.map((model) => toRow(`${model.provider ?? 'local'}/${model.model}`, model)),
          ...causes.map((cause) => toRow(`for ${cause.cause}`, cause)),
          toRow('in all', total),
        ]),
      )
      const limitText = today.ceiling === null ? '' : ` of ${today.ceiling}`
      printLine(`today: ${today.tokens}${limitText} tokens`)
    })
}

const toRow = (label: string, { calls, input, output, ...sums }: Sums): readonly string[] => [
  ...[label, String(calls), String(input), String(output), formatDollars(sums)],
]

/** Calls without a known price may also have a cost. */
const formatDollars = ({ usd, unpriced: unpricedCount }: Pick<Sums, 'usd' | 'unpriced'>): string => {
  if (usd === null) return unpricedCount === 0 ? '0' : 'no price'
  return unpricedCount === 0 ? String(usd) : `${usd}, ${unpricedCount} calls without a price`
}

const addCompare = (program: Command, { daemon, isJson }: CommandMeans): void => {
  addMindOptions(program.command('compare'), 'the model to call')
    .description('Send the first model call of a turn to another model. Nothing is stored or carried out.')
    .argument('<persona>', 'name or id')
    .argument('<turn>', 'its id')
    .action(async (ref: string, turn: string, options: MindOptions, command: Command) => {
      if (options.model === undefined) throw new CommandFailed('--model is required', exitCodes.usage)
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `turns/${encodeURIComponent(turn)}/compare`)
      const answer = await client.send<Comparison>('POST', path, readMind(options))
      if (isJson(command)) return printJson(answer)
      if (answer.answer !== '') printLine(answer.answer)
      for (const { name, input } of answer.calls)
        printLine(`[it would call ${name} with ${JSON.stringify(input)}]`)
      const price = answer.price === null ? '' : `, ${answer.price.usd} dollars`
      printLine(`\n${answer.ms} ms${price}`)
    })
}
