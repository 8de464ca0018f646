/** `markdown`: writes memory, instructions, plans and days as plain files, for grep and git. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import type { DaemonClient } from './daemon-client.ts'
import { findPersona, listPersonas, personaPath } from './find-persona.ts'
import { makeOutputFolder } from './output-folder.ts'
import { printJson, printLine, toMinute } from './printing.ts'

interface PastPersona {
  readonly memories: readonly {
    readonly document: string
    readonly text: string
    readonly forgotten: boolean
    readonly time: string
  }[]
  readonly instructions: readonly { readonly intention: string; readonly body: string }[]
  readonly calendar: Readonly<Record<'reminder' | 'schedule', readonly Entry[]>>
}

interface Day {
  readonly time: string
  readonly body: string
}

interface Entry {
  readonly time: string
  readonly body: string
  readonly recurrence: string | null
}

export const addMarkdownCommand: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('markdown')
    .description(
      'Write the memories and plans of personas as Markdown. Files without changes are not written.',
    )
    .argument('<folder>', 'where to')
    .option('--persona <persona>', 'only this persona, by name or id')
    .action(async (folder: string, { persona: ref }: { persona?: string }, command: Command) => {
      const client = daemon(command)
      const personas = ref === undefined ? await listPersonas(client) : [await findPersona(client, ref)]
      const lines: string[] = []
      for (const persona of personas) {
        const place = join(
          folder,
          fileName(persona.name, persona.id, personas.filter(({ name }) => name === persona.name).length > 1),
        )
        await makeOutputFolder(place)
        for (const [name, words] of Object.entries(await createPages(client, persona)))
          if (await writeChanged(join(place, name), words)) lines.push(join(place, name))
      }
      if (isJson(command)) return printJson({ written: lines })
      printLine(lines.length === 0 ? 'nothing has changed' : lines.join('\n'))
    })
}

const createPages = async (
  client: DaemonClient,
  persona: { readonly id: string; readonly name: string; readonly birthday: string },
) => {
  const now = encodeURIComponent(new Date().toISOString())
  const { memories, instructions, calendar } = await client.get<PastPersona>(
    personaPath(persona, `history?at=${now}`),
  )
  const all = `calendar?start=${persona.birthday}&end=${now}`
  const { history } = await client.get<{ history: { conversation: readonly Day[] } }>(
    personaPath(persona, all),
  )
  const days = history.conversation
  const documents = [...new Set(memories.map(({ document }) => document))].sort()
  const memoryPages = documents.map((document) =>
    section(
      document,
      memories
        .filter((memory) => memory.document === document && !memory.forgotten)
        .map(({ text }) => `- ${inLine(text)}`),
    ),
  )
  const plans = [...calendar.reminder, ...calendar.schedule]
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .map(
      ({ time, body, recurrence }) =>
        `- ${toMinute(time)}${recurrence ? ` (${recurrence})` : ''}: ${inLine(body)}`,
    )
  return {
    'memory.md': page(`What ${persona.name} knows`, memoryPages),
    'instructions.md': page(
      `Instructions of ${persona.name}`,
      instructions.map(({ intention, body }) => section(intention, [body])),
    ),
    'plans.md': page(`What ${persona.name} plans`, [plans.join('\n')]),
    'days.md': page(
      `Days of ${persona.name}`,
      days.map(({ time, body }) => section(time.slice(0, 10), [body])),
    ),
  }
}

const page = (title: string, sections: readonly string[]) =>
  `# ${inLine(title)}\n\n${sections.filter(Boolean).join('\n\n')}\n`
const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `## ${inLine(title)}\n\n${lines.join('\n')}`
const inLine = (words: string) => words.replace(/\s+/g, ' ').trim()

const fileName = (name: string, id: string, isNameShared: boolean) => {
  const plain = name
    .replace(/[^\p{Letter}\p{Number} _-]+/gu, '')
    .trim()
    .replace(/ +/g, '-')
  return plain === '' || isNameShared ? `${plain}${plain && '-'}${id}` : plain
}

const writeChanged = async (path: string, words: string): Promise<boolean> => {
  const textBefore = await readFile(path, 'utf8').catch(() => null)
  if (textBefore === words) return false
  await writeFile(path, words, { mode: 0o600 })
  return true
}
