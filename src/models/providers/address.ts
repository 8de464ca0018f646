/**
 * Where a provider is called: the address as it is used and as it is shown, the key, and the way out that
 * fits.
 */
import type { Provider } from '../../../journal/facts/fact-values.ts'
import type { Fetch, Network } from '../../network/network.ts'
import { isNear } from '../../network/zone.ts'
import { trimUrl } from '../base-url.ts'
import { MindError } from '../mind.ts'
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
  /**
   * Bounded, follows no redirect. Sends a name and password that stood in the address, or no credentials at
   * all where there are none.
   */
  readonly fetch: Fetch
}

/** Throws `MindError`. */
export const readAddress = ({ provider, url: given, apiKey, network, refused }: At): Address => {
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
  const base = versioned(service, `${url.protocol}//${url.host}${url.pathname}`)
  const secrets = [key, basic, decoded(url.password)].filter(
    (secret) => secret !== null && secret.length >= shortest,
  ) as string[]
  const near = isNear(url.hostname)
  const fetch = withCredentials(near ? network.local : network.remote, key, basic)
  return {
    service,
    title,
    keyPage,
    base,
    at: secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), base),
    key,
    secrets,
    near,
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

/** An address that names a version already is meant as it is, as `…/v1beta/openai` or `…/api/v4`. */
const versioned = (service: Service, address: string): string => {
  const base = trimUrl(address)
  if (service === 'compatible' && /\/v\d+[a-z]*(\/|$)/.test(new URL(base).pathname)) return base
  const { version } = serviceTable[service]
  return version === 'v1beta' && base.endsWith('/v1beta') ? base : `${base}/${version}`
}

const basicOf = ({ username, password }: URL): string | null =>
  username || password ? Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64') : null

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key']

const withCredentials =
  (fetch: Fetch, key: string | null, basic: string | null): Fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (key === null) for (const name of keyHeaders) headers.delete(name)
    if (basic !== null && !headers.has('authorization')) headers.set('authorization', `Basic ${basic}`)
    return fetch(input, { ...init, headers })
  }
