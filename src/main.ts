/** The `daimon` command. */
import { Command } from 'commander'
import { version } from './version.ts'

const program = new Command('daimon')
  .description('A local daemon that hosts persistent AI personas.')
  .version(version)
  .option('--port <n>', 'the port to listen on (over WEB_PORT, over 5370)')
  .allowExcessArguments(false)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(async ({ port }: { port?: string }) => {
    const { serve } = await import('./cli/serve.ts')
    await serve({ port })
  })

await program.parseAsync()
