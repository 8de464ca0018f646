/** A real daemon in this process, on a free port and with its own home, for tests. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createLog } from '../packages/kit/log.ts'
import { readConfig } from '../src/config.ts'
import { openDaemon, type World } from '../src/daemon.ts'
import { deriveIdentity } from '../src/persona/phrase.ts'

export interface TestDaemon {
  readonly url: string
  readonly port: number
  readonly home: string
  /** Stops it, and deletes the home if the test did not pass one. */
  close(): Promise<void>
}

export interface Overrides extends World {
  readonly home?: string
  readonly port?: number
  readonly env?: NodeJS.ProcessEnv
  /** Receives log lines; they are dropped by default. */
  readonly logTo?: (line: string) => void
}

/** No server listens at this address: a runtime that cannot be reached. */
export const nowhereUrl = 'http://127.0.0.1:9'

/** A recipient for diaries that are never decrypted. */
export const unusedRecipient = 'age14kxrph3hahlss7w2efpjua5yketj6f98rnmz49965gl9c982kp7q23yt9c'

/** Skips the key derivation, which takes as long as the rest of a test. The phrase opens nothing. */
const quickPhrase = async () => ({
  phrase: entropyToMnemonic(randomBytes(32), wordlist),
  recipient: unusedRecipient,
})

const identities = new Map<string, Promise<string>>()

/** Derives the key of each phrase once per process. */
const rememberedIdentity = (entropy: Uint8Array): Promise<string> => {
  const bits = Buffer.from(entropy).toString('hex')
  const identity = identities.get(bits) ?? deriveIdentity(entropy)
  identities.set(bits, identity)
  return identity
}

export const tempHome = (): Promise<string> => mkdtemp(join(tmpdir(), 'home-'))

export const startDaemon = async ({
  home: givenHome,
  port = 0,
  env = {},
  logTo,
  ...world
}: Overrides = {}): Promise<TestDaemon> => {
  const home = givenHome ?? (await tempHome())
  const config = readConfig(
    { OLLAMA_BASE_URL: nowhereUrl, DAIMON_GREETING: 'off', DAIMON_WARM_UP: 'off', ...env, DAIMON_HOME: home },
    { port: String(port) },
  )
  const log = await createLog({
    level: env.DAIMON_LOG_LEVEL ?? (logTo ? 'debug' : 'silent'),
    stream: { write: (line) => logTo?.(line) },
  })
  const pages = fileURLToPath(new URL('../dist/web', import.meta.url))
  const daemon = await openDaemon(config, log, {
    pages,
    newPhrase: quickPhrase,
    localModels: { knownServers: [] },
    toIdentity: rememberedIdentity,
    ...world,
  })
  return {
    url: `http://127.0.0.1:${daemon.port}`,
    port: daemon.port,
    home,
    close: async () => {
      await daemon.close()
      if (givenHome === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}
