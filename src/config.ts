/** Reads the configuration once, from the environment and the command line. */
import { isIPv4, isIPv6 } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import * as z from 'zod'
import { Provider } from '../facts/fact-values.ts'
import {
  InvalidOtlpSetting,
  type OtlpSettings,
  readOtlpSettings,
} from '../packages/kit/tracing/otlp-settings.ts'
import { usualHubs } from '../packages/local-models/remote-file.ts'
import { trimUrl } from '../packages/models/base-url.ts'
import type { EmbeddingChoice } from '../packages/models/embedder.ts'
import type { LocalSettings } from '../packages/models/ollama/local-settings.ts'
import { type ProfileSetting, profileSettings } from '../packages/models/prompt-profile.ts'
import {
  type ProviderKeys,
  type ProviderUrls,
  perProvider,
  providerTable,
} from '../packages/models/providers/provider-table.ts'
import {
  perSearchProvider,
  type SearchKeys,
  type SearchUrls,
} from '../packages/web-search/search-provider-table.ts'
import { type PlatformUrls, readPlatformUrls } from './platform-table.ts'

export interface Limits {
  /** Max bytes of a JSON body. */
  readonly json: number
  /** Max bytes of a chat request of a program. It may contain pictures. */
  readonly chat: number
  /** Max bytes of all large JSON bodies in memory. */
  readonly bodies: number
  /** Max bytes of one message in UTF-8. */
  readonly message: number
  /** Max bytes of one uploaded file. */
  readonly upload: number
  /** Max bytes of a diary, or of an exported chat history. */
  readonly archive: number
}

export interface Config {
  readonly home: string
  readonly port: number
  /** Configured address per provider, without a trailing slash or `/v1`. */
  readonly urls: ProviderUrls
  /** API addresses of the messaging platforms that have one server. */
  readonly platforms: PlatformUrls
  /** Used for organs without their own key. Never stored, shown or logged. */
  readonly keys: ProviderKeys
  /** Host header names that are accepted besides the loopback ones. */
  readonly allowedHosts: readonly string[]
  /** Hosts besides this machine that facts may be delivered to. */
  readonly webhookHosts: readonly string[]
  readonly logLevel: string
  readonly limits: Limits
  /** How local models are loaded. */
  readonly local: LocalSettings
  /** Address of the hub from which model files are downloaded, without a trailing slash. */
  readonly hubUrl: string
  /** Max tokens per persona and day; null: unlimited. */
  readonly dailyTokens: number | null
  /** The embedding model for the search; null: search by words only. */
  readonly embeddings: EmbeddingChoice | null
  /** Days for which prompts are stored; 0: until the next nightly consolidation. */
  readonly keepCallsDays: number
  /** Whether a persona greets first when a page shows an empty talk. */
  readonly greeting: boolean
  /** Whether personas may read web pages, on hosts that their user allows. */
  readonly webReading: boolean
  /** Whether personas may search the web, at providers that their user allows. */
  readonly webSearch: boolean
  /** Configured address per search provider; null: its own. */
  readonly searchUrls: SearchUrls
  /** Used for search providers without their own key. Never stored, shown or logged. */
  readonly searchKeys: SearchKeys
  /** Prepare models on this machine when the page opens a persona. */
  readonly warmUp: boolean
  /** Sign the head of each journal at night. */
  readonly signHeads: boolean
  /** Which prompts and tools models get. */
  readonly profile: ProfileSetting
  /** Where traces are sent; null: tracing is off. Contains the key of the collector. */
  readonly tracing: OtlpSettings | null
  /** The cluster of this daemon; null: none. */
  readonly cluster: ClusterConfig | null
  /** The folder of the skills that the user's account shares between agents. */
  readonly skillsFolder: string
}

export interface ClusterConfig {
  /**
   * The address for other daemons; null: the own port on the loopback address, for daemons on one machine.
   */
  readonly advertise: string | null
  /** Addresses of the NATS servers. */
  readonly servers: readonly string[]
  /** Paths of the NATS credentials, and of the CA certificates of the servers. */
  readonly credentials: string | null
  readonly authority: string | null
  /** Path of the key that all daemons of the cluster share. */
  readonly key: string
  /** Prefix of the cluster's streams and buckets. */
  readonly name: string
  /** Number of streams between which the personas are divided. */
  readonly shards: number
  /** Number of servers that store each commit. */
  readonly replicas: number
}

/** The message is one line for the user. The process exits with code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

export const readConfig = (env: NodeJS.ProcessEnv, flags: { port?: string | undefined } = {}): Config => {
  checkProxies(env)
  return readSettings(env, flags)
}

const readSettings = (env: NodeJS.ProcessEnv, flags: { port?: string | undefined }): Config => ({
  home: readPath(env, 'DAIMON_HOME', '.daimon'),
  port: readPort(flags.port ?? (env.WEB_PORT || undefined), flags.port === undefined ? 'WEB_PORT' : '--port'),
  urls: {
    local: localUrl(env),
    ...perProvider(({ url, urlVariable }) => baseUrl(env[urlVariable], urlVariable, url)),
  },
  platforms: readPlatformUrls((variable, usualUrl) => baseUrl(env[variable], variable, usualUrl)),
  keys: perProvider(({ keyVariables }) => readKey(env, keyVariables)),
  allowedHosts: readHosts(env, 'DAIMON_ALLOWED_HOSTS'),
  webhookHosts: readHosts(env, 'DAIMON_WEBHOOK_HOSTS'),
  logLevel: readLogLevel(env.DAIMON_LOG_LEVEL),
  limits: {
    json: readBytes(env.DAIMON_MAX_JSON, 'DAIMON_MAX_JSON', 1024 * 1024, maxJsonBytes),
    chat: readBytes(env.DAIMON_MAX_CHAT, 'DAIMON_MAX_CHAT', 20 * 1024 * 1024, maxJsonBytes),
    bodies: readBytes(env.DAIMON_MAX_BODIES, 'DAIMON_MAX_BODIES', 32 * 1024 * 1024),
    message: readBytes(env.DAIMON_MAX_MESSAGE, 'DAIMON_MAX_MESSAGE', 256 * 1024),
    upload: readBytes(env.DAIMON_MAX_UPLOAD, 'DAIMON_MAX_UPLOAD', 512 * 1024 * 1024),
    archive: readBytes(env.DAIMON_MAX_ARCHIVE, 'DAIMON_MAX_ARCHIVE', 8 * 1024 * 1024 * 1024),
  },
  local: {
    context: readContext(env.DAIMON_CONTEXT),
    keepAlive: readKeepAlive(env.DAIMON_KEEP_ALIVE?.trim()),
  },
  hubUrl: baseUrl(env.HF_ENDPOINT, 'HF_ENDPOINT', usualHubs.hub),
  dailyTokens: readDailyTokens(env.DAIMON_DAILY_TOKENS),
  embeddings: readEmbeddings(env.DAIMON_EMBEDDINGS?.trim()),
  keepCallsDays: readDays(env.DAIMON_KEEP_CALLS_DAYS, 'DAIMON_KEEP_CALLS_DAYS', 30),
  greeting: readSwitch(env.DAIMON_GREETING, 'DAIMON_GREETING'),
  webReading: readSwitch(env.DAIMON_WEB_READING, 'DAIMON_WEB_READING'),
  webSearch: readSwitch(env.DAIMON_WEB_SEARCH, 'DAIMON_WEB_SEARCH'),
  searchUrls: perSearchProvider(({ urlVariable }) => baseUrl(env[urlVariable], urlVariable, '') || null),
  searchKeys: perSearchProvider(({ keyVariables }) => readKey(env, keyVariables)),
  warmUp: readSwitch(env.DAIMON_WARM_UP, 'DAIMON_WARM_UP'),
  signHeads: readSwitch(env.DAIMON_SIGN_HEADS, 'DAIMON_SIGN_HEADS'),
  profile: readProfile(env.DAIMON_PROFILE),
  tracing: readTracing(env),
  cluster: readCluster(env),
  skillsFolder: readPath(env, 'DAIMON_SKILLS', join('.agents', 'skills')),
})

/** A larger body would exceed the max length of a string. */
const maxJsonBytes = 256 * 1024 * 1024

/** `fallback` is relative to the user's home directory. */
const readPath = (env: NodeJS.ProcessEnv, name: string, fallback: string): string =>
  readOptionalPath(env, name) ?? join(userHome(env, name), fallback)

/**
 * Returns an absolute path; a relative one starts at the working directory. Services and containers have no
 * shell that expands ~ and $HOME, and would create folders with these names. Returns null if the variable is
 * not set.
 */
const readOptionalPath = (env: NodeJS.ProcessEnv, name: string): string | null => {
  const rawPath = env[name]
  if (!rawPath) return null
  if (rawPath.trim() === '') throw new ConfigError(`${name} must be a path, not blanks`)
  const [, first = '', , rest = ''] = /^(~|\$HOME|\$\{HOME\})([/\\](.*))?$/s.exec(rawPath) ?? []
  if (first !== '') return join(userHome(env, name, first), rest)
  if (!/^[~$]/.test(rawPath)) return resolve(rawPath)
  throw new ConfigError(
    `${name} must begin with a folder, ~ or $HOME: nothing else is replaced in ${JSON.stringify(rawPath)}`,
  )
}

/** Returns the user's home directory. `first`: the prefix that it replaces, which requires HOME itself. */
const userHome = (env: NodeJS.ProcessEnv, name: string, first?: string): string => {
  const set = env.HOME ?? (process.platform === 'win32' ? env.USERPROFILE : undefined)
  const directory = set ?? (first === undefined ? systemHome() : '')
  if (isAbsolute(directory)) return directory
  const reason =
    first === undefined ? 'the user has no home directory' : `HOME is not set and it begins with ${first}`
  throw new ConfigError(`${name} must be an absolute path, such as /var/lib/daimon, because ${reason}`)
}

/**
 * Returns an empty string if the system has no home directory for the user, such as for a user id without a
 * name.
 */
const systemHome = (): string => {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** Returns null if no variable has a key. Error texts never contain the key. */
const readKey = (env: NodeJS.ProcessEnv, names: readonly string[]): string | null => {
  const name = names.find((variable) => env[variable]?.trim())
  if (name === undefined) return null
  const key = env[name]?.trim() ?? ''
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new ConfigError(`${name} must be a key in one piece: ASCII letters, digits and signs, without blanks`)
}

const readHosts = (env: NodeJS.ProcessEnv, variable: string): readonly string[] =>
  readWords(env, variable).map((host) => readHost(host, variable))

/** Splits a list at spaces and commas. */
const readWords = (env: NodeJS.ProcessEnv, variable: string): string[] =>
  (env[variable] ?? '').split(/[\s,]+/).filter(Boolean)

/** Normalizes a name or an address to its form in a Host header, without the port. */
const readHost = (rawHost: string, variable: string): string => {
  const address = rawHost.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(address)) return new URL(`http://[${address}]`).hostname
  // `domainToASCII` would drop the text after a slash.
  const name = /[\0-\x7f]/.test(rawHost.replace(/[\w.-]/g, '')) ? '' : domainToASCII(rawHost).toLowerCase()
  const labels = name.split('.')
  const isName =
    name.length <= 253 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    (isIPv4(rawHost) || !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? ''))
  if (isName) return name
  throw new ConfigError(
    `${variable} must be host names or IP addresses, without scheme, port, path or wildcard, as ada.example.net, not ${JSON.stringify(rawHost)}`,
  )
}

/** Checked here, because otherwise every call through the proxy would fail. */
const checkProxies = (env: NodeJS.ProcessEnv): void => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    const proxy = env[name]
    // Do not quote the value. It may contain a password.
    if (proxy && !(/^(?:https?|socks5?):\/\/[^/]/i.test(proxy) && URL.canParse(proxy)))
      throw new ConfigError(`${name} must be the address of a proxy, as http://10.0.0.1:3128`)
  }
}

const readPort = (rawValue: string | undefined, name: string): number => {
  if (rawValue === undefined) return 5370
  if (/^\d{1,5}$/.test(rawValue) && Number(rawValue) <= 65535) return Number(rawValue)
  throw new ConfigError(`${name} must be a port number from 0 to 65535, not ${JSON.stringify(rawValue)}`)
}

const readBytes = (rawValue: string | undefined, name: string, fallback: number, max = Infinity): number => {
  if (!rawValue) return fallback
  if (/^[1-9]\d{0,14}$/.test(rawValue) && Number(rawValue) <= max) return Number(rawValue)
  const upTo = max === Infinity ? '' : ` up to ${max}`
  throw new ConfigError(`${name} must be a number of bytes${upTo}, not ${JSON.stringify(rawValue)}`)
}

const readDailyTokens = (rawValue: string | undefined): number | null => {
  if (!rawValue) return null
  if (/^[1-9]\d{0,14}$/.test(rawValue)) return Number(rawValue)
  throw new ConfigError(
    `DAIMON_DAILY_TOKENS must be a number of tokens, 1 or more, not ${JSON.stringify(rawValue)}`,
  )
}

/** In a smaller context, a persona cannot run a turn. */
const minContext = 2048

const readContext = (rawValue: string | undefined): number | null => {
  if (!rawValue) return null
  if (/^[1-9]\d{0,8}$/.test(rawValue) && Number(rawValue) >= minContext) return Number(rawValue)
  throw new ConfigError(
    `DAIMON_CONTEXT must be a number of tokens, ${minContext} or more, not ${JSON.stringify(rawValue)}`,
  )
}

/** Returns a duration of Go, or seconds. */
const readKeepAlive = (rawValue: string | undefined): string | number | null => {
  if (!rawValue) return null
  if (/^(?:-1|\d{1,9})$/.test(rawValue)) return Number(rawValue)
  if (/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/.test(rawValue)) return rawValue
  throw new ConfigError(
    `DAIMON_KEEP_ALIVE must be a duration such as 10m or 24h, a number of seconds, or -1 for no end, not ${JSON.stringify(rawValue)}`,
  )
}

const readEmbeddings = (rawValue: string | undefined): EmbeddingChoice | null => {
  if (!rawValue) return null
  const embeddingProviders = Provider.options.filter((name) => providerTable[name].embeds)
  const [, place, model = ''] = /^([a-z]+)\/(\S+)$/.exec(rawValue) ?? []
  if (place === 'local') return { provider: null, model }
  const provider = embeddingProviders.find((name) => name === place)
  if (provider) return { provider, model }
  throw new ConfigError(
    `DAIMON_EMBEDDINGS must be <provider>/<model>, with a provider of local, ${embeddingProviders.join(', ')}, as local/nomic-embed-text, not ${JSON.stringify(rawValue)}`,
  )
}

const readDays = (rawValue: string | undefined, name: string, fallback: number): number => {
  if (!rawValue) return fallback
  if (/^\d{1,5}$/.test(rawValue)) return Number(rawValue)
  throw new ConfigError(`${name} must be a number of days, 0 or more, not ${JSON.stringify(rawValue)}`)
}

/** Defaults to on. */
const readSwitch = (rawValue: string | undefined, name: string): boolean => {
  const word = rawValue?.trim().toLowerCase() || 'on'
  if (word === 'on' || word === 'off') return word === 'on'
  throw new ConfigError(`${name} must be on or off, not ${JSON.stringify(rawValue)}`)
}

const readProfile = (rawValue: string | undefined): ProfileSetting => {
  const word = rawValue?.trim().toLowerCase() || 'auto'
  const profile = profileSettings.find((knownProfile) => knownProfile === word)
  if (profile) return profile
  throw new ConfigError(
    `DAIMON_PROFILE must be one of ${profileSettings.join(', ')}, not ${JSON.stringify(rawValue)}`,
  )
}

const readTracing = (env: NodeJS.ProcessEnv): OtlpSettings | null => {
  try {
    return readOtlpSettings(env)
  } catch (error) {
    throw error instanceof InvalidOtlpSetting ? new ConfigError(error.message) : error
  }
}

const readCluster = (env: NodeJS.ProcessEnv): ClusterConfig | null => {
  const servers = readWords(env, 'DAIMON_NATS')
  const { DAIMON_CLUSTER: name = 'daimon' } = env
  // Checked even without a cluster, so that a mistake shows early.
  if (!/^[a-z0-9_-]{1,32}$/.test(name))
    throw new ConfigError(
      `DAIMON_CLUSTER must be small letters, digits, - and _, at most 32, not ${JSON.stringify(name)}`,
    )
  const advertise = env.DAIMON_ADVERTISE ? baseUrl(env.DAIMON_ADVERTISE, 'DAIMON_ADVERTISE', '') : null
  const shards = readCount(env.DAIMON_CLUSTER_SHARDS, 'DAIMON_CLUSTER_SHARDS', {
    maxValue: 1000,
    fallback: 1,
  })
  const replicas = readCount(env.DAIMON_CLUSTER_REPLICAS, 'DAIMON_CLUSTER_REPLICAS', {
    maxValue: 5,
    fallback: 3,
  })
  if (servers.length === 0) return null
  for (const server of servers) {
    // Errors quote the addresses.
    if (server.includes('@'))
      throw new ConfigError(
        'DAIMON_NATS must not hold a name or password: give them as DAIMON_NATS_CREDENTIALS',
      )
    if (!z.url({ protocol: /^(?:nats|tls)$/ }).safeParse(server).success)
      throw new ConfigError(
        `DAIMON_NATS must be addresses such as nats://10.0.0.1:4222, not ${JSON.stringify(server)}`,
      )
  }
  const key = readOptionalPath(env, 'DAIMON_CLUSTER_KEY')
  if (key === null) throw new ConfigError('DAIMON_CLUSTER_KEY must name the file with the key of the cluster')
  return {
    servers,
    advertise,
    credentials: readOptionalPath(env, 'DAIMON_NATS_CREDENTIALS'),
    authority: readOptionalPath(env, 'DAIMON_NATS_CA'),
    key,
    name,
    shards,
    replicas,
  }
}

const readCount = (
  rawValue: string | undefined,
  name: string,
  { maxValue, fallback }: { readonly maxValue: number; readonly fallback: number },
): number => {
  if (!rawValue) return fallback
  if (/^[1-9]\d{0,3}$/.test(rawValue) && Number(rawValue) <= maxValue) return Number(rawValue)
  throw new ConfigError(`${name} must be a number from 1 to ${maxValue}, not ${JSON.stringify(rawValue)}`)
}

const readLogLevel = (rawValue: string | undefined): string => {
  const level = rawValue?.toLowerCase() || 'info'
  if (logLevels.includes(level)) return level
  throw new ConfigError(
    `DAIMON_LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${JSON.stringify(rawValue)}`,
  )
}

const baseUrl = (rawUrl: string | undefined, name: string, fallback: string): string => {
  if (!rawUrl) return fallback
  // The list of personas shows this address.
  if (/^\w+:\/\/[^/]*@/.test(rawUrl)) throw new ConfigError(`${name} must not hold a name or password`)
  // Paths are appended to the address, so a query would break them. It may also contain a key.
  const isBase = /^https?:\/\/[^/?#\\\s][^?#\\\s]*$/i.test(rawUrl)
  if (isBase && z.url({ protocol: /^https?$/ }).safeParse(rawUrl).success) return trimUrl(rawUrl)
  throw new ConfigError(`${name} must be an http or https address without a query`)
}

/**
 * OLLAMA_HOST is Ollama's own variable: a bind address. Scheme and port are optional, and it may mean all
 * interfaces.
 */
const localUrl = (env: NodeJS.ProcessEnv): string => {
  if (env.OLLAMA_BASE_URL) return baseUrl(env.OLLAMA_BASE_URL, 'OLLAMA_BASE_URL', '')
  const host = env.OLLAMA_HOST?.trim()
  if (!host) return 'http://localhost:11434'
  const scheme = /^https?:\/\//i.exec(host)?.[0] ?? 'http://'
  const [authority = '', ...path] = host.slice(host.startsWith(scheme) ? scheme.length : 0).split('/')
  const [match, name = '', port = ''] = /^(\[[^\]]*\]|[^:[\]\s]*)(?::(\d+))?$/.exec(authority) ?? []
  if (match === undefined) throw new ConfigError('OLLAMA_HOST must be a host and a port, as 127.0.0.1:11434')
  const reachableHost = name === '' || name === '0.0.0.0' ? '127.0.0.1' : name === '[::]' ? '[::1]' : name
  const standard = scheme === 'https://' ? '443' : host.startsWith(scheme) ? '80' : '11434'
  return baseUrl(`${scheme}${reachableHost}:${port || standard}${['', ...path].join('/')}`, 'OLLAMA_HOST', '')
}
