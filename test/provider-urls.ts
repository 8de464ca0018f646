/** Provider addresses for tests: empty unless set, so that no request leaves the machine. */
import { type ProviderUrls, perProvider } from '../packages/models/providers/provider-table.ts'

export const providerUrls = (urls: Partial<ProviderUrls> = {}): ProviderUrls => ({
  local: '',
  ...perProvider(() => ''),
  ...urls,
})
