/**
 * Runs a command in a pseudo-terminal, types into it and reads its output. Uses Python or script; unavailable
 * without them.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { waitFor } from '../calls.ts'

export interface Terminal {
  /** All output so far, with escape sequences. */
  shown(): string
  /** Resolves when the pattern matches the output since the last call of `type`. */
  shows(words: RegExp): Promise<void>
  type(keys: string): void
  /** Exit code of the command. */
  readonly ended: Promise<number | null>
  kill(): void
}

/** Copies between our pipes and the terminal until the command ends. */
const python = `import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))`

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const ways: readonly {
  readonly tried: readonly string[]
  readonly around: (command: readonly string[]) => readonly string[]
}[] = [
  { tried: ['python3', '-c', 'import pty'], around: (command) => ['python3', '-c', python, ...command] },
  // Only the `script` of util-linux: others need a terminal to start.
  {
    tried: ['script', '--version'],
    around: (command) => ['script', '-qec', command.map(quoted).join(' '), '/dev/null'],
  },
]

const way = ways.find(({ tried: [name = '', ...args] }) => spawnSync(name, args).status === 0)

export const hasTerminal = way !== undefined

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export const atTerminal = (command: readonly string[], env: NodeJS.ProcessEnv): Terminal => {
  const [name = '', ...args] = way?.around(command) ?? []
  const child = spawn(name, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  let shown = ''
  let from = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      children.delete(child)
      resolve(code)
    }),
  )
  return {
    shown: () => shown,
    shows: async (words) =>
      void (await waitFor(`${words}, not ${shown.slice(from)}`, () => words.test(shown.slice(from)))),
    type: (keys) => {
      from = shown.length
      child.stdin.write(keys)
    },
    ended,
    kill: () => void child.kill('SIGKILL'),
  }
}
