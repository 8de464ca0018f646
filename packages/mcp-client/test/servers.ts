/** Configurations of test servers, and a pool that is closed with everything it started. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '../../kit/time/clock.ts'
import type { AuthStore, CallResult, ServerConfig, ServerRef, ToolServers } from '../server-config.ts'
import type { Limits } from '../server-limits.ts'
import { createToolServers } from '../tool-servers.ts'

export interface World {
  ends: (() => unknown)[]
}

export const endAll = async ({ ends }: World): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end()
}

export const secret = 'marked-secret-4711-of-this-server'

export interface House {
  readonly id: string
  readonly home: string
  readonly servers: ToolServers
  readonly hidden: string[]
  readonly logged: unknown[]
  /** Opens another pool in the same home, after this one was closed. */
  again(clock?: Clock): ToolServers
  /** Returns the content of all files in the home as one text. */
  onDisk(): Promise<string>
}

const quickLimits: Partial<Limits> = { start: 8000, version: 1000, silence: 2000, grace: 300 }

export const createHouse = async (
  world: World,
  { limits = {}, clock = systemClock() }: { limits?: Partial<Limits>; clock?: Clock } = {},
): Promise<House> => {
  const home = await mkdtemp(join(tmpdir(), 'daimon-mcp-'))
  const id = 'ada'
  world.ends.push(() => rm(home, { recursive: true, force: true }))
  await mkdir(join(home, 'personas', id), { recursive: true })
  const hiddenWords: string[] = []
  const logged: unknown[] = []
  const note = (...entry: unknown[]) => void logged.push(entry)
  const log = { debug: note, info: note, warn: note, error: note }
  const openAgain = (with_ = clock) => {
    const servers = createToolServers({
      home,
      clock: with_,
      log,
      env: { ...process.env, DAIMON_OWN_KEY: 'a key of the daemon' },
      hide: (word) => void hiddenWords.push(word),
      limits: { ...quickLimits, ...limits },
    })
    world.ends.push(servers.close)
    return servers
  }
  const onDisk = async () => {
    const names = await readdir(home, { recursive: true, withFileTypes: true })
    const texts = names
      .filter((item) => item.isFile())
      // A temporary file may be renamed meanwhile.
      .map((item) => readFile(join(item.parentPath, item.name), 'utf8').catch(() => ''))
    return (await Promise.all(texts)).join('\n')
  }
  return { id, home, servers: openAgain(), hidden: hiddenWords, logged, again: openAgain, onDisk }
}

export const memoryStore = (): AuthStore & { text: string | null } => {
  const store = {
    text: null as string | null,
    read: async () => store.text,
    write: async (text: string | null) => {
      store.text = text
    },
  }
  return store
}

export const refTo = (
  config: ServerConfig,
  { name = 'one', key = JSON.stringify(config), auth = memoryStore() } = {},
): ServerRef => ({
  name,
  key,
  config: async () => config,
  auth,
})

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const stdio = (
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): ServerConfig => ({
  transport: 'stdio',
  command,
  args,
  cwd: null,
  env,
})

export const hostile = (misdeeds: readonly string[], env: Record<string, string> = {}): ServerConfig =>
  stdio(process.execPath, [toPath('hostile-server.mjs'), ...misdeeds], env)

export const createPublishedConfig = (name: string, ...args: string[]): ServerConfig =>
  stdio(process.execPath, [
    toPath(`../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`),
    ...args,
  ])

export const http = (url: string, headers: Record<string, string> = {}): ServerConfig => ({
  transport: 'http',
  url,
  headers,
})

export const neverSignal = new AbortController().signal

export const getWords = (result: CallResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n')

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
