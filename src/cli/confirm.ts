/** Asks for confirmation before an action that cannot be undone. */
import { createInterface } from 'node:readline/promises'
import { CommandFailed, exitCodes } from './exit-codes.ts'

/** Returns true if the user typed exactly `expected` or passed `--yes`. */
export const confirm = async (
  question: string,
  expectedAnswer: string,
  isConfirmed: boolean | undefined,
): Promise<void> => {
  if (isConfirmed) return
  if (!process.stdin.isTTY)
    throw new CommandFailed('cannot ask for confirmation without a terminal: add --yes', exitCodes.usage)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(`${question}: `)
  lines.close()
  if (answer.trim() !== expectedAnswer) throw new CommandFailed('not changed', exitCodes.refused)
}
