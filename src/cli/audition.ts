/** `audition`: lets two models answer past turns again, and prints both answers. */
import type { Command } from 'commander'
import { Provider } from '../../facts/fact-values.ts'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { addMindOptions, type MindOptions, readMind } from './mind-options.ts'
import { harmless, printJson, printLine, table } from './printing.ts'

interface Options extends MindOptions {
  readonly against?: string
  readonly turns?: string
}

interface Begun {
  readonly type: 'begun'
  readonly current: { readonly model: string }
  readonly candidate: { readonly model: string }
  readonly turns: readonly { readonly turn: number; readonly subject: string; readonly heard: string }[]
}

interface Answer {
  readonly type: 'answer'
  readonly turn: number
  readonly side: 'current' | 'candidate'
  readonly text: string | null
  readonly calls: readonly { readonly name: string; readonly input: unknown; readonly from_record: boolean }[]
  readonly reason: string | null
  readonly input: number
  readonly output: number
  readonly ms: number
  readonly usd: number | null
}

type Line = Begun | Answer | { readonly type: 'done' }

export const addAuditionCommand: AddCommand = (program, { daemon, isJson }) => {
  addMindOptions(program.command('audition'), 'the model to try')
    .description(
      'Let another model answer up to ten past turns, beside the Mind. Nothing is kept but the cost.',
    )
    .argument('<persona>', 'name or id')
    .option('--against <model>', 'the other model, such as openai/gpt-5 (default: the Mind)')
    .option('--turns <ids>', 'turns, separated by commas (default: picked)')
    .action(async (ref: string, options: Options, command: Command) => {
      if (options.model === undefined) throw new CommandFailed('--model is required', exitCodes.usage)
      const client = daemon(command)
      const body = {
        candidate: readMind(options),
        ...(options.against !== undefined && { against: readAgainst(options.against) }),
        ...(options.turns !== undefined && { turns: readTurns(options.turns) }),
      }
      const path = personaPath(await findPersona(client, ref), 'audition')
      const lines: Line[] = []
      for await (const text of client.lines(path, body)) {
        const line = JSON.parse(text) as Line
        lines.push(line)
        if (!isJson(command)) printProgress(lines)
      }
      if (isJson(command)) printJson(lines)
      else printTable(lines)
      if (lines.at(-1)?.type !== 'done')
        throw new CommandFailed('the audition ended early', exitCodes.unreachable)
    })
}

const readAgainst = (name: string) => {
  const [, prefix = '', rest = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? []
  const provider = Provider.safeParse(prefix)
  return provider.success ? { provider: provider.data, model: rest } : { model: name }
}

const readTurns = (ids: string): readonly number[] => {
  const turns = ids.split(',').map(Number)
  if (turns.every((turn) => Number.isSafeInteger(turn) && turn > 0)) return turns
  throw new CommandFailed(`${ids} is no list of turns, such as 120,134`, exitCodes.usage)
}

const printProgress = (lines: readonly Line[]): void => {
  const [beginLine] = lines
  const answerCount = lines.filter(({ type }) => type === 'answer').length
  if (process.stderr.isTTY && beginLine?.type === 'begun')
    process.stderr.write(`\r${answerCount} of ${beginLine.turns.length * 2} answers`)
}

const printTable = ([beginLine, ...lines]: readonly Line[]): void => {
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (beginLine?.type !== 'begun') return
  const answers = lines.filter((line) => line.type === 'answer')
  const total: Record<Answer['side'], Pick<Answer, 'ms' | 'usd'>> = {
    current: { ms: 0, usd: 0 },
    candidate: { ms: 0, usd: 0 },
  }
  for (const { turn, subject, heard } of beginLine.turns) {
    printLine(`\n${turn}  ${subject}  ${toShort(heard)}`)
    const rows = (['current', 'candidate'] as const).flatMap((side) => {
      const answer = answers.find((entry) => entry.turn === turn && entry.side === side)
      if (!answer) return []
      if (hasCost(answer)) total[side] = addCost(total[side], answer)
      return [[beginLine[side].model, formatCost(answer), describe(answer)].map(harmless)]
    })
    if (rows.length > 0) printLine(table(rows).replace(/^/gm, '  '))
  }
  printLine('')
  for (const side of ['current', 'candidate'] as const) {
    printLine(`${beginLine[side].model}: ${formatCost(total[side])}`)
  }
}

/** A failed answer may have used tokens before it failed. */
const hasCost = ({ reason, input, output }: Answer): boolean => reason === null || input + output > 0

/** Has no price if one of them has none. */
const addCost = (sum: Pick<Answer, 'ms' | 'usd'>, { ms, usd }: Answer): Pick<Answer, 'ms' | 'usd'> => ({
  ms: sum.ms + ms,
  usd: sum.usd === null || usd === null ? null : Number((sum.usd + usd).toFixed(6)),
})

const formatCost = ({ ms, usd }: Pick<Answer, 'ms' | 'usd'>): string =>
  `${(ms / 1000).toFixed(1)} s, ${usd === null ? 'no price' : `${usd} dollars`}`

const describe = ({ text, calls, reason }: Answer): string =>
  [
    ...(reason === null ? [] : [`failed: ${reason}`]),
    ...(text ? [toShort(text)] : []),
    ...calls.map(({ name, input, from_record: isRecorded }) =>
      isRecorded ? `[called ${name}]` : `[would call ${name} with ${JSON.stringify(input)}]`,
    ),
  ].join(' ')

const maxShort = 200

const toShort = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxShort ? `${line.slice(0, maxShort).toWellFormed()}…` : line
}
