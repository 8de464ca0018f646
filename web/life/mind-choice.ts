/** A model as a person names it. */
import type { Provider } from '../shared/shapes.ts'

export interface MindChoice {
  provider: Provider
  model: string
  /** Empty where none was given. */
  key: string
}

export const noMind = (): MindChoice => ({ provider: 'local', model: '', key: '' })
