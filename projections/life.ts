/** The current life, counted from 1 at every start, and the organs that failed during it. */

import type { Organ, Seq, Slot } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { FactFor } from './fact.ts'

export interface Failure {
  readonly reason: string
  /** Epoch ms. */
  readonly since: number
}

/** `at`: epoch ms. */
export type MindTest = Omit<EventOf<'MindTested'>, 'type'> & { readonly at: number }

export interface Life {
  readonly life: number
  readonly awake: boolean
  /** Position of the fact that began the life. */
  readonly woke: Seq | 0
  readonly failed: Readonly<Partial<Record<Slot, Failure>>>
  /** The last test of a Mind, which may be another one than the present one. */
  readonly mindTest: MindTest | null
}

export const initialLife: Life = { life: 0, awake: false, woke: 0, failed: {}, mindTest: null }

/** Returns the last test if it was one of this model. */
export const getMindTest = ({ mindTest }: Life, organ: Omit<Organ, 'key'>): MindTest | null =>
  mindTest?.model === organ.model && mindTest.provider === organ.provider && mindTest.url === organ.url
    ? mindTest
    : null

export const evolveLife = (life: Life, { seq, at, event }: FactFor<'life'>): Life => {
  switch (event.type) {
    case 'Woke':
      return { ...life, life: event.life, awake: true, woke: seq }
    case 'Stopped':
      return { ...life, awake: false }
    case 'PersonaRestored':
    case 'PersonaForked':
      return { ...life, awake: false, failed: {}, mindTest: null }
    case 'OrganFailed':
      return { ...life, failed: { ...life.failed, [event.slot]: { reason: event.reason, since: at } } }
    case 'MindTested': {
      const { type: _, ...test } = event
      return { ...life, mindTest: { ...test, at } }
    }
    case 'OrganRecovered':
    case 'OrganReplaced':
    case 'OrganRemoved': {
      const { [event.slot]: _, ...failed } = life.failed
      return { ...life, failed }
    }
  }
}
