/**
 * Copies a home before every step that changes it, as a kill there would leave it. Only for tests that run
 * alone: it replaces Node's file calls.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

export interface Photograph {
  /** The next step, for example `rename journal.next`. */
  readonly step: string
  /** The home as a process that is killed there leaves it: all written bytes stay, synced or not. */
  readonly home: string
}

/** Copies the home before each selected call that changes it. */
export const photograph = (home: string, isWanted: (step: string, n: number) => boolean) => {
  const real = { ...fs.promises }
  const shots: Photograph[] = []
  let steps = 0
  const recordStep = (callName: string, path: unknown) => {
    if (typeof path !== 'string' || !path.startsWith(home)) return
    const step = `${callName} ${basename(path)}`
    if (isWanted(step, steps++))
      shots.push({ step: `${steps}: ${step}`, home: copyHome(home, `${home}-at-${steps}`) })
  }
  const open: typeof real.open = async (path, flags, ...rest) => {
    if (flags !== 'r') recordStep('open', path)
    const file = await real.open(path, flags, ...rest)
    const { writeFile, sync } = file
    return Object.assign(file, {
      writeFile: (data: Uint8Array) => {
        recordStep('write', path)
        return writeFile.call(file, data)
      },
      sync: () => {
        recordStep('sync', path)
        return sync.call(file)
      },
    })
  }
  const rename: typeof real.rename = (source, target) => {
    recordStep('rename', source)
    return real.rename(source, target)
  }
  const mkdir = ((path, options) => {
    recordStep('mkdir', path)
    return real.mkdir(path, options)
  }) as typeof real.mkdir
  const remove: typeof real.rm = (path, options) => {
    recordStep('rm', path)
    return real.rm(path, options)
  }
  const link: typeof real.link = (source, target) => {
    recordStep('link', target)
    return real.link(source, target)
  }
  const copyFile: typeof real.copyFile = (source, target, mode) => {
    recordStep('copy', target)
    return real.copyFile(source, target, mode)
  }
  const writeFile = ((path, data, options) => {
    recordStep('write', path)
    return real.writeFile(path, data, options)
  }) as typeof real.writeFile
  Object.assign(fs.promises, { open, rename, mkdir, rm: remove, link, copyFile, writeFile })
  syncBuiltinESMExports()
  return {
    shots,
    end: () => {
      Object.assign(fs.promises, real)
      syncBuiltinESMExports()
      return steps
    },
  }
}

/** LevelDB can remove files at any time. */
const copyHome = (home: string, target: string): string => {
  for (let tries = 0; ; tries++) {
    try {
      fs.rmSync(target, { recursive: true, force: true })
      fs.cpSync(home, target, { recursive: true })
      return target
    } catch (error) {
      if (tries > 20) throw error
    }
  }
}
