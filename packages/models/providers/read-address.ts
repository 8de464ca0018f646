/** Resolves the address of a provider: for requests and for display, with the key and a matching fetch. */
import type { Provider } from '../../../facts/fact-values.ts'
import type { Fetch, Network } from '../../kit/network/network.ts'
import { isNear } from '../../kit/network/zone.ts'
import { toPlainAddress, trimUrl } from '../base-url.ts'
import { MindError } from '../mind.ts'
import type { Address, KnownWay, Service } from './address.ts'
import { azureBase, azureQuery, isAzure, moveKey } from './azure.ts'
import { baseForms, type FoundBases, withBases } from './base-addresses.ts'
import { serviceTable } from './provider-table.ts'
import { type RefusedFields, withoutRefused } from './refused-fields.ts'

/**
 * An organ with its address and key resolved. `provider` is null for a local server that speaks OpenAI's
 * protocol in addition to its own.
 */
export interface At {
  readonly provider: Provider | null
  readonly model: string
  readonly url: string
  readonly apiKey: string | null
  /** Identifies the persona for a prompt cache. */
  readonly cacheKey?: string
  readonly network: Network
  /** Epoch milliseconds. */
  readonly now: () => number
  /** If absent, refused fields are sent again each time. */
  readonly refused?: RefusedFields
  /** If absent, the usual form of the address is used. */
  readonly found?: FoundBases
  /** If absent, each request finds the API again. */
  readonly way?: KnownWay
}

/** Throws `MindError`. */
export const readAddress = ({ provider, url: rawUrl, apiKey, network, refused, found, way }: At): Address => {
  const url = URL.canParse(rawUrl) ? new URL(rawUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new MindError(
      'barred',
      'The address of a model must begin with http:// or https://. Give the organ another address under settings.',
      { fault: 'address_wrong' },
    )
  const key = readKey(apiKey)
  const service = getService(provider, url)
  const { title, keyPage } = serviceTable[service]
  const basic = toBasic(url)
  const bases = getBases(service, url)
  const [base = ''] = bases
  const secrets = [key, basic, decodePart(url.password), ...secretsIn(url.searchParams)].filter(
    (secret) => secret !== null && secret.length >= minSecretLength,
  ) as string[]
  const isNearby = isNear(url.hostname)
  const plain = withCredentials(isNearby ? network.local : network.remote, { key, basic, url })
  const fetch = found ? withBases(plain, bases, found) : plain
  const usedBase = found?.get('/chat/completions') ?? base
  return {
    service,
    title,
    keyPage,
    base,
    at: secrets.reduce((maskedUrl, secret) => maskedUrl.replaceAll(secret, '***'), usedBase),
    key,
    secrets,
    near: isNearby,
    way,
    fetch: refused ? withoutRefused(fetch, refused) : fetch,
  }
}

/** Shorter texts occur in ordinary words, so they are not masked. */
const minSecretLength = 4

/** Rejects a key that a header cannot contain, because the error of `fetch` would quote it. */
const readKey = (rawKey: string | null): string | null => {
  const key = rawKey?.trim() || null
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new MindError(
      'barred',
      'The API key holds a space, a line break or a letter that no key has. Copy it again and give it to the organ.',
      { fault: 'key_malformed' },
    )
  return key
}

const getService = (provider: Provider | null, url: URL): Service => {
  if (provider !== null && provider !== 'openai') return provider
  return provider === 'openai' && url.hostname === 'api.openai.com' ? 'openai' : 'compatible'
}

/** The first one is the usual form. */
const getBases = (service: Service, url: URL): readonly string[] => {
  const address = trimUrl(toPlainAddress(url))
  if (service === 'compatible') return isAzure(url) ? [azureBase(address)] : baseForms(address)
  const { version } = serviceTable[service]
  return [version === 'v1beta' && address.endsWith('/v1beta') ? address : `${address}/${version}`]
}

/** Some servers accept a key in the query. */
const secretsIn = (query: URLSearchParams): readonly string[] =>
  [...query].flatMap(([name, value]) => (/key|token|secret|sig|pass|auth|code/i.test(name) ? [value] : []))

const toBasic = ({ username, password }: URL): string | null =>
  username || password
    ? Buffer.from(`${decodePart(username)}:${decodePart(password)}`).toString('base64')
    : null

const decodePart = (part: string): string => {
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
  /** The user's address. Its query is part of each request. */
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
