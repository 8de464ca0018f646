/** `feed`: imports conversations that another program exported. */
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine, printRows, toMinute } from './printing.ts'
import { readPhrase } from './recovery-words.ts'
import { withProgress } from './work-progress.ts'

interface Conversation {
  readonly title: string
  readonly messages: number
  readonly time: string | null
  readonly known: boolean
}

export const addImportCommand: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('feed')
    .description('Import an exported chat history.')
    .argument('<persona>', 'name or id')
    .argument('<file>', 'the export')
    .requiredOption('--source <name>', 'AI that exported it: chatgpt, grok, sillytavern, …')
    .option('--preview', 'only list its conversations')
    .option('--me <name>', 'your name in chats between people, if the file does not contain it')
    .action(
      async (
        ref: string,
        file: string,
        { source, preview, me }: { source: string; preview?: true; me?: string },
        command: Command,
      ) => {
        const client = daemon(command)
        const persona = await findPersona(client, ref)
        const phrase = file.endsWith('.diary') ? { phrase: await readPhrase() } : {}
        const form = {
          file: { field: 'history', path: file },
          fields: { source, ...phrase, ...(me === undefined ? {} : { me }) },
        }
        const path = personaPath(persona, preview ? 'feed?preview=1' : 'feed')
        const answer = await withProgress(client, 'sending', (onProgress) =>
          client.upload<{ conversations?: readonly Conversation[]; detail?: string }>(path, form, onProgress),
        )
        if (isJson(command)) return printJson(answer)
        const { detail, conversations } = answer
        if (detail) printLine(detail)
        if (!conversations) return detail ? undefined : printLine(`${persona.name} has imported it`)
        if (conversations.length === 0 && detail) return
        printRows(
          conversations.map((conversation) => [
            conversation.time === null ? '' : toMinute(conversation.time),
            String(conversation.messages),
            conversation.known ? 'known' : 'new',
            conversation.title,
          ]),
          'there is no conversation in it',
        )
      },
    )
}
