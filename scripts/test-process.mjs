/** A process in which test files run, one after another, from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const inside = fileURLToPath(new URL('test-inside.mjs', import.meta.url))
const mostOutput = 8 * 1024 * 1024
const mark = '\0'
/**
 * A test runs most of what it runs a few times only: optimizing that costs more than it brings. With this
 * budget of bytecode, 60 times the usual, the contract's files take 166 s of processor time instead of 220.
 */
const flags = ['--interrupt-budget=8000000']

/**
 * Begins at once. One file may take `limit` milliseconds, and as many more until the process ends when it is
 * told to.
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
    } catch {} // the whole group is gone already
  }
  // A process that a test left behind would hold the pipes open.
  child.on('exit', () => setTimeout(kill, 200))
  const gone = once(child, 'close').then(([code, signal]) => {
    ended = { code, signal }
    look()
  })

  /** Whether it was killed because it took too long. */
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
     * All that the file said, and how it ended: with the process when there is a `signal`, or nothing else is
     * told.
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
    /** Lets it end by itself, and resolves with what is wrong about its end, if anything is. */
    end: async () => {
      child.send({}, () => {})
      if (await within(gone)) return 'did not end'
      const { code, signal } = ended
      return signal ? `ended by ${signal}` : code ? `exit code ${code}` : undefined
    },
    kill,
  }
}
