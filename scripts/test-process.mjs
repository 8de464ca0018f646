/** Runs test files one after another in one process, seen from outside. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const insideScript = fileURLToPath(new URL('test-inside.mjs', import.meta.url))
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
  const child = spawn(process.execPath, [...flags, insideScript], options)
  const streams = { stdout: '', stderr: '', output: '' }
  let result
  let exit
  let finish = () => {}

  const addOutput = (name, text) => {
    streams[name] = (streams[name] + text).slice(-mostOutput)
  }
  const look = () => {
    if (exit || (result && streams.stdout.endsWith(mark) && streams.stderr.endsWith(mark))) finish()
  }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      addOutput(name, text)
      addOutput('output', text.replace(mark, ''))
      look()
    })
  }
  child.on('message', (message) => {
    result = message
    look()
  })

  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {} // the process group has already exited
  }
  // A process that a test left running would keep the pipes open.
  child.on('exit', () => setTimeout(kill, 200))
  const whenClosed = once(child, 'close').then(([code, signal]) => {
    exit = { code, signal }
    look()
  })

  /** Kills the process after `limit` ms. Resolves to true if it was killed. */
  const endsInTime = async (work) => {
    let hasTimedOut = false
    const timer = setTimeout(() => {
      hasTimedOut = true
      kill()
    }, limit)
    await work
    clearTimeout(timer)
    return hasTimedOut
  }

  return {
    /**
     * Runs a file and returns its output and result. The process has ended if there is a `signal` or no
     * result.
     */
    run: async (script) => {
      const startTime = performance.now()
      const startedCpuMs = readCpuMs(child.pid)
      Object.assign(streams, { stdout: '', stderr: '', output: '' })
      result = undefined
      const completion = new Promise((resolve) => {
        finish = resolve
      })
      child.send({ script }, () => {})
      look()
      const hasTimedOut = await endsInTime(completion)
      const ms = performance.now() - startTime
      const cpuMs = readCpuMs(child.pid) - startedCpuMs
      return {
        signal: null,
        changed: [],
        bytes: 0,
        ...(exit ?? result),
        gone: exit !== undefined,
        hung: hasTimedOut,
        ms,
        cpuMs,
        stdout: streams.stdout,
        output: streams.output.replaceAll(mark, ''),
      }
    },
    over: () => exit !== undefined || child.exitCode !== null || child.signalCode !== null,
    /**
     * Lets the process exit by itself. Resolves to a description of the problem if it does not exit cleanly.
     */
    end: async () => {
      child.send({}, () => {})
      if (await endsInTime(whenClosed)) return 'did not end'
      const { code, signal } = exit
      return signal ? `ended by ${signal}` : code ? `exit code ${code}` : undefined
    },
    kill,
  }
}

/** CPU time of a process and of its children that have ended, in ms. NaN if the system does not tell it. */
const readCpuMs = (pid) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    // utime, stime, cutime and cstime of proc(5), in hundredths of a second.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  } catch {
    return NaN
  }
}
