/** The `daimon` command. */
import {
  describeLowLimit,
  isOutOfFiles,
  openFileLimit,
  outOfFilesMessage,
} from '../packages/kit/files/open-files.ts'
import { writeStandard } from '../packages/kit/files/standard-streams.ts'

const start = async (port: string | undefined): Promise<void> => {
  // Checked first, because loading the rest already opens more files.
  const fileLimitError = describeLowLimit(await openFileLimit())
  if (fileLimitError !== undefined) endWith(fileLimitError)
  const { serve } = await import('./cli/serve.ts')
  await serve({ port })
}

const endWith = (line: string): never => {
  writeStandard(2, `daimon: ${line}\n`)
  process.exit(1)
}

const run = async (): Promise<void> => {
  const [flag, port = '', ...rest] = process.argv.slice(2)
  // The usual starts skip the command line library, which takes as long to load as the daemon's own code.
  if (flag === undefined) return start(undefined)
  if (flag === '--port' && /^\d+$/.test(port) && rest.length === 0) return start(port)
  const { readCommandLine } = await import('./cli/command-table.ts')
  await readCommandLine(start)
}

run().catch((error: unknown) => {
  if (!isOutOfFiles(error)) throw error
  endWith(outOfFilesMessage)
})
