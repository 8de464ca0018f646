/** Reads which version of node-llama-cpp is installed. Loads nothing else, because each start needs it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../kit/is-object.ts'

export const gpus = ['none', 'cuda', 'vulkan'] as const
/** The graphics interface that the runtime uses besides the processor. macOS always uses its own. */
export type Gpu = (typeof gpus)[number]

/** The pinned version, and the package of each platform: `<process.platform>-<process.arch>`. */
export interface RuntimePackages {
  readonly version: string
  readonly platforms: Readonly<Record<string, PlatformPackages>>
}

/** `bytes`: size of all packages on disk. Those of a GPU are additional. */
export interface PlatformPackages {
  readonly package: string
  readonly bytes: number
  readonly gpus?: Readonly<
    Partial<Record<Gpu, { readonly packages: readonly string[]; readonly bytes: number }>>
  >
}

export interface Installed {
  readonly version: string
  readonly platform: string
  readonly bytes: number
  readonly gpu: Gpu
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
    // Older installations have no field.
    return { version, platform, bytes, gpu: gpus.find((gpu) => gpu === file.gpu) ?? 'none' }
  } catch {
    return null
  }
}
