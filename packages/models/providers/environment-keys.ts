/** Keys from the environment, for organs without their own key that call the provider itself. */
import type { Provider } from '../../../facts/fact-values.ts'
import { trimUrl } from '../base-url.ts'
import type { OrganAsk } from '../models.ts'
import { type ProviderKeys, type ProviderUrls, providerTable } from './provider-table.ts'

/**
 * Returns null if no key is sent. A key from the environment is sent only to the provider's own address and
 * the address that the environment configures for it, never to an address from a request or an organ, not
 * even on this machine.
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
  const { username, password } = new URL(url)
  return !username && !password && homes.some((home) => plain(home) === plain(url))
}

const plain = (url: string): string =>
  URL.canParse(url) ? trimUrl(new URL(trimUrl(url)).href).replace(/\/v1beta$/, '') : url
