/**
 * Makes the n-th file call of Node below a home fail. Only for tests that run alone: it replaces Node's file
 * calls. LevelDB does not use them.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

export interface FailingFunction {
  /** The call that failed, for example `rename journal.next`. */
  readonly failedCall: string | null
  /** Number of calls so far. */
  readonly calls: number
  end(): void
}

const paths = [
  'open',
  'rename',
  'mkdir',
  'rm',
  'link',
  'copyFile',
  'writeFile',
  'readFile',
  'readdir',
  'stat',
  'cp',
] as const
const ofFiles = ['writeFile', 'sync'] as const

export const failOnce = (home: string, nth: number, code: string): FailingFunction => {
  const real = { ...fs.promises }
  let calls = 0
  let failedCall: string | null = null
  const meet = (callName: string, path: unknown) => {
    if (typeof path !== 'string' || !path.startsWith(home)) return
    if (++calls !== nth) return
    failedCall = `${callName} ${basename(path)}`
    throw Object.assign(new Error(`${code}: simulated, ${callName} '${path}'`), { code, syscall: callName })
  }
  for (const name of paths) {
    const call = real[name] as (...args: unknown[]) => Promise<unknown>
    const failCall = async (...args: unknown[]) => {
      meet(name, args[0])
      const result = await call(...args)
      if (name !== 'open') return result
      const file = result as Record<string, (...args: unknown[]) => Promise<unknown>>
      for (const method of ofFiles) {
        const act = file[method]
        file[method] = async (...rest) => {
          meet(method, args[0])
          return act?.apply(file, rest)
        }
      }
      return file
    }
    Object.assign(fs.promises, { [name]: failCall })
  }
  syncBuiltinESMExports()
  return {
    get failedCall() {
      return failedCall
    },
    get calls() {
      return calls
    },
    end: () => {
      Object.assign(fs.promises, real)
      syncBuiltinESMExports()
    },
  }
}
