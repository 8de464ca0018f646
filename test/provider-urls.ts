/** Provider addresses for tests: empty unless set, so that no request leaves the machine. */
import { Provider } from '../journal/facts/fact-values.ts'
import type { ProviderUrls } from '../packages/models/providers/provider-table.ts'

export const providerUrls = (urls: Partial<ProviderUrls> = {}): ProviderUrls => ({
  ...(Object.fromEntries(Provider.options.map((provider) => [provider, ''])) as unknown as ProviderUrls),
  ...urls,
})
