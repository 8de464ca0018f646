/** Reads a password, which must not be an argument because other users can read command lines. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { requireEnv } from './require-env.ts'

/** From the environment if a variable is named, else from standard input. A terminal shows nothing. */
export const readPassword = async (variable: string | undefined): Promise<string> => {
  if (variable !== undefined) return requireEnv(variable)
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim()
  process.stderr.write('Password: ')
  const hidden = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true })
  const password = await lines.question('')
  lines.close()
  process.stderr.write('\n')
  return password
}
