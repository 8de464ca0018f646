/** Reads which version of node-llama-cpp is installed. Loads nothing else, because each start needs it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../kit/is-object.ts'

/** The pinned version, and the package of each platform: `<process.platform>-<process.arch>`. */
export interface RuntimePackages {
  readonly version: string
  /** `bytes`: size of all packages on disk. */
  readonly platforms: Readonly<Record<string, { readonly package: string; readonly bytes: number }>>
}

export interface Installed {
  readonly version: string
  readonly platform: string
  readonly bytes: number
}

/** Written last, so a folder without it is incomplete. */
export const installedFile = 'installed.json'

export const currentPlatform = `${process.platform}-${process.arch}`

/** Returns the versions that are installed for this platform. */
export const readInstalled = async (folder: string): Promise<readonly Installed[]> => {
  const names = await readdir(folder).catch(() => [])
  const all = await Promise.all(names.map((name) => readOne(join(folder, name))))
  return all.flatMap((installedRuntime) =>
    installedRuntime?.platform === currentPlatform ? [installedRuntime] : [],
  )
}

const readOne = async (folder: string): Promise<Installed | null> => {
  try {
    const file: unknown = JSON.parse(await readFile(join(folder, installedFile), 'utf8'))
    if (!isObject(file)) return null
    const { version, platform, bytes } = file
    if (typeof version !== 'string' || typeof platform !== 'string' || typeof bytes !== 'number') return null
    return { version, platform, bytes }
  } catch {
    return null
  }
}
