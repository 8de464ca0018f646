/** `portrait`: chooses, draws, saves or removes the picture of a persona. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { AddCommand } from './command.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { findPersona, personaPath } from './find-persona.ts'
import { printJson, printLine } from './printing.ts'

export const addPortraitCommand: AddCommand = (program, { daemon, isJson }) => {
  program
    .command('portrait')
    .description('Choose the portrait of a persona: a PNG, JPEG, WebP or GIF of at most 5 MB.')
    .argument('<persona>', 'name or id')
    .argument('[file]', 'the picture')
    .option('--save <path>', 'save the current portrait to a new file')
    .option('--remove', 'remove the portrait. The journal keeps it, and undo restores it')
    .action(
      async (
        ref: string,
        file: string | undefined,
        { save, remove }: { readonly save?: string; readonly remove?: true },
        command: Command,
      ) => {
        if ([file, save, remove].filter((value) => value !== undefined).length !== 1)
          throw new CommandFailed('give a file, --save or --remove', exitCodes.usage)
        const client = daemon(command)
        const path = personaPath(await findPersona(client, ref), 'portrait')
        if (save !== undefined) {
          await pipeline(await client.bytes(path), createWriteStream(save, { flags: 'wx' }))
          return printLine(`saved to ${save}`)
        }
        if (remove) {
          await client.send('DELETE', path)
          return isJson(command) ? printJson(null) : printLine('removed')
        }
        const answer = await client.upload(path, {
          method: 'PUT',
          file: { field: 'portrait', path: file ?? '' },
          fields: {},
        })
        if (isJson(command)) return printJson(answer)
        printLine('changed')
      },
    )
}
