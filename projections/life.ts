/** The current life, counted from 1 at every start, and the organs that failed during it. */
import type { Seq, Slot } from '../journal/facts/fact-values.ts'
import type { FactFor } from './persona.ts'

export interface Failure {
  readonly reason: string
  /** Epoch ms. */
  readonly since: number
}

export interface Life {
  readonly life: number
  readonly awake: boolean
  /** Position of the fact that began the life. */
  readonly woke: Seq | 0
  readonly failed: Readonly<Partial<Record<Slot, Failure>>>
}

export const initialLife: Life = { life: 0, awake: false, woke: 0, failed: {} }

export const evolveLife = (life: Life, { seq, at, event }: FactFor<'life'>): Life => {
  switch (event.type) {
    case 'Woke':
      return { ...life, life: event.life, awake: true, woke: seq }
    case 'Stopped':
      return { ...life, awake: false }
    case 'PersonaRestored':
    case 'PersonaForked':
      return { ...life, awake: false, failed: {} }
    case 'OrganFailed':
      return { ...life, failed: { ...life.failed, [event.slot]: { reason: event.reason, since: at } } }
    case 'OrganRecovered':
    case 'OrganReplaced':
    case 'OrganRemoved': {
      const { [event.slot]: _, ...failed } = life.failed
      return { ...life, failed }
    }
  }
}
