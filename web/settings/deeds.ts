/** The actions that start and stop a persona, by its condition. */
import type { Condition } from '../shared/shapes.ts'

export type DeedName = 'start' | 'wake' | 'sleep' | 'restart' | 'stop' | 'hibernate'

/** The most likely action comes first. */
export const deedsOf: Readonly<Record<Condition, readonly DeedName[]>> = {
  awake: ['sleep', 'restart', 'stop', 'hibernate'],
  ailing: ['restart', 'stop', 'hibernate'],
  stopped: ['start', 'hibernate'],
  hibernating: ['wake'],
  sick: ['wake', 'hibernate'],
}
