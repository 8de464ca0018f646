/** `memories`, `knowledge` and `search`: the memory of a persona. */
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { toQuery } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { applyStyle, harmless, printJson, printLine, printRows, printStyled, toMinute } from './printing.ts'

interface Memory {
  readonly id: string
  readonly document: string
  readonly text: string
  readonly from: string | null
  readonly until: string | null
  readonly pinned: boolean
  readonly forgotten: boolean
  readonly merged_into: string | null
}

interface Proposal {
  readonly id: string
  readonly document: string
  readonly text: string
  readonly by: string | null
}

interface Knowledge {
  readonly memory: Readonly<Record<string, string>>
  readonly instruction: readonly { readonly intention: string; readonly body: string }[]
}

interface FoundEntry {
  readonly id: number
  readonly kind: string
  readonly role: string | null
  readonly text: string
  readonly time: string
}

export const addMemoryCommands: AddCommand = (program, means) => {
  const memories = program
    .command('memories')
    .description(
      'Statements in the memory of a persona: list, add, correct, date, pin, unpin, forget, restore, accept, decline.',
    )
  addStatements(memories, means)
  addChanges(memories, means)
  addKnowledge(program, means)
  addSearch(program, means)
}

const addStatements = (memories: Command, { daemon, isJson }: CommandMeans): void => {
  memories
    .command('list', { isDefault: true })
    .description('List the statements, and the proposals of programs.')
    .argument('<persona>', 'name or id')
    .option('--forgotten', 'include forgotten statements')
    .option('--source <seq>', 'only statements with this fact of the journal as a source')
    .action(async (ref: string, options: { forgotten?: true; source?: string }, command: Command) => {
      const client = daemon(command)
      const { forgotten, source } = options
      const answer = await client.get<{
        memories: readonly Memory[]
        proposed: readonly Proposal[]
      }>(personaPath(await findPersona(client, ref), `memories${toQuery({ source })}`))
      if (isJson(command)) return printJson(answer)
      const memories = answer.memories.filter((memory) => forgotten || !memory.forgotten)
      const rows = memories.map((memory) => [memory.document, memory.id, formatMemory(memory)])
      const proposalRows = answer.proposed.map((proposal) => [
        proposal.document,
        proposal.id,
        `(proposed by ${proposal.by ?? 'a program'}) ${proposal.text}`,
      ])
      printRows([...rows, ...proposalRows], 'nothing yet')
    })

  memories
    .command('add')
    .description('Add a statement to its memory.')
    .argument('<persona>', 'name or id')
    .argument('<document>', 'person, traits, persona-trait, wishes, struggles, permissions or self')
    .argument('<words...>', 'text of the statement')
    .action(async (ref: string, document: string, words: string[], _options: object, command: Command) => {
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), 'memories')
      const memory = await client.send<Memory>('POST', path, { document, text: words.join(' ') })
      if (isJson(command)) return printJson(memory)
      printLine(memory.id)
    })
}

const formatMemory = ({ text, from, until, pinned, forgotten, merged_into: intoId }: Memory): string => {
  const states = [
    ...(pinned ? ['pinned'] : []),
    ...(intoId === null ? [] : [`merged into ${intoId}`]),
    ...(forgotten && intoId === null ? ['forgotten'] : []),
  ]
  const dates = [...(from ? [`from ${from}`] : []), ...(until ? [`until ${until}`] : [])]
  return [...states.map((state) => `(${state})`), text, ...dates.map((date) => `(${date})`)].join(' ')
}

const addChanges = (memories: Command, { daemon, isJson }: CommandMeans): void => {
  const change = (
    name: string,
    description: string,
    toBody: (words: string) => object,
    hasWords: boolean,
  ) => {
    const subcommand = memories
      .command(name)
      .description(description)
      .argument('<persona>', 'name or id')
      .argument('<id>', 'id of the statement')
    if (hasWords) subcommand.argument('<words...>', 'the correct text')
    subcommand.action(async (...args: unknown[]) => {
      const command = args.at(-1) as Command
      const [ref, id, words] = args as [string, string, readonly string[]]
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `memories/${encodeURIComponent(id)}`)
      const answer = await client.send('PATCH', path, toBody(hasWords ? words.join(' ') : ''))
      if (isJson(command)) return printJson(answer)
      printLine('done')
    })
  }
  change('correct', 'Correct a statement.', (text) => ({ text }), true)
  change(
    'pin',
    'Make a statement part of every prompt. At most 30 are pinned.',
    () => ({ pinned: true }),
    false,
  )
  change('unpin', 'End the pin of a statement.', () => ({ pinned: false }), false)
  change('forget', 'Forget a statement. It can be restored.', () => ({ forgotten: true }), false)
  change('restore', 'Restore a forgotten statement.', () => ({ forgotten: false }), false)

  memories
    .command('date')
    .description(
      'Set when a statement begins or ends to be true: 2027, 2027-03 or 2027-03-31. "" removes it.',
    )
    .argument('<persona>', 'name or id')
    .argument('<id>', 'id of the statement')
    .option('--from <date>', 'begin')
    .option('--until <date>', 'end')
    .action(async (ref: string, id: string, period: { from?: string; until?: string }, command: Command) => {
      if (period.from === undefined && period.until === undefined)
        throw new CommandFailed('--from or --until is required', exitCodes.usage)
      const client = daemon(command)
      const path = personaPath(await findPersona(client, ref), `memories/${encodeURIComponent(id)}`)
      const answer = await client.send<Memory>('PATCH', path, period)
      if (isJson(command)) return printJson(answer)
      printLine(formatMemory(answer))
    })

  for (const [name, description, isAccepted] of settleCommands)
    memories
      .command(name)
      .description(description)
      .argument('<persona>', 'name or id')
      .argument('<id>', 'id of the proposal')
      .action(async (ref: string, id: string, _options: object, command: Command) => {
        const client = daemon(command)
        const path = personaPath(await findPersona(client, ref), `proposals/${encodeURIComponent(id)}`)
        const answer = await client.send('PATCH', path, { accepted: isAccepted })
        if (isJson(command)) return printJson(answer)
        printLine('done')
      })
}

const settleCommands = [
  ['accept', 'Accept the proposal of a program.', true],
  ['decline', 'Decline the proposal of a program.', false],
] as const

const addKnowledge = (program: Command, { daemon, isJson }: CommandMeans): void => {
  program
    .command('knowledge')
    .description('Print the memory of a persona as documents, and its instructions.')
    .argument('<persona>', 'name or id')
    .action(async (ref: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Knowledge>(personaPath(await findPersona(client, ref), 'knowledge'))
      if (isJson(command)) return printJson(answer)
      for (const [document, words] of Object.entries(answer.memory)) sayPart(document, words)
      for (const { intention, body } of answer.instruction) sayPart(intention, body)
    })
}

const sayPart = (title: string, words: string): void => {
  printStyled(applyStyle('bold', harmless(title)))
  printLine(`${words.trim()}\n`)
}

const addSearch = (program: Command, { daemon, isJson }: CommandMeans): void => {
  program
    .command('search')
    .description('Search messages, files, memories and plans.')
    .argument('<persona>', 'name or id')
    .argument('<words...>', 'words to search for')
    .option('--limit <n>', 'max number of results', '20')
    .action(async (ref: string, words: string[], { limit }: { limit: string }, command: Command) => {
      const client = daemon(command)
      const path = personaPath(
        await findPersona(client, ref),
        `search${toQuery({ q: words.join(' '), limit })}`,
      )
      const answer = await client.get<{ found: readonly FoundEntry[] }>(path)
      if (isJson(command)) return printJson(answer)
      if (answer.found.length === 0) return printLine('nothing found')
      for (const { id, kind, role, text, time } of answer.found) {
        printStyled(`${applyStyle('dim', `${toMinute(time)}  ${id}  ${role ?? kind}`)}`)
        printLine(`  ${text.replaceAll('\n', '\n  ')}`)
      }
    })
}
