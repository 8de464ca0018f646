/** What was asked of a persona's body, and how it went. */
import * as z from 'zod'
import { fact } from './fact.ts'
import { Slot } from './fact-values.ts'

const byItself = { index: null, search: null, background: true, missed: false, changes: [], wish: 'none' } as const

export const bodyFacts = {
  StartAsked: fact({}, { ...byItself, outside: [], wish: 'run' }),
  StopAsked: fact({}, { ...byItself, outside: [], wish: 'rest' }),
  RestartAsked: fact({}, { ...byItself, outside: [], wish: 'run anew' }),
  Woke: fact({ life: z.int() }, { ...byItself, outside: ['life'] }),
  Stopped: fact({ life: z.int() }, { ...byItself, outside: ['life'] }),
  WakingFailed: fact({ reason: z.string() }, { ...byItself, outside: ['reason'] }),
  OrganFailed: fact({ slot: Slot, reason: z.string() }, { ...byItself, outside: ['slot', 'reason'] }),
  OrganRecovered: fact({ slot: Slot }, { ...byItself, outside: ['slot'] }),
}
