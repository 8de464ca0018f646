/** `journal`, `at`, `changes`, `fork`, `undo`, `erase`, `turn`: commands on the facts of a journal. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { confirm } from './confirm.ts'
import { toQuery } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { addMindOptions, type MindOptions, readMind } from './mind-options.ts'
import { applyStyle, harmless, printJson, printLine, printStyled, toMinute } from './printing.ts'
import { printRecoveryWords } from './recovery-words.ts'

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
    .description('List the facts of a persona, the oldest first.')
    .argument('<persona>', 'name or id')
    .option('--follow', 'wait for new facts')
    .option('--type <types>', 'only these types, separated by commas')
    .option('--after <seq>', 'only facts after this position')
    .option('--from <moment>', 'only facts from this instant on')
    .option('--to <moment>', 'only facts up to this instant')
    .option('--last <n>', 'only the last so many')
    .option('-q, --words <words>', 'only facts that contain these words')
    .action(async (ref: string, options: Readonly<Record<string, string | boolean>>, command: Command) => {
      const client = daemon(command)
      const { follow, type, after, from, to, last, words } = options as Readonly<
        Record<string, string | undefined>
      >
      const query = toQuery({
        type,
        after,
        from,
        to,
        last,
        q: words,
        follow: follow ? '1' : undefined,
      })
      for await (const line of client.lines(personaPath(await findPersona(client, ref), `journal${query}`))) {
        const fact = JSON.parse(line) as Fact
        if (json(command)) process.stdout.write(`${line}\n`)
        if (fact.damaged)
          throw new CommandFailed(
            `damaged from fact ${fact.damaged.seq} on: ${fact.damaged.reason}`,
            exitCodes.refused,
          )
        if (json(command)) continue
        const head = applyStyle('dim', `${String(fact.seq).padStart(7)}  ${toMinute(fact.at)}`)
        printStyled(`${head}  ${fact.type}  ${harmless(JSON.stringify(fact.payload))}`)
      }
    })

  program
    .command('at')
    .description('Print a persona at a moment of its past: its memories, plans and days, as JSON.')
    .argument('<persona>', 'name or id')
    .argument('<moment>', 'position in its journal, or an instant')
    .action(async (ref: string, moment: string, _options: object, command: Command) => {
      const client = daemon(command)
      printJson(
        await client.get(personaPath(await findPersona(client, ref), `history${toQuery({ at: moment })}`)),
      )
    })

  program
    .command('changes')
    .description('Print the differences between two moments, as JSON.')
    .argument('<persona>', 'name or id')
    .argument('<from>', 'position in its journal, or an instant')
    .argument('[to]', 'position or instant (default: now)')
    .action(async (ref: string, from: string, to: string | undefined, _options: object, command: Command) => {
      const client = daemon(command)
      printJson(
        await client.get(personaPath(await findPersona(client, ref), `changes${toQuery({ from, to })}`)),
      )
    })

  addMindOptions(program.command('fork'), 'its Mind')
    .description('Create another persona with the same past up to a moment.')
    .argument('<persona>', 'name or id')
    .option('--at <moment>', 'position in its journal, or an instant (default: now)')
    .option('--name <name>', 'its name')
    .action(async (ref: string, options: MindOptions & { at?: string; name?: string }, command: Command) => {
      const client = daemon(command)
      const { at, name } = options
      const body = { ...(at && { at }), ...(name && { name }), ...readMind(options) }
      const fork = await client.send<Forked>(
        'POST',
        personaPath(await findPersona(client, ref), 'fork'),
        body,
      )
      if (json(command)) return printJson(fork)
      printLine(`${fork.persona.name}  ${fork.persona.id}`)
      printRecoveryWords(fork.recovery_phrase)
    })

  program
    .command('undo')
    .description('Undo the effect of one fact by new facts.')
    .argument('<persona>', 'name or id')
    .argument('<seq>', 'position in the journal', Number)
    .action(async (ref: string, seq: number, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send<{ by: readonly number[]; note?: string }>(
        'POST',
        personaPath(await findPersona(client, ref), 'undo'),
        { seq },
      )
      if (json(command)) return printJson(answer)
      printLine(`undone by ${answer.by.join(', ')}${answer.note ? `\n${answer.note}` : ''}`)
    })

  program
    .command('erase')
    .description('Erase the text of facts from this machine permanently.')
    .argument('<persona>', 'name or id')
    .argument('<seqs...>', 'positions in the journal')
    .option('--also', 'also erase facts that were derived from them')
    .option('--diaries', 'also remove the diaries that contain the text')
    .option('--forks', 'also erase it in other personas with the same past')
    .option('--yes', 'without asking')
    .action(
      async (
        ref: string,
        seqs: string[],
        options: { also?: true; diaries?: true; forks?: true; yes?: true },
        command: Command,
      ) => {
        const client = daemon(command)
        const persona = await findPersona(client, ref)
        await confirm(
          `The text of ${seqs.length} facts of ${persona.name} will be erased permanently. Type erase`,
          'erase',
          options.yes,
        )
        const { also = false, diaries = false, forks = false } = options
        const answer = await client.send<Erased>('POST', personaPath(persona, 'erase'), {
          seqs: seqs.map(Number),
          also,
          diaries,
          forks,
        })
        if (json(command)) return printJson(answer)
        printLine(`erased: ${answer.erased.join(', ')}`)
        if (answer.also.length > 0)
          printLine(
            `${also ? 'erased, too' : 'not erased, but derived from the same text'}: ${answer.also.join(', ')}`,
          )
        for (const day of answer.held_in)
          printLine(`${diaries ? 'removed' : 'still contains the text'}: the diary of ${toMinute(day)}`)
        for (const { id, name, outcome, reason } of answer.forks)
          printLine(
            `${harmless(name)} (${id}), with the same past: ${outcome}${reason === null ? '' : `, ${reason}`}`,
          )
      },
    )

  program
    .command('turn')
    .description('Print a turn as JSON: its messages, calls, new knowledge and reply.')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the turn')
    .option('--bodies', 'include every model call as it was sent and answered')
    .action(async (ref: string, id: string, { bodies }: { bodies?: true }, command: Command) => {
      const client = daemon(command)
      printJson(
        await client.get(
          personaPath(
            await findPersona(client, ref),
            `turns/${encodeURIComponent(id)}${bodies ? '?bodies=1' : ''}`,
          ),
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
