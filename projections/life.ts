/** The life she is in: counted from 1 at every waking, and which organs have failed in use. */
import type { Slot } from '../journal/events.ts'
import type { Fact } from './persona.ts'

export interface Failure {
  readonly reason: string
  /** Epoch milliseconds. */
  readonly since: number
}

export interface Life {
  readonly life: number
  readonly awake: boolean
  readonly failed: Readonly<Partial<Record<Slot, Failure>>>
}

export const unborn: Life = { life: 0, awake: false, failed: {} }

export const evolveLife = (life: Life, { at, event }: Fact): Life => {
  switch (event.type) {
    case 'Woke':
      return { ...life, life: event.life, awake: true }
    case 'Stopped':
      return { ...life, awake: false }
    case 'OrganFailed':
      return { ...life, failed: { ...life.failed, [event.slot]: { reason: event.reason, since: at } } }
    case 'OrganRecovered':
    case 'OrganReplaced':
    case 'OrganRemoved': {
      const { [event.slot]: _, ...failed } = life.failed
      return { ...life, failed }
    }
    default:
      return life
  }
}
