/** The `daimon` command. */
import { Command } from 'commander'
import { isOutOfFiles, openFileLimit, outOfFilesTold, tooFewTold } from './files/open-files.ts'
import { version } from './version.ts'

const endWith = (line: string): never => {
  process.stderr.write(`daimon: ${line}\n`)
  process.exit(1)
}

const program = new Command('daimon')
  .description('A local daemon that hosts persistent AI personas.')
  .version(version)
  .option('--port <n>', 'the port to listen on (over WEB_PORT, over 5370)')
  .allowExcessArguments(false)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(async ({ port }: { port?: string }) => {
    // Before the rest is loaded, which opens more than that.
    const few = tooFewTold(await openFileLimit())
    if (few !== undefined) endWith(few)
    const { serve } = await import('./cli/serve.ts')
    await serve({ port })
  })

program
  .command('verify')
  .description('Recompute the chain of a journal, or of all. No daemon may run.')
  .argument('[id]', 'whose journal')
  .action(async (id?: string) => {
    const { verify } = await import('./cli/verify-command.ts')
    await verify(id)
  })

program
  .command('salvage')
  .description('Copy a damaged journal and go on with what of it verifies. No daemon may run.')
  .argument('<id>', 'whose journal')
  .action(async (id: string) => {
    const { salvage } = await import('./cli/salvage-command.ts')
    await salvage(id)
  })

try {
  await program.parseAsync()
} catch (error) {
  if (!isOutOfFiles(error)) throw error
  endWith(outOfFilesTold)
}
