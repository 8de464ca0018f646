/**
 * A command at a terminal that is none: typed to, read from, ended. By what the machine has, else not at all.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { until } from '../calls.ts'

export interface Terminal {
  /** All that stood on it so far, with the signs that steer a terminal. */
  shown(): string
  /** Resolves when it stands there, behind what was there when `type` was last called. */
  shows(words: RegExp): Promise<void>
  type(keys: string): void
  /** What the command ended with. */
  readonly ended: Promise<number | null>
  kill(): void
}

/** Ours to the terminal and back, until the command ends. */
const python = `import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))`

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const ways: readonly {
  readonly tried: readonly string[]
  readonly around: (command: readonly string[]) => readonly string[]
}[] = [
  { tried: ['python3', '-c', 'import pty'], around: (command) => ['python3', '-c', python, ...command] },
  // That of util-linux alone: others want a terminal to begin with.
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
      void (await until(`${words}, not ${shown.slice(from)}`, () => words.test(shown.slice(from)))),
    type: (keys) => {
      from = shown.length
      child.stdin.write(keys)
    },
    ended,
    kill: () => void child.kill('SIGKILL'),
  }
}
