/** What stands in the environment: keys and tokens come from there, never from the command line. */
import { CommandFailed, exitCodes } from './exit-codes.ts'

export const variable = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new CommandFailed(`the environment has no variable ${name}`, exitCodes.usage)
  return value
}
