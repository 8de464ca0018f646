/**
 * Runs a command in a pseudo-terminal, types into it and reads its output. Uses Python or script; unavailable
 * without them.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { waitFor } from '../calls.ts'

export interface Terminal {
  /** All output so far, with escape sequences. */
  getOutput(): string
  /** Resolves when the pattern matches the output since the last call of `type`. */
  shows(pattern: RegExp): Promise<void>
  type(keys: string): void
  /** Exit code of the command. */
  readonly whenEnded: Promise<number | null>
  kill(): void
}

/** Copies between our pipes and the terminal until the command ends. */
const python = `import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))`

const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

const launchers: readonly {
  readonly testCommand: readonly string[]
  readonly wrapCommand: (command: readonly string[]) => readonly string[]
}[] = [
  {
    testCommand: ['python3', '-c', 'import pty'],
    wrapCommand: (command) => ['python3', '-c', python, ...command],
  },
  // Only the `script` of util-linux: others need a terminal to start.
  {
    testCommand: ['script', '--version'],
    wrapCommand: (command) => ['script', '-qec', command.map(quoteWord).join(' '), '/dev/null'],
  },
]

const launcher = launchers.find(({ testCommand: [name = '', ...args] }) => spawnSync(name, args).status === 0)

export const hasTerminal = launcher !== undefined

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export const atTerminal = (command: readonly string[], env: NodeJS.ProcessEnv): Terminal => {
  const [name = '', ...args] = launcher?.wrapCommand(command) ?? []
  const child = spawn(name, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  let output = ''
  let first = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const whenEnded = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      children.delete(child)
      resolve(code)
    }),
  )
  return {
    getOutput: () => output,
    shows: async (pattern) =>
      void (await waitFor(`${pattern}, not ${output.slice(first)}`, () => pattern.test(output.slice(first)))),
    type: (keys) => {
      first = output.length
      child.stdin.write(keys)
    },
    whenEnded,
    kill: () => void child.kill('SIGKILL'),
  }
}
