/** The choice of the first screen: an organ, and a model that replaces it when it is downloaded. */
import type { OrganBody } from '../shared/api.ts'

export interface FirstMind {
  readonly title: string
  readonly organ: OrganBody
  readonly download: string | null
}
