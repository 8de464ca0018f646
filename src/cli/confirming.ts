/** Asking before what cannot be taken back. */
import { createInterface } from 'node:readline/promises'
import { CommandFailed, exitCodes } from './exit-codes.ts'

/** Goes on where the person types exactly `wanted`, or has said `--yes`. */
export const confirmed = async (
  question: string,
  wanted: string,
  yes: boolean | undefined,
): Promise<void> => {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandFailed('nobody is here to ask: say --yes', exitCodes.usage)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${question}: `)
  lines.close()
  if (answer.trim() !== wanted) throw new CommandFailed('left as it is', exitCodes.refused)
}
