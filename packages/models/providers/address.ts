/**
 * Where a provider is called: the address as it is used and as it is shown, the key, and the way out that
 * fits.
 */
import type { Provider } from '../../../journal/facts/fact-values.ts'
import type { Fetch, Network } from '../../kit/network/network.ts'
import { isNear } from '../../kit/network/zone.ts'
import { trimUrl } from '../base-url.ts'
import { MindError } from '../mind.ts'
import { azureBase, azureQuery, isAzure, moveKey } from './azure.ts'
import { baseForms, type FoundBases, withBases } from './base-addresses.ts'
import type { KnownWay } from './chat-ways.ts'
import { type Service, serviceTable } from './provider-table.ts'
import { type RefusedFields, withoutRefused } from './refused-fields.ts'

/**
 * An organ with its address and key resolved. `provider` null is a local server that speaks OpenAI's protocol
 * beside its own.
 */
export interface At {
  readonly provider: Provider | null
  readonly model: string
  readonly url: string
  readonly apiKey: string | null
  readonly network: Network
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Left out: whatever is refused is sent again each time. */
  readonly refused?: RefusedFields
  /** Left out: the usual form of the address is used. */
  readonly found?: FoundBases
  /** Left out: the way is found again by each request. */
  readonly way?: KnownWay
}

export interface Address {
  readonly service: Service
  /** What a sentence calls it. */
  readonly title: string
  /** Where a person gets a key for it. */
  readonly keyPage: string | null
  /** With the version path, without a slash behind it and without credentials: paths are added to it. */
  readonly base: string
  /** The same, fit to be shown: the key is masked where somebody has put it into the address. */
  readonly at: string
  /** null: none is sent. A client that insists on one is given any word; `fetch` takes it out again. */
  readonly key: string | null
  /** What must be masked in words of others. */
  readonly secrets: readonly string[]
  /** On this machine or in the daemon. */
  readonly near: boolean
  /** Which API of the server this model is asked on. */
  readonly way: KnownWay | undefined
  /**
   * Bounded, follows no redirect. Sends a name and password that stood in the address, or no credentials at
   * all where there are none.
   */
  readonly fetch: Fetch
}

/** Throws `MindError`. */
export const readAddress = ({ provider, url: given, apiKey, network, refused, found, way }: At): Address => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new MindError(
      'barred',
      'The address of a model must begin with http:// or https://. Give the organ another address under settings.',
    )
  const key = readKey(apiKey)
  const service = serviceOf(provider, url)
  const { title, keyPage } = serviceTable[service]
  const basic = basicOf(url)
  const bases = basesOf(service, url)
  const [base = ''] = bases
  const secrets = [key, basic, decoded(url.password), ...secretsIn(url.searchParams)].filter(
    (secret) => secret !== null && secret.length >= shortest,
  ) as string[]
  const near = isNear(url.hostname)
  const plain = withCredentials(near ? network.local : network.remote, { key, basic, url })
  const fetch = found ? withBases(plain, bases, found) : plain
  const used = found?.get('/chat/completions') ?? base
  return {
    service,
    title,
    keyPage,
    base,
    at: secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), used),
    key,
    secrets,
    near,
    way,
    fetch: refused ? withoutRefused(fetch, refused) : fetch,
  }
}

/** Shorter ones stand in ordinary words, and are no secrets. */
const shortest = 4

/** What a header cannot hold was never a key, and what throws over it quotes it. */
const readKey = (given: string | null): string | null => {
  const key = given?.trim() || null
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new MindError(
      'barred',
      'The API key holds a space, a line break or a letter that no key has. Copy it again and give it to the organ.',
    )
  return key
}

const serviceOf = (provider: Provider | null, url: URL): Service => {
  if (provider !== null && provider !== 'openai') return provider
  return provider === 'openai' && url.hostname === 'api.openai.com' ? 'openai' : 'compatible'
}

/** The first is the usual one. */
const basesOf = (service: Service, url: URL): readonly string[] => {
  const address = trimUrl(`${url.protocol}//${url.host}${url.pathname}`)
  if (service === 'compatible') return isAzure(url) ? [azureBase(address)] : baseForms(address)
  const { version } = serviceTable[service]
  return [version === 'v1beta' && address.endsWith('/v1beta') ? address : `${address}/${version}`]
}

/** Some servers take a key in the query. */
const secretsIn = (query: URLSearchParams): readonly string[] =>
  [...query].flatMap(([name, value]) => (/key|token|secret|sig|pass|auth|code/i.test(name) ? [value] : []))

const basicOf = ({ username, password }: URL): string | null =>
  username || password ? Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64') : null

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const keyHeaders = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key']

interface Credentials {
  readonly key: string | null
  readonly basic: string | null
  /** As the user gave it. Its query goes with each request. */
  readonly url: URL
}

const withCredentials = (fetch: Fetch, { key, basic, url }: Credentials): Fetch => {
  const azure = isAzure(url)
  const query = azure ? azureQuery(url) : url.searchParams
  return (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (azure) moveKey(headers)
    if (key === null) for (const name of keyHeaders) headers.delete(name)
    if (basic !== null && !headers.has('authorization')) headers.set('authorization', `Basic ${basic}`)
    const target = new URL(input instanceof Request ? input.url : input)
    for (const [name, value] of query)
      if (!target.searchParams.has(name)) target.searchParams.append(name, value)
    return fetch(query.size > 0 ? target : input, { ...init, headers })
  }
}
