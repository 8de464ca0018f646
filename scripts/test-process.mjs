/** Runs test files one after another in one process, seen from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const inside = fileURLToPath(new URL('test-inside.mjs', import.meta.url))
const mostOutput = 8 * 1024 * 1024
const mark = '\0'
/**
 * Tests run most code only a few times, so optimizing it costs more than it saves. With this bytecode budget,
 * 60 times the default, the contract's files take 166 s of CPU time instead of 220 s.
 */
const flags = ['--interrupt-budget=8000000']

/**
 * Starts immediately. One file may take `limit` ms, and the process may take as long to exit when asked to.
 */
export const openProcess = ({ cwd, env, limit }) => {
  const options = { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }
  const child = spawn(process.execPath, [...flags, inside], options)
  const said = { stdout: '', stderr: '', output: '' }
  let told
  let ended
  let finish = () => {}

  const keep = (name, text) => {
    said[name] = (said[name] + text).slice(-mostOutput)
  }
  const look = () => {
    if (ended || (told && said.stdout.endsWith(mark) && said.stderr.endsWith(mark))) finish()
  }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      keep(name, text)
      keep('output', text.replace(mark, ''))
      look()
    })
  }
  child.on('message', (message) => {
    told = message
    look()
  })

  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {} // the process group has already exited
  }
  // A process that a test left running would keep the pipes open.
  child.on('exit', () => setTimeout(kill, 200))
  const gone = once(child, 'close').then(([code, signal]) => {
    ended = { code, signal }
    look()
  })

  /** Kills the process after `limit` ms. Resolves to true if it was killed. */
  const within = async (work) => {
    let hung = false
    const timer = setTimeout(() => {
      hung = true
      kill()
    }, limit)
    await work
    clearTimeout(timer)
    return hung
  }

  return {
    /**
     * Runs a file and returns its output and result. The process has ended if there is a `signal` or no
     * result.
     */
    run: async (script) => {
      const started = performance.now()
      Object.assign(said, { stdout: '', stderr: '', output: '' })
      told = undefined
      const finished = new Promise((done) => {
        finish = done
      })
      child.send({ script }, () => {})
      look()
      const hung = await within(finished)
      const ms = performance.now() - started
      return {
        signal: null,
        changed: [],
        bytes: 0,
        ...(ended ?? told),
        gone: ended !== undefined,
        hung,
        ms,
        stdout: said.stdout,
        output: said.output.replaceAll(mark, ''),
      }
    },
    over: () => ended !== undefined || child.exitCode !== null || child.signalCode !== null,
    /**
     * Lets the process exit by itself. Resolves to a description of the problem if it does not exit cleanly.
     */
    end: async () => {
      child.send({}, () => {})
      if (await within(gone)) return 'did not end'
      const { code, signal } = ended
      return signal ? `ended by ${signal}` : code ? `exit code ${code}` : undefined
    },
    kill,
  }
}
