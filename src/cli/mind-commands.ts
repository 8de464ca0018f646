/** `memories`, `calendar` and `search`: what a persona knows and plans. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { queryOf } from './daemon-client.ts'
import { minuteOf, say, sayJson, sayStyled, styled, table } from './printing.ts'
import { pathOf, whose } from './whose.ts'

interface Memory {
  readonly id: string
  readonly document: string
  readonly text: string
  readonly forgotten: boolean
}

interface Entry {
  readonly id: string
  readonly body: string
  readonly time: string
  readonly recurrence: string | null
}

interface Calendar {
  readonly destiny: { readonly reminder: readonly Entry[]; readonly schedule: readonly Entry[] }
}

interface Found {
  readonly id: number
  readonly kind: string
  readonly role: string | null
  readonly text: string
  readonly time: string
}

export const addMindCommands: AddCommand = (program, { daemon, json }) => {
  const memories = program
    .command('memories')
    .description('What a persona believes: list, add, correct, forget, restore.')

  memories
    .command('list', { isDefault: true })
    .argument('<persona>', 'name or id')
    .option('--forgotten', 'those it has forgotten, too')
    .action(async (asked: string, { forgotten }: { forgotten?: true }, command: Command) => {
      const client = daemon(command)
      const answer = await client.get<{ memories: readonly Memory[] }>(
        pathOf(await whose(client, asked), 'memories'),
      )
      if (json(command)) return sayJson(answer)
      const shown = answer.memories.filter((one) => forgotten || !one.forgotten)
      say(
        table(
          shown.map((one) => [one.document, one.id, one.forgotten ? `(forgotten) ${one.text}` : one.text]),
        ),
      )
    })

  memories
    .command('add')
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

  const calendar = program.command('calendar').description('What is planned: list, add, move, cancel.')

  calendar
    .command('list', { isDefault: true })
    .argument('<persona>', 'name or id')
    .option('--from <date>', 'as 2026-11-23; by default today')
    .option('--to <date>', 'the first day no more; by default in 90 days')
    .action(async (asked: string, { from, to }: { from?: string; to?: string }, command: Command) => {
      const client = daemon(command)
      const path = pathOf(
        await whose(client, asked),
        `calendar${queryOf({ start: from ?? dayFrom(0), end: to ?? dayFrom(90) })}`,
      )
      const answer = await client.get<Calendar>(path)
      if (json(command)) return sayJson(answer)
      const { reminder, schedule } = answer.destiny
      const all = [...reminder, ...schedule].sort((a, b) => (a.time < b.time ? -1 : 1))
      say(
        all.length === 0
          ? 'nothing is planned'
          : table(all.map((one) => [minuteOf(one.time), one.recurrence ?? '', one.id, one.body])),
      )
    })

  calendar
    .command('add')
    .argument('<persona>', 'name or id')
    .argument('<when>', 'as 2026-11-24T18:00')
    .argument('<words...>', 'what it is about')
    .option('--event', 'something that takes place, instead of a reminder')
    .option('--every <span>', 'hourly, daily, weekly, monthly or yearly')
    .action(
      async (
        asked: string,
        when: string,
        words: string[],
        options: { event?: true; every?: string },
        command: Command,
      ) => {
        const client = daemon(command)
        const kind = options.event ? 'schedule' : 'reminder'
        const body = {
          kind,
          when,
          content: words.join(' '),
          ...(options.every && { recurrence: options.every }),
        }
        const entry = await client.send<Entry>('POST', pathOf(await whose(client, asked), 'calendar'), body)
        if (json(command)) return sayJson(entry)
        say(`${entry.id}  ${minuteOf(entry.time)}`)
      },
    )

  calendar
    .command('move')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'of the entry')
    .argument('<when>', 'as 2026-11-24T18:00')
    .action(async (asked: string, id: string, when: string, _options: object, command: Command) => {
      const client = daemon(command)
      const path = pathOf(await whose(client, asked), `calendar/${encodeURIComponent(id)}`)
      const entry = await client.send<Entry>('PATCH', path, { when })
      if (json(command)) return sayJson(entry)
      say(minuteOf(entry.time))
    })

  calendar
    .command('cancel')
    .argument('<persona>', 'name or id')
    .argument('<id>', 'of the entry')
    .action(async (asked: string, id: string, _options: object, command: Command) => {
      const client = daemon(command)
      const answer = await client.send(
        'DELETE',
        pathOf(await whose(client, asked), `calendar/${encodeURIComponent(id)}`),
      )
      if (json(command)) return sayJson(answer)
      say('cancelled')
    })

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
      for (const { id, kind, role, text, time } of answer.found) {
        sayStyled(`${styled('dim', `${minuteOf(time)}  ${id}  ${role ?? kind}`)}`)
        say(`  ${text.replaceAll('\n', '\n  ')}`)
      }
    })
}

const dayFrom = (days: number): string => {
  const now = new Date()
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12)
  return day.toLocaleDateString('sv')
}
