/** Reads an environment variable. Keys and tokens come from there, never from the command line. */
import { CommandFailed, exitCodes } from './exit-codes.ts'

export const requireEnv = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new CommandFailed(`the environment variable ${name} is not set`, exitCodes.usage)
  return value
}
