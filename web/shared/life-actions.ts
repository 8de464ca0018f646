/** The actions that start and stop a persona, by its condition. */
import type { Condition } from './shapes.ts'

export type LifeAction = 'start' | 'wake' | 'sleep' | 'restart' | 'stop' | 'hibernate'

/** The most likely action comes first. */
export const lifeActionsByCondition: Readonly<Record<Condition, readonly LifeAction[]>> = {
  awake: ['sleep', 'restart', 'stop', 'hibernate'],
  ailing: ['restart', 'stop', 'hibernate'],
  stopped: ['start', 'hibernate'],
  hibernating: ['wake'],
  sick: ['wake', 'hibernate'],
}
