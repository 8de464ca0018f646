/** `journal`, `at`, `changes`, `fork`, `undo`, `erase`, `turn`: what only a journal can give. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { confirmed } from './confirming.ts'
import { queryOf } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { addMindOptions, type MindOptions, mindOf } from './mind-options.ts'
import { harmless, minuteOf, say, sayJson, sayStyled, styled } from './printing.ts'
import { sayWords } from './recovery-words.ts'
import { pathOf, whose } from './whose.ts'

interface Fact {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly payload: unknown
  readonly damaged?: { readonly seq: number; readonly reason: string }
}

export const addJournalCommands: AddCommand = (program, { daemon, json }) => {
  program
    .command('journal')
    .description('The facts of a life, oldest first.')
    .argument('<persona>', 'name or id')
    .option('--follow', 'go on with what is appended')
    .option('--type <types>', 'only these, with commas between')
    .option('--after <seq>', 'only what came after this position')
    .option('--from <moment>', 'only from this instant on')
    .option('--to <moment>', 'only up to this instant')
    .option('--last <n>', 'only so many, the newest')
    .option('-q, --words <words>', 'only what holds these words')
    .action(async (asked: string, options: Readonly<Record<string, string | boolean>>, command: Command) => {
      const client = daemon(command)
      const { follow, type, after, from, to, last, words } = options as Readonly<
        Record<string, string | undefined>
      >
      const query = queryOf({
        ...{ type, after, from, to, last, q: words },
        follow: follow ? '1' : undefined,
      })
      for await (const line of client.lines(pathOf(await whose(client, asked), `journal${query}`))) {
        const fact = JSON.parse(line) as Fact
        if (json(command)) process.stdout.write(`${line}\n`)
        if (fact.damaged)
          throw new CommandFailed(
            `damaged from fact ${fact.damaged.seq} on: ${fact.damaged.reason}`,
            exitCodes.refused,
          )
        if (json(command)) continue
        const head = styled('dim', `${String(fact.seq).padStart(7)}  ${minuteOf(fact.at)}`)
        sayStyled(`${head}  ${fact.type}  ${harmless(JSON.stringify(fact.payload))}`)
      }
    })

  program
    .command('at')
    .description('A persona as it was: its memories, plans and days, as JSON.')
    .argument('<persona>', 'name or id')
    .argument('<moment>', 'a position in its journal, or an instant')
    .action(async (asked: string, moment: string, _options: object, command: Command) => {
      const client = daemon(command)
      sayJson(await client.get(pathOf(await whose(client, asked), `history${queryOf({ at: moment })}`)))
    })

  program
    .command('changes')
    .description('What became different between two moments, as JSON.')
    .argument('<persona>', 'name or id')
    .argument('<from>', 'a position in its journal, or an instant')
    .argument('[to]', 'the same; by default now')
    .action(
      async (asked: string, from: string, to: string | undefined, _options: object, command: Command) => {
        const client = daemon(command)
        sayJson(await client.get(pathOf(await whose(client, asked), `changes${queryOf({ from, to })}`)))
      },
    )

  addMindOptions(program.command('fork'), 'its Mind')
    .description('Another persona with the same past up to a moment.')
    .argument('<persona>', 'name or id')
    .option('--at <moment>', 'a position in its journal, or an instant; by default now')
    .option('--name <name>', 'what it is called')
    .action(
      async (asked: string, options: MindOptions & { at?: string; name?: string }, command: Command) => {
        const client = daemon(command)
        const { at, name } = options
        const body = { ...(at && { at }), ...(name && { name }), ...mindOf(options) }
        const made = await client.send<Forked>('POST', pathOf(await whose(client, asked), 'fork'), body)
        if (json(command)) return sayJson(made)
        say(`${made.persona.name}  ${made.persona.id}`)
        sayWords(made.recovery_phrase)
      },
    )

  program
    .command('undo')
    .description('Take back what one fact did, by new facts.')
    .argument('<persona>', 'name or id')
    .argument('<seq>', 'its position in the journal', Number)
    .action(async (asked: string, seq: number, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send<{ by: readonly number[]; note?: string }>(
        'POST',
        pathOf(await whose(client, asked), 'undo'),
        { seq },
      )
      if (json(command)) return sayJson(answer)
      say(`taken back by ${answer.by.join(', ')}${answer.note ? `\n${answer.note}` : ''}`)
    })

  program
    .command('erase')
    .description('Remove the words of facts from this machine for good.')
    .argument('<persona>', 'name or id')
    .argument('<seqs...>', 'positions in the journal')
    .option('--also', 'and what was made of the same words')
    .option('--diaries', 'and the diaries that hold them')
    .option('--forks', 'and in other personas of the same past')
    .option('--yes', 'without asking')
    .action(
      async (
        asked: string,
        seqs: string[],
        options: { also?: true; diaries?: true; forks?: true; yes?: true },
        command: Command,
      ) => {
        const client = daemon(command)
        const persona = await whose(client, asked)
        await confirmed(
          `The words of ${seqs.length} facts of ${persona.name} go for good. Type erase`,
          'erase',
          options.yes,
        )
        const { also = false, diaries = false, forks = false } = options
        const answer = await client.send<Erased>('POST', pathOf(persona, 'erase'), {
          seqs: seqs.map(Number),
          ...{ also, diaries, forks },
        })
        if (json(command)) return sayJson(answer)
        say(`erased: ${answer.erased.join(', ')}`)
        if (answer.also.length > 0)
          say(`${also ? 'erased with them' : 'left, made of the same words'}: ${answer.also.join(', ')}`)
        for (const day of answer.held_in)
          say(`${diaries ? 'removed' : 'still holds them'}: the diary of ${minuteOf(day)}`)
        for (const { id, name, outcome, reason } of answer.forks)
          say(
            `${harmless(name)} (${id}), of the same past: ${outcome}${reason === null ? '' : `, ${reason}`}`,
          )
      },
    )

  program
    .command('turn')
    .description('How a turn came to be: what was heard, called, learned and said, as JSON.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'of the turn')
    .option('--bodies', 'with every call to a model as it was sent and answered')
    .action(async (asked: string, id: string, { bodies }: { bodies?: true }, command: Command) => {
      const client = daemon(command)
      sayJson(
        await client.get(
          pathOf(await whose(client, asked), `turns/${encodeURIComponent(id)}${bodies ? '?bodies=1' : ''}`),
        ),
      )
    })
}

interface Forked {
  readonly persona: { readonly id: string; readonly name: string }
  readonly recovery_phrase: string
}

interface Erased {
  readonly erased: readonly number[]
  readonly also: readonly number[]
  readonly forks: readonly {
    readonly id: string
    readonly name: string
    readonly outcome: 'kept' | 'erased' | 'refused'
    readonly reason: string | null
  }[]
  readonly held_in: readonly string[]
}
