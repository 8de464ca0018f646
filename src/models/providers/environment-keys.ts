/**
 * The keys of the environment: for organs without one of their own, and only where their provider itself is
 * asked, or this machine.
 */
import type { Provider } from '../../../journal/facts/fact-values.ts'
import { trimUrl } from '../base-url.ts'
import type { OrganAsk } from '../models.ts'
import { isLoopback } from '../network.ts'
import { type ProviderKeys, type ProviderUrls, providerTable } from './provider-table.ts'

/**
 * null: none is sent. Never goes to an address that somebody has written into an organ, unless it is one of
 * the provider's or on this machine.
 */
export const keyFor = (
  { provider, url, apiKey }: Pick<OrganAsk, 'url' | 'apiKey'> & { readonly provider: Provider },
  keys: Partial<ProviderKeys>,
  urls: ProviderUrls,
): string | null => {
  if (apiKey) return apiKey
  return url === null || isHome(url, [urls[provider], providerTable[provider].url])
    ? (keys[provider] ?? null)
    : null
}

const isHome = (url: string, homes: readonly string[]): boolean => {
  if (!URL.canParse(url)) return false
  const { hostname, username, password } = new URL(url)
  if (username || password) return false
  return isLoopback(hostname) || homes.some((home) => plain(home) === plain(url))
}

const plain = (url: string): string =>
  URL.canParse(url) ? trimUrl(new URL(trimUrl(url)).href).replace(/\/v1beta$/, '') : url
