/** `memories`, `knowledge` and `search`: what a persona knows. */
import type { Command } from 'commander'
import type { AddCommand, CommandMeans } from './command.ts'
import { queryOf } from './daemon-client.ts'
import { harmless, minuteOf, say, sayJson, sayRows, sayStyled, styled } from './printing.ts'
import { pathOf, whose } from './whose.ts'

interface Memory {
  readonly id: string
  readonly document: string
  readonly text: string
  readonly forgotten: boolean
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

interface Found {
  readonly id: number
  readonly kind: string
  readonly role: string | null
  readonly text: string
  readonly time: string
}

export const addMemoryCommands: AddCommand = (program, means) => {
  const memories = program
    .command('memories')
    .description('What a persona believes: list, add, correct, forget, restore, accept, decline.')
  addStatements(memories, means)
  addChanges(memories, means)
  addKnowledge(program, means)
  addSearch(program, means)
}

const addStatements = (memories: Command, { daemon, json }: CommandMeans): void => {
  memories
    .command('list', { isDefault: true })
    .description('Statement by statement; and what programs propose to be known.')
    .argument('<persona>', 'name or id')
    .option('--forgotten', 'those it has forgotten, too')
    .option('--source <seq>', 'only what it has from this fact of its journal')
    .action(async (asked: string, options: { forgotten?: true; source?: string }, command: Command) => {
      const client = daemon(command)
      const { forgotten, source } = options
      const answer = await client.get<{
        memories: readonly Memory[]
        proposed: readonly Proposal[]
      }>(pathOf(await whose(client, asked), `memories${queryOf({ source })}`))
      if (json(command)) return sayJson(answer)
      const shown = answer.memories.filter((one) => forgotten || !one.forgotten)
      const known = shown.map((one) => [
        one.document,
        one.id,
        one.forgotten ? `(forgotten) ${one.text}` : one.text,
      ])
      const proposed = answer.proposed.map((one) => [
        one.document,
        one.id,
        `(proposed by ${one.by ?? 'a program'}) ${one.text}`,
      ])
      sayRows([...known, ...proposed], 'nothing yet')
    })

  memories
    .command('add')
    .description('Write down what it is to know.')
    .argument('<persona>', 'name or id')
    .argument('<document>', 'person, traits, persona-trait, wishes, struggles or permissions')
    .argument('<words...>', 'what it is to believe')
    .action(async (asked: string, document: string, words: string[], _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), 'memories')
      const kept = await client.send<Memory>('POST', path, { document, text: words.join(' ') })
      if (json(command)) return sayJson(kept)
      say(kept.id)
    })
}

const addChanges = (memories: Command, { daemon, json }: CommandMeans): void => {
  const change = (name: string, told: string, bodyOf: (words: string) => object, takesWords: boolean) => {
    const made = memories
      .command(name)
      .description(told)
      .argument('<persona>', 'name or id')
      .argument('<id>', 'of the statement')
    if (takesWords) made.argument('<words...>', 'what is true')
    made.action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command
      const [asked, id, words] = given as [string, string, readonly string[]]
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `memories/${encodeURIComponent(id)}`)
      const answer = await client.send('PATCH', path, bodyOf(takesWords ? words.join(' ') : ''))
      if (json(command)) return sayJson(answer)
      say('done')
    })
  }
  change('correct', 'Say what is true instead.', (text) => ({ text }), true)
  change('forget', 'Let it forget a statement; it can be restored.', () => ({ forgotten: true }), false)
  change('restore', 'Bring a forgotten statement back.', () => ({ forgotten: false }), false)

  for (const [name, told, accepted] of settled)
    memories
      .command(name)
      .description(told)
      .argument('<persona>', 'name or id')
      .argument('<id>', 'of what was proposed')
      .action(async (asked: string, id: string, _options: object, command: Command) => {
        const client = daemon(command)
        const path = pathOf(await whose(client, asked), `proposals/${encodeURIComponent(id)}`)
        const answer = await client.send('PATCH', path, { accepted })
        if (json(command)) return sayJson(answer)
        say('done')
      })
}

const settled = [
  ['accept', 'Let what a program proposed be known.', true],
  ['decline', 'Let what a program proposed be gone.', false],
] as const

const addKnowledge = (program: Command, { daemon, json }: CommandMeans): void => {
  program
    .command('knowledge')
    .description('All that a persona knows, as documents, and how it handles kinds of moments.')
    .argument('<persona>', 'name or id')
    .action(async (asked: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<Knowledge>(pathOf(await whose(client, asked), 'knowledge'))
      if (json(command)) return sayJson(answer)
      for (const [document, words] of Object.entries(answer.memory)) sayPart(document, words)
      for (const { intention, body } of answer.instruction) sayPart(intention, body)
    })
}

const sayPart = (title: string, words: string): void => {
  sayStyled(styled('bold', harmless(title)))
  say(`${words.trim()}\n`)
}

const addSearch = (program: Command, { daemon, json }: CommandMeans): void => {
  program
    .command('search')
    .description('Find words in everything said, shown, learned and planned.')
    .argument('<persona>', 'name or id')
    .argument('<words...>', 'what is looked for')
    .option('--limit <n>', 'at most so many', '20')
    .action(async (asked: string, words: string[], { limit }: { limit: string }, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `search${queryOf({ q: words.join(' '), limit })}`)
      const answer = await client.get<{ found: readonly Found[] }>(path)
      if (json(command)) return sayJson(answer)
      if (answer.found.length === 0) return say('nothing found')
      for (const { id, kind, role, text, time } of answer.found) {
        sayStyled(`${styled('dim', `${minuteOf(time)}  ${id}  ${role ?? kind}`)}`)
        say(`  ${text.replaceAll('\n', '\n  ')}`)
      }
    })
}
